import { ProofsheetError } from '../model/errors.js';
import type { EncodedImage, FileCodec, Size } from '../model/image.js';
import { renderCount } from '../model/words.js';
import { areaOf } from './canvas.js';
import { readImageHeader } from './headers.js';

/** The most pixels an image may have: 320 million, 1.28 GB decoded. No page that is captured has more (8000x40000). */
export const MAX_PIXELS = 8000 * 40_000;

/**
 * The most pixels that a JPEG or a WebP may have: they are decoded inside WebAssembly, and copied out of it. A WebP of one
 * color has 268 million in 100 bytes.
 */
export const MAX_WASM_PIXELS = 150_000_000;

/** What the bytes of an image file turn out to be, judged by its head and its lengths: no pixel is decoded. */
export type Inspection =
  | { readonly kind: 'image'; readonly image: EncodedImage }
  /** Not one byte. */
  | { readonly kind: 'empty' }
  /** What Git LFS leaves in place of a file that was not fetched. */
  | { readonly kind: 'lfs-pointer' }
  /** The file ends before its format says it does. */
  | { readonly kind: 'truncated'; readonly codec: FileCodec }
  /** Neither PNG nor JPEG nor WebP nor PDF, or one without a size. */
  | { readonly kind: 'unknown' }
  /** More than {@link MAX_PIXELS}, or in a JPEG or a WebP than {@link MAX_WASM_PIXELS}. */
  | { readonly kind: 'too-large'; readonly codec: FileCodec; readonly size: Size };

/** Judges the bytes of an image file; never throws, whatever they are. The codec is what the bytes are, not what a name says. */
export function inspectImage(bytes: Buffer): Inspection {
  if (bytes.length === 0) return { kind: 'empty' };
  // https://github.com/git-lfs/git-lfs/blob/main/docs/spec.md
  if (bytes.toString('latin1', 0, LFS_FIRST_WORDS.length) === LFS_FIRST_WORDS) return { kind: 'lfs-pointer' };
  const head = readImageHeader(bytes);
  if (!head) return { kind: 'unknown' };
  const { codec, size, whole } = head;
  if (size && areaOf(size) > maxPixelsOf(codec)) return { kind: 'too-large', codec, size };
  if (!whole) return { kind: 'truncated', codec };
  return size ? { kind: 'image', image: { bytes, codec, size } } : { kind: 'unknown' };
}

/** Refuses what has more pixels than an image of this codec may. @throws ProofsheetError `image-too-large` */
export function assertWithinLimit(size: Size, where: string, codec: FileCodec = 'png'): void {
  const most = maxPixelsOf(codec);
  if (areaOf(size) <= most) return;
  throw new ProofsheetError({
    code: 'image-too-large',
    where,
    found: `${size.width}x${size.height} pixels; at most ${most / 1e6} million can be compared`,
    advice: 'Capture a smaller part of the page, or fewer image pixels per CSS pixel.',
  });
}

const LFS_FIRST_WORDS = 'version https://git-lfs.github.com/spec/';

/** Returns the most pixels that a file of this codec may have. */
export function maxPixelsOf(codec: FileCodec): number {
  return codec === 'jpeg' || codec === 'webp' ? MAX_WASM_PIXELS : MAX_PIXELS;
}

/** Renders a count of pixels: `1,200 pixels`, `1.5 million pixels`. */
export function renderPixelCount(count: number): string {
  return count >= 1e6 ? `${Number((count / 1e6).toFixed(1))} million pixels` : `${renderCount(count)} pixels`;
}
