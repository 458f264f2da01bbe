import { overlapOf } from '../image/canvas.js';
import type { Mask } from '../model/comparison.js';
import type { Rectangle } from '../model/image.js';
import { clipAreas } from './areas.js';
import { countMask, type Engine, type Finding, joinFindings, type PixelRule } from './finding.js';
import { eraseAreas, judgeBeside } from './holes.js';
import { cutSide, flattenSide, type Side } from './side.js';
import { judgeSmoothing } from './smoothing.js';

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
): Promise<Finding> {
  const overlap = { x: 0, y: 0, ...overlapOf(before.size, after.size) };
  const sides = { before: cutSide(before, overlap), after: cutSide(after, overlap) };
  const isOpaque = (await sides.before.isOpaque()) && (await sides.after.isOpaque());
  const finding = await (isOpaque ? engine : onWhiteAndBlack(engine))(sides.before, sides.after, rule);
  if (!finding.mask) return finding;
  const holes = clipAreas(masked, overlap);
  const counted = holes.length === 0 ? finding : countMask(await leaveOut(finding.mask, holes));
  const { mask } = counted;
  if (!mask || counted.antialiasedPixels === 0) return counted;
  const judge = async (left: Side, right: Side, own: Mask) =>
    judgeSmoothing({ ...counted, mask: own }, await left.pixels(), await right.pixels(), holes);
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
    return joinFindings(onWhite, onBlack);
  };
}
