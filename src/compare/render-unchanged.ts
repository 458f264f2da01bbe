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
 * @throws ProofsheetError `image-damaged`
 */
export async function renderUnchanged(image: EncodedImage): Promise<UnchangedDiff> {
  const drawn = image.codec === 'pdf' ? (await drawPdf(image, 'the after PDF')).image : image;
  const pixels = await decodeImage(drawn, 'the after image');
  const { width, height } = pixels;
  const same = { before: pixels, after: pixels, segments: unmovedSegments(pixels, pixels), mask: createMask(pixels) };
  const picture = renderDiff({ ...same, columns: [0, width], movedColumns: [], masked: [], found: [] });
  return { bytes: await encodeIndexedPng(picture), width, height };
}
