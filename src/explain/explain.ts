import { isIntersecting, widenArea } from '../compare/index.js';
import { isWithin } from '../image/index.js';
import type {
  Cause,
  ChangeDescription,
  Rectangle,
  RegionPlace,
  Structure,
  StructureElement,
  StyleAnswer,
  StyleQuestion,
} from '../model/index.js';
import { type AdmittedEdit, admitEdits, listQuestions, styleOf } from './admit-edits.js';
import { drawnArea } from './drawn-area.js';
import {
  type ElementAreas,
  findEdits,
  namedAfter,
  namedBefore,
  rectangleOf,
  type StructureChange,
} from './find-edits.js';
import { nameElement } from './name-element.js';
import { isBeyondEdge, judgeRedraw, type Redraw, type RedrawnImages } from './redrawn.js';

/** Maximum number of causes, and of the boxes of one cause. */
const MAX = { causes: 50, boxes: 20 };

/** The part of a comparison that is explained. */
type Differences = Pick<ChangeDescription, 'regions' | 'regionPlaces' | 'contentMoves'>;

/** The edits between two structures, as far as they explain a difference of their images. */
export interface Explanation {
  /** Returns the declarations to look up in the page of after. */
  questions(): StyleQuestion[];
  /** Returns the causes of the difference. @param answers - the answers to the questions */
  causes(answers: readonly StyleAnswer[], differences: Differences): Cause[];
  /** Judges whether the page is the same, and only drawn differently, by another browser or with other fonts. */
  redraw(answers: readonly StyleAnswer[], differences: Differences & RedrawnImages): Promise<Redraw>;
}

/**
 * Explains why the images of two pages differ, by the edits between the structures of the pages.
 *
 * @param before - null if both images are of one page, which moves: the causes are then the elements that differ
 */
export function explain(before: Structure | null, after: Structure): Explanation {
  if (before === null) {
    const causes: Explanation['causes'] = (_, differences) => nameChanging(after, differences);
    return { questions: () => [], causes, redraw: async (_, all) => ({ kind: 'changed', causes: causes([], all) }) };
  }
  const change = findEdits(before, after);
  return {
    questions: () => listQuestions(change),
    causes: (answers, differences) => explainRegions(change, answers, differences),
    redraw: (answers, differences) => {
      const sizes = { before: differences.before.size, after: differences.after.size };
      const within = { ...change, edits: change.edits.filter((edit) => !isBeyondEdge(edit, change, sizes)) };
      const causes = explainRegions(within, answers, differences);
      return judgeRedraw(change, causes, differences, (kind, element, after) => ({
        ...nameElementCause(kind, change, element, { regions: [], pixels: 0 }),
        ...{ certain: kind === 'misplaced', after },
      }));
    },
  };
}

/** Where two images differ: a region, or content that was inserted, removed or moved. */
interface Difference extends Pick<RegionPlace, 'before' | 'after'> {
  /** Index of the region; null for moved content. */
  readonly region: number | null;
}

/**
 * Explains where two images differ by the edits between their structures.
 *
 * 1. An edit explains each difference that touches what its element draws.
 * 2. Any other difference is a consequence if elements there only moved, or at a smooth edge that moved: of the edit of the layout that is
 *    nearest in the tree.
 * 3. Any other region is in an element without a structure, such as a canvas, or it is unexplained.
 *
 * Edits that explain nothing are left out. Equal edits of several elements are one cause.
 *
 * @returns the causes: those that are certain first, then by pixels; what is unexplained is the last one.
 */
function explainRegions(change: StructureChange, answers: readonly StyleAnswer[], differences: Differences): Cause[] {
  const { byEdit, rest } = assignDifferences(change, admitEdits(change, answers), differences);
  const pixelsOf = (indexes: readonly number[]) => sumPixels(indexes, differences);
  const edited = mergeEdits(byEdit, change).map((cause) => ({ ...cause, pixels: pixelsOf(cause.regions) }));
  const other = [...rest].map(([element, regions]) =>
    element === -1
      ? blankCause('unexplained', regions, pixelsOf(regions))
      : nameElementCause('opaque', change, element, { regions, pixels: pixelsOf(regions) }),
  );
  const isExplained = ({ kind }: Cause) => kind !== 'unexplained';
  const causes = [...edited, ...other.filter(isExplained)].toSorted(compareCauses).slice(0, MAX.causes);
  return [...causes, ...other.filter((cause) => !isExplained(cause))];
}

/** Returns the cause for an element of after, whatever its styles are. */
function nameElementCause(
  kind: Cause['kind'],
  change: StructureChange,
  element: number,
  { regions, pixels }: { readonly regions: readonly number[]; readonly pixels: number },
): Cause {
  return {
    ...blankCause(kind, regions, pixels),
    element: nameElement(namedAfter(change), element),
    elements: 1,
    boxes: [boxesOf(change, change.matching.toBefore[element] ?? -1, element)],
  };
}

function boxesOf({ boxes }: StructureChange, before: number | null, after: number | null): Cause['boxes'][number] {
  return { before: boxes.before[before ?? -1] ?? null, after: boxes.after[after ?? -1] ?? null };
}

/** Maximum number of elements that are named for one region. More of them have their common ancestor instead. */
const MAX_CHANGING = 3;

/**
 * Names the elements that a page draws where its last two screenshots differ: the innermost ones in each region, or else their nearest
 * common ancestor.
 */
function nameChanging(structure: Structure, { regions }: Pick<Differences, 'regions'>): Cause[] {
  const boxes = structure.elements.map(rectangleOf);
  const byElement = new Map<number, number[]>();
  for (const [index, region] of regions.entries())
    for (const element of innermostIn(structure, boxes, region))
      byElement.set(element, [...(byElement.get(element) ?? []), index]);
  const causes = [...byElement].map(([element, indexes]): Cause => {
    const pixels = sumPixels(indexes, { regions });
    const name = nameElement({ structure, counterpartOf: () => undefined }, element);
    const box = { before: null, after: boxes[element] ?? null };
    return { ...blankCause('changing', indexes, pixels), element: name, certain: true, elements: 1, boxes: [box] };
  });
  return causes.toSorted(compareCauses).slice(0, MAX.causes);
}

/** Lists the elements of a region. Texts have the elements that contain them. */
function innermostIn(structure: Structure, boxes: readonly Rectangle[], region: Rectangle): number[] {
  const ownerOf = (index: number) => (structure.elements[index]?.tag === '#text' ? parentOf(structure, index) : index);
  const touching = boxes.flatMap((box, index) => (isIntersecting(box, region) ? [ownerOf(index)] : []));
  const outer = new Set(touching.flatMap((index) => pathOf(structure, index).slice(0, -1)));
  const inner = [...new Set(touching)].filter((index) => !outer.has(index));
  if (inner.length <= MAX_CHANGING) return inner;
  const [first = [], ...others] = inner.map((index) => pathOf(structure, index));
  return first.filter((index) => others.every((path) => path.includes(index))).slice(-1);
}

function parentOf({ elements }: Structure, index: number): number {
  return elements[index]?.parent ?? -1;
}

/** The edits that explain each difference. */
interface Assignment {
  readonly byEdit: ReadonlyMap<AdmittedEdit, readonly Difference[]>;
  /** Regions that no edit explains, by the element without a structure that they are in; -1: in none. */
  readonly rest: ReadonlyMap<number, readonly number[]>;
}

function assignDifferences(
  change: StructureChange,
  edits: readonly AdmittedEdit[],
  { regionPlaces, contentMoves }: Differences,
): Assignment {
  const drawing = edits.map((edit) => ({ edit, drawn: drawnArea(edit, change) }));
  const placing = edits.filter(changesLayout);
  const byEdit = new Map<AdmittedEdit, Difference[]>();
  const rest = new Map<number, number[]>();
  const differences: Difference[] = [
    ...regionPlaces.map(({ before, after }, region) => ({ before, after, region })),
    ...contentMoves.map(({ before, after }) => ({ before, after, region: null })),
  ];
  for (const difference of differences) {
    const inside = drawing.filter(({ drawn }) => isTouching(difference, drawn, 0));
    // Glyphs and anti-aliasing reach beyond a box.
    const near = inside.length > 0 ? inside : drawing.filter(({ drawn }) => isTouching(difference, drawn, OVERHANG));
    const direct = near.map(({ edit }) => edit);
    const moved = elementsThatMoved(difference, change);
    const placed = moved.length > 0 ? moved : smoothEdgesThatMoved(difference, change);
    const cause = direct.length > 0 ? null : nearestEdit(placing, placed, change);
    for (const edit of cause ? [cause] : direct) byEdit.set(edit, [...(byEdit.get(edit) ?? []), difference]);
    if (cause || direct.length > 0 || difference.region === null) continue;
    const element = findOpaque(difference, change);
    rest.set(element, [...(rest.get(element) ?? []), difference.region]);
  }
  return { byEdit, rest };
}

function sumPixels(indexes: readonly number[], { regions }: Pick<Differences, 'regions'>): number {
  return indexes.reduce((sum, index) => sum + (regions[index]?.pixels ?? 0), 0);
}

function blankCause(kind: Cause['kind'], regions: readonly number[], pixels: number): Cause {
  const values = { element: null, property: null, before: null, after: null, source: null };
  return { kind, ...values, certain: false, elements: 0, boxes: [], regions: [...regions], pixels };
}

/**
 * What did not load first: other causes may follow from it. Then certain causes, then by pixels. Of causes of the same pixels, the one of
 * the smaller element comes first.
 */
function compareCauses(a: Cause, b: Cause): number {
  const isBroken = ({ kind }: Cause) => Number(kind === 'broken');
  const byKind = isBroken(b) - isBroken(a) || Number(b.certain) - Number(a.certain);
  return byKind || b.pixels - a.pixels || areaOfCause(a) - areaOfCause(b);
}

function areaOfCause({ boxes }: Cause): number {
  return boxes.reduce((sum, { before, after }) => {
    const box = after ?? before;
    return sum + (box ? box.width * box.height : 0);
  }, 0);
}

/** How far glyphs and anti-aliasing reach beyond a box, in pixels. */
const OVERHANG = 3;

/** Checks whether a difference is at most `reach` pixels from what an edit draws. */
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

/**
 * Lists the innermost elements of after that touch a difference and moved. In a region, they moved further than the comparison aligned it:
 * what is left differs for another reason.
 */
function elementsThatMoved({ before, after, region }: Difference, change: StructureChange): number[] {
  if (!after) return [];
  const { boxes } = change;
  const touching = boxes.after.flatMap((box, index) => (isIntersecting(box, after) ? [index] : []));
  const outer = new Set(touching.map((index) => change.after.elements[index]?.parent));
  const isMove = region === null;
  const aligned = before && !isMove ? { x: after.x - before.x, y: after.y - before.y } : null;
  // Boxes are rounded to whole pixels. Moved content proves that its boxes moved.
  const roundingPx = isMove ? 0 : 1;
  return touching.filter((index) => {
    const [one, other] = [boxes.before[change.matching.toBefore[index] ?? -1], boxes.after[index]];
    if (outer.has(index) || !one || !other) return false;
    const isResized = one.width !== other.width || one.height !== other.height;
    const [x, y] = [other.x - one.x - (aligned?.x ?? 0), other.y - one.y - (aligned?.y ?? 0)];
    return isResized || Math.abs(x) > roundingPx || Math.abs(y) > roundingPx;
  });
}

/**
 * Lists the elements that moved and have a smooth edge at a difference: at another place, it is smoothed in another way. Such edges are those
 * of images and drawings with the same content, and rounded corners.
 */
function smoothEdgesThatMoved(difference: Difference, change: StructureChange): number[] {
  const { after: area } = difference;
  const { before, after, boxes, matching } = change;
  if (!area || findOpaque(difference, change) !== -1) return [];
  return after.elements.flatMap((element, index) => {
    const match = before.elements[matching.toBefore[index] ?? -1];
    const [one, other] = [boxes.before[matching.toBefore[index] ?? -1], boxes.after[index]];
    if (!match || !one || !other) return [];
    const isMoved = one.x !== other.x || one.y !== other.y;
    const isResized = one.width !== other.width || one.height !== other.height;
    if (!isMoved || isResized) return [];
    const isDrawing = element.tag !== '#text' && element.hash !== undefined && element.hash === match.hash;
    const smooth = isDrawing ? [other] : roundedCorners(after, element, other);
    return smooth.some((edge) => isWithin(area, widenArea(edge, OVERHANG))) ? [index] : [];
  });
}

/** Returns the areas of the rounded corners of an element. */
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

/** Returns the edit whose element has the deepest common ancestor with one of the elements. */
function nearestEdit(
  edits: readonly AdmittedEdit[],
  elements: readonly number[],
  { after }: StructureChange,
): AdmittedEdit | null {
  if (elements.length === 0) return null;
  const depth = new Map<number, number>();
  for (const element of elements.slice(-MAX.boxes))
    for (const [level, above] of pathOf(after, element).entries()) depth.set(above, level);
  let nearest: { readonly edit: AdmittedEdit; readonly level: number } | null = null;
  for (const edit of edits) {
    const path = edit.after === null ? [0] : pathOf(after, edit.after);
    const level = Math.max(-1, ...path.map((above) => depth.get(above) ?? -1));
    if (level >= 0 && level > (nearest?.level ?? -1)) nearest = { edit, level };
  }
  return nearest?.edit ?? null;
}

/** Returns the ancestors of an element from the root, and the element itself. */
function pathOf({ elements }: Structure, index: number): number[] {
  const path: number[] = [];
  for (let at = index; at >= 0; at = elements[at]?.parent ?? -1) path.unshift(at);
  return path;
}

/** Returns the element without a structure that a difference touches; -1 if there is none. */
function findOpaque({ after: area }: Difference, { after, boxes }: StructureChange): number {
  if (area === null) return -1;
  return boxes.after.findIndex(
    (box, index) => after.elements[index]?.opaque !== undefined && isIntersecting(box, area),
  );
}

/** Edits that are one cause, and what they explain. */
interface Group {
  readonly first: AdmittedEdit;
  readonly name: string | null;
  readonly edits: AdmittedEdit[];
  readonly differences: Difference[];
}

/** Merges edits of one declaration, or of elements with one name, that change the same value in the same way. */
function mergeEdits(explained: Assignment['byEdit'], change: StructureChange): Omit<Cause, 'pixels'>[] {
  const groups = new Map<string, Group>();
  for (const [edit, differences] of explained) {
    const name = nameOfEdit(edit, change);
    const { kind, property, from, to, source } = edit;
    const isRule = source !== null && source.file !== null;
    const key = JSON.stringify([kind, property, from, to, isRule ? source : name]);
    const group = groups.get(key) ?? { first: edit, name, edits: [], differences: [] };
    group.edits.push(edit);
    group.differences.push(...differences);
    groups.set(key, group);
  }
  return [...groups.values()].map(({ first, name, edits, differences }) => ({
    kind: first.kind,
    element: name,
    property: first.property,
    before: first.from,
    after: first.to,
    source: first.source,
    certain: edits.every(({ certain }) => certain),
    elements: edits.length,
    boxes: edits.slice(0, MAX.boxes).map(({ before, after }) => boxesOf(change, before, after)),
    regions: [...new Set(differences.flatMap(({ region }) => region ?? []))].sort((a, b) => a - b),
  }));
}

/** Names the element of an edit; null: the edit concerns the whole page. A text belongs to its element. */
function nameOfEdit({ kind, before, after }: AdmittedEdit, change: StructureChange): string | null {
  if (kind === 'broken' && after === 0) return null;
  return after === null ? nameElement(namedBefore(change), before ?? -1) : nameElement(namedAfter(change), after);
}
