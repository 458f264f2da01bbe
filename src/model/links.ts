import { join, posix } from 'node:path';
import { parseUrl } from './url.js';

/** The folder for all images of a report or of the capture service. */
export const IMAGES_FOLDER = 'screenshots';

/**
 * Returns the link of a captured image, relative to the report's folder:
 * `screenshots/<host without port>/<uuid>/<epoch_millis>.<extension>`.
 *
 * @param takenAt milliseconds since 1970.
 */
export function captureLink(url: string, uuid: string, takenAt: number, extension: string): string {
  return `${IMAGES_FOLDER}/${hostFolder(url)}/${uuid}/${Math.floor(takenAt)}.${extension}`;
}

/** Returns the link of an image of a comparison of two captures: `screenshots/comparisons/<uuid>/<epoch_millis>.<extension>`. */
export function comparisonLink(uuid: string, madeAt: number, extension: string): string {
  return `${IMAGES_FOLDER}/comparisons/${uuid}/${Math.floor(madeAt)}.${extension}`;
}

/** Returns the link of the image that a capture was compared with, in the same folder as the capture. */
export function beforeLink(captureLink: string, extension: string): string {
  return posix.join(posix.dirname(captureLink), `before.${extension}`);
}

/** Returns the link of the diff image of a capture, in the same folder as the capture. */
export function diffLink(captureLink: string): string {
  return posix.join(posix.dirname(captureLink), 'diff.png');
}

/**
 * Returns the absolute path of the image at a link; null if the link does not have the form that this module creates. Links in
 * reports from other machines are untrusted, and must not point outside the folder.
 */
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
  return host.replace(/^\.+|\.+$/g, '').slice(0, 200) || 'local';
}

/**
 * Checks whether a path segment is safe on every platform. On Windows, a colon separates a drive or a stream, and a backslash
 * separates folders. A lone surrogate is not a character.
 */
function isSafeSegment(segment: string): boolean {
  return segment !== '' && segment !== '.' && segment !== '..' && !/[\\:\p{Cc}\p{Cs}]/u.test(segment);
}
