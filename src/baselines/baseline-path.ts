import { lstat, realpath } from 'node:fs/promises';
import { dirname, isAbsolute, relative, resolve } from 'node:path';
import type { Environment } from '../model/environment.js';
import { SHOT_FORMATS, type ShotFormat } from '../model/image.js';

/** Where a baseline lies, as a record of a run tells it. */
export type BaselinePlace =
  | { readonly kind: 'inside'; readonly path: string; readonly format: ShotFormat }
  /** It is not for us to write or to delete: why. */
  | { readonly kind: 'outside'; readonly why: string };

/** Where baselines may lie; both are absolute. */
export interface BaselineFolders {
  /** What paths of baselines are relative to: the config's folder. */
  readonly root: string;
  /** What they must not lead out of. */
  readonly within: string;
}

/**
 * Finds the place that a record names. Records come from other machines: what leads out of the folder that baselines may lie
 * in, by `..`, as an absolute path or over a link, and what does not end like an image, is outside.
 */
export async function findBaseline({ root, within }: BaselineFolders, shownPath: string): Promise<BaselinePlace> {
  const format = SHOT_FORMATS.find((name) => shownPath.endsWith(`.${name}`));
  if (format === undefined || shownPath.includes('\0')) return outside('it does not end like an image');
  const path = resolve(root, shownPath);
  if (isAbsolute(shownPath) || !isBelow(within, path)) return outside(`it lies outside ${within}`);
  if (isReserved(within, path)) return outside(RESERVED);
  const real = await realPlaceOf(path);
  if (real === null) return outside('a link on the way to it leads nowhere');
  const realFolder = await realpath(within);
  if (isReserved(realFolder, real)) return outside(RESERVED);
  return isBelow(realFolder, real)
    ? { kind: 'inside', path, format }
    : outside(`a link on the way to it leads out of ${within}`);
}

const RESERVED = 'no baseline lies in node_modules or .git';

/** Windows drops dots and spaces at the end of a name. */
function isReserved(folder: string, path: string): boolean {
  const names = relative(folder, path).split(/[\\/]/);
  return names.some((name) => /^(node_modules|\.git)[. ]*$/i.test(name));
}

/** Checks whether a path lies below a folder, both of them absolute. */
export function isBelow(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== '' && way !== '..' && !/^\.\.[\\/]/.test(way) && !isAbsolute(way);
}

/** Returns where a path really is: that of what exists of it, and the rest; null where a link on it leads nowhere. */
async function realPlaceOf(path: string): Promise<string | null> {
  const isThere = await lstat(path).then(
    () => true,
    () => false,
  );
  if (isThere) return realpath(path).catch(() => null);
  const parent = dirname(path);
  const real = parent === path ? path : await realPlaceOf(parent);
  return real === null ? null : resolve(real, relative(parent, path));
}

function outside(why: string): BaselinePlace {
  return { kind: 'outside', why };
}

/** What of an environment a page can be drawn differently by. The scale is the list's own, for each viewport. */
export type Drawing = Pick<Environment, 'os' | 'arch' | 'browser' | 'browserVersion' | 'headless' | 'fonts'>;

/** Names the folder that holds the baselines of one environment: `linux-x64-chromium-141.0.7390.37-shell-3f2a9c1b04de`. */
export function environmentFolder({ os, arch, browser, browserVersion, headless, fonts }: Drawing): string {
  const parts = [os, arch, browser, browserVersion, headless, ...(fonts === null ? [] : [fonts])];
  return parts.join('-').replace(/[^\w.-]/g, '_');
}
