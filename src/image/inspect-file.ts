import { messageOf } from '../model/errors.js';
import type { EncodedImage } from '../model/image.js';
import { type Inspection, inspectImage } from './inspect.js';
import { readFirstPage } from './pdf/draw.js';

/** The result of inspecting an image or a PDF. */
export type FileInspection =
  | Exclude<Inspection, { readonly kind: 'image' | 'pdf' }>
  | { readonly kind: 'image'; readonly image: EncodedImage }
  /** A PDF that PDFium cannot open. */
  | { readonly kind: 'damaged'; readonly reason: string };

/** Inspects an image by its header, and a PDF by opening it. See {@link inspectImage}. Never throws. */
export async function inspectFile(bytes: Buffer): Promise<FileInspection> {
  const inspection = inspectImage(bytes);
  if (inspection.kind !== 'pdf') return inspection;
  try {
    return { kind: 'image', image: { bytes, codec: 'pdf', size: await readFirstPage(bytes) } };
  } catch (cause) {
    return { kind: 'damaged', reason: messageOf(cause) };
  }
}
