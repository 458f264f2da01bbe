import { type EncodedImage, type FileCodec, type ImageCodec, messageOf, type Size } from '../model/index.js';
import { areaOf, maxPixelsOf } from './canvas.js';
import { decodeImage } from './decode.js';
import { readImageHeader } from './headers.js';
import { readFirstPage } from './pdf/draw.js';

/** The result of inspecting the header and the length fields of an image file. No pixel is decoded. */
type Inspection =
  | { readonly kind: 'image'; readonly image: EncodedImage & { readonly codec: ImageCodec } }
  /** A PDF. Its header has no size: see `inspectFile`. */
  | { readonly kind: 'pdf' }
  | { readonly kind: 'empty' }
  /** The Git LFS pointer of a file that was not fetched. */
  | { readonly kind: 'lfs-pointer' }
  /** The file ends before the end that its format announces. */
  | { readonly kind: 'truncated'; readonly codec: FileCodec }
  /** Not a PNG, JPEG, WebP or PDF, or an image without a size. */
  | { readonly kind: 'unknown' }
  /** More pixels than `maxPixelsOf` allows. */
  | { readonly kind: 'too-large'; readonly codec: FileCodec; readonly size: Size };

/** Inspects the header of an image file. Detects the codec from the bytes, not from the file name. Never throws. */
export function inspectImage(bytes: Buffer): Inspection {
  if (bytes.length === 0) return { kind: 'empty' };
  // https://github.com/git-lfs/git-lfs/blob/main/docs/spec.md
  if (bytes.toString('latin1', 0, LFS_PREFIX.length) === LFS_PREFIX) return { kind: 'lfs-pointer' };
  const head = readImageHeader(bytes);
  if (!head) return { kind: 'unknown' };
  const { codec, size, whole } = head;
  if (size && areaOf(size) > maxPixelsOf(codec)) return { kind: 'too-large', codec, size };
  if (!whole) return { kind: 'truncated', codec };
  if (codec === 'pdf') return { kind: 'pdf' };
  return size ? { kind: 'image', image: { bytes, codec, size } } : { kind: 'unknown' };
}

const LFS_PREFIX = 'version https://git-lfs.github.com/spec/';

type FileInspection =
  | Exclude<Inspection, { readonly kind: 'image' | 'pdf' }>
  | { readonly kind: 'image'; readonly image: EncodedImage }
  /** A PDF that PDFium cannot open. */
  | { readonly kind: 'damaged'; readonly reason: string };

/** Inspects an image by its header, and a PDF by opening it. Never throws. */
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

/**
 * Describes a defect in words, for an error.
 *
 * @param subject - the file, such as `the baseline`
 * @param expected - the expected formats
 * @returns without advice if that depends on where the file comes from
 */
export function describeDefect(defect: Defect, subject: string, expected: string): { found: string; advice?: string } {
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

/**
 * Returns the color of an image of a single color as `#rrggbb`, blended onto white; null when it has several colors.
 *
 * An image is decoded only if the file is small enough for a single color. The noise of lossy formats is ignored. A small PDF is drawn
 * with all its pages.
 *
 * @throws Error when the image must be decoded and is damaged
 */
export async function solidColor(image: EncodedImage): Promise<string | null> {
  const { codec, bytes, size } = image;
  const maxBytes = codec === 'pdf' ? MAX_PDF_BYTES : MAX_HEADER_BYTES + areaOf(size) * MAX_BYTES_PER_PIXEL;
  if (bytes.length > maxBytes) return null;
  const { data } = await decodeImage(image);
  const most = codec === 'jpeg' || codec === 'webp' ? MAX_NOISE : 0;
  for (let i = 4; i < data.length; i++) if (Math.abs((data[i] ?? 0) - (data[i % 4] ?? 0)) > most) return null;
  const [alpha = 255] = data.subarray(3);
  const onWhite = Array.from(data.subarray(0, 3), (value) => Math.round((value * alpha + 255 * (255 - alpha)) / 255));
  return `#${Buffer.from(onWhite).toString('hex')}`;
}

/** Maximum noise per channel, 0..255. A lossy WebP of one color shows up to 5 at quality 80, except in white and black. */
const MAX_NOISE = 5;

/**
 * Maximum number of bytes per pixel in an image of one color. The maximum is a JPEG without chroma subsampling: 14 bits for a
 * block of 64 pixels, which is 0.0273.
 */
const MAX_BYTES_PER_PIXEL = 1 / 32;
const MAX_HEADER_BYTES = 8192;

/** In bytes. A larger PDF contains a font or an image. A PDF with only a background has about 1,000 bytes. */
const MAX_PDF_BYTES = 4096;
