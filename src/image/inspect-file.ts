import { messageOf } from '../model/errors.js';
import type { EncodedImage } from '../model/image.js';
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

/** The result of inspecting a file that is not an image, or one that is too large. */
export type Defect = Exclude<FileInspection, { readonly kind: 'image' }>;

/**
 * Describes a defect, for messages.
 *
 * @param subject the file, such as `the baseline`
 * @param expected the expected formats
 */
export function describeDefect(defect: Defect, subject: string, expected: string): string {
  switch (defect.kind) {
    case 'empty':
      return `${subject} is empty (0 bytes)`;
    case 'truncated':
      return `${subject} is truncated: its ${defect.codec} data is incomplete`;
    case 'lfs-pointer':
      return `${subject} is a Git LFS pointer, not an image`;
    case 'damaged':
      return `${subject} is a PDF that cannot be read (${defect.reason})`;
    case 'unknown':
      return `${subject} is not an image; expected ${expected}`;
    case 'too-large': {
      const { width, height } = defect.size;
      return `${subject} is ${width}x${height}; the maximum is ${maxPixelsOf(defect.codec) / 1e6} million pixels`;
    }
    default:
      return defect satisfies never;
  }
}

/** The advice for a Git LFS pointer. */
export const PULL_LFS = 'Run: git lfs pull';
