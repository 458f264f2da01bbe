/** The image formats that a shot can have. `jpg` is `jpeg` under its other file ending. */
export const IMAGE_FORMATS = ['png', 'jpeg', 'jpg', 'webp'] as const;

/** A format as it is written in the list and as a file ending. */
export type ImageFormat = (typeof IMAGE_FORMATS)[number];

/** What a shot can be captured as: an image, or the page as it prints. */
export const SHOT_FORMATS = [...IMAGE_FORMATS, 'pdf'] as const;

/** A format of a shot, as it is written in the list and as a file ending. */
export type ShotFormat = (typeof SHOT_FORMATS)[number];

/** A format as its bytes are: `jpg` is `jpeg`. */
export type ImageCodec = Exclude<ImageFormat, 'jpg'>;

/** What a captured file can be. */
export type FileCodec = ImageCodec | 'pdf';

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

/** Returns the codec that a format names. */
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

/** Returns the media type of a file by its ending, without the dot; null: it is none of a shot. */
export function mediaTypeOf(ending: string): string | null {
  const format = SHOT_FORMATS.find((name) => name === ending);
  return format === undefined ? null : MEDIA_TYPES[format];
}

/** An encoded image whose head was read: what it is, without its pixels. A PDF is one too, of the size of its first page. */
export interface EncodedImage {
  readonly bytes: Buffer;
  readonly codec: FileCodec;
  readonly size: Size;
}
