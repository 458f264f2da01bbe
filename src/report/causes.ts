import {
  type Cause,
  cutText,
  GENERATED,
  renderCount,
  renderCountOf,
  renderPixels,
  renderPlain,
  type ShotRecord,
  TIME,
} from '../model/index.js';
import { groupBy } from './group-by.js';

/** Renders the first causes of a change: `.btn: background-color #3b82f6 -> #1d4ed8 (/css/site.css:42); 3 more causes`; null if none is known. */
export function renderCauses({ causes: all = [] }: Pick<ShotRecord, 'causes'>): string | null {
  const causes = foldSides(all);
  const known = causes.filter(({ kind }) => kind !== 'unexplained');
  const unexplained = causes.find(({ kind }) => kind === 'unexplained');
  if (known.length === 0) return null;
  return [
    ...known.slice(0, 2).map(renderCause),
    ...(known.length > 2 ? [renderCountOf(known.length - 2, 'more cause')] : []),
    ...(unexplained ? [renderCause(unexplained)] : []),
  ].join('; ');
}

/** Returns a text that is equal for causes of the same change. A declaration in a style sheet is the same one on each page. */
export function causeKeyOf({ kind, element, property, before, after, source }: Cause): string {
  return JSON.stringify([kind, property, before, after, source?.file ? source : element]);
}

/** Folds the four sides or corners of a property that changed in the same way: `border-top-color` and three more become `border-color`. */
export function foldSides(causes: readonly Cause[]): readonly Cause[] {
  const nameOf = ({ property }: Cause) => property?.replace(SIDE, '').replace(/-$/, '') || 'inset';
  const keyOf = (cause: Cause) => `${cause.element} ${causeKeyOf({ ...cause, property: nameOf(cause) })}`;
  const groups = groupBy(causes, (cause) => (cause.property && SIDE.test(cause.property) ? keyOf(cause) : cause));
  return [...groups.values()].flatMap((same) => {
    const [first] = same;
    const isFour = same.length === 4 && new Set(same.map(({ property }) => property)).size === 4;
    return isFour ? [{ ...first, property: nameOf(first) }] : same;
  });
}

const SIDE = /\b(top|right|bottom|left)(-(left|right))?\b-?/;

/** Renders one cause in one line. Names and texts come from the page, so control characters are removed. */
export function renderCause(cause: Cause): string {
  return renderPlain(`${renderSubject(cause)}${renderEdit(cause)}`);
}

function renderSubject({ kind, element, certain, elements }: Cause): string {
  const count = elements > 1 ? ` (${renderCount(elements)} elements)` : '';
  return `${certain || kind === 'unexplained' ? '' : 'possibly '}${element === null ? '' : `${element}${count}: `}`;
}

/** As {@link renderCause}, with both texts of a changed text in full, and their different words marked; null for other causes. */
export function markWords(cause: Cause) {
  const texts = changedTextsOf(cause);
  if (texts === null) return null;
  const [from, to] = compareWords(...texts);
  const parts = [[`${renderSubject(cause)}text "`], from, ['" -> "'], to, ['"']].flatMap((words) =>
    words.map((text, index) => ({ text, isChanged: index === 1 })),
  );
  return parts.filter(({ text }) => text !== '');
}

/** What precedes the different words of a text, these words, and what follows them. */
type Words = readonly [head: string, changed: string, tail: string];

function compareWords(before: string, after: string): readonly [Words, Words] {
  const [one, other] = [before.split(/(?<=\s)/), after.split(/(?<=\s)/)];
  const least = Math.min(one.length, other.length);
  let start = 0;
  while (start < least && one[start] === other[start]) start++;
  let end = 0;
  while (end < least - start && one.at(-1 - end) === other.at(-1 - end)) end++;
  const partsOf = (words: readonly string[]): Words => {
    const last = words.length - end;
    return [words.slice(0, start).join(''), words.slice(start, last).join(''), words.slice(last).join('')];
  };
  return [partsOf(one), partsOf(other)];
}

/** Number of characters up to which a text is shown in full, and of those around changed words in a longer one. */
const MAX_TEXT = { full: 60, around: 20 };

function quoteWords(before: string | null, after: string | null): readonly string[] {
  if (before === null || after === null || Math.max(before.length, after.length) <= MAX_TEXT.full)
    return [before, after].map(quote);
  return compareWords(before, after).map(([head, changed, tail]) => {
    const [first, last] = [head.slice(-MAX_TEXT.around), tail.slice(0, MAX_TEXT.around)];
    const [start, end] = [first === head ? '' : '…', last === tail ? '' : '…'];
    return quote(`${start}${first}${cutText(changed, MAX_TEXT.full)}${last}${end}`);
  });
}

/** Says whether a text differs only in what differs at each load: in a time, a date or a duration, or in an identifier; else null. */
export function passingTextOf(cause: Cause): 'time' | 'generated' | null {
  const texts = changedTextsOf(cause);
  if (texts === null) return null;
  const [before, after] = texts;
  const [from, to] = texts.map((text) => text.replace(GENERATED, '#').replace(TIME, '@'));
  if (from !== to) return null;
  return before.replace(GENERATED, '#') === after.replace(GENERATED, '#') ? 'generated' : 'time';
}

/** Returns both texts of a changed text; null if they are not known. Of a long one, only the beginning is, and it may be the same. */
function changedTextsOf({ kind, before, after }: Cause): [before: string, after: string] | null {
  return kind !== 'reworded' || before === null || after === null || before === after ? null : [before, after];
}

function renderEdit({ kind, property, before, after, source, elements, regions, pixels }: Cause): string {
  switch (kind) {
    case 'restyled':
      return `${renderValues(property ?? '', renderValue(before), renderValue(after))}${renderSource(source)}`;
    case 'reworded':
      return before !== null && before === after
        ? `text changed beyond ${quote(cutText(before, MAX_TEXT.full))}`
        : `text ${quoteWords(before, after).join(' -> ')}`;
    case 'image':
      return renderValues('image', before ?? 'none', after ?? 'none');
    case 'wrong-text':
      return `text ${quote(after)} is not allowed by the pattern ${quote(before)}`;
    case 'hidden-text':
      return after === null
        ? `${renderCountOf(elements, 'text')} that the image does not show: removed`
        : `text ${quote(after)} is new, where the image does not show it`;
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
      return `its pixels changed; ${after === null ? 'it has no elements to compare' : `it is ${after}`}`;
    case 'unexplained':
      return `${renderCountOf(regions.length, 'region')} (${renderPixels(pixels)}) not explained by an element`;
    default:
      return kind satisfies never;
  }
}

/** Renders a change of a value or an image. The address of inline content says nothing, so only its change is named. */
function renderValues(what: string, before: string, after: string): string {
  const [from, to] = [before, after].map((value) => value.replace(/\bdata:[\da-f]{12}\b/g, 'data:'));
  if (from !== to) return `${what} ${from} -> ${to}`;
  return /\b(data|blob):/.test(after) ? `${what} has other content` : `${what} ${after} has other content`;
}

function quote(text: string | null): string {
  return text === null ? 'none' : JSON.stringify(text);
}

function renderSource(source: Cause['source']): string {
  if (source === null) return '';
  if (source.file === null) return source.selector === 'style' ? ' (attribute style)' : ` (${source.selector})`;
  return ` (${source.file}${source.line === null ? '' : `:${source.line}`})`;
}

/** Renders a computed value. Colors become hexadecimal, as most style sheets write them. */
function renderValue(value: string | null): string {
  if (value === null || value === '') return 'none';
  return value.replace(/rgb\((\d+), (\d+), (\d+)\)/g, (_, ...channels: string[]) => {
    const hex = channels.slice(0, 3).map((channel) => Number(channel).toString(16).padStart(2, '0'));
    return `#${hex.join('')}`;
  });
}
