import {
  areaOf,
  assertWithinLimit,
  createMemorySemaphore,
  type DecodedImage,
  decodeImage,
  encodeIndexedPng,
  isSameSize,
  overlapOf,
  renderPixelCount,
  returnBytes,
  toBuffer,
  unionOf,
  WorkerClient,
  WorkerError,
} from '../image/index.js';
import {
  type Comparison,
  type Counts,
  type EncodedImage,
  failure,
  hasChangeDescription,
  limitOf,
  type Pixels,
  type Rectangle,
  type ResolvedCompareSettings,
  renderCountOf,
  renderSize,
  type Size,
} from '../model/index.js';
import type { ImagePair } from './align/align-columns.js';
import { alignImages, mismatchBeyondShift } from './align/align-images.js';
import type { ImageSide } from './align/align-rows.js';
import { areasBeyond, cutAreas, totalArea } from './areas.js';
import { describeDifference } from './describe/describe-difference.js';
import { renderUnchangedDiff } from './describe/diff-image.js';
import { compareOverlap } from './engines/overlap.js';
import { createMask, NO_DIFFERENCE, type PixelDiff } from './engines/pixel-diff.js';

/**
 * Compares two images, and returns the verdict and a description of the changes. Files of identical bytes are `equal`. All others are
 * compared in these steps. For images of one size that are `within-limit`, steps 3 and 4 are skipped.
 *
 * 1. {@link decodeImage} decodes both files. The pages of a PDF are drawn, stacked vertically: invisible data does not count.
 * 2. {@link compareOverlap} compares, in place, the area that both images cover. A pixel that only one image covers counts as changed,
 *    whatever its color. A pixel that neither covers does not count.
 * 3. {@link alignImages} aligns content that moved. This decides whether the change is `tolerated` or `different`.
 * 4. {@link describeDifference} describes the change: regions, moves of content, fingerprint, diff image.
 *
 * @param ignoredAreas - areas of the canvas that do not count. They may overlap and extend beyond the images
 * @param maxPixels - the maximum number of pixels of both images together, and of the canvas that contains them
 * @throws ProofsheetError `pdf-differs`, `image-damaged`, `image-too-large`, `engine-missing`, `engine-failed`
 */
export async function compareImages(
  before: EncodedImage,
  after: EncodedImage,
  settings: ResolvedCompareSettings,
  ignoredAreas: readonly Rectangle[],
  maxPixels = Number.POSITIVE_INFINITY,
): Promise<Comparison> {
  // The size of a PDF is in points. The size of its pages is checked once they are drawn.
  if (before.codec !== 'pdf' || after.codec !== 'pdf') assertComparable(before.size, after.size, maxPixels);
  if (before.bytes.equals(after.bytes)) {
    const counts = countsOf(before.size, after.size, NO_DIFFERENCE, []);
    return { kind: 'equal', counts, limitPixels: limitOf(settings, counts.totalPixels) };
  }
  if ((before.codec === 'pdf') !== (after.codec === 'pdf')) {
    const where = `the ${before.codec === 'pdf' ? 'before' : 'after'} image`;
    const advice = 'Compare it with a PDF, or capture the page as png, jpeg or webp.';
    throw failure('pdf-differs', where, 'a PDF cannot be compared with an image', advice);
  }
  return memorySemaphore.take(decodedBytes([before, after]), async () => {
    const one = await decodeSide('before', before, maxPixels);
    const other = await decodeSide('after', after, maxPixels);
    assertComparable(one, other, maxPixels);
    const comparison = await comparePixels(one, other, settings, ignoredAreas);
    for (const { data } of [one, other]) returnBytes(data);
    const pages = formatPageChanges(one.pages ?? [], other.pages ?? []);
    return pages === null || !hasChangeDescription(comparison) ? comparison : { ...comparison, pages };
  });
}

/** In bytes: two decoded images of 1280x40000 px. */
const MAX_DECODED_BYTES = 2 * 4 * 1280 * 40_000;

const memorySemaphore = createMemorySemaphore(MAX_DECODED_BYTES);

function decodedBytes(images: readonly EncodedImage[]): number {
  if (images.some(({ codec }) => codec === 'pdf')) return MAX_DECODED_BYTES;
  return images.reduce((sum, { size }) => sum + 4 * areaOf(size), 0);
}

function assertComparable(before: Size, after: Size, maxPixels: number): void {
  const canvas = unionOf(before, after);
  assertWithinLimit(canvas, 'the canvas of both images');
  const pixels = Math.max(areaOf(before) + areaOf(after), areaOf(canvas));
  if (pixels <= maxPixels) return;
  const sizes = `${renderSize(before)} px and ${renderSize(after)} px`;
  const found = `${sizes} need ${renderPixelCount(pixels)}; the maximum is ${renderPixelCount(maxPixels)}`;
  throw failure('image-too-large', 'the two images', found, 'Compare smaller images.');
}

function decodeSide(side: ImageSide, image: EncodedImage, maxPixels?: number): Promise<DecodedImage> {
  return decodeImage(image, `the ${side} ${image.codec === 'pdf' ? 'PDF' : 'image'}`, maxPixels);
}

async function comparePixels(
  before: Pixels,
  after: Pixels,
  settings: ResolvedCompareSettings,
  ignoredAreas: readonly Rectangle[],
): Promise<Comparison> {
  const overlap = await compareOverlap(before, after, settings, ignoredAreas);
  const extra = [...areasBeyond(after, before), ...areasBeyond(before, after)];
  const counts = countsOf(before, after, overlap, cutAreas(extra, ignoredAreas));
  const limitPixels = limitOf(settings, counts.totalPixels);
  if (counts.sameDimensions && counts.mismatchPixels <= limitPixels) {
    if (overlap.mask) returnBytes(overlap.mask.data);
    return { kind: 'within-limit', counts, limitPixels };
  }
  const mask = overlap.mask ?? createMask(overlapOf(before, after));
  const compare: ImagePair['compare'] = (one, other, areas) => compareOverlap(one, other, settings, areas);
  const compared = { before, after, mask, mismatchPixels: counts.mismatchPixels, ignoredAreas, compare };
  const alignment = await alignImages(compared);
  const sizeDiff = Math.max(Math.abs(before.width - after.width), Math.abs(before.height - after.height));
  // The mismatch in the common area counts, in place or after alignment.
  const mismatchPixels = Math.min(overlap.mismatchPixels, mismatchBeyondShift(alignment, settings.allowShift));
  const isTolerated = sizeDiff <= settings.maxSizeDiff && mismatchPixels <= limitPixels;
  const change = await describeDifference(compared, alignment);
  returnBytes(mask.data);
  if (alignment.mask !== mask) returnBytes(alignment.mask.data);
  return { kind: isTolerated ? 'tolerated' : 'different', counts, limitPixels, ...change };
}

function countsOf(before: Size, after: Size, overlap: PixelDiff, extra: readonly Rectangle[]): Counts {
  return {
    mismatchPixels: overlap.mismatchPixels + totalArea(extra),
    antialiasedPixels: overlap.antialiasedPixels,
    totalPixels: areaOf(unionOf(before, after)),
    sameDimensions: isSameSize(before, after),
  };
}

function formatPageChanges(before: readonly Size[], after: readonly Size[]): string | null {
  const resized = before.flatMap((size, index) => {
    const other = after[index];
    if (!other || isSameSize(size, other)) return [];
    return [`page ${index + 1}: ${renderSize(size)} pt -> ${renderSize(other)} pt`];
  });
  const more = resized.length > 1 ? [`${resized.length} pages have a different size`] : [];
  const [old, now] = [before, after].map(({ length }) => renderCountOf(length, 'page'));
  const count = old === now ? [] : [`${old} -> ${now}`];
  return [...count, ...resized.slice(0, 1), ...more].join(', ') || null;
}

/**
 * Renders the diff image of two images without differences.
 *
 * @param maxPixels - the maximum number of pixels of a rendered PDF
 * @throws ProofsheetError `image-damaged`, `image-too-large`
 */
export function renderUnchanged(image: EncodedImage, maxPixels?: number): Promise<Size & { bytes: Buffer }> {
  return memorySemaphore.take(decodedBytes([image]), async () => {
    const pixels = await decodeSide('after', image, maxPixels);
    const bytes = await encodeIndexedPng(renderUnchangedDiff(pixels));
    return { bytes, width: pixels.width, height: pixels.height };
  });
}

/** The arguments of {@link compareImages}, which a request to the compare worker has. */
export type CompareArguments = Parameters<typeof compareImages>;

const client = new WorkerClient<CompareArguments, Comparison>('compare-thread');

/**
 * Runs {@link compareImages} in a worker thread, which starts with the first two images that differ. If it cannot start, or exits before it
 * responds, the comparison runs in the calling thread.
 *
 * @throws ProofsheetError the errors of compareImages
 */
export async function compareInWorker(...images: CompareArguments): Promise<Comparison> {
  const [before, after] = images;
  if (before.bytes.equals(after.bytes)) return compareImages(...images);
  try {
    const comparison = await client.ask(images);
    return hasChangeDescription(comparison) ? { ...comparison, diff: toBuffer(comparison.diff) } : comparison;
  } catch (cause) {
    if (cause instanceof WorkerError) return compareImages(...images);
    throw cause;
  }
}
