import { shareWithin } from '../compare/index.js';
import type { Structure } from '../model/index.js';
import type { StructureChange } from './find-edits.js';

/** An element of after whose place is broken, also for a page whose texts have other sizes. */
export interface Misplaced {
  readonly element: number;
  readonly how: 'outside its parent' | 'over a sibling' | 'without an area';
}

/** Other fonts move each element a little: shares of an area that count as none of it, and as much of it. */
const SHARE = { none: 0.1, much: 0.25 };

/** Maximum number of earlier siblings that an element is compared with: the nearest ones. */
const MAX_SIBLINGS = 100;

/**
 * Lists the elements that lost their place: much of one is outside the parent that contained it, covers a sibling that was apart, or it has
 * no area any more. Sizes and distances do not matter, because they follow from the fonts.
 */
export function findMisplaced({ before, after, matching, boxes }: StructureChange): Misplaced[] {
  const isKept = (index: number) => {
    const counterpart = before.elements[matching.toBefore[index] ?? -1];
    return counterpart !== undefined && counterpart.parent === matching.toBefore[after.elements[index]?.parent ?? -1];
  };
  /** Returns the shares of one element that lie within another one, before and after. */
  const sharesOf = (one: number, other: number): readonly [number, number] => {
    const [oneBefore, otherBefore] = [one, other].map((index) => boxes.before[matching.toBefore[index] ?? -1]);
    return [shareWithin(oneBefore, otherBefore), shareWithin(boxes.after[one], boxes.after[other])];
  };
  const siblings = new Map<number, number[]>();
  return after.elements.flatMap(({ parent }, element): Misplaced[] => {
    if (parent < 0 || !isKept(element)) return [];
    const [itself, isStill] = sharesOf(element, element);
    if (itself > 0 && isStill === 0) return [{ element, how: 'without an area' }];
    const [wasInside, isInside] = sharesOf(element, parent);
    const hasParentArea = shareWithin(boxes.after[parent], boxes.after[parent]) > 0;
    if (hasParentArea && wasInside >= 1 - SHARE.none && isInside <= 1 - SHARE.much)
      return [{ element, how: 'outside its parent' }];
    if (!isBlock(after, element)) return [];
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
function isBlock({ properties, styles, elements }: Structure, index: number): boolean {
  const display = styles[elements[index]?.style ?? -1]?.[properties.indexOf('display')];
  return display !== undefined && display !== 'inline';
}
