import {
  clipAreas,
  cutAreas,
  isIntersecting,
  measureBlurred,
  type SamePlace,
  shareWithin,
  widenArea,
} from '../compare/index.js';
import { isSameSize, isWithin } from '../image/index.js';
import type {
  Cause,
  ChangeDescription,
  EncodedImage,
  Rectangle,
  Size,
  Structure,
  StructureElement,
} from '../model/index.js';
import { styleOf } from './admit-edits.js';
import type { Edit, StructureChange } from './find-edits.js';
import { elementCause, mergeCauses, opaqueCause } from './name-element.js';

/**
 * How a page differs from a baseline of another environment. `redrawn`: the page is the same, and only drawn differently. Its layout is
 * `not-compared` if texts have other sizes, as with other fonts.
 */
export type Redraw =
  | { readonly kind: 'redrawn'; readonly layout: 'compared' | 'not-compared' }
  | { readonly kind: 'changed'; readonly causes: readonly Cause[] };

/** The images of the page in both environments, and how they differ. */
export interface RedrawnImages extends Pick<ChangeDescription, 'regionPlaces'> {
  readonly before: EncodedImage;
  readonly after: EncodedImage;
}

const LIMITS = {
  /** How far a box may move, in image pixels: boxes are rounded, and hinted glyphs are up to a pixel wider. */
  shiftPx: 2,
  /** Distance of two blurred blocks, 0 to 255. Text that is hinted or smoothed in another way stays below 15. */
  distance: 24,
};

/**
 * Judges whether a page is only drawn differently.
 *
 * 1. An edit that certainly explains a difference is a change: another text, style, image, element or order.
 * 2. Boxes have the same places, or texts have other sizes and no element lost its place. Otherwise the layout changed.
 * 3. What has no structure is judged by its pixels, blurred: the differing regions (without texts if these have other sizes) or, if the
 *    layout was not compared, canvases, videos and frames without what moved over them, and the mean colors of form controls.
 *
 * @param causes - those of all differences
 * @throws ProofsheetError `image-damaged`
 */
export async function judgeRedraw(
  change: StructureChange,
  causes: readonly Cause[],
  images: RedrawnImages,
): Promise<Redraw> {
  // The others have no cause: another environment draws everything differently.
  const known = causes.filter(({ certain, kind }) => certain || kind === 'moved');
  if (known.length > 0) return { kind: 'changed', causes: known };
  const layout = compareLayout(change);
  const lost = layout === 'compared' ? [] : nameMisplaced(change);
  if (lost.length > 0) return { kind: 'changed', causes: lost };
  if (layout === 'changed') return { kind: 'changed', causes };
  const different =
    layout === 'compared' ? await judgeRegions(change, causes, images) : await judgeOpaque(change, images);
  return different.length > 0 ? { kind: 'changed', causes: different } : { kind: 'redrawn', layout };
}

/** Returns the causes for elements that lost their place. */
function nameMisplaced(change: StructureChange): Cause[] {
  const misplaced = findMisplaced(change).slice(0, MAX_NAMED);
  const causes = misplaced.map(({ element, how }) => {
    const place = { before: change.matching.toBefore[element] ?? null, after: element };
    return { ...elementCause('misplaced', change, place), certain: true, after: how };
  });
  return mergeCauses(causes);
}

/** An element of after whose place is broken, also for a page whose texts have other sizes. */
interface Misplaced {
  readonly element: number;
  readonly how: 'outside its parent' | 'over a sibling' | 'without an area';
}

/** Other fonts move each element a little: shares of an area that count as none of it, and as much of it. */
const SHARE = { none: 0.1, much: 0.25 };

/** Maximum number of earlier siblings that an element is compared with: the nearest ones. */
const MAX_SIBLINGS = 100;

/** Lists the elements that lost their place. Sizes and distances do not matter, because they follow from the fonts. */
export function findMisplaced({ before, after, matching, boxes, formerBoxes }: StructureChange): Misplaced[] {
  const isKept = (index: number) => {
    const counterpart = before.elements[matching.toBefore[index] ?? -1];
    return counterpart !== undefined && counterpart.parent === matching.toBefore[after.elements[index]?.parent ?? -1];
  };
  /** Returns the shares of one element that lie within another one, before and after. */
  const sharesOf = (one: number, other: number) =>
    [shareWithin(formerBoxes[one], formerBoxes[other]), shareWithin(boxes.after[one], boxes.after[other])] as const;
  const siblings = new Map<number, number[]>();
  return after.elements.flatMap((own, element): Misplaced[] => {
    const { parent } = own;
    if (parent < 0 || !isKept(element)) return [];
    const [itself, isStill] = sharesOf(element, element);
    if (itself > 0 && isStill === 0) return [{ element, how: 'without an area' }];
    const [wasInside, isInside] = sharesOf(element, parent);
    const [, parentArea] = sharesOf(parent, parent);
    if (parentArea > 0 && wasInside >= 1 - SHARE.none && isInside <= 1 - SHARE.much)
      return [{ element, how: 'outside its parent' }];
    if (!isBlock(after, own)) return [];
    const others = siblings.get(parent) ?? [];
    siblings.set(parent, [...others, element].slice(-MAX_SIBLINGS));
    const isCovered = others.some((other) => {
      const shares = [sharesOf(element, other), sharesOf(other, element)];
      return shares.every(([was]) => was <= SHARE.none) && shares.some(([, is]) => is >= SHARE.much);
    });
    return isCovered ? [{ element, how: 'over a sibling' }] : [];
  });
}

/** The box of an inline element encloses all its lines, and so what stands between them. */
function isBlock(structure: Structure, element: StructureElement): boolean {
  return !['', 'inline'].includes(styleOf(structure, element, 'display'));
}

/** Maximum number of elements that are named because they lost their place. */
const MAX_NAMED = 20;

function compareLayout(change: StructureChange): 'compared' | 'not-compared' | 'changed' {
  const isMoved = change.boxes.after.some((other, index) => {
    const one = change.formerBoxes[index] ?? other;
    const [x, y] = [other.x - one.x, other.y - one.y];
    return [x, y, other.width - one.width, other.height - one.height].some((by) => Math.abs(by) > LIMITS.shiftPx);
  });
  if (!isMoved) return 'compared';
  return hasResizedTexts(change) ? 'not-compared' : 'changed';
}

/** Checks whether any text has another size: the words of all texts may have other places then, also in boxes of the same size. */
function hasResizedTexts({ after, boxes, formerBoxes }: StructureChange): boolean {
  return boxes.after.some(
    (box, index) => after.elements[index]?.tag === '#text' && !isSameSize(formerBoxes[index] ?? box, box),
  );
}

/** Returns the causes of regions that differ although they are blurred. Those of texts do not count if texts have other sizes. */
async function judgeRegions(
  change: StructureChange,
  causes: readonly Cause[],
  images: RedrawnImages,
): Promise<Cause[]> {
  const places = images.regionPlaces.flatMap(({ before: one, after: other }) => {
    const place = other ?? one;
    return place ? [{ before: one ?? place, after: place }] : [];
  });
  const { elements } = change.after;
  const isText = ({ after: area }: SamePlace) =>
    change.boxes.after.some((box, index) => elements[index]?.tag === '#text' && isIntersecting(box, area));
  const compared = hasResizedTexts(change) ? places.filter((place) => !isText(place)) : places;
  const different = await findDifferent(images, compared);
  return causes.flatMap((cause) => {
    const regions = cause.regions.filter((region) => different.has(places[region]));
    return regions.length > 0 ? [{ ...cause, regions }] : [];
  });
}

async function judgeOpaque(change: StructureChange, images: RedrawnImages): Promise<Cause[]> {
  const parts = change.after.elements.flatMap(({ opaque: kind }, index): (SamePlace & { index: number })[] => {
    const [one, other] = [change.formerBoxes[index], change.boxes.after[index]];
    // The size of a form control follows from its text.
    if (kind === undefined || !one || !other || !isSameSize(one, other)) return [];
    // Ignored areas have no regions.
    if (!images.regionPlaces.some((place) => place.after && isIntersecting(place.after, other))) return [];
    // The text of a form control is drawn with other fonts, too.
    const isWhole = kind === 'input';
    const covered = isWhole ? [] : coveredAreas(change, one, other);
    return visibleParts(images, one, other, covered).map((part) => ({ ...part, isWhole, index }));
  });
  const different = await findDifferent(images, parts);
  const indexes = new Set(parts.flatMap((part) => (different.has(part) ? [part.index] : [])));
  return [...indexes].map((index) => opaqueCause(change, index));
}

async function findDifferent(
  { before, after }: RedrawnImages,
  places: readonly SamePlace[],
): Promise<ReadonlySet<SamePlace | undefined>> {
  const distances = await measureBlurred(before, after, places, LIMITS.shiftPx);
  return new Set(places.filter((_, index) => (distances[index] ?? 0) > LIMITS.distance));
}

/** Lists the areas of what covers a part of an element and has another place in it, such as a text over a video. */
function coveredAreas({ boxes, formerBoxes }: StructureChange, one: Rectangle, other: Rectangle): Rectangle[] {
  const [x, y] = [other.x - one.x, other.y - one.y];
  return boxes.after.flatMap((is, index) => {
    const was = formerBoxes[index];
    if (!was || isWithin(other, is)) return [];
    const isMoved = is.x !== was.x + x || is.y !== was.y + y || !isSameSize(is, was);
    return isMoved ? [is, { ...was, x: was.x + x, y: was.y + y }].map((box) => widenArea(box, LIMITS.shiftPx)) : [];
  });
}

/** Side of a blurred block, in pixels. */
const MIN_PART_PX = 8;

/** Returns the parts of a box that both images show, without the covered areas of after. */
function visibleParts(
  images: RedrawnImages,
  one: Rectangle,
  other: Rectangle,
  covered: readonly Rectangle[],
): SamePlace[] {
  const [x, y] = [other.x - one.x, other.y - one.y];
  return cutAreas(clipAreas([other], images.after.size), covered)
    .flatMap((area) => clipAreas([{ ...area, x: area.x - x, y: area.y - y }], images.before.size))
    .filter(({ width, height }) => Math.min(width, height) >= MIN_PART_PX)
    .map((before) => ({ before, after: { ...before, x: before.x + x, y: before.y + y } }));
}

/** Checks whether an element may be in one image alone only because what precedes it has another size. A full page has no such edge. */
export function isBeyondEdge(
  { before, after }: Edit,
  { matching, boxes, ...structures }: StructureChange,
  sizes: Record<'before' | 'after', Size>,
): boolean {
  if (before !== null && after !== null) return false;
  const index = before ?? after ?? -1;
  const [own, other] = after === null ? (['before', 'after'] as const) : (['after', 'before'] as const);
  const counterparts = own === 'before' ? matching.toAfter : matching.toBefore;
  const { elements } = structures[own];
  const box = boxes[own][index];
  const parent = elements[index]?.parent ?? -1;
  let anchor = index - 1;
  while (anchor > parent && (elements[anchor]?.parent !== parent || counterparts[anchor] === -1)) anchor--;
  const [from, to] = [boxes[own][anchor], boxes[other][counterparts[anchor] ?? -1]];
  if (!box || !from || !to) return false;
  // What follows an element starts at its end. The first child starts where its parent does.
  const isAfter = anchor !== parent;
  const x = box.x + to.x - from.x + (isAfter ? to.width - from.width : 0);
  const y = box.y + to.y - from.y + (isAfter ? to.height - from.height : 0);
  const { width, height } = sizes[other];
  const isCut = (end: (rectangle: Rectangle) => number, size: number) => boxes[other].some((one) => end(one) > size);
  if (x > width - EDGE_PX) return isCut((one) => one.x + one.width, width);
  return y + Math.min(box.height, LINE_PX) > height - EDGE_PX && isCut((one) => one.y + one.height, height);
}

/** An element whose expected place is this near to the edge of the image may be beyond it. */
const EDGE_PX = 8;

/** A text may be on the next line: its height, at most. */
const LINE_PX = 40;
