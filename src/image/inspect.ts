import {
  type EncodedImage,
  type FileCodec,
  type ImageCodec,
  ProofsheetError,
  renderCount,
  type Size,
} from '../model/index.js';
import { areaOf } from './canvas.js';
import { readImageHeader } from './headers.js';

/** Maximum number of pixels of an image: 320 million, 1.28 GB decoded. Captured pages have at most 8000x40000. */
export const MAX_PIXELS = 8000 * 40_000;

/**
 * Maximum number of pixels of a JPEG or WebP. They are decoded inside WebAssembly memory and then copied. A WebP of one color
 * can have 268 million pixels in 100 bytes.
 */
export const MAX_WASM_PIXELS = 150_000_000;

/** The result of inspecting the header and the length fields of an image file. No pixel is decoded. */
export type Inspection =
  | { readonly kind: 'image'; readonly image: EncodedImage & { readonly codec: ImageCodec } }
  /** A PDF. Its header has no size: see `inspectFile`. */
  | { readonly kind: 'pdf' }
  /** The file has no bytes. */
  | { readonly kind: 'empty' }
  /** The Git LFS pointer of a file that was not fetched. */
  | { readonly kind: 'lfs-pointer' }
  /** The file ends before the end that its format announces. */
  | { readonly kind: 'truncated'; readonly codec: FileCodec }
  /** Not a PNG, JPEG, WebP or PDF, or an image without a size. */
  | { readonly kind: 'unknown' }
  /** More than {@link MAX_PIXELS}, or for a JPEG or WebP more than {@link MAX_WASM_PIXELS}. */
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

/** Checks that a size is within the pixel limit of a codec. @throws ProofsheetError `image-too-large` */
export function assertWithinLimit(size: Size, where: string, codec: FileCodec = 'png'): void {
  const most = maxPixelsOf(codec);
  if (areaOf(size) <= most) return;
  throw new ProofsheetError({
    code: 'image-too-large',
    where,
    found: `the image is ${size.width}x${size.height} px; the maximum is ${most / 1e6} million pixels`,
    advice: 'Capture a smaller part of the page, or lower the device scale factor.',
  });
}

const LFS_PREFIX = 'version https://git-lfs.github.com/spec/';

/** Returns the maximum number of pixels of a file of this codec. */
export function maxPixelsOf(codec: FileCodec): number {
  return codec === 'jpeg' || codec === 'webp' ? MAX_WASM_PIXELS : MAX_PIXELS;
}

/** Formats a number of pixels: `1,200 pixels`, `1.5 million pixels`. */
export function renderPixelCount(count: number): string {
  return count >= 1e6 ? `${Number((count / 1e6).toFixed(1))} million pixels` : `${renderCount(count)} pixels`;
}
