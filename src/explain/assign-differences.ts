import { isIntersecting, widenArea } from '../compare/index.js';
import { isSameSize, isWithin } from '../image/index.js';
import type { ChangeDescription, Rectangle, RegionPlace, Structure, StructureElement } from '../model/index.js';
import { type AdmittedEdit, styleOf } from './admit-edits.js';
import type { Edit, ElementAreas, StructureChange } from './find-edits.js';

/** Where two images differ: a region, or content that was inserted, removed or moved. */
export interface Difference extends Pick<RegionPlace, 'before' | 'after'> {
  /** Index of the region; null for moved content. */
  readonly region: number | null;
}

/**
 * Assigns each difference to the edits that explain it. See `explainRegions` for the rules.
 *
 * @returns the differences of each edit, and the regions that no edit explains, by the element without a structure that they are in; -1: in
 *   none
 */
export function assignDifferences(
  change: StructureChange,
  edits: readonly AdmittedEdit[],
  { regionPlaces, contentMoves }: Pick<ChangeDescription, 'regionPlaces' | 'contentMoves'>,
) {
  const drawing = edits.map((edit) => ({ edit, drawn: drawnArea(edit, change) }));
  const placing = edits.filter(changesLayout);
  const byEdit = new Map<AdmittedEdit, Difference[]>();
  const rest = new Map<number, number[]>();
  const differences: Difference[] = [
    ...regionPlaces.map(({ before, after }, region) => ({ before, after, region })),
    ...contentMoves.map(({ before, after }) => ({ before, after, region: null })),
  ];
  for (const difference of differences) {
    const explaining = findExplaining(difference);
    for (const edit of explaining) byEdit.set(edit, [...(byEdit.get(edit) ?? []), difference]);
    if (explaining.length > 0 || difference.region === null) continue;
    const element = findOpaque(difference, change);
    rest.set(element, [...(rest.get(element) ?? []), difference.region]);
  }
  return { byEdit, rest };

  function findExplaining(difference: Difference): AdmittedEdit[] {
    for (const reach of [0, OVERHANG]) {
      const direct = drawing.filter(({ drawn }) => isTouching(difference, drawn, reach));
      if (direct.length > 0) return direct.map(({ edit }) => edit);
    }
    const moved = elementsThatMoved(difference, change);
    return nearestEdit(placing, moved.length > 0 ? moved : smoothEdgesThatMoved(difference, change), change);
  }
}

/** How far glyphs and anti-aliasing reach beyond a box, in pixels. */
const OVERHANG = 3;

function isTouching({ before, after }: Difference, drawn: ElementAreas, reach: number): boolean {
  const touches = (own: Rectangle | null, areas: readonly Rectangle[]) => {
    const wide = own && widenArea(own, reach);
    return wide !== null && areas.some((area) => isIntersecting(wide, area));
  };
  return touches(before, drawn.before) || touches(after, drawn.after);
}

/** Checks whether an edit can move other elements. */
function changesLayout({ kind, property }: AdmittedEdit): boolean {
  return kind !== 'drawing' && (kind !== 'restyled' || !PAINTS_ONLY.test(property ?? ''));
}

const PAINTS_ONLY =
  /color$|^(background|outline|opacity|filter|backdrop|mix-blend|clip-path|mask|box-shadow|text-shadow|text-decoration|fill|stroke|object|z-index|border-.*-radius|transform|border-.*-style$)/;

/** Lists the innermost elements that touch a difference and moved, in a region further than the comparison aligned it. */
function elementsThatMoved({ before, after, region }: Difference, change: StructureChange): number[] {
  if (!after) return [];
  const { boxes, formerBoxes } = change;
  const touching = boxes.after.flatMap((box, index) => (isIntersecting(box, after) ? [index] : []));
  const outer = new Set(touching.map((index) => change.after.elements[index]?.parent));
  const isMove = region === null;
  const aligned = before && !isMove ? { x: after.x - before.x, y: after.y - before.y } : null;
  // Boxes are rounded to whole pixels. Moved content proves that its boxes moved.
  const roundingPx = isMove ? 0 : 1;
  return touching.filter((index) => {
    const [one, other] = [formerBoxes[index], boxes.after[index]];
    if (outer.has(index) || !one || !other) return false;
    const [x, y] = [other.x - one.x - (aligned?.x ?? 0), other.y - one.y - (aligned?.y ?? 0)];
    return !isSameSize(one, other) || Math.abs(x) > roundingPx || Math.abs(y) > roundingPx;
  });
}

/** Lists the elements that moved and have a smooth edge there, which is smoothed in another way: equal images and drawings, rounded corners. */
function smoothEdgesThatMoved(difference: Difference, change: StructureChange): number[] {
  const { after: area } = difference;
  const { before, after, boxes, formerBoxes, matching } = change;
  if (!area || findOpaque(difference, change) !== -1) return [];
  return after.elements.flatMap((element, index) => {
    const [one, other] = [formerBoxes[index], boxes.after[index]];
    if (!one || !other || !isSameSize(one, other) || (one.x === other.x && one.y === other.y)) return [];
    const { hash } = before.elements[matching.toBefore[index] ?? -1] ?? {};
    const isDrawing = element.tag !== '#text' && hash !== undefined && element.hash === hash;
    const smooth = isDrawing ? [other] : roundedCorners(after, element, other);
    return smooth.some((edge) => isWithin(area, widenArea(edge, OVERHANG))) ? [index] : [];
  });
}

function roundedCorners(structure: Structure, element: StructureElement, box: Rectangle): Rectangle[] {
  return (['top-left', 'top-right', 'bottom-left', 'bottom-right'] as const).flatMap((corner) => {
    const radius = Number.parseFloat(styleOf(structure, element, `border-${corner}-radius`));
    if (!(radius > 0)) return [];
    // A percentage is taken for pixels: the corner is at most half of the box.
    const [width, height] = [Math.min(radius, box.width / 2), Math.min(radius, box.height / 2)];
    const x = corner.endsWith('left') ? box.x : box.x + box.width - width;
    const y = corner.startsWith('top') ? box.y : box.y + box.height - height;
    return [{ x, y, width, height }];
  });
}

/** Maximum number of moved elements whose ancestors are compared. */
const MAX_MOVED = 20;

/** Returns the edit whose element has the deepest common ancestor with one of the elements, or none. */
function nearestEdit(
  edits: readonly AdmittedEdit[],
  elements: readonly number[],
  { after }: StructureChange,
): AdmittedEdit[] {
  const depth = new Map<number, number>();
  for (const element of elements.slice(-MAX_MOVED))
    for (const [level, above] of pathOf(after, element).entries()) depth.set(above, level);
  let nearest: AdmittedEdit[] = [];
  let deepest = -1;
  for (const edit of edits) {
    const path = edit.after === null ? [0] : pathOf(after, edit.after);
    const level = Math.max(...path.map((above) => depth.get(above) ?? -1));
    if (level > deepest) [nearest, deepest] = [[edit], level];
  }
  return nearest;
}

/** Returns the ancestors of an element from the root, and the element itself. */
export function pathOf({ elements }: Structure, index: number): number[] {
  const path: number[] = [];
  for (let at = index; at >= 0; at = elements[at]?.parent ?? -1) path.unshift(at);
  return path;
}

function findOpaque({ after: area }: Difference, { after, boxes }: StructureChange): number {
  if (area === null) return -1;
  return boxes.after.findIndex(
    (box, index) => after.elements[index]?.opaque !== undefined && isIntersecting(box, area),
  );
}

/** Returns what an edit can have drawn: the box of its element, and those of its descendants if the edit concerns them. */
function drawnArea(edit: Edit, { before, after, boxes }: StructureChange): ElementAreas {
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
  let reach = 0;
  for (const [, length] of value.matchAll(/(-?[\d.]+)px/g)) reach += 2 * Math.abs(Number(length));
  return Math.min(reach, MAX_REACH);
}

/** In pixels. */
const MAX_REACH = 200;

/** Maximum number of elements of a subtree. The box of the element itself covers most of the others. */
const MAX_SUBTREE = 500;

/** Descendants follow their ancestors, without a gap. */
function subtreeOf({ elements }: Structure, index: number): number[] {
  const subtree = [index];
  for (let at = index + 1; (elements[at]?.parent ?? -1) >= index && subtree.length < MAX_SUBTREE; at++)
    subtree.push(at);
  return subtree;
}
