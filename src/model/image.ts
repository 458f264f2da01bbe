import type { z } from 'zod';
import type { rectangleSchema } from './environment.js';

/** The image formats of a shot. `jpg` is `jpeg` with another file extension. */
export const IMAGE_FORMATS = ['png', 'jpeg', 'jpg', 'webp'] as const;

/** An image format as in page lists and file extensions. */
export type ImageFormat = (typeof IMAGE_FORMATS)[number];

/** The formats of a shot: an image, or the printed page. */
export const SHOT_FORMATS = [...IMAGE_FORMATS, 'pdf'] as const;

/** A shot format as in page lists and file extensions. */
export type ShotFormat = (typeof SHOT_FORMATS)[number];

/** An image codec. `jpg` is normalized to `jpeg`. */
export type ImageCodec = Exclude<ImageFormat, 'jpg'>;

/** The codec of a captured file. */
export type FileCodec = ImageCodec | 'pdf';

/** A width and a height in pixels. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** Decoded pixels: RGBA, 8 bits per channel, rows from the top, `width * height * 4` bytes. */
export interface Pixels extends Size {
  readonly data: Uint8Array;
}

/** A rectangle in pixels of an image, from its top left corner. */
export type Rectangle = Readonly<z.infer<typeof rectangleSchema>>;

/** Returns the codec of a format. */
export function codecOf(format: ImageFormat): ImageCodec;
export function codecOf(format: ShotFormat): FileCodec;
export function codecOf(format: ShotFormat): FileCodec {
  return format === 'jpg' ? 'jpeg' : format;
}

const MEDIA_TYPES: Readonly<Record<ShotFormat, string>> = {
  png: 'image/png',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  webp: 'image/webp',
  pdf: 'application/pdf',
};

/** Returns the media type for a file extension without the dot. Returns null if it is not a shot format. */
export function mediaTypeOf(ending: string): string | null {
  const format = SHOT_FORMATS.find((name) => name === ending);
  return format === undefined ? null : MEDIA_TYPES[format];
}

/** An encoded image with its codec and size. For a PDF, it is the size of the first page. */
export interface EncodedImage {
  readonly bytes: Buffer;
  readonly codec: FileCodec;
  readonly size: Size;
}
