import {
  type Cause,
  GENERATED,
  renderCount,
  renderCountOf,
  renderPixels,
  renderPlain,
  type ShotRecord,
  TIME,
} from '../model/index.js';

/** Number of causes in a reason. The report has all of them. */
const MAX_IN_REASON = 2;

/**
 * Formats the first causes of a change; null if no cause is known. Example: `.team-card img: image /portrait-3.png ->
 * /portrait-9.png; .btn-primary: background-color #3b82f6 -> #1d4ed8 (/css/site.css:42); 3 more causes`.
 */
export function formatCauses({ causes = [] }: Pick<ShotRecord, 'causes'>): string | null {
  const known = causes.filter(({ kind }) => kind !== 'unexplained');
  const unexplained = causes.find(({ kind }) => kind === 'unexplained');
  if (known.length === 0) return null;
  const more = known.length - MAX_IN_REASON;
  return [
    ...known.slice(0, MAX_IN_REASON).map(formatCause),
    ...(more > 0 ? [renderCountOf(more, 'more cause')] : []),
    ...(unexplained ? [formatCause(unexplained)] : []),
  ].join('; ');
}

/** Formats one cause in one line. Names and texts come from the page, so control characters are removed. */
export function formatCause(cause: Cause): string {
  const { element, certain, elements, regions, pixels } = cause;
  if (cause.kind === 'unexplained')
    return `${renderCountOf(regions.length, 'region')} (${renderPixels(pixels)}) not explained by an element`;
  const count = elements > 1 ? ` (${renderCount(elements)} elements)` : '';
  const name = element === null ? '' : `${element}${count}: `;
  return renderPlain(`${certain ? '' : 'possibly '}${name}${formatEdit(cause)}`);
}

/**
 * Checks whether the text of a cause differs only in what differs at each load: `time` for a time, a date or a duration, `generated` for an
 * identifier; null for any other change.
 */
export function passingTextOf({ kind, before, after }: Cause): 'time' | 'generated' | null {
  if (kind !== 'reworded' || before === null || after === null) return null;
  const [from, to] = [before, after].map((text) => text.replace(GENERATED, '#').replace(TIME, '@'));
  if (from !== to) return null;
  return before.replace(GENERATED, '#') === after.replace(GENERATED, '#') ? 'generated' : 'time';
}

function formatEdit({ kind, property, before, after, source }: Cause): string {
  switch (kind) {
    case 'restyled':
      return `${formatChange(property ?? '', formatValue(before), formatValue(after))}${formatSource(source)}`;
    case 'reworded':
      return `text ${quote(before)} -> ${quote(after)}`;
    case 'image':
      return formatChange('image', before ?? 'none', after ?? 'none');
    case 'wrong-text':
      return `text ${quote(after)} is not allowed by the pattern ${quote(before)}`;
    case 'broken':
      return `${after ?? ''} did not load`;
    case 'drawing':
      return before || after ? `drawing ${before ?? ''} -> ${after ?? ''}` : 'drawing changed';
    case 'inserted':
    case 'removed':
    case 'moved':
      return kind;
    case 'misplaced':
      return `is now ${after ?? 'at another place'}`;
    case 'changing':
      return 'differs between the last two screenshots';
    case 'opaque':
      return 'its content changed; it has no elements';
    case 'unexplained':
      return 'not explained';
    default:
      return kind satisfies never;
  }
}

/** Formats a change of a value or an image. The address of inline content says nothing, so only its change is named. */
function formatChange(what: string, before: string, after: string): string {
  const [from, to] = [before, after].map((value) => value.replace(/\bdata:[\da-f]{12}\b/g, 'data:'));
  if (from !== to) return `${what} ${from} -> ${to}`;
  return /\b(data|blob):/.test(after) ? `${what} has other content` : `${what} ${after} has other content`;
}

function quote(text: string | null): string {
  return text === null ? 'none' : JSON.stringify(text);
}

function formatSource(source: Cause['source']): string {
  if (source === null) return '';
  if (source.file === null) return source.selector === 'style' ? ' (attribute style)' : ` (${source.selector})`;
  return ` (${source.file}${source.line === null ? '' : `:${source.line}`})`;
}

/** Formats a computed value. Colors become hexadecimal, as most style sheets write them. */
function formatValue(value: string | null): string {
  if (value === null || value === '') return 'none';
  return value.replace(/rgb\((\d+), (\d+), (\d+)\)/g, (_, ...channels: string[]) => {
    const hex = channels.slice(0, 3).map((channel) => Number(channel).toString(16).padStart(2, '0'));
    return `#${hex.join('')}`;
  });
}
