import { decodeImage } from '../image/decode.js';
import { drawPdf } from '../image/draw-pdf.js';
import { encodeIndexedPng } from '../image/encode-indexed-png.js';
import type { EncodedImage, Size } from '../model/image.js';
import { renderDiff } from './diff-image.js';
import { createMask } from './finding.js';
import { unmovedSegments } from './layout.js';

/** A diff image, and its size. */
export interface UnchangedDiff extends Size {
  readonly bytes: Buffer;
}

/**
 * Paints the diff image of two images of which no pixel differs: the image as a faint grey picture, and nothing in it.
 *
 * @param maxPixels - the most pixels that the drawing of a PDF may have
 * @throws ProofsheetError `image-damaged`, `image-too-large`
 */
export async function renderUnchanged(image: EncodedImage, maxPixels?: number): Promise<UnchangedDiff> {
  const drawn = image.codec === 'pdf' ? (await drawPdf(image, 'the after PDF', maxPixels)).image : image;
  const pixels = await decodeImage(drawn, 'the after image');
  const { width, height } = pixels;
  const same = { before: pixels, after: pixels, segments: unmovedSegments(pixels, pixels), mask: createMask(pixels) };
  const picture = renderDiff({ ...same, columns: [0, width], movedColumns: [], masked: [], found: [] });
  return { bytes: await encodeIndexedPng(picture), width, height };
}
