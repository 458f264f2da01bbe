import { isIntersecting, widenArea } from '../compare/index.js';
import type { Cause, ChangeDescription, Rectangle, RegionPlace, Structure, StyleAnswer } from '../model/index.js';
import { type AdmittedEdit, admitEdits } from './admit-edits.js';
import { drawnArea, type ElementAreas, measureElements, rectangleOf } from './drawn-area.js';
import { namedAfter, namedBefore, type StructureChange } from './find-edits.js';
import { nameElement } from './name-element.js';

/** Maximum number of causes, and of the boxes of one cause. */
const MAX = { causes: 50, boxes: 20 };

/** The part of a comparison that is explained. */
type Differences = Pick<ChangeDescription, 'regions' | 'regionPlaces' | 'events'>;

/** A place where two images differ: a region, or content that was inserted, removed or moved. */
interface Place extends Pick<RegionPlace, 'before' | 'after'> {
  /** Index of the region; null for an event. */
  readonly region: number | null;
}

/** The edits that explain each place. */
interface Explanation {
  readonly byEdit: ReadonlyMap<AdmittedEdit, readonly Place[]>;
  /** Regions that no edit explains, by the element without a structure that they are in; -1: in none. */
  readonly rest: ReadonlyMap<number, readonly number[]>;
}

/**
 * Explains where two images differ by the edits between their structures.
 *
 * 1. An edit explains each place that touches what its element draws.
 * 2. Any other place is a consequence if elements there only moved: of the edit of the layout that is nearest in the tree.
 * 3. Any other region is in an element without a structure, such as a canvas, or it is unexplained.
 *
 * Edits that explain nothing are left out. Equal edits of several elements are one cause.
 *
 * @returns the causes: those that are certain first, then by pixels; what is unexplained is the last one.
 */
export function explainRegions(
  change: StructureChange,
  answers: readonly StyleAnswer[],
  differences: Differences,
): Cause[] {
  const areas = measureElements(change);
  const { byEdit, rest } = explainPlaces(change, admitEdits(change, answers), differences, areas);
  const pixelsOf = (indexes: readonly number[]) =>
    indexes.reduce((sum, index) => sum + (differences.regions[index]?.pixels ?? 0), 0);
  const edited = mergeEdits(byEdit, change, areas).map((cause) => ({ ...cause, pixels: pixelsOf(cause.regions) }));
  const other = [...rest].map(([element, regions]) => ({
    ...blankCause(element === -1 ? 'unexplained' : 'opaque', regions, pixelsOf(regions)),
    ...(element !== -1 && {
      element: nameElement(namedAfter(change), element),
      elements: 1,
      boxes: [boxesOf(element)],
    }),
  }));
  const causes = [...edited, ...other].filter(({ kind }) => kind !== 'unexplained');
  return [
    ...causes.toSorted(compareCauses).slice(0, MAX.causes),
    ...other.filter(({ kind }) => kind === 'unexplained'),
  ];

  function boxesOf(element: number): Cause['boxes'][number] {
    const before = areas.before[change.matching.toBefore[element] ?? -1];
    return { before: before ?? null, after: areas.after[element] ?? null };
  }
}

/** Maximum number of elements that are named for one region. More of them have their common ancestor instead. */
const MAX_CHANGING = 3;

/**
 * Names the elements that a page draws where its last two screenshots differ: the innermost ones in each region, or else their nearest
 * common ancestor.
 */
export function nameChanging(structure: Structure, { regions }: Pick<Differences, 'regions'>): Cause[] {
  const boxes = structure.elements.map(rectangleOf);
  const byElement = new Map<number, number[]>();
  for (const [index, region] of regions.entries())
    for (const element of innermostIn(structure, boxes, region))
      byElement.set(element, [...(byElement.get(element) ?? []), index]);
  const causes = [...byElement].map(([element, indexes]): Cause => {
    const pixels = indexes.reduce((sum, index) => sum + (regions[index]?.pixels ?? 0), 0);
    const name = nameElement({ structure, counterpartOf: () => undefined }, element);
    const boxesOfCause = [{ before: null, after: boxes[element] ?? null }];
    return {
      ...blankCause('changing', indexes, pixels),
      element: name,
      certain: true,
      elements: 1,
      boxes: boxesOfCause,
    };
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

function explainPlaces(
  change: StructureChange,
  edits: readonly AdmittedEdit[],
  { regionPlaces, events }: Differences,
  areas: ElementAreas,
): Explanation {
  const drawing = edits.map((edit) => ({ edit, drawn: drawnArea(edit, change, areas) }));
  const placing = edits.filter(changesLayout);
  const byEdit = new Map<AdmittedEdit, Place[]>();
  const rest = new Map<number, number[]>();
  const places: Place[] = [
    ...regionPlaces.map(({ before, after }, region) => ({ before, after, region })),
    ...(events ?? []).map(({ before, after }) => ({ before, after, region: null })),
  ];
  for (const place of places) {
    const inside = drawing.filter(({ drawn }) => isTouching(place, drawn, 0));
    // Glyphs and anti-aliasing reach beyond a box.
    const near = inside.length > 0 ? inside : drawing.filter(({ drawn }) => isTouching(place, drawn, OVERHANG));
    const direct = near.map(({ edit }) => edit);
    const cause = direct.length > 0 ? null : nearestEdit(placing, elementsThatMoved(place, change, areas), change);
    for (const edit of cause ? [cause] : direct) byEdit.set(edit, [...(byEdit.get(edit) ?? []), place]);
    if (cause || direct.length > 0 || place.region === null) continue;
    const element = findOpaque(place, change.after, areas.after);
    rest.set(element, [...(rest.get(element) ?? []), place.region]);
  }
  return { byEdit, rest };
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

/** Checks whether a place is at most `reach` pixels from what an edit draws. */
function isTouching({ before, after }: Place, drawn: ElementAreas, reach: number): boolean {
  const touches = (place: Rectangle | null, areas: readonly Rectangle[]) => {
    const wide = place && widenArea(place, reach);
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
 * Lists the innermost elements of after that touch a place and did not just move with it: content that the comparison aligned differs
 * for another reason.
 */
function elementsThatMoved({ before, after }: Place, change: StructureChange, areas: ElementAreas): number[] {
  if (!after) return [];
  const touching = [...areas.after.keys()].filter((index) => {
    const box = areas.after[index];
    return box !== undefined && isIntersecting(box, after);
  });
  const outer = new Set(touching.map((index) => change.after.elements[index]?.parent));
  const aligned = before ? { x: after.x - before.x, y: after.y - before.y } : null;
  return touching.filter((index) => {
    const [one, other] = [areas.before[change.matching.toBefore[index] ?? -1], areas.after[index]];
    if (outer.has(index) || !one || !other) return false;
    const isResized = one.width !== other.width || one.height !== other.height;
    const [x, y] = [other.x - one.x - (aligned?.x ?? 0), other.y - one.y - (aligned?.y ?? 0)];
    // Boxes are rounded to whole pixels.
    return isResized || Math.abs(x) > 1 || Math.abs(y) > 1;
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

/** Returns the element without a structure that a place touches; -1 if there is none. */
function findOpaque({ after }: Place, structure: Structure, boxes: readonly Rectangle[]): number {
  return boxes.findIndex((box, index) => {
    return after !== null && structure.elements[index]?.opaque !== undefined && isIntersecting(box, after);
  });
}

/** Merges edits of one declaration, or of elements with one name, that change the same value in the same way. */
function mergeEdits(
  explained: Explanation['byEdit'],
  change: StructureChange,
  areas: ElementAreas,
): Omit<Cause, 'pixels'>[] {
  const groups = new Map<
    string,
    { first: AdmittedEdit; name: string | null; edits: AdmittedEdit[]; places: Place[] }
  >();
  for (const [edit, places] of explained) {
    const name = nameOfEdit(edit, change);
    const { kind, property, from, to, source } = edit;
    const isRule = source !== null && source.file !== null;
    const key = JSON.stringify([kind, property, from, to, isRule ? source : name]);
    const group = groups.get(key) ?? { first: edit, name, edits: [], places: [] };
    group.edits.push(edit);
    group.places.push(...places);
    groups.set(key, group);
  }
  return [...groups.values()].map(({ first, name, edits, places }) => ({
    ...{ kind: first.kind, element: name, property: first.property, before: first.from, after: first.to },
    ...{ source: first.source, certain: edits.every(({ certain }) => certain), elements: edits.length },
    boxes: edits.slice(0, MAX.boxes).map(({ before, after }) => ({
      before: areas.before[before ?? -1] ?? null,
      after: areas.after[after ?? -1] ?? null,
    })),
    regions: [...new Set(places.flatMap(({ region }) => region ?? []))].sort((a, b) => a - b),
  }));
}

/** Names the element of an edit; null: the edit concerns the whole page. A text belongs to its element. */
function nameOfEdit({ kind, before, after }: AdmittedEdit, change: StructureChange): string | null {
  if (kind === 'broken' && after === 0) return null;
  return after === null ? nameElement(namedBefore(change), before ?? -1) : nameElement(namedAfter(change), after);
}
