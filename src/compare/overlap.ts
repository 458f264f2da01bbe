import { overlapOf } from '../image/canvas.js';
import { type Engine, type Finding, joinFindings } from './finding.js';
import { cutSide, flattenSide, type Side } from './side.js';

/**
 * Compares what both images cover, as if they had been cut to it.
 *
 * Where anything is transparent, both are laid on white and on black, and a pixel that differs on either has changed:
 * on white alone, white on transparent would look like nothing (https://github.com/mapbox/pixelmatch/issues/26). So
 * engines see opaque pixels only, of which all of them think the same.
 */
export async function compareOverlap(before: Side, after: Side, engine: Engine, threshold: number): Promise<Finding> {
  const size = overlapOf(before.size, after.size);
  const [cutBefore, cutAfter] = [cutSide(before, size), cutSide(after, size)];
  if ((await cutBefore.isOpaque()) && (await cutAfter.isOpaque())) return engine(cutBefore, cutAfter, threshold);
  const onWhite = await engine(flattenSide(cutBefore, 255), flattenSide(cutAfter, 255), threshold);
  const onBlack = await engine(flattenSide(cutBefore, 0), flattenSide(cutAfter, 0), threshold);
  return joinFindings(onWhite, onBlack);
}
