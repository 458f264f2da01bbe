import { join, posix } from 'node:path';
import type { Environment } from '../model/environment.js';

/** The run record, for programs. */
export const RESULTS_FILE = 'results.json';
/** The summary of the run, for a pull request. */
export const SUMMARY_FILE = 'summary.md';
/** The report, for a browser. */
export const INDEX_FILE = 'index.html';

/** The reporter's default output folder, next to the config. */
export const REPORT_FOLDER = 'proofsheet-report';
/** The folder for files that workers share during a run, in Playwright's output folder. */
export const OWN_FOLDER = '.proofsheet';
/** The folder for the locks of workers, in {@link OWN_FOLDER}. It has a subfolder per run. */
export const LOCKS_FOLDER = 'locks';

/** The folder for all images of a report. */
export const IMAGES_FOLDER = 'screenshots';

/** The top-level entries of a report folder. A folder with other entries must not be replaced. */
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
 * reports from other machines are untrusted, and must not lead out of the folder.
 */
export function resolveLink(folder: string, link: string): string | null {
  return isLink(link) ? join(folder, ...link.split('/')) : null;
}

/** Checks whether a link has the form that this module creates. */
export function isLink(link: string): boolean {
  const segments = link.split('/');
  return segments.length >= 2 && segments[0] === IMAGES_FOLDER && segments.every(isSafeSegment);
}

/** Returns the folder in which a report is built before it replaces the previous one. */
export function partialFolder(folder: string): string {
  return siblingOf(folder, 'partial');
}

/** Returns the folder that holds the previous report while the new one is moved into place. */
export function replacedFolder(folder: string): string {
  return siblingOf(folder, 'replaced');
}

function hostFolder(url: string): string {
  if (!URL.canParse(url)) return 'unknown';
  // An IPv6 host has colons and brackets, which file names must not contain.
  const host = new URL(url).hostname.replace(/^\[|\]$/g, '').replace(/[^a-z0-9.-]/gi, '_');
  return host.replace(/^\.+|\.+$/g, '').slice(0, 200) || 'local';
}

/**
 * Checks whether a path segment is safe on every platform. On Windows, a colon separates a drive or a stream, and a backslash
 * separates folders. A lone surrogate is not a character.
 */
function isSafeSegment(segment: string): boolean {
  return segment !== '' && segment !== '.' && segment !== '..' && !/[\\:\p{Cc}\p{Cs}]/u.test(segment);
}

/** Returns the path of a sibling folder, so that a rename stays on one disk. */
function siblingOf(folder: string, what: string): string {
  return join(folder, '..', `.${folder.split(/[\\/]/).at(-1)}.${what}`);
}

/** The parts of an environment that affect how a page is drawn, except the scale, which the list sets for each viewport. */
export type Drawing = Pick<Environment, 'os' | 'arch' | 'browser' | 'browserVersion' | 'headless' | 'fonts'>;

/** Returns the name of the folder for the baselines of one environment: `linux-x64-chromium-141.0.7390.37-shell-3f2a9c1b04de`. */
export function environmentFolder({ os, arch, browser, browserVersion, headless, fonts }: Drawing): string {
  const parts = [os, arch, browser, browserVersion, headless, ...(fonts === null ? [] : [fonts])];
  return parts.join('-').replace(/[^\w.-]/g, '_');
}
