import { join, posix } from 'node:path';
import type { z } from 'zod';
import type { rectangleSchema } from './environment.js';
import { parseUrl } from './text.js';

/** The image formats of a shot. `jpg` is `jpeg` with another file extension. */
export const IMAGE_FORMATS = ['png', 'jpeg', 'jpg', 'webp'] as const;

export type ImageFormat = (typeof IMAGE_FORMATS)[number];

export const SHOT_FORMATS = [...IMAGE_FORMATS, 'pdf'] as const;

export type ShotFormat = (typeof SHOT_FORMATS)[number];

/** An image codec. `jpg` is normalized to `jpeg`. */
export type ImageCodec = Exclude<ImageFormat, 'jpg'>;

export type FileCodec = ImageCodec | 'pdf';

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

export function codecOf(format: ImageFormat): ImageCodec;
export function codecOf(format: ShotFormat): FileCodec;
export function codecOf(format: ShotFormat): FileCodec {
  return format === 'jpg' ? 'jpeg' : format;
}

/** Returns the media type for a file extension without the dot. Returns null if it is not a shot format. */
export function mediaTypeOf(ending: string): string | null {
  const format = SHOT_FORMATS.find((name) => name === ending);
  if (format === undefined) return null;
  return format === 'pdf' ? 'application/pdf' : `image/${codecOf(format)}`;
}

/** An encoded image with its codec and size. For a PDF, it is the size of the first page. */
export interface EncodedImage {
  readonly bytes: Buffer;
  readonly codec: FileCodec;
  readonly size: Size;
}

/** The folder for all images of a report or of the capture service. */
export const IMAGES_FOLDER = 'screenshots';

/** Returns the link of a captured image, relative to the report's folder: `screenshots/<host>/<uuid>/<epoch_millis>.<extension>`. */
export function captureLink(url: string, uuid: string, takenAt: number, extension: string): string {
  return `${IMAGES_FOLDER}/${hostFolder(url)}/${uuid}/${Math.floor(takenAt)}.${extension}`;
}

/** Returns the link of an image of a comparison of two captures. */
export function comparisonLink(uuid: string, madeAt: number, extension: string): string {
  return `${IMAGES_FOLDER}/comparisons/${uuid}/${Math.floor(madeAt)}.${extension}`;
}

/** Returns the link of the image that a capture was compared with, in the same folder as the capture. */
export function beforeLink(captureLink: string, extension: string): string {
  return posix.join(posix.dirname(captureLink), `before.${extension}`);
}

export function diffLink(captureLink: string): string {
  return posix.join(posix.dirname(captureLink), 'diff.png');
}

/** Returns the absolute path of the image at a link. Null for a link of another form: reports of other machines are untrusted. */
export function resolveLink(folder: string, link: string): string | null {
  return isLink(link) ? join(folder, ...link.split('/')) : null;
}

/** Checks whether a link has the form that this module creates. */
export function isLink(link: string): boolean {
  const segments = link.split('/');
  return segments.length >= 2 && segments[0] === IMAGES_FOLDER && segments.every(isSafeSegment);
}

function hostFolder(url: string): string {
  const parsed = parseUrl(url);
  if (!parsed) return 'unknown';
  // An IPv6 host has colons and brackets, which file names must not contain.
  const host = parsed.hostname.replace(/^\[|\]$/g, '').replace(/[^a-z0-9.-]/gi, '_');
  return (
    host
      .replace(/^\.+|\.+$/g, '')
      .replace(RESERVED_NAME, '$1_')
      .slice(0, 200) || 'local'
  );
}

/** Names that Windows reserves, with any extension: https://learn.microsoft.com/windows/win32/fileio/naming-a-file */
export const RESERVED_NAME = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?=\.|$)/i;

/** On Windows, a colon separates a drive or a stream, and a backslash separates folders. A lone surrogate is not a character. */
function isSafeSegment(segment: string): boolean {
  return segment !== '' && segment !== '.' && segment !== '..' && !/[\\:\p{Cc}\p{Cs}]/u.test(segment);
}
