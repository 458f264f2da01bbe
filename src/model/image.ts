/** The image formats that a shot can have. `jpg` is `jpeg` under its other file ending. */
export const IMAGE_FORMATS = ['png', 'jpeg', 'jpg', 'webp'] as const;

/** A format as it is written in the list and as a file ending. */
export type ImageFormat = (typeof IMAGE_FORMATS)[number];

/** A format as its bytes are: `jpg` is `jpeg`. */
export type ImageCodec = Exclude<ImageFormat, 'jpg'>;

/** A width and a height in pixels. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** Decoded pixels: RGBA, 8 bits a channel, rows from the top, `width * height * 4` bytes. */
export interface Pixels extends Size {
  readonly data: Uint8Array;
}

/** A rectangle in pixels of an image, from its top left corner. */
export interface Rectangle extends Size {
  readonly x: number;
  readonly y: number;
}

/** Gives the codec that a format names. */
export function codecOf(format: ImageFormat): ImageCodec {
  return format === 'jpg' ? 'jpeg' : format;
}

/** An encoded image whose head was read: what it is, without its pixels. */
export interface EncodedImage {
  readonly bytes: Buffer;
  readonly codec: ImageCodec;
  readonly size: Size;
}
