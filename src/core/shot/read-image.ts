import { inspectImage, maxPixelsOf } from '../../image/inspect.js';
import { ProofsheetError } from '../../model/errors.js';
import type { EncodedImage } from '../../model/image.js';

/** Reads the image header of a captured image. @throws ProofsheetError `image-damaged`, `image-too-large` */
export function readImage(bytes: Buffer): EncodedImage {
  const inspection = inspectImage(bytes);
  if (inspection.kind === 'image') return inspection.image;
  const tooLarge = inspection.kind === 'too-large';
  throw new ProofsheetError({
    code: tooLarge ? 'image-too-large' : 'image-damaged',
    where: 'the captured image',
    found: tooLarge
      ? `it is ${inspection.size.width}x${inspection.size.height}; at most ${maxPixelsOf(inspection.codec) / 1e6} million pixels can be compared`
      : `the browser gave one that is ${inspection.kind}`,
    advice: tooLarge ? 'Capture the viewport only (`fullSize: false`), or a smaller page.' : 'Run it again.',
  });
}
