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
 * Compares two images, decides, and says what happened. Leaves nothing behind on disk.
 *
 * Both lie on one canvas at their top left corners. What both cover is compared by the engine; what only one covers has
 * changed, whatever its color; what neither covers does not count. Images of different sizes are `different`, unless they
 * are within `maxSizeDiff` of one another and what both cover is within the limit; where content moved, unless it is so once
 * that is laid on itself, and nothing moved by more than `allowShift`. PDFs are compared as they look: see comparePdfs.
 *
 * @param masked - areas of the canvas that do not count, whatever is in them: those of before and those of after. They may
 *   overlap, and reach beyond the images. The area of the canvas stays what it is
 * @param maxPixels - the most pixels that both images may have together, and the canvas that holds them
 * @throws ProofsheetError `pdf-differs` for a PDF and an image, `image-damaged`, `image-too-large`, `engine-missing`,
 *   `engine-failed`: there is no verdict then
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
  return turns.take(4 * (areaOf(before.size) + areaOf(after.size)), () =>
    compareDecoded(before, after, settings, masked, limitPixels),
  );
}

/** Refuses, before anything is decoded, what takes more memory than its caller allows. */
function assertFewPixels(
  { codec, size: before }: EncodedImage,
  { size: after }: EncodedImage,
  maxPixels: number,
): void {
  const pixels = Math.max(areaOf(before) + areaOf(after), areaOf(unionOf(before, after)));
  // The size of a PDF is not that of its drawing, which is checked in its turn.
  if (codec === 'pdf' || pixels <= maxPixels) return;
  const sizes = [before, after].map(({ width, height }) => `${width}x${height}`);
  throw new ProofsheetError({
    code: 'image-too-large',
    where: 'the two images',
    found: `${sizes.join(' and ')} are ${renderPixelCount(pixels)}, at most ${renderPixelCount(maxPixels)} are allowed`,
    advice: 'Compare smaller images.',
  });
}

/** Comparisons of one test run at once where they are small: what two decoded images of 1280x40000 take. */
const turns = createMemorySemaphore(2 * 4 * 1280 * 40_000);

async function compareDecoded(
  before: EncodedImage,
  after: EncodedImage,
  settings: ResolvedCompareSettings,
  masked: readonly Rectangle[],
  limitPixels: number,
): Promise<Comparison> {
  const sides = { before: sideOfFile(before, 'the before image'), after: sideOfFile(after, 'the after image', true) };
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
    isNear(before.size, after.size, settings.maxSizeDiff) &&
    leastPixels(pixelDiff, realigned, settings.allowShift) <= limitPixels;
  returnBytes(mask.data);
  if (realigned.mask !== mask) returnBytes(realigned.mask.data);
  return { kind: isTolerated ? 'tolerated' : 'different', counts, limitPixels, ...explanation };
}

/** What differs where both images are, in place or as far as content may move: whichever is less. */
function leastPixels({ mismatchPixels }: PixelDiff, realigned: Realigned, allowShift: number): number {
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

function isNear(before: Size, after: Size, maxSizeDiff: number): boolean {
  const differences = [before.width - after.width, before.height - after.height];
  return differences.every((difference) => Math.abs(difference) <= maxSizeDiff);
}

/**
 * Compares two PDFs as they look, page by page: both are drawn, all pages one below the other, and compared as images. What
 * cannot be seen (dates, ids, titles, tags) does not count. All counts and regions are in pixels of what was drawn.
 *
 * @param maxPixels - the most pixels that the drawing of one may have
 * @param compare - compares the two images
 * @throws ProofsheetError as drawPdf and `compare` do
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
  // Their bytes were not equal.
  if (comparison.kind === 'equal') return { ...comparison, kind: 'within-limit' };
  if (comparison.kind === 'within-limit') return comparison;
  const pages = tellPages(one.pages, other.pages);
  return pages === null ? comparison : { ...comparison, pages };
}

/** Says what became of the pages: `3 pages -> 4 pages`, `page 2: 595x842 pt -> 842x595 pt`; null where they are as they were. */
function tellPages(before: readonly Size[], after: readonly Size[]): string | null {
  const resized = before.flatMap((size, index) => {
    const now = after[index];
    if (!now || (now.width === size.width && now.height === size.height)) return [];
    return [`page ${index + 1}: ${told(size)} -> ${told(now)}`];
  });
  const more = resized.length > 1 ? [`${resized.length} pages have another size`] : [];
  const count = before.length === after.length ? [] : [`${counted(before.length)} -> ${counted(after.length)}`];
  return [...count, ...resized.slice(0, 1), ...more].join(', ') || null;
}

function told({ width, height }: Size): string {
  return `${width}x${height} pt`;
}

function counted(pages: number): string {
  return `${pages} page${pages === 1 ? '' : 's'}`;
}
