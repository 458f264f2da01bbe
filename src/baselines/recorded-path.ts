import { lstat, realpath } from 'node:fs/promises';
import { dirname, isAbsolute, relative, resolve } from 'node:path';
import { SHOT_FORMATS, type ShotFormat } from '../model/index.js';

/** The location of a baseline that a run record names. */
export type BaselinePlace =
  | { readonly kind: 'inside'; readonly path: string; readonly format: ShotFormat }
  /** The path must not be written or deleted, for this reason. */
  | { readonly kind: 'outside'; readonly why: string };

/** The folders that baselines may be in. Both paths are absolute. */
export interface BaselineFolders {
  /** The config's folder. Baseline paths are relative to it. */
  readonly root: string;
  /** The folder that baselines must be in. */
  readonly within: string;
}

/**
 * Resolves a baseline path of a run record. Records from other machines are untrusted. A path is `outside` if it is absolute, if it
 * leaves the folder for baselines by `..` or a symbolic link, or if it has no image extension.
 */
export async function findBaseline({ root, within }: BaselineFolders, shownPath: string): Promise<BaselinePlace> {
  const format = SHOT_FORMATS.find((name) => shownPath.endsWith(`.${name}`));
  if (format === undefined || shownPath.includes('\0')) return outside('the file name has no image extension');
  const path = resolve(root, shownPath);
  if (isAbsolute(shownPath) || !isBelow(within, path)) return outside(`the path is outside ${within}`);
  if (isReserved(within, path)) return outside(RESERVED);
  const real = await resolveLinks(path);
  if (real === null) return outside('the path contains a broken symbolic link');
  const realFolder = await realpath(within);
  if (isReserved(realFolder, real)) return outside(RESERVED);
  return isBelow(realFolder, real)
    ? { kind: 'inside', path, format }
    : outside(`a symbolic link in the path points outside ${within}`);
}

const RESERVED = 'baselines cannot be in node_modules or .git';

/** Checks for reserved folder names. Windows ignores dots and spaces at the end of a name. */
function isReserved(folder: string, path: string): boolean {
  const names = relative(folder, path).split(/[\\/]/);
  return names.some((name) => /^(node_modules|\.git)[. ]*$/i.test(name));
}

/** Checks whether a path is below a folder. Both are absolute. */
export function isBelow(folder: string, path: string): boolean {
  const relativePath = relative(folder, path);
  return relativePath !== '' && relativePath !== '..' && !/^\.\.[\\/]/.test(relativePath) && !isAbsolute(relativePath);
}

/** Resolves symbolic links in the existing part of a path and appends the rest. Returns null if a link is broken. */
async function resolveLinks(path: string): Promise<string | null> {
  const isThere = await lstat(path).then(
    () => true,
    () => false,
  );
  if (isThere) return realpath(path).catch(() => null);
  const parent = dirname(path);
  const real = parent === path ? path : await resolveLinks(parent);
  return real === null ? null : resolve(real, relative(parent, path));
}

function outside(why: string): BaselinePlace {
  return { kind: 'outside', why };
}
