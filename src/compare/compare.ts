import { areaOf, isSameSize, overlapOf, unionOf } from '../image/canvas.js';
import { encodePng } from '../image/encode-png.js';
import { assertWithinLimit } from '../image/inspect.js';
import type { Comparison, Counts } from '../model/comparison.js';
import type { EncodedImage, Rectangle } from '../model/image.js';
import { limitOf } from '../model/limit.js';
import type { CompareSettings } from '../model/plan.js';
import { cutAreas, extraAreas } from './areas.js';
import { renderDiff } from './diff-image.js';
import { selectEngine } from './engine.js';
import { createMask, type Finding, NOTHING } from './finding.js';
import { compareOverlap } from './overlap.js';
import { comparePdfs } from './pdf.js';
import { findRegions } from './regions.js';
import { type Side, sideOfFile } from './side.js';

/**
 * Compares two images and decides: `equal`, `within-limit` or `different`. Leaves nothing behind on disk.
 *
 * Both lie on one canvas at their top left corners. What both cover is compared by the engine; what only one covers has
 * changed, whatever its colour; what neither covers does not count. Images of different sizes are always `different`.
 * PDFs are compared as they look: see comparePdfs.
 *
 * @param masked - areas of the canvas that do not count, whatever is in them: those of before and those of after. They may
 *   overlap, and reach beyond the images. The area of the canvas stays what it is
 * @throws ProofsheetError `pdf-differs` for a PDF and an image, `image-damaged`, `image-too-large`, `engine-missing`, `engine-failed`: there is no
 *   verdict then
 */
export async function compareImages(
  before: EncodedImage,
  after: EncodedImage,
  settings: CompareSettings,
  masked: readonly Rectangle[],
): Promise<Comparison> {
  const canvas = unionOf(before.size, after.size);
  assertWithinLimit(canvas, 'the canvas that holds both images');
  const limitPixels = limitOf(settings, areaOf(canvas));
  if (before.bytes.equals(after.bytes)) {
    return { kind: 'equal', counts: countsOf(before, after, NOTHING, []), limitPixels };
  }
  if (before.codec === 'pdf' && after.codec === 'pdf') {
    return comparePdfs(before, after, (one, other) => compareImages(one, other, settings, masked));
  }
  const sides = { before: sideOfFile(before, 'the before image'), after: sideOfFile(after, 'the after image') };
  const engine = selectEngine(settings.engine);
  const finding = await compareOverlap(sides.before, sides.after, engine, settings.threshold, masked);
  const extra = cutAreas(extraAreas(before.size, after.size), masked);
  const counts = countsOf(before, after, finding, extra);
  if (counts.sameDimensions && counts.mismatchPixels <= limitPixels)
    return { kind: 'within-limit', counts, limitPixels };
  return { kind: 'different', counts, limitPixels, ...(await explain(sides, finding, extra, counts, masked)) };
}

function countsOf(
  { size: before }: EncodedImage,
  { size: after }: EncodedImage,
  finding: Finding,
  extra: readonly Rectangle[],
): Counts {
  return {
    mismatchPixels: extra.reduce((sum, area) => sum + areaOf(area), finding.mismatchPixels),
    antialiasedPixels: finding.antialiasedPixels,
    totalPixels: areaOf(unionOf(before, after)),
    sameDimensions: isSameSize(before, after),
  };
}

async function explain(
  { before, after }: { before: Side; after: Side },
  finding: Finding,
  extra: readonly Rectangle[],
  counts: Counts,
  masked: readonly Rectangle[],
) {
  const mask = finding.mask ?? createMask(overlapOf(before.size, after.size));
  const afterPixels = await after.pixels();
  // Of before, only what it covers alone is shown: where there is no such part, it need not be decoded.
  const beforePixels = counts.sameDimensions ? afterPixels : await before.pixels();
  return {
    regions: findRegions(mask, extra, counts.mismatchPixels),
    diff: encodePng(renderDiff(beforePixels, afterPixels, mask, masked)),
    diffSize: unionOf(before.size, after.size),
  };
}
