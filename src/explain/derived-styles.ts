/** The value of a property of an element, before and after. */
export interface StyleChange {
  readonly property: string;
  readonly from: string;
  readonly to: string;
}

/** Properties that children inherit: https://www.w3.org/TR/css-cascade-5/#inheriting */
const INHERITED =
  /^(color|direction|fill|fill-opacity|font-.*|letter-spacing|line-height|list-style-.*|stroke|stroke-.*|text-(align|indent|shadow|transform)|-webkit-text-.*|white-space.*|word-.*|overflow-wrap)$/;

/** Properties whose used value depends on the layout: only a declaration shows whether they changed. */
const PLACING =
  /^(width|height|top|right|bottom|left|margin-(top|right|bottom|left)|display|transform|transform-origin)$/;

/** Properties whose initial value is the text color. */
const COLORED = /color$|^(fill|stroke|box-shadow|text-shadow|filter)$/;

/** Checks whether the used value of a property depends on the layout. */
export function isPlacing(property: string): boolean {
  return PLACING.test(property);
}

/**
 * Checks whether a change of a style follows from another change, so that it is not a cause.
 *
 * @param own - all changes of the element
 * @param inherited - all changes of its parent
 */
export function isDerived(
  change: StyleChange,
  own: readonly StyleChange[],
  inherited: readonly StyleChange[],
): boolean {
  const { property, from, to } = change;
  if (INHERITED.test(property)) {
    if (inherited.some((above) => above.property === property && above.from === from && above.to === to)) return true;
    // `bolder`, `larger` and em values follow the parent.
    if (property === 'font-weight' && inherited.some((above) => above.property === property)) return true;
    if (inherited.some((above) => above.property === 'font-size' && isScaled(change, above))) return true;
  }
  if (own.some((other) => other.property === 'font-size' && other !== change && isScaled(change, other))) return true;
  return own.some((other) => other.property === 'color' && other !== change && followsColor(change, other));
}

/** Checks whether a length changed by the ratio of a font size: it is an em value. */
function isScaled(change: StyleChange, fontSize: StyleChange): boolean {
  const ratio = Number.parseFloat(fontSize.to) / Number.parseFloat(fontSize.from);
  const [from, to] = [lengthsOf(change.from), lengthsOf(change.to)];
  return (
    from.length > 0 && from.length === to.length && from.every((length, index) => isNear(length * ratio, to[index]))
  );
}

function lengthsOf(value: string): number[] {
  return /^(-?[\d.]+px ?)+$/.test(value) ? value.split(' ').map(Number.parseFloat) : [];
}

/** Computed lengths are rounded to 1/64 px. */
function isNear(one: number, other: number | undefined): boolean {
  return other !== undefined && Math.abs(one - other) <= Math.max(0.05, Math.abs(other) * 0.01);
}

function followsColor({ property, from, to }: StyleChange, color: StyleChange): boolean {
  return COLORED.test(property) && from.includes(color.from) && from.replaceAll(color.from, color.to) === to;
}
