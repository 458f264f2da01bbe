import { join, posix } from 'node:path';

/** The record of the run, for programs. */
export const RESULTS_FILE = 'results.json';
/** The summary of the run, for a pull request. */
export const SUMMARY_FILE = 'summary.md';
/** The report, for a browser. */
export const INDEX_FILE = 'index.html';

/** Where the reporter writes unless it is told otherwise, beside the config. */
export const REPORT_FOLDER = 'proofsheet-report';
/** What workers share during a run lies here, in Playwright's output folder. */
export const OWN_FOLDER = '.proofsheet';
/** In it, what the workers of each run have taken, in a folder for each run. */
export const CLAIMS_FOLDER = 'claims';

/** What all captures lie below. */
export const IMAGES_FOLDER = 'screenshots';

/** All that a report's folder holds at its top. A folder with anything else in it is not ours to replace. */
export const REPORT_ENTRIES: readonly string[] = [RESULTS_FILE, SUMMARY_FILE, INDEX_FILE, IMAGES_FOLDER];

/**
 * Returns the link of a captured image, relative to the report's folder:
 * `screenshots/<host without port>/<uuid>/<epoch_millis>.<extension>`.
 *
 * @param takenAt milliseconds since 1970.
 */
export function captureLink(url: string, uuid: string, takenAt: number, extension: string): string {
  return `${IMAGES_FOLDER}/${hostFolder(url)}/${uuid}/${Math.floor(takenAt)}.${extension}`;
}

/** Returns the link of what a comparison of two captures shows: `screenshots/comparisons/<uuid>/<epoch_millis>.<extension>`. */
export function comparisonLink(uuid: string, madeAt: number, extension: string): string {
  return `${IMAGES_FOLDER}/comparisons/${uuid}/${Math.floor(madeAt)}.${extension}`;
}

/** Returns the link of what a capture was held against, beside it in the folder of the same uuid. */
export function beforeLink(captureLink: string, extension: string): string {
  return posix.join(posix.dirname(captureLink), `before.${extension}`);
}

/** Returns the link of a capture's diff, beside it in the folder of the same uuid. */
export function diffLink(captureLink: string): string {
  return posix.join(posix.dirname(captureLink), 'diff.png');
}

/**
 * Returns the absolute path of the image at a link, or null where the link is none that this file makes: links come out
 * of other machines' reports, and must not lead out of the folder.
 */
export function resolveLink(folder: string, link: string): string | null {
  return isLink(link) ? join(folder, ...link.split('/')) : null;
}

/** Checks whether a link is one that this file makes. */
export function isLink(link: string): boolean {
  const segments = link.split('/');
  return segments.length >= 2 && segments[0] === IMAGES_FOLDER && segments.every(isSafeSegment);
}

/** Returns the folder in which a run is put together, before it takes the place of the last one. */
export function partialFolder(folder: string): string {
  return siblingOf(folder, 'partial');
}

/** Returns the folder that keeps the last run for the moment in which the new one takes its place. */
export function replacedFolder(folder: string): string {
  return siblingOf(folder, 'replaced');
}

function hostFolder(url: string): string {
  if (!URL.canParse(url)) return 'unknown';
  // An IPv6 host has colons and brackets, which are not for file names.
  const host = new URL(url).hostname.replace(/^\[|\]$/g, '').replace(/[^a-z0-9.-]/gi, '_');
  return host.replace(/^\.+|\.+$/g, '').slice(0, 200) || 'local';
}

/** A colon is a drive or a stream on Windows, where a backslash is a slash; half a surrogate pair is no character. */
function isSafeSegment(segment: string): boolean {
  return segment !== '' && segment !== '.' && segment !== '..' && !/[\\:\p{Cc}\p{Cs}]/u.test(segment);
}

/** Beside the folder, so that a rename stays on one disk. */
function siblingOf(folder: string, what: string): string {
  return join(folder, '..', `.${folder.split(/[\\/]/).at(-1)}.${what}`);
}
