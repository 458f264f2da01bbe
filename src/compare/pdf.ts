import { drawPdf } from '../image/draw-pdf.js';
import type { Comparison } from '../model/comparison.js';
import type { EncodedImage, Size } from '../model/image.js';

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
