import {
  areaOf,
  assertWithinLimit,
  createMemorySemaphore,
  decodeImage,
  drawPdf,
  encodeIndexedPng,
  isSameSize,
  overlapOf,
  renderPixelCount,
  returnBytes,
  unionOf,
} from '../image/index.js';
import {
  type Comparison,
  type Counts,
  type EncodedImage,
  limitOf,
  type Pixels,
  ProofsheetError,
  type Rectangle,
  type ResolvedCompareSettings,
  type Size,
} from '../model/index.js';
import { type Alignment, alignImages, mismatchBeyondShift } from './align/align-images.js';
import { describeChange } from './describe-change.js';
import { renderUnchangedDiff } from './diff-image/diff-image.js';
import { selectEngine } from './engines/engine.js';
import { createMask, NO_DIFFERENCE, type PixelDiff } from './engines/pixel-diff.js';
import { compareOverlap } from './overlap.js';
import { cutAreas, extraAreas } from './regions/areas.js';
import { type Side, sideOfFile, sideOfPixels } from './side.js';

/**
 * Compares two images, and returns the verdict and a description of the changes. Leaves no files on disk. Files of identical
 * bytes are `equal`. All others are compared in these steps. For images of one size that are `within-limit`, steps 3 to 5 are
 * skipped.
 *
 * 1. {@link sideOfFile} opens each file. It is decoded when its pixels are first read. {@link comparePdfs} draws two PDFs and
 *    compares the drawn images.
 * 2. {@link compareOverlap} compares, in place, the area that both images cover. They are aligned at their top left corners. A
 *    pixel that only one image covers counts as changed, whatever its color. A pixel that neither covers does not count.
 * 3. {@link alignImages} aligns content that moved.
 * 4. {@link decide} decides the verdict: `tolerated` or `different`.
 * 5. {@link describeChange} describes the change: regions, events, fingerprint, diff image.
 *
 * @param ignoredAreas - areas of the canvas that do not count: those of before and those of after. They may overlap and extend
 *   beyond the images. They do not reduce the area of the canvas
 * @param maxPixels - the maximum number of pixels of both images together, and of the canvas that contains them
 * @throws ProofsheetError `pdf-differs` for a PDF and an image, `image-damaged`, `image-too-large`, `engine-missing`,
 *   `engine-failed`: no verdict is returned
 */
export async function compareImages(
  before: EncodedImage,
  after: EncodedImage,
  settings: ResolvedCompareSettings,
  ignoredAreas: readonly Rectangle[],
  maxPixels = Number.POSITIVE_INFINITY,
): Promise<Comparison> {
  const compare = async (one: EncodedImage, other: EncodedImage) => {
    assertComparable(one, other, maxPixels);
    return isIdentical(one, other) ? compareIdentical(one, settings) : compareFiles(one, other, settings, ignoredAreas);
  };
  if (isIdentical(before, after)) return compare(before, after);
  return memorySemaphore.take(decodedBytes([before, after]), () =>
    before.codec === 'pdf' && after.codec === 'pdf'
      ? comparePdfs(before, after, maxPixels, compare)
      : compare(before, after),
  );
}

/** In bytes: two decoded images of 1280x40000 px. */
const MAX_DECODED_BYTES = 2 * 4 * 1280 * 40_000;

/** Limits the decoded images of concurrent comparisons. Small comparisons run concurrently. */
const memorySemaphore = createMemorySemaphore(MAX_DECODED_BYTES);

/** Returns the memory that images take. The size of a PDF in pixels is known once it is drawn, so a PDF takes all. */
function decodedBytes(images: readonly EncodedImage[]): number {
  if (images.some(({ codec }) => codec === 'pdf')) return MAX_DECODED_BYTES;
  return images.reduce((sum, { size }) => sum + 4 * areaOf(size), 0);
}

/** Rejects images that take more memory than the caller allows. Runs before anything is decoded. */
function assertComparable(before: EncodedImage, after: EncodedImage, maxPixels: number): void {
  const canvas = unionOf(before.size, after.size);
  assertWithinLimit(canvas, 'the canvas of both images');
  const pixels = Math.max(areaOf(before.size) + areaOf(after.size), areaOf(canvas));
  // The size of a PDF is in points. The size of the rendered pages is checked after rendering.
  if (before.codec === 'pdf' || pixels <= maxPixels) return;
  const sizes = [before, after].map(({ size }) => `${size.width}x${size.height} px`);
  throw new ProofsheetError({
    code: 'image-too-large',
    where: 'the two images',
    found: `${sizes.join(' and ')} need ${renderPixelCount(pixels)}; the maximum is ${renderPixelCount(maxPixels)}`,
    advice: 'Compare smaller images.',
  });
}

function isIdentical(before: EncodedImage, after: EncodedImage): boolean {
  return before.bytes.equals(after.bytes);
}

/** Returns the comparison of a file with itself. Decodes nothing. */
function compareIdentical({ size }: EncodedImage, settings: ResolvedCompareSettings): Comparison {
  return {
    kind: 'equal',
    counts: countsOf(size, size, NO_DIFFERENCE, []),
    limitPixels: limitOf(settings, areaOf(size)),
  };
}

async function compareFiles(
  before: EncodedImage,
  after: EncodedImage,
  settings: ResolvedCompareSettings,
  ignoredAreas: readonly Rectangle[],
): Promise<Comparison> {
  const sides = { before: sideOfFile(before, 'the before image'), after: sideOfFile(after, 'the after image') };
  try {
    return await compareSides(sides.before, sides.after, settings, ignoredAreas);
  } finally {
    sides.before.release();
    sides.after.release();
  }
}

async function compareSides(
  before: Side,
  after: Side,
  settings: ResolvedCompareSettings,
  ignoredAreas: readonly Rectangle[],
): Promise<Comparison> {
  const engine = selectEngine(settings.engine);
  const compare = (one: Side, other: Side, areas: readonly Rectangle[]) =>
    compareOverlap(one, other, engine, settings, areas);
  const overlap = await compare(before, after, ignoredAreas);
  const extra = cutAreas(extraAreas(before.size, after.size), ignoredAreas);
  const counts = countsOf(before.size, after.size, overlap, extra);
  const limitPixels = limitOf(settings, counts.totalPixels);
  if (counts.sameDimensions && counts.mismatchPixels <= limitPixels) {
    if (overlap.mask) returnBytes(overlap.mask.data);
    return { kind: 'within-limit', counts, limitPixels };
  }
  const images = { before: await before.pixels(), after: await after.pixels() };
  const mask = overlap.mask ?? createMask(overlapOf(before.size, after.size));
  const alignment = await alignImages(
    { ...images, mask, mismatchPixels: counts.mismatchPixels, ignoredAreas },
    (one, other, areas) => compare(sideOf(one), sideOf(other), areas),
  );
  const kind = decide({ before: before.size, after: after.size, overlap, limitPixels }, alignment, settings);
  const change = await describeChange(images, alignment, ignoredAreas);
  returnBytes(mask.data);
  if (alignment.mask !== mask) returnBytes(alignment.mask.data);
  return { kind, counts, limitPixels, ...change };
}

function sideOf(pixels: Pixels): Side {
  return sideOfPixels(pixels, async () => pixels);
}

/**
 * Decides the verdict of two images that are above the limit or of different sizes. They are `tolerated` if their sizes differ
 * by at most `maxSizeDiff` and the mismatch in the common area is within the limit. That mismatch is the smaller of
 * two counts: in place, and after alignment if no rows moved further than `allowShift`.
 */
function decide(
  images: { readonly before: Size; readonly after: Size; readonly overlap: PixelDiff; readonly limitPixels: number },
  alignment: Alignment,
  { maxSizeDiff, allowShift }: ResolvedCompareSettings,
): 'tolerated' | 'different' {
  const { before, after, overlap, limitPixels } = images;
  const sizeDiffs = [before.width - after.width, before.height - after.height].map(Math.abs);
  const beyondShift = mismatchBeyondShift(alignment, allowShift) ?? overlap.mismatchPixels;
  const mismatchPixels = Math.min(overlap.mismatchPixels, beyondShift);
  return sizeDiffs.every((difference) => difference <= maxSizeDiff) && mismatchPixels <= limitPixels
    ? 'tolerated'
    : 'different';
}

function countsOf(before: Size, after: Size, overlap: PixelDiff, extra: readonly Rectangle[]): Counts {
  return {
    mismatchPixels: extra.reduce((sum, area) => sum + areaOf(area), overlap.mismatchPixels),
    antialiasedPixels: overlap.antialiasedPixels,
    totalPixels: areaOf(unionOf(before, after)),
    sameDimensions: isSameSize(before, after),
  };
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
async function comparePdfs(
  before: EncodedImage,
  after: EncodedImage,
  maxPixels: number,
  compare: (before: EncodedImage, after: EncodedImage) => Promise<Comparison>,
): Promise<Comparison> {
  const one = await drawPdf(before, 'the before PDF', maxPixels);
  const other = await drawPdf(after, 'the after PDF', maxPixels);
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
  const more = resized.length > 1 ? [`${resized.length} pages have a different size`] : [];
  const count = before.length === after.length ? [] : [`${formatCount(before.length)} -> ${formatCount(after.length)}`];
  return [...count, ...resized.slice(0, 1), ...more].join(', ') || null;
}

function formatSize({ width, height }: Size): string {
  return `${width}x${height} pt`;
}

function formatCount(pages: number): string {
  return `${pages} page${pages === 1 ? '' : 's'}`;
}

/** A diff image and its size. */
export interface UnchangedDiff extends Size {
  readonly bytes: Buffer;
}

/**
 * Renders the diff image of two images without differences: the image in faint grey, without marks.
 *
 * @param maxPixels - the maximum number of pixels of a rendered PDF
 * @throws ProofsheetError `image-damaged`, `image-too-large`
 */
export function renderUnchanged(image: EncodedImage, maxPixels?: number): Promise<UnchangedDiff> {
  return memorySemaphore.take(decodedBytes([image]), async () => {
    const drawn = image.codec === 'pdf' ? (await drawPdf(image, 'the after PDF', maxPixels)).image : image;
    const pixels = await decodeImage(drawn, 'the after image');
    const bytes = await encodeIndexedPng(renderUnchangedDiff(pixels));
    return { bytes, width: pixels.width, height: pixels.height };
  });
}
