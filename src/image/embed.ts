import { ProofsheetError } from '../model/errors.js';
import type { FileCodec } from '../model/image.js';
import { renderCountOf } from '../model/words.js';
import { embedInJpeg, extractFromJpeg } from './embed-jpeg.js';
import type { Extracted } from './embed-mark.js';
import { embedInPdf, extractFromPdf } from './embed-pdf.js';
import { embedInPng, extractFromPng } from './embed-png.js';
import { embedInWebp, extractFromWebp } from './embed-webp.js';

/**
 * Embeds a text into an image file, in place of the one it carries, where programs that show images skip it. Nothing is
 * decoded: it costs one copy of the file.
 *
 * @param where - how errors name the image
 * @throws ProofsheetError `image-damaged` when the file does not have the parts of its format
 */
export function embedText(bytes: Buffer, codec: FileCodec, text: string, where = 'an image'): Buffer {
  const { bare } = extractText(bytes, codec);
  const full = embedByCodec(bare, codec, text);
  if (full) return full;
  throw new ProofsheetError({
    code: 'image-damaged',
    where,
    found: `this ${codec} file of ${renderCountOf(bytes.length, 'byte')} does not have the parts that its format must have`,
    advice: 'Capture it again.',
  });
}

/**
 * Gives the text that {@link embedText} embedded, and the file without it: to the byte what it was embedded into. A file
 * without one comes back as the same buffer. Never throws, whatever the bytes are.
 */
export function extractText(bytes: Buffer, codec: FileCodec): Extracted {
  switch (codec) {
    case 'png':
      return extractFromPng(bytes);
    case 'jpeg':
      return extractFromJpeg(bytes);
    case 'webp':
      return extractFromWebp(bytes);
    case 'pdf':
      return extractFromPdf(bytes);
    default:
      return codec satisfies never;
  }
}

function embedByCodec(bytes: Buffer, codec: FileCodec, text: string): Buffer | null {
  switch (codec) {
    case 'png':
      return embedInPng(bytes, text);
    case 'jpeg':
      return embedInJpeg(bytes, text);
    case 'webp':
      return embedInWebp(bytes, text);
    case 'pdf':
      return embedInPdf(bytes, text);
    default:
      return codec satisfies never;
  }
}
