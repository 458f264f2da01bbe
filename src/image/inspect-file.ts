import { type EncodedImage, messageOf } from '../model/index.js';
import { type Inspection, inspectImage, maxPixelsOf } from './inspect.js';
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

/** The inspection of a file that is not an image, or of an image that is too large. */
export type Defect = Exclude<FileInspection, { readonly kind: 'image' }>;

/** A defect in words, for an error. */
export interface DefectText {
  readonly found: string;
  /** Undefined if it depends on where the file comes from. */
  readonly advice?: string;
}

/**
 * Describes a defect.
 *
 * @param subject the file, such as `the baseline`
 * @param expected the expected formats
 */
export function describeDefect(defect: Defect, subject: string, expected: string): DefectText {
  switch (defect.kind) {
    case 'empty':
      return { found: `${subject} is empty (0 bytes)` };
    case 'truncated':
      return { found: `${subject} is truncated: its ${defect.codec} data is incomplete` };
    case 'lfs-pointer':
      return { found: `${subject} is a Git LFS pointer, not an image`, advice: 'Run: git lfs pull' };
    case 'damaged':
      return { found: `${subject} is a PDF that cannot be read (${defect.reason})` };
    case 'unknown':
      return { found: `${subject} is not an image; expected ${expected}` };
    case 'too-large': {
      const { width, height } = defect.size;
      const most = `${maxPixelsOf(defect.codec) / 1e6} million pixels`;
      return { found: `${subject} is ${width}x${height}; the maximum is ${most}` };
    }
    default:
      return defect satisfies never;
  }
}
