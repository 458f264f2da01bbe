import type { Structure, StructureElement } from '../../model/structure.js';

/** Maximum number of characters of one name of an element. A page can contain names of any length. */
const MAX_NAME = 60;

/**
 * Returns a short selector of an element: `#menu`, `.btn.btn-primary`, `.team-card img`. A text has the name of its element. An element
 * without an id and classes has the nearest name above it in front.
 */
export function nameElement({ elements }: Structure, index: number): string {
  const parts: string[] = [];
  for (let at = index; at >= 0; at = elements[at]?.parent ?? -1) {
    const element = elements[at];
    if (!element) break;
    if (element.tag === '#text') continue;
    const isPseudo = element.tag.startsWith('::');
    if (parts.length === 0 || isNamed(element) || parts[0]?.startsWith('::')) {
      const name = nameOf(element);
      if (parts[0]?.startsWith('::')) parts[0] = `${name}${parts[0]}`;
      else parts.unshift(name);
    }
    if (!isPseudo && isNamed(element)) break;
  }
  return parts.join(' ');
}

function isNamed({ id, classes }: StructureElement): boolean {
  return id !== undefined || classes !== undefined;
}

function nameOf({ tag, id, classes = [] }: StructureElement): string {
  if (id !== undefined) return shorten(`#${id}`);
  if (classes.length === 0) return tag;
  const names = classes.slice(0, 2).map((name) => `.${name}`);
  // The tag of an image or a link says more than that of a box.
  return shorten(`${/^(div|span|section)$/.test(tag) ? '' : tag}${names.join('')}`);
}

function shorten(name: string): string {
  return name.length > MAX_NAME ? `${name.slice(0, MAX_NAME)}…` : name;
}
