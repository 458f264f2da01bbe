import { type Cause, cutText, type Structure, type StructureElement, withoutGenerated } from '../model/index.js';
import type { Edit, StructureChange } from './find-edits.js';

/** Maximum number of characters: a page can contain names of any length. */
const MAX_NAME = 60;

/**
 * Returns a short selector of an element: `#menu`, `.btn.btn-primary`, `.team-card img`. A text has the name of its element. An element
 * without an id and classes has the nearest name above it in front.
 *
 * A name is the same in each load. So an id or a class counts only if the element has it in both structures. In an element that is in
 * one structure alone, it counts unless it looks generated.
 *
 * @param counterpartOf - returns the same element in the other structure. @default none has one
 */
export function nameElement(
  { elements }: Structure,
  index: number,
  counterpartOf: (index: number) => StructureElement | undefined = () => undefined,
): string {
  const parts: string[] = [];
  for (let at = index; at >= 0; at = elements[at]?.parent ?? -1) {
    const element = elements[at];
    if (!element) break;
    if (element.tag === '#text') continue;
    const names = stableNames(element, counterpartOf(at));
    const name = nameOf(element.tag, names);
    if (parts[0]?.startsWith('::')) parts[0] = `${name}${parts[0]}`;
    else if (parts.length === 0 || names.length > 0) parts.unshift(name);
    if (!element.tag.startsWith('::') && names.length > 0) break;
  }
  return parts.join(' ');
}

/** Returns the id, or else the first two classes, as selectors. */
function stableNames({ id, classes = [] }: StructureElement, other: StructureElement | undefined): string[] {
  const isStable = (name: string, others: readonly string[]) =>
    other ? others.includes(name) : withoutGenerated(name) === name;
  if (id !== undefined && isStable(id, [other?.id ?? ''])) return [`#${id}`];
  return classes
    .filter((name) => isStable(name, other?.classes ?? []))
    .slice(0, 2)
    .map((name) => `.${name}`);
}

function nameOf(tag: string, names: readonly string[]): string {
  if (names.length === 0) return tag;
  // The tag of an image or a link says more than that of a box.
  const isTagShown = !names[0]?.startsWith('#') && !/^(div|span|section)$/.test(tag);
  return cutText(`${isTagShown ? tag : ''}${names.join('')}`, MAX_NAME);
}

type ElementPlace = Pick<Edit, 'before' | 'after'>;

/** Names an element of after or, if it is only there, of before. */
function nameChanged({ before, after, matching }: StructureChange, place: ElementPlace): string {
  return place.after === null
    ? nameElement(before, place.before ?? -1, (index) => after.elements[matching.toAfter[index] ?? -1])
    : nameElement(after, place.after, (index) => before.elements[matching.toBefore[index] ?? -1]);
}

/** Returns the cause for one element, whatever its styles are. */
export function elementCause(kind: Cause['kind'], change: StructureChange, place: ElementPlace): Cause {
  const { before, after } = change.boxes;
  const boxes = [{ before: before[place.before ?? -1] ?? null, after: after[place.after ?? -1] ?? null }];
  return { ...blankCause(kind), element: nameChanged(change, place), elements: 1, boxes };
}

/** Returns the cause for an element of after without a structure, such as a canvas. */
export function opaqueCause(change: StructureChange, element: number): Cause {
  const isOfOtherSite = change.after.elements[element]?.opaque === 'other-site';
  const place = { before: change.matching.toBefore[element] ?? null, after: element };
  return { ...elementCause('opaque', change, place), after: isOfOtherSite ? 'a frame of another site' : null };
}

/** Maximum number of boxes of one cause. */
const MAX_BOXES = 20;

/** Merges causes of one declaration, or of elements with one name, that change the same value in the same way. */
export function mergeCauses(causes: readonly Cause[]): Cause[] {
  const merged = new Map<string, Cause>();
  for (const cause of causes) {
    const { kind, element, property, before, after, source } = cause;
    const isRule = source !== null && source.file !== null;
    const key = JSON.stringify([kind, property, before, after, isRule ? source : element]);
    const first = merged.get(key) ?? { ...cause, elements: 0, boxes: [], regions: [] };
    merged.set(key, {
      ...first,
      certain: first.certain && cause.certain,
      elements: first.elements + cause.elements,
      boxes: [...first.boxes, ...cause.boxes].slice(0, MAX_BOXES),
      regions: [...new Set([...first.regions, ...cause.regions])].sort((a, b) => a - b),
    });
  }
  return [...merged.values()];
}

/** Returns a cause of a kind, without an element and values. */
export function blankCause(kind: Cause['kind']): Cause {
  const values = { element: null, property: null, before: null, after: null, source: null };
  return { kind, ...values, certain: false, elements: 0, boxes: [], regions: [], pixels: 0 };
}
