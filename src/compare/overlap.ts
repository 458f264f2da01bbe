import { overlapOf } from '../image/index.js';
import type { Mask, Rectangle } from '../model/index.js';
import { verifyAntiAliasing } from './anti-aliasing/anti-aliasing.js';
import { countMask, type Engine, joinPixelDiffs, type PixelDiff, type PixelRule, REACH } from './engines/pixel-diff.js';
import { clipAreas, shiftAreas, spansOf, widenArea } from './regions/areas.js';
import { clearAreas, cropSide, flattenSide, type Side } from './side.js';

/**
 * Compares the area that both images cover, as if both images were cropped to it. Pixels in an ignored area do not count.
 *
 * If any pixel is transparent, both images are compared on white and on black. A pixel that differs on either background
 * has changed. On white alone, white on transparent would be invisible (https://github.com/mapbox/pixelmatch/issues/26).
 * Engines therefore get opaque pixels only, and all engines treat these alike.
 */
export async function compareOverlap(
  before: Side,
  after: Side,
  engine: Engine,
  rule: PixelRule,
  ignoredAreas: readonly Rectangle[],
): Promise<PixelDiff> {
  const overlap = { x: 0, y: 0, ...overlapOf(before.size, after.size) };
  const sides = { before: cropSide(before, overlap), after: cropSide(after, overlap) };
  const isOpaque = (await sides.before.isOpaque()) && (await sides.after.isOpaque());
  const pixelDiff = await (isOpaque ? engine : onWhiteAndBlack(engine))(sides.before, sides.after, rule);
  if (!pixelDiff.mask) return pixelDiff;
  const areas = clipAreas(ignoredAreas, overlap);
  const counted = areas.length === 0 ? pixelDiff : countMask(await removeIgnored(pixelDiff.mask, areas));
  const { mask } = counted;
  if (!mask || counted.antialiasedPixels === 0) return counted;
  const checkAntiAliasing = async (left: Side, right: Side, pairMask: Mask) =>
    verifyAntiAliasing({ ...counted, mask: pairMask }, await left.pixels(), await right.pixels(), areas);
  if (isOpaque) return checkAntiAliasing(sides.before, sides.after, mask);
  const checkCopy: Engine = (left, right) => checkAntiAliasing(left, right, { ...mask, data: mask.data.slice() });
  return onWhiteAndBlack(checkCopy)(sides.before, sides.after, rule);

  async function removeIgnored(found: Mask, areas: readonly Rectangle[]): Promise<Mask> {
    const erased = eraseAreas(found, areas);
    // Only anti-aliasing detection reads neighbors, which may lie in an ignored area.
    if (rule.antialiasing === 'count') return erased;
    return compareNextToIgnored(erased, areas, (area, clearIgnored) =>
      onWhiteAndBlack(engine)(
        clearIgnored(cropSide(sides.before, area)),
        clearIgnored(cropSide(sides.after, area)),
        rule,
      ),
    );
  }
}

function onWhiteAndBlack(engine: Engine): Engine {
  return async (before, after, rule) => {
    const onWhite = await engine(flattenSide(before, 255), flattenSide(after, 255), rule);
    const onBlack = await engine(flattenSide(before, 0), flattenSide(after, 0), rule);
    return joinPixelDiffs(onWhite, onBlack);
  };
}

/** Crops an area out of both sides, applies `change` to both crops, and compares the results. */
export type CompareArea = (area: Rectangle, change: (side: Side) => Side) => Promise<PixelDiff>;

/** Returns a copy of a mask with all marks in the ignored areas cleared. @param ignoredAreas - within the image */
export function eraseAreas(mask: Mask, ignoredAreas: readonly Rectangle[]): Mask {
  const data = mask.data.slice();
  for (const area of ignoredAreas) for (const [from, to] of spansOf(area, mask.width)) data.fill(0, from, to);
  return { ...mask, data };
}

/**
 * Compares the pixels next to ignored areas again. Masked pixels must not decide whether anti-aliasing explains the pixels
 * next to them. Both images are compared on white and on black, with the ignored areas made transparent. These are then
 * brighter than every neighbor on white, and darker on black. A pixel that changed on either background has changed.
 * Only the surroundings of the ignored areas are decoded and compared.
 */
export async function compareNextToIgnored(
  mask: Mask,
  ignoredAreas: readonly Rectangle[],
  compare: CompareArea,
): Promise<Mask> {
  const data = mask.data.slice();
  for (const ignoredArea of ignoredAreas) {
    const [adjacent] = clipAreas([widenArea(ignoredArea, REACH)], mask);
    // The result for adjacent pixels must depend on the same neighbors as in the whole image.
    const [around] = clipAreas([widenArea(ignoredArea, 2 * REACH)], mask);
    if (!adjacent || !around || !hasMark({ ...mask, data }, adjacent)) continue;
    const found = await compare(around, (side) =>
      clearAreas(side, clipAreas(shiftAreas(ignoredAreas, around), around)),
    );
    if (found.mask) paste(data, mask.width, adjacent, found.mask, around);
  }
  return { ...mask, data };
}

function hasMark({ width, data }: Mask, area: Rectangle): boolean {
  for (const [from, to] of spansOf(area, width)) if (data.subarray(from, to).some((mark) => mark !== 0)) return true;
  return false;
}

/** Copies an area into a mask from the mask of a part of the image. */
function paste(data: Uint8Array, width: number, area: Rectangle, part: Mask, { x, y }: Rectangle): void {
  for (const [from, to] of spansOf(area, width)) {
    const start = (Math.floor(from / width) - y) * part.width + (from % width) - x;
    data.set(part.data.subarray(start, start + to - from), from);
  }
}
