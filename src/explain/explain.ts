import { isIntersecting } from '../compare/index.js';
import { areaOf } from '../image/index.js';
import type { Cause, ChangeDescription, Rectangle, Structure, StyleAnswer } from '../model/index.js';
import { type AdmittedEdit, admitEdits, listQuestions } from './admit-edits.js';
import { assignDifferences, type Difference, pathOf } from './assign-differences.js';
import { findEdits, rectangleOf, type StructureChange } from './find-edits.js';
import { blankCause, elementCause, mergeCauses, nameElement, opaqueCause } from './name-element.js';
import { isBeyondEdge, judgeRedraw, type Redraw, type RedrawnImages } from './redrawn.js';

const MAX_CAUSES = 50;

/** The part of a comparison that is explained. */
type Differences = Pick<ChangeDescription, 'regions' | 'regionPlaces' | 'contentMoves'>;

/** The edits between two structures, as far as they explain a difference of their images. */
export type Explanation = ReturnType<typeof explain>;

/** Explains why the images of two pages differ, by the edits between the structures of the pages. */
export function explain(before: Structure, after: Structure) {
  const change = findEdits(before, after);
  return {
    /** The structures of the pages differ. Otherwise, nothing that is known of the pages explains why their images do. */
    hasEdits: change.edits.length > 0,
    /** Returns the declarations to look up in the page of after. */
    questions: () => listQuestions(change),
    /** Returns the causes of the difference. @param answers - the answers to the questions */
    causes(answers: readonly StyleAnswer[], differences: Differences): Cause[] {
      return explainRegions(change, answers, differences);
    },
    /** Judges whether the page is the same, and only drawn differently, by another browser or with other fonts. */
    redraw(answers: readonly StyleAnswer[], differences: Differences & RedrawnImages): Promise<Redraw> {
      const sizes = { before: differences.before.size, after: differences.after.size };
      const within = { ...change, edits: change.edits.filter((edit) => !isBeyondEdge(edit, change, sizes)) };
      return judgeRedraw(change, explainRegions(within, answers, differences), differences);
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
  const other = [...rest].map(([element, regions]) => ({
    ...(element === -1 ? blankCause('unexplained') : opaqueCause(change, element)),
    regions,
  }));
  const ofEdits = [...byEdit].map(([edit, explained]) => causeOfEdit(change, edit, explained));
  const counted = countPixels([...mergeCauses(ofEdits), ...other], differences);
  const isExplained = ({ kind }: Cause) => kind !== 'unexplained';
  const unexplained = counted.filter((cause) => !isExplained(cause));
  return [...sortCauses(counted.filter(isExplained)), ...unexplained];
}

/** Counts the differing pixels of the regions of each cause. */
function countPixels(causes: readonly Cause[], { regions }: Pick<Differences, 'regions'>): Cause[] {
  return causes.map((cause) => {
    const pixels = cause.regions.reduce((sum, index) => sum + (regions[index]?.pixels ?? 0), 0);
    return { ...cause, pixels };
  });
}

/** Maximum number of elements that are named for one region. More of them have their common ancestor instead. */
const MAX_CHANGING = 3;

/**
 * Names the elements that a page draws where its last two screenshots differ: the innermost ones in each region, or else their nearest
 * common ancestor.
 */
export function nameChanging(structure: Structure, differences: Pick<Differences, 'regions'>): Cause[] {
  const boxes = structure.elements.map(rectangleOf);
  const byElement = new Map<number, number[]>();
  for (const [index, region] of differences.regions.entries())
    for (const element of innermostIn(structure, boxes, region))
      byElement.set(element, [...(byElement.get(element) ?? []), index]);
  const causes = [...byElement].map(([element, regions]): Cause => {
    const named = { element: nameElement(structure, element), certain: true, elements: 1 };
    return { ...blankCause('changing'), ...named, boxes: [{ before: null, after: boxes[element] ?? null }], regions };
  });
  return sortCauses(countPixels(causes, differences));
}

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

/** What did not load comes first: other causes may follow from it. Of causes of the same pixels, the smaller element comes first. */
function sortCauses(causes: readonly Cause[]): Cause[] {
  const isBroken = ({ kind }: Cause) => Number(kind === 'broken');
  const compare = (a: Cause, b: Cause) => {
    const byKind = isBroken(b) - isBroken(a) || Number(b.certain) - Number(a.certain);
    return byKind || b.pixels - a.pixels || areaOfCause(a) - areaOfCause(b);
  };
  return causes.toSorted(compare).slice(0, MAX_CAUSES);
}

function areaOfCause({ boxes }: Cause): number {
  return boxes.flatMap(({ before, after }) => after ?? before ?? []).reduce((sum, box) => sum + areaOf(box), 0);
}

function causeOfEdit(change: StructureChange, edit: AdmittedEdit, differences: readonly Difference[]): Cause {
  const { kind, property, from: before, to: after, source, certain } = edit;
  const cause = elementCause(kind, change, edit);
  // What breaks the whole page has no element.
  const element = kind === 'broken' && edit.after === 0 ? null : cause.element;
  const regions = differences.flatMap(({ region }) => region ?? []);
  return { ...cause, element, property, before, after, source, certain, regions };
}
