import { widenArea } from '../compare/index.js';
import type { Rectangle, Structure } from '../model/index.js';
import type { Edit, ElementAreas, StructureChange } from './find-edits.js';

/**
 * Returns what an edit can have drawn, before and after: the box of its element, and those of its descendants if the edit concerns
 * them. Shadows, outlines and filters reach beyond the box.
 */
export function drawnArea(edit: Edit, { before, after, boxes }: StructureChange): ElementAreas {
  const isOwn = edit.property !== null && OWN.test(edit.property);
  const reach = Math.max(reachOf(edit.property, edit.from), reachOf(edit.property, edit.to));
  const draw = (structure: Structure, all: readonly Rectangle[], index: number | null) => {
    if (index === null) return [];
    const drawn = isOwn ? [index] : subtreeOf(structure, index);
    return drawn.flatMap((one) => (all[one] ? [widenArea(all[one], reach)] : []));
  };
  return { before: draw(before, boxes.before, edit.before), after: draw(after, boxes.after, edit.after) };
}

/** Properties that concern the box of the element itself, not its descendants. */
const OWN = /^(background|border-.*-(color|style|radius)|outline|box-shadow|object|list-style|content)/;

/** Returns how far a shadow, an outline or a filter reaches beyond the box, in pixels. */
function reachOf(property: string | null, value: string | null): number {
  if (property === null || value === null || !/shadow|outline|filter/.test(property)) return 0;
  const lengths = [...value.matchAll(/(-?[\d.]+)px/g)].map(([, length]) => Math.abs(Number(length)));
  return Math.min(
    200,
    lengths.reduce((sum, length) => sum + 2 * length, 0),
  );
}

/** Maximum number of elements of a subtree. The box of the element itself covers most of the others. */
const MAX_SUBTREE = 500;

/** Lists an element and its descendants. Descendants follow their ancestors, without a gap. */
function subtreeOf({ elements }: Structure, index: number): number[] {
  const subtree = [index];
  for (let at = index + 1; (elements[at]?.parent ?? -1) >= index && subtree.length < MAX_SUBTREE; at++)
    subtree.push(at);
  return subtree;
}
