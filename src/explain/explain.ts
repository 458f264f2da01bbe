import { isIntersecting } from '../compare/index.js';
import { areaOf } from '../image/index.js';
import type { Cause, ChangeDescription, Rectangle, Structure, StyleAnswer, StyleQuestion } from '../model/index.js';
import { type AdmittedEdit, admitEdits, listQuestions } from './admit-edits.js';
import { type Assignment, assignDifferences, type Difference, pathOf } from './assign-differences.js';
import { findEdits, rectangleOf, type StructureChange } from './find-edits.js';
import { blankCause, boxesOf, nameChanged, nameElement, nameElementCause } from './name-element.js';
import { isBeyondEdge, judgeRedraw, type Redraw, type RedrawnImages } from './redrawn.js';

/** Maximum number of causes, and of the boxes of one cause. */
const MAX = { causes: 50, boxes: 20 };

/** The part of a comparison that is explained. */
type Differences = Pick<ChangeDescription, 'regions' | 'regionPlaces' | 'contentMoves'>;

/** The edits between two structures, as far as they explain a difference of their images. */
export interface Explanation {
  /** The structures of the pages differ. Otherwise, nothing that is known of the pages explains why their images do. */
  readonly hasEdits: boolean;
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
    return {
      hasEdits: false,
      questions: () => [],
      causes,
      redraw: async (_, all) => ({ kind: 'changed', causes: causes([], all) }),
    };
  }
  const change = findEdits(before, after);
  return {
    hasEdits: change.edits.length > 0,
    questions: () => listQuestions(change),
    causes: (answers, differences) => explainRegions(change, answers, differences),
    redraw: (answers, differences) => {
      const sizes = { before: differences.before.size, after: differences.after.size };
      const within = { ...change, edits: change.edits.filter((edit) => !isBeyondEdge(edit, change, sizes)) };
      const causes = explainRegions(within, answers, differences);
      return judgeRedraw(change, causes, differences);
    },
  };
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
      : nameElementCause('opaque', change, element, regions, pixelsOf(regions)),
  );
  const isExplained = ({ kind }: Cause) => kind !== 'unexplained';
  const causes = [...edited, ...other.filter(isExplained)].toSorted(compareCauses).slice(0, MAX.causes);
  return [...causes, ...other.filter((cause) => !isExplained(cause))];
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
    const box = { before: null, after: boxes[element] ?? null };
    const named = { element: nameElement(structure, element), certain: true, elements: 1, boxes: [box] };
    return { ...blankCause('changing', indexes, pixels), ...named };
  });
  return causes.toSorted(compareCauses).slice(0, MAX.causes);
}

/** Lists the elements of a region. Texts have the elements that contain them. */
function innermostIn(structure: Structure, boxes: readonly Rectangle[], region: Rectangle): number[] {
  const ownerOf = (index: number) => {
    const { tag, parent = -1 } = structure.elements[index] ?? {};
    return tag === '#text' ? parent : index;
  };
  const touching = boxes.flatMap((box, index) => (isIntersecting(box, region) ? [ownerOf(index)] : []));
  const outer = new Set(touching.flatMap((index) => pathOf(structure, index).slice(0, -1)));
  const inner = [...new Set(touching)].filter((index) => !outer.has(index));
  if (inner.length <= MAX_CHANGING) return inner;
  const [first = [], ...others] = inner.map((index) => pathOf(structure, index));
  return first.filter((index) => others.every((path) => path.includes(index))).slice(-1);
}

function sumPixels(indexes: readonly number[], { regions }: Pick<Differences, 'regions'>): number {
  return indexes.reduce((sum, index) => sum + (regions[index]?.pixels ?? 0), 0);
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
  return boxes.flatMap(({ before, after }) => after ?? before ?? []).reduce((sum, box) => sum + areaOf(box), 0);
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
    const { kind, property, from, to, source } = edit;
    // What breaks the whole page has no element. A text belongs to its element.
    const name = kind === 'broken' && edit.after === 0 ? null : nameChanged(change, edit);
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
