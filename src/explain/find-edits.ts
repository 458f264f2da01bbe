import type { Rectangle, Structure, StructureElement } from '../model/index.js';
import { type Matching, matchStructures } from './match-structures.js';

/** One change of one element, or of one run of text. */
export interface Edit {
  readonly kind: 'restyled' | 'reworded' | 'image' | 'broken' | 'drawing' | 'inserted' | 'removed' | 'moved';
  /** Index in the structure of before; null for inserted elements. */
  readonly before: number | null;
  /** Index in the structure of after; null for removed elements. That of the root if the edit concerns the whole page. */
  readonly after: number | null;
  /** The CSS property of `restyled`, otherwise null. */
  readonly property: string | null;
  readonly from: string | null;
  readonly to: string | null;
  /** The value depends on the layout: only a declaration of the page makes it a cause. */
  readonly needsRule: boolean;
}

/** Rectangles in the before image and in the after image. */
export interface ElementAreas {
  readonly before: readonly Rectangle[];
  readonly after: readonly Rectangle[];
}

/** The matched structures of two pages, and the edits that lead from one to the other. */
export interface StructureChange {
  readonly before: Structure;
  readonly after: Structure;
  readonly matching: Matching;
  /** The box of each element. */
  readonly boxes: ElementAreas;
  /** For each element of after, the box of its counterpart in before. */
  readonly formerBoxes: readonly (Rectangle | undefined)[];
  /** Those of the layout last. */
  readonly edits: readonly Edit[];
}

/**
 * Lists the edits between two structures. Consequences are left out: inherited values, values that follow the font size or the text color,
 * and everything within an inserted or removed element.
 */
export function findEdits(before: Structure, after: Structure): StructureChange {
  const matching = matchStructures(before, after);
  const { toAfter, toBefore, moved } = matching;
  const changesOf = createStyleReader(before, after);
  const broken = { before: reasonsIn(before), after: reasonsIn(after) };
  const pages = { before, after, matching, broken };
  const edits = after.elements.flatMap((element, index): Edit[] => {
    const match = toBefore[index] ?? -1;
    const isOutermost = toBefore[element.parent] !== -1;
    if (match === -1) {
      // A text without a counterpart is a change of its element.
      const kind = element.tag === '#text' ? 'reworded' : 'inserted';
      return isOutermost ? [editOf(kind, null, index, null, element.text ?? null)] : [];
    }
    return [
      ...(moved.has(index) && isOutermost ? [editOf('moved', match, index, null, null)] : []),
      ...contentEdits(pages, match, index),
      ...styleEdits(pages, changesOf, match, index),
    ];
  });
  const removed = before.elements.flatMap((element, index): Edit[] => {
    const isOutermost = toAfter[element.parent] !== -1;
    const kind = element.tag === '#text' ? 'reworded' : 'removed';
    return toAfter[index] === -1 && isOutermost ? [editOf(kind, index, null, element.text ?? null, null)] : [];
  });
  const all = [...(before.elements.length > 0 ? brokenEdits(pages) : []), ...edits, ...removed];
  const boxes = { before: before.elements.map(rectangleOf), after: after.elements.map(rectangleOf) };
  const formerBoxes = after.elements.map((_, index) => boxes.before[toBefore[index] ?? -1]);
  return { before, after, matching, boxes, formerBoxes, edits: limitEdits(all) };
}

export function rectangleOf({ box: [x, y, width, height] }: StructureElement): Rectangle {
  return { x, y, width, height };
}

/** Maximum number of edits of each kind: those of the layout, and all others. A page that was replaced has more. */
const MAX_EDITS = 1_000;

function limitEdits(edits: readonly Edit[]): Edit[] {
  return [false, true].flatMap((isOfLayout) =>
    edits.filter(({ needsRule }) => needsRule === isOfLayout).slice(0, MAX_EDITS),
  );
}

function editOf(
  kind: Edit['kind'],
  before: number | null,
  after: number | null,
  from: string | null,
  to: string | null,
): Edit {
  return { kind, before, after, property: null, from, to, needsRule: false };
}

interface Pages extends Pick<StructureChange, 'before' | 'after' | 'matching'> {
  readonly broken: Readonly<Record<'before' | 'after', Broken>>;
}

/** Why each resource did not load, by URL. */
type Broken = ReadonlyMap<string | undefined, string>;

function reasonsIn({ broken = [] }: Structure): Broken {
  return new Map(broken.map(({ url, reason }) => [url, reason]));
}

/** Names an image by its URL, with the reason if it did not load. The URL of an inline image says nothing, that of a blob differs in each load. */
function nameImage({ image }: StructureElement, broken: Broken): string | null {
  if (image === undefined) return null;
  const reason = broken.get(image);
  return `${image.replace(/^(data|blob):.*/s, '$1:')}${reason === undefined ? '' : ` (${reason})`}`;
}

function contentEdits({ broken, ...pages }: Pages, before: number, after: number): Edit[] {
  const [one, other] = [pages.before.elements[before], pages.after.elements[after]];
  if (!one || !other) return [];
  const [imageBefore, imageAfter] = [nameImage(one, broken.before), nameImage(other, broken.after)];
  if (broken.after.has(other.image) && imageBefore !== imageAfter)
    return [editOf('broken', before, after, imageBefore, imageAfter)];
  if (one.hash === other.hash && one.image === other.image && imageBefore === imageAfter) return [];
  // The same image may have another URL. Without its hash, the URL decides.
  if (one.hash !== undefined && one.hash === other.hash) return [];
  if (other.tag === '#text') return [editOf('reworded', before, after, one.text ?? '', other.text ?? '')];
  if (imageBefore !== null || imageAfter !== null) return [editOf('image', before, after, imageBefore, imageAfter)];
  const [drawn, others] = [(one.text ?? '').split(' '), (other.text ?? '').split(' ')];
  const from = drawn.filter((part) => !others.includes(part)).join(' ');
  return [editOf('drawing', before, after, from, others.filter((part) => !drawn.includes(part)).join(' '))];
}

/** Lists what did not load in after alone and no element shows by itself. An image counts only if a style uses it. */
function brokenEdits({ broken, after }: Pages): Edit[] {
  const shown = new Set(after.elements.map(({ image }) => image));
  const styles = JSON.stringify(after.styles);
  return (after.broken ?? [])
    .filter(({ url }) => !broken.before.has(url) && !shown.has(url))
    .filter(({ kind, url }) => kind !== 'image' || styles.includes(url))
    .map(({ url, reason }) => editOf('broken', 0, 0, null, `${url} (${reason})`));
}

/** Creates the function that compares the styles of two elements. Many elements have the same styles, so each pair is compared once. */
function createStyleReader(before: Structure, after: Structure) {
  // Properties that only one structure has are skipped: another version read them.
  const columns = after.properties.map((property) => before.properties.indexOf(property));
  const known = new Map<number, readonly StyleChange[]>();
  return (one: number, other: number): readonly StyleChange[] => {
    const [styleBefore, styleAfter] = [before.elements[one]?.style, after.elements[other]?.style];
    if (styleBefore === undefined || styleAfter === undefined) return [];
    const pair = styleBefore * after.styles.length + styleAfter;
    const changes = known.get(pair) ?? compare(before.styles[styleBefore] ?? [], after.styles[styleAfter] ?? []);
    known.set(pair, changes);
    return changes;
  };

  function compare(valuesBefore: readonly string[], valuesAfter: readonly string[]): StyleChange[] {
    return after.properties.flatMap((property, index) => {
      const [from, to] = [valuesBefore[columns[index] ?? -1] ?? '', valuesAfter[index] ?? ''];
      // A style that paints nothing on one side follows from another one, such as the color of a line that is new.
      return from !== to && from !== '' && to !== '' ? [{ property, from, to }] : [];
    });
  }
}

type StyleReader = ReturnType<typeof createStyleReader>;

function styleEdits(pages: Pages, changesOf: StyleReader, before: number, after: number): Edit[] {
  const own = changesOf(before, after);
  const sizes = sizeChanges(pages.before.elements[before], pages.after.elements[after]);
  if (own.length === 0 && sizes.length === 0) return [];
  const parent = pages.after.elements[after]?.parent ?? -1;
  const parentBefore = pages.matching.toBefore[parent] ?? -1;
  const inherited = parentBefore === -1 ? [] : changesOf(parentBefore, parent);
  const direct = own.filter((one) => !isDerived(one, own, inherited));
  return [...direct, ...sizes].map(({ property, from, to }) => ({
    ...editOf('restyled', before, after, from, to),
    property,
    needsRule: PLACING.test(property),
  }));
}

/** Width and height are read from the box: their computed values are those of the layout, not those of the cascade. */
function sizeChanges(one: StructureElement | undefined, other: StructureElement | undefined): StyleChange[] {
  if (!one || !other || other.tag === '#text') return [];
  const [before, after] = [rectangleOf(one), rectangleOf(other)];
  return (['width', 'height'] as const)
    .filter((property) => before[property] !== after[property])
    .map((property) => ({ property, from: `${before[property]}px`, to: `${after[property]}px` }));
}

/** The value of a property of an element, before and after. */
interface StyleChange {
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

/** Checks whether a change of a style follows from another one of the element, or of its parent. */
function isDerived(change: StyleChange, own: readonly StyleChange[], inherited: readonly StyleChange[]): boolean {
  const { property, from, to } = change;
  if (own.some((other) => other !== change && (isScaled(change, other) || followsColor(change, other)))) return true;
  if (!INHERITED.test(property)) return false;
  // `bolder`, `larger` and em values follow the parent.
  const isEqual = (above: StyleChange) => property === 'font-weight' || (above.from === from && above.to === to);
  return inherited.some((above) => (above.property === property && isEqual(above)) || isScaled(change, above));
}

/** Checks whether a length changed by the ratio of a font size: it is an em value. */
function isScaled(change: StyleChange, fontSize: StyleChange): boolean {
  if (fontSize.property !== 'font-size') return false;
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
  if (color.property !== 'color') return false;
  return COLORED.test(property) && from.includes(color.from) && from.replaceAll(color.from, color.to) === to;
}
