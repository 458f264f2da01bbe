import { type Structure, type StructureElement, withoutGenerated } from '../model/index.js';

/** Maximum number of characters of one name of an element. A page can contain names of any length. */
const MAX_NAME = 60;

/** A structure, and the same elements in the structure that it is compared with. */
export interface NamedStructure {
  readonly structure: Structure;
  /** Returns the same element in the other structure; undefined: it is in this one alone. */
  counterpartOf(index: number): StructureElement | undefined;
}

/**
 * Returns a short selector of an element: `#menu`, `.btn.btn-primary`, `.team-card img`. A text has the name of its element. An element
 * without an id and classes has the nearest name above it in front.
 *
 * A name is the same in each load. So an id or a class counts only if the element has it in both structures. In an element that is in
 * one structure alone, it counts unless it looks generated.
 */
export function nameElement({ structure: { elements }, counterpartOf }: NamedStructure, index: number): string {
  const parts: string[] = [];
  for (let at = index; at >= 0; at = elements[at]?.parent ?? -1) {
    const element = elements[at];
    if (!element) break;
    if (element.tag === '#text') continue;
    const isPseudo = element.tag.startsWith('::');
    const names = stableNames(element, counterpartOf(at));
    if (parts.length === 0 || names.length > 0 || parts[0]?.startsWith('::')) {
      const name = nameOf(element.tag, names);
      if (parts[0]?.startsWith('::')) parts[0] = `${name}${parts[0]}`;
      else parts.unshift(name);
    }
    if (!isPseudo && names.length > 0) break;
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
  return shorten(`${isTagShown ? tag : ''}${names.join('')}`);
}

function shorten(name: string): string {
  return name.length > MAX_NAME ? `${name.slice(0, MAX_NAME)}…` : name;
}
