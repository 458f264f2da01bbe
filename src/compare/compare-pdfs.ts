import { drawPdf } from '../image/pdf/draw.js';
import type { Comparison } from '../model/comparison.js';
import type { EncodedImage, Size } from '../model/image.js';

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
