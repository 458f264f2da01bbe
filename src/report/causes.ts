import { type Cause, renderCount, renderCountOf, renderPixels, renderPlain, type ShotRecord } from '../model/index.js';

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

/** A UUID, a hash, a long number, or a mix of letters and digits. */
const GENERATED =
  /\b(?:[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}|(?=[a-f]*\d)(?=\d*[a-f])[\da-f]{7,}|\d{9,}|(?=\w*\d)(?=\w*[a-z])(?=\w*[A-Z])\w{10,})\b/g;

const MONTH = '(?:jan|feb|mar|mär|apr|may|mai|jun|jul|aug|sep|oct|okt|nov|dec|dez)\\p{L}*\\.?';
const UNIT =
  '(?:ms|s|secs?|seconds?|mins?|minutes?|h|hrs?|hours?|days?|weeks?|months?|years?|sekunden?|minuten?|stunden?|tage?n?|wochen?|monate?n?|jahre?n?|secondes?|heures?|jours?|segundos?|minutos?|horas?|días?)';

/** A date, a time of day, a duration, or a day as one says it. A number alone is none of them. */
const TIME = new RegExp(
  `(?<![\\p{L}\\d])(?:${[
    '\\d{4}-\\d{2}-\\d{2}(?:[T ]\\d{2}:\\d{2}(?::\\d{2})?(?:\\.\\d+)?(?:Z|[+-]\\d{2}:?\\d{2})?)?',
    '\\d{1,2}[./]\\d{1,2}[./]\\d{2,4}',
    `${MONTH} \\d{1,2}(?:st|nd|rd|th)?(?:,? \\d{4})?`,
    `\\d{1,2}\\.? ${MONTH}(?:,? \\d{4})?`,
    '(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?',
    '\\d{1,3}:\\d{2}(?::\\d{2})?(?:\\.\\d+)?(?: ?[ap]\\.?m\\.?)?',
    `(?:vor |il y a |hace )?(?:\\d+(?:[.,]\\d+)?|an?|a few) ?${UNIT}(?: ago)?`,
    '\\d+[smhdw] ago',
    'just now|now|today|yesterday|tomorrow|heute|gestern|morgen|gerade eben',
  ].join('|')})(?![\\p{L}\\d])`,
  'giu',
);

function formatEdit({ kind, property, before, after, source }: Cause): string {
  switch (kind) {
    case 'restyled':
      return `${formatChange(property ?? '', formatValue(before), formatValue(after))}${formatSource(source)}`;
    case 'reworded':
      return `text ${quote(before)} -> ${quote(after)}`;
    case 'image':
      return formatChange('image', before ?? 'none', after ?? 'none');
    case 'broken':
      return `${after ?? ''} did not load`;
    case 'drawing':
      return before || after ? `drawing ${before ?? ''} -> ${after ?? ''}` : 'drawing changed';
    case 'inserted':
    case 'removed':
    case 'moved':
      return kind;
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
