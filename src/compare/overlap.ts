import { overlapOf } from '../image/canvas.js';
import type { Mask } from '../model/comparison.js';
import type { Rectangle } from '../model/image.js';
import { judgeAntiAliasing } from './anti-aliasing/anti-aliasing.js';
import { countMask, type Engine, joinPixelDiffs, type PixelDiff, type PixelRule, REACH } from './engines/pixel-diff.js';
import { clipAreas, shiftAreas, spansOf, widenArea } from './regions/areas.js';
import { cutSide, flattenSide, punchSide, type Side } from './side.js';

/**
 * Compares what both images cover, as if they had been cut to it; what lies within a masked area does not count.
 *
 * Where anything is transparent, both are laid on white and on black, and a pixel that differs on either has changed:
 * on white alone, white on transparent would look like nothing (https://github.com/mapbox/pixelmatch/issues/26). So
 * engines see opaque pixels only, of which all of them think the same.
 */
export async function compareOverlap(
  before: Side,
  after: Side,
  engine: Engine,
  rule: PixelRule,
  masked: readonly Rectangle[],
): Promise<PixelDiff> {
  const overlap = { x: 0, y: 0, ...overlapOf(before.size, after.size) };
  const sides = { before: cutSide(before, overlap), after: cutSide(after, overlap) };
  const isOpaque = (await sides.before.isOpaque()) && (await sides.after.isOpaque());
  const pixelDiff = await (isOpaque ? engine : onWhiteAndBlack(engine))(sides.before, sides.after, rule);
  if (!pixelDiff.mask) return pixelDiff;
  const ignoredAreas = clipAreas(masked, overlap);
  const counted = ignoredAreas.length === 0 ? pixelDiff : countMask(await leaveOut(pixelDiff.mask, ignoredAreas));
  const { mask } = counted;
  if (!mask || counted.antialiasedPixels === 0) return counted;
  const judge = async (left: Side, right: Side, own: Mask) =>
    judgeAntiAliasing({ ...counted, mask: own }, await left.pixels(), await right.pixels(), ignoredAreas);
  if (isOpaque) return judge(sides.before, sides.after, mask);
  const judgeCopy: Engine = (left, right) => judge(left, right, { ...mask, data: mask.data.slice() });
  return onWhiteAndBlack(judgeCopy)(sides.before, sides.after, rule);

  async function leaveOut(found: Mask, areas: readonly Rectangle[]): Promise<Mask> {
    const erased = eraseAreas(found, areas);
    // Only the judgement of anti-aliasing looks at neighbors, which may lie in a hole.
    if (rule.antialiasing === 'count') return erased;
    return judgeBeside(erased, areas, (area, punch) =>
      onWhiteAndBlack(engine)(punch(cutSide(sides.before, area)), punch(cutSide(sides.after, area)), rule),
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

/** Compares an area of both sides after a change to what was cut out of each. */
export type CompareArea = (area: Rectangle, change: (side: Side) => Side) => Promise<PixelDiff>;

/** Returns a mask without what was found within ignoredAreas. @param ignoredAreas - within the image */
export function eraseAreas(mask: Mask, ignoredAreas: readonly Rectangle[]): Mask {
  const data = mask.data.slice();
  for (const hole of ignoredAreas) for (const [from, to] of spansOf(hole, mask.width)) data.fill(0, from, to);
  return { ...mask, data };
}

/**
 * Judges anew what was found beside ignoredAreas: what is behind a mask must not decide whether anti-aliasing explains the pixel
 * next to it. As a hole in both images it is, on white and on black, brighter than all and darker than all; what is a change
 * on either is one. Little is decoded or compared but what lies around such a hole.
 */
export async function judgeBeside(mask: Mask, ignoredAreas: readonly Rectangle[], compare: CompareArea): Promise<Mask> {
  const data = mask.data.slice();
  for (const hole of ignoredAreas) {
    const [beside] = clipAreas([widenArea(hole, REACH)], mask);
    // What is beside it must be judged by all that it would be judged by in the whole image.
    const [around] = clipAreas([widenArea(hole, 2 * REACH)], mask);
    if (!beside || !around || !hasMark({ ...mask, data }, beside)) continue;
    const found = await compare(around, (side) => punchSide(side, clipAreas(shiftAreas(ignoredAreas, around), around)));
    if (found.mask) paste(data, mask.width, beside, found.mask, around);
  }
  return { ...mask, data };
}

function hasMark({ width, data }: Mask, area: Rectangle): boolean {
  for (const [from, to] of spansOf(area, width)) if (data.subarray(from, to).some((mark) => mark !== 0)) return true;
  return false;
}

/** Copies an area of a mask from that of a part of the image. */
function paste(data: Uint8Array, width: number, area: Rectangle, part: Mask, { x, y }: Rectangle): void {
  for (const [from, to] of spansOf(area, width)) {
    const start = (Math.floor(from / width) - y) * part.width + (from % width) - x;
    data.set(part.data.subarray(start, start + to - from), from);
  }
}
