import { lstat, readFile, realpath, stat } from 'node:fs/promises';
import { dirname, isAbsolute, join, posix, relative, resolve } from 'node:path';
import {
  codeOf,
  describeWrongData,
  type Environment,
  failure,
  messageOf,
  parseJson,
  type RunRecord,
  resolveLink,
  runRecordSchema,
  SHOT_FORMATS,
  type ShotFormat,
} from '../model/index.js';
import { readBaseline } from './baseline.js';
import { environmentFolder, type PathNames, RESULTS_FILE, safePathParts } from './names.js';

/**
 * Reads the run record of a report folder. The folder is untrusted, so the record is validated against the schema.
 *
 * @throws ProofsheetError `run-missing`, `record-invalid`
 */
export async function readRun(folder: string): Promise<RunRecord> {
  const path = join(folder, RESULTS_FILE);
  const text = await readFile(path, 'utf8').catch((cause) => {
    const isMissing = codeOf(cause) === 'ENOENT';
    const found = isMissing
      ? 'no report of a finished run was found'
      : `the report cannot be read (${messageOf(cause)})`;
    const advice =
      'Run: npx playwright test (the config must contain proofsheet/reporter), or pass the folder of a report.';
    throw failure('run-missing', path, found, advice);
  });
  const { data, error } = runRecordSchema.safeParse(parseJson(text));
  if (data) return data;
  const found = `this version of proofsheet cannot read the run record (${describeWrongData(error)})`;
  throw failure('record-invalid', path, found, 'Run the tests again with this version: npx playwright test');
}

/** Returns the path of an image of a report; null if the link points outside the folder or the file does not exist. */
export async function findImage(folder: string, link: string): Promise<string | null> {
  const path = resolveLink(folder, link);
  if (path === null) return null;
  const real = await realpath(path).catch(() => null);
  return real !== null && isBelow(await realpath(folder), real) ? real : null;
}

type BaselinePlace =
  | { readonly kind: 'inside'; readonly path: string; readonly format: ShotFormat }
  /** The path must not be written or deleted, for this reason. */
  | { readonly kind: 'outside'; readonly why: string };

/** The folders that baselines may be in. Both paths are absolute. */
export interface BaselineFolders {
  /** The config's folder. Baseline paths are relative to it. */
  readonly root: string;
  readonly within: string;
}

/**
 * Resolves a baseline path of a run record. Records from other machines are untrusted. A path is `outside` if it is absolute, if it
 * leaves the folder for baselines by `..` or a symbolic link, or if it has no image extension.
 */
export async function baselinePathOf({ root, within }: BaselineFolders, shownPath: string): Promise<BaselinePlace> {
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

/** Windows ignores dots and spaces at the end of a name. */
function isReserved(folder: string, path: string): boolean {
  const names = relative(folder, path).split(/[\\/]/);
  return names.some((name) => /^(node_modules|\.git)[. ]*$/i.test(name));
}

/** Checks whether a path is below a folder. Both are absolute. */
export function isBelow(folder: string, path: string): boolean {
  const below = relative(folder, path);
  return below !== '' && !/^\.\.([\\/]|$)/.test(below) && !isAbsolute(below);
}

/** Resolves symbolic links in the existing part of a path and appends the rest. Returns null if a link is broken. */
async function resolveLinks(path: string): Promise<string | null> {
  if (await lstat(path).catch(() => null)) return realpath(path).catch(() => null);
  const parent = dirname(path);
  const real = parent === path ? path : await resolveLinks(parent);
  return real === null ? null : resolve(real, relative(parent, path));
}

function outside(why: string): BaselinePlace {
  return { kind: 'outside', why };
}

/**
 * Creates a check that trusts only the disk, not the report. A folder is accepted if it is `<spec>-snapshots` next to an
 * existing spec, or if it contains a baseline with an embedded record.
 */
export function createFolderCheck(folders: BaselineFolders, { shots }: Pick<RunRecord, 'shots'>) {
  const known = new Set<string>();
  // To read a baseline takes time: only as many as are needed.
  const unread = shots.flatMap(({ baseline }) => baseline?.path ?? []);
  return async (path: string): Promise<boolean> => {
    if (await isBesideSpec(path, folders.within)) return true;
    while (![...known].some((folder) => isBelow(folder, path))) {
      const next = unread.shift();
      if (next === undefined) return false;
      const folder = await folderOfBaseline(folders, next);
      if (folder !== null) known.add(folder);
    }
    return true;
  };
}

async function isBesideSpec(path: string, within: string): Promise<boolean> {
  for (let folder = dirname(path); isBelow(within, folder); folder = dirname(folder)) {
    const spec = /^(.+)-snapshots$/s.exec(folder)?.[1];
    if (spec && (await stat(spec).catch(() => null))?.isFile()) return true;
  }
  return false;
}

async function folderOfBaseline(folders: BaselineFolders, shownPath: string): Promise<string | null> {
  const place = await baselinePathOf(folders, shownPath);
  if (place.kind === 'outside') return null;
  const baseline = await readBaseline(place.path, place.format, shownPath);
  if (baseline.kind !== 'image' || !baseline.record) return null;
  return join(folders.root, baselineFolder({ page: baseline.record.id }, baseline.record.environment, shownPath));
}

/**
 * Returns the base folder of a baseline path: removes the folders for its environment and for its names.
 *
 * @param path - relative, with slashes
 */
export function baselineFolder(names: PathNames, environment: Environment | null, path: string): string {
  const own = environment ? [environmentFolder(environment)] : [];
  const above = [...own, ...safePathParts(names).slice(0, -1)];
  let folder = posix.dirname(path);
  while (above.length > 0) {
    if (posix.basename(folder) === above.pop()) folder = posix.dirname(folder);
  }
  return folder;
}
