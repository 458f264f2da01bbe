import { returnBytes } from '../image/buffer-pool.js';
import { areaOf, isSameSize, overlapOf, unionOf } from '../image/canvas.js';
import { assertWithinLimit, renderPixelCount } from '../image/inspect.js';
import { drawPdf } from '../image/pdf/draw.js';
import { type Comparison, type Counts, limitOf } from '../model/comparison.js';
import { ProofsheetError } from '../model/errors.js';
import type { EncodedImage, Rectangle, Size } from '../model/image.js';
import type { ResolvedCompareSettings } from '../model/shot.js';
import { pixelsBeyondShift, type Realigned } from './align/align-images.js';
import { explain } from './describe-change.js';
import { selectEngine } from './engines/engine.js';
import { createMask, NOTHING, type PixelDiff } from './engines/pixel-diff.js';
import { compareOverlap } from './overlap.js';
import { cutAreas, extraAreas } from './regions/areas.js';
import { type Side, sideOfFile, sideOfPixels } from './side.js';
import { createMemorySemaphore } from './worker/memory-semaphore.js';

/**
 * Compares two images, and returns the verdict and a description of the changes. Leaves no files on disk.
 *
 * Both images are placed on one canvas, aligned at their top left corners:
 *
 * - The engine compares the area that both images cover.
 * - A pixel that only one image covers counts as changed, whatever its color.
 * - A pixel that neither image covers does not count.
 *
 * Images above the limit or of different sizes are `different`, with one exception. They are `tolerated` if their sizes
 * differ by at most `maxSizeDiff` and the mismatch in the common area is within the limit. That mismatch is counted in
 * place or, if no content moved further than `allowShift`, after alignment. For PDFs see comparePdfs.
 *
 * @param masked - areas of the canvas that do not count: those of before and those of after. They may overlap and extend
 *   beyond the images. They do not reduce the area of the canvas
 * @param maxPixels - the maximum number of pixels of both images together, and of the canvas that contains them
 * @throws ProofsheetError `pdf-differs` for a PDF and an image, `image-damaged`, `image-too-large`, `engine-missing`,
 *   `engine-failed`: no verdict is returned
 */
export async function compareImages(
  before: EncodedImage,
  after: EncodedImage,
  settings: ResolvedCompareSettings,
  masked: readonly Rectangle[],
  maxPixels = Number.POSITIVE_INFINITY,
): Promise<Comparison> {
  const canvas = unionOf(before.size, after.size);
  assertWithinLimit(canvas, 'the canvas that holds both images');
  assertFewPixels(before, after, maxPixels);
  const limitPixels = limitOf(settings, areaOf(canvas));
  if (before.bytes.equals(after.bytes)) {
    return { kind: 'equal', counts: countsOf(before, after, NOTHING, []), limitPixels };
  }
  if (before.codec === 'pdf' && after.codec === 'pdf') {
    return comparePdfs(before, after, maxPixels, (one, other) =>
      compareImages(one, other, settings, masked, maxPixels),
    );
  }
  return memorySemaphore.take(4 * (areaOf(before.size) + areaOf(after.size)), () =>
    compareDecoded(before, after, settings, masked, limitPixels),
  );
}

/** Rejects images that take more memory than the caller allows. Runs before anything is decoded. */
function assertFewPixels(
  { codec, size: before }: EncodedImage,
  { size: after }: EncodedImage,
  maxPixels: number,
): void {
  const pixels = Math.max(areaOf(before) + areaOf(after), areaOf(unionOf(before, after)));
  // The size of a PDF is in points. The size of the rendered pages is checked after rendering.
  if (codec === 'pdf' || pixels <= maxPixels) return;
  const sizes = [before, after].map(({ width, height }) => `${width}x${height}`);
  throw new ProofsheetError({
    code: 'image-too-large',
    where: 'the two images',
    found: `${sizes.join(' and ')} are ${renderPixelCount(pixels)}, at most ${renderPixelCount(maxPixels)} are allowed`,
    advice: 'Compare smaller images.',
  });
}

/** Limits concurrent comparisons in bytes: two decoded images of 1280x40000 px. Small comparisons run concurrently. */
const memorySemaphore = createMemorySemaphore(2 * 4 * 1280 * 40_000);

async function compareDecoded(
  before: EncodedImage,
  after: EncodedImage,
  settings: ResolvedCompareSettings,
  masked: readonly Rectangle[],
  limitPixels: number,
): Promise<Comparison> {
  const sides = { before: sideOfFile(before, 'the before image'), after: sideOfFile(after, 'the after image') };
  try {
    return await compareSides(sides, settings, masked, limitPixels);
  } finally {
    sides.before.release();
    sides.after.release();
  }
}

async function compareSides(
  { before, after }: { readonly before: Side; readonly after: Side },
  settings: ResolvedCompareSettings,
  masked: readonly Rectangle[],
  limitPixels: number,
): Promise<Comparison> {
  const engine = selectEngine(settings.engine);
  const pixelDiff = await compareOverlap(before, after, engine, settings, masked);
  const extra = cutAreas(extraAreas(before.size, after.size), masked);
  const counts = countsOf(before, after, pixelDiff, extra);
  if (counts.sameDimensions && counts.mismatchPixels <= limitPixels) {
    if (pixelDiff.mask) returnBytes(pixelDiff.mask.data);
    return { kind: 'within-limit', counts, limitPixels };
  }
  const mask = pixelDiff.mask ?? createMask(overlapOf(before.size, after.size));
  const { explanation, realigned } = await explain(
    { before, after },
    mask,
    counts,
    masked,
    (one, other, ignoredAreas) =>
      compareOverlap(
        sideOfPixels(one, async () => one),
        sideOfPixels(other, async () => other),
        engine,
        settings,
        ignoredAreas,
      ),
  );
  const isTolerated =
    isSizeWithin(before.size, after.size, settings.maxSizeDiff) &&
    minMismatchPixels(pixelDiff, realigned, settings.allowShift) <= limitPixels;
  returnBytes(mask.data);
  if (realigned.mask !== mask) returnBytes(realigned.mask.data);
  return { kind: isTolerated ? 'tolerated' : 'different', counts, limitPixels, ...explanation };
}

/** Returns the mismatch in the common area, in place or with the allowed shift, whichever is smaller. */
function minMismatchPixels({ mismatchPixels }: PixelDiff, realigned: Realigned, allowShift: number): number {
  const beyond = pixelsBeyondShift(realigned, allowShift);
  return beyond === null ? mismatchPixels : Math.min(mismatchPixels, beyond);
}

function countsOf(
  { size: before }: Pick<Side, 'size'>,
  { size: after }: Pick<Side, 'size'>,
  pixelDiff: PixelDiff,
  extra: readonly Rectangle[],
): Counts {
  return {
    mismatchPixels: extra.reduce((sum, area) => sum + areaOf(area), pixelDiff.mismatchPixels),
    antialiasedPixels: pixelDiff.antialiasedPixels,
    totalPixels: areaOf(unionOf(before, after)),
    sameDimensions: isSameSize(before, after),
  };
}

function isSizeWithin(before: Size, after: Size, maxSizeDiff: number): boolean {
  const differences = [before.width - after.width, before.height - after.height];
  return differences.every((difference) => Math.abs(difference) <= maxSizeDiff);
}

/**
 * Compares the rendered pages of two PDFs. Each PDF is rendered to one image, with all pages stacked vertically, and the
 * two images are compared. Invisible data (dates, ids, titles, tags) does not count. All counts and regions are in
 * pixels of the rendered images.
 *
 * @param maxPixels - the maximum number of pixels of one rendered PDF
 * @param compare - compares the two rendered images
 * @throws ProofsheetError the errors of drawPdf and of `compare`
 */
export async function comparePdfs(
  before: EncodedImage,
  after: EncodedImage,
  maxPixels: number,
  compare: (before: EncodedImage, after: EncodedImage) => Promise<Comparison>,
): Promise<Comparison> {
  const [one, other] = [
    await drawPdf(before, 'the before PDF', maxPixels),
    await drawPdf(after, 'the after PDF', maxPixels),
  ];
  const comparison = await compare(one.image, other.image);
  // The bytes of the PDFs differ, even if their rendered images are equal.
  if (comparison.kind === 'equal') return { ...comparison, kind: 'within-limit' };
  if (comparison.kind === 'within-limit') return comparison;
  const pages = formatPageChanges(one.pages, other.pages);
  return pages === null ? comparison : { ...comparison, pages };
}

/** Formats the page changes: `3 pages -> 4 pages`, `page 2: 595x842 pt -> 842x595 pt`. Returns null if there are none. */
function formatPageChanges(before: readonly Size[], after: readonly Size[]): string | null {
  const resized = before.flatMap((size, index) => {
    const newSize = after[index];
    if (!newSize || (newSize.width === size.width && newSize.height === size.height)) return [];
    return [`page ${index + 1}: ${formatSize(size)} -> ${formatSize(newSize)}`];
  });
  const more = resized.length > 1 ? [`${resized.length} pages have another size`] : [];
  const count = before.length === after.length ? [] : [`${formatCount(before.length)} -> ${formatCount(after.length)}`];
  return [...count, ...resized.slice(0, 1), ...more].join(', ') || null;
}

function formatSize({ width, height }: Size): string {
  return `${width}x${height} pt`;
}

function formatCount(pages: number): string {
  return `${pages} page${pages === 1 ? '' : 's'}`;
}
