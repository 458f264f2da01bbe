import { createHash } from 'node:crypto';
import {
  type Environment,
  hasControls,
  RESERVED_NAME,
  type Shot,
  type ShotFormat,
  type ShotName,
} from '../model/index.js';

export function sha256(content: Buffer | string): string {
  return createHash('sha256').update(content).digest('hex');
}

export const RESULTS_FILE = 'results.json';
export const SUMMARY_FILE = 'summary.md';
export const INDEX_FILE = 'index.html';

/** The reporter's default output folder, next to the config. */
export const REPORT_FOLDER = 'proofsheet-report';
/** The folder for files that workers share during a run, in Playwright's output folder. */
export const OWN_FOLDER = '.proofsheet';
/** The folder for the locks of workers, in {@link OWN_FOLDER}. It has a subfolder per run. */
export const LOCKS_FOLDER = 'locks';

/** The folder of a report for the journal of its decisions. The next run removes it. */
export const DECISIONS_FOLDER = 'decisions';

/** Maximum length of a path part. File systems allow 255 bytes, and Playwright appends project and platform. */
const MAX_LENGTH = { characters: 100, bytes: 180 };

/**
 * Returns the default name of a page: the path of its URL without leading and trailing slashes, then `?query` and
 * `#hash`. An empty path becomes `index`. The host is ignored. Percent-encoding is decoded if that is safe.
 */
export function pageNameOf(url: string): string {
  const { pathname, search, hash } = new URL(url, 'http://localhost');
  const path = decode(pathname).replace(/^\/+|\/+$/g, '');
  return (path || 'index') + decode(search) + decode(hash);
}

/** Returns the name of a shot, with the id `page[/viewport][/mode][/state]`. */
export function shotNameOf(parts: Omit<ShotName, 'id'>): ShotName {
  const { page, viewport, mode, state } = parts;
  return { id: [page, viewport, mode, state].filter((part) => part !== null).join('/'), ...parts };
}

export type PathNames = Pick<ShotName, 'page'> & Partial<Omit<ShotName, 'id'>>;

/**
 * Returns the path parts of a shot, valid on any file system, without the file extension.
 *
 * A page name becomes a folder at each `/`. Characters other than letters, digits and `. _ = -` become `-`. Parts that
 * are too long are cut and get a hash. Different names may give equal parts; {@link foldName} detects that.
 */
export function safePathParts({ page, viewport, mode, state }: PathNames): string[] {
  const folders = page.split('/').filter((part) => part.trim() !== '');
  const parts = folders.length > 0 ? folders : [''];
  return [...parts, viewport, mode, state].flatMap((part) => part ?? []).map(safePart);
}

/**
 * Returns the names of a shot's files: its baseline is named by page, viewport, mode and state, with the extension of the format.
 *
 * @param perEnvironment - `environment: separate`: each environment has a folder for its baselines
 * @param file - the file that `toHaveScreenshot` has for the shot, if the test names one. Playwright makes it safe
 */
export function fileNamesOf(
  names: PathNames,
  format: ShotFormat,
  perEnvironment: boolean,
  file: readonly string[] | null = null,
): Pick<Shot, 'baseline' | 'imageName'> {
  const parts = safePathParts(names);
  // Each part is short enough for a file name, but all parts together may not be.
  const imageName = safePart(parts.join('-'));
  const own = [...parts.slice(0, -1), `${parts.at(-1)}.${format}`];
  return { baseline: { parts: file && !perEnvironment ? file.map(trackedPart) : own, perEnvironment }, imageName };
}

/** Returns a form that is equal for names that differ only in case or Unicode normalization, as in some file systems. */
export function foldName(name: string): string {
  return name.normalize('NFC').toUpperCase().toLowerCase().normalize('NFC');
}

/** Decodes as decodeURI does, without control characters: characters that change the structure of a URL stay encoded. */
function decode(text: string): string {
  return text.replace(/(?:%[0-9a-f]{2})+/gi, (encoded) => {
    try {
      const decoded = decodeURI(encoded);
      return hasControls(decoded) ? encoded : decoded;
    } catch {
      return encoded;
    }
  });
}

/** Returns one path part that is valid on any file system. */
export function safePart(name: string): string {
  const plain = name
    .normalize('NFC')
    .replace(/^\s+|[.\s]+$/g, '')
    .replace(/[^\p{L}\p{M}\p{N}._=-]/gu, '-')
    .replace(RESERVED_NAME, '$1_');
  return isTooLong(plain) ? shorten(plain) : trackedPart(plain) || '_';
}

/** Returns a path part in which git adds files: it ignores folders of its own name, and most projects ignore `node_modules`. */
function trackedPart(part: string): string {
  return part.replace(/^(\.git|node_modules)$/i, '$1_');
}

function isTooLong(part: string): boolean {
  return part.length > MAX_LENGTH.characters || Buffer.byteLength(part) > MAX_LENGTH.bytes;
}

function shorten(part: string): string {
  const tail = `-${sha256(part).slice(0, 8)}`;
  const characters = [...part].slice(0, MAX_LENGTH.characters);
  while (isTooLong(characters.join('') + tail)) characters.pop();
  return characters.join('') + tail;
}

/**
 * Returns the name of the folder for the baselines of one environment: `linux-x64-chromium-141.0.7390.37-shell-3f2a9c1b04de`. The scale is not
 * in it, because the list sets it for each viewport.
 */
export function environmentFolder(environment: Omit<Environment, 'engine'>): string {
  const { os, arch, browser, browserVersion, headless, fonts } = environment;
  const parts = [os, arch, browser, browserVersion, headless, ...(fonts === null ? [] : [fonts])];
  return parts.join('-').replace(/[^\w.-]/g, '_');
}
