import { stat } from 'node:fs/promises';
import { basename, dirname, join, posix } from 'node:path';
import type { Environment, RunRecord, ShotName } from '../model/index.js';
import { readBaseline } from './baseline.js';
import { safePathParts } from './names.js';
import { environmentFolder } from './paths.js';
import { type BaselineFolders, findBaseline, isBelow } from './recorded-path.js';

/** Checks whether an absolute path is in a folder that contains baselines of this project. */
export type FolderCheck = (path: string) => Promise<boolean>;

/**
 * Creates a check that trusts only the disk, not the report. A folder is accepted if it is `<spec>-snapshots` next to an
 * existing spec, or if it contains a baseline with an embedded record.
 */
export function createFolderCheck(folders: BaselineFolders, { shots }: Pick<RunRecord, 'shots'>): FolderCheck {
  const known = new Set<string>();
  const unread = shots.flatMap(({ baseline }) => (baseline ? [baseline.path] : []));
  return async (path) => {
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

/** Suffix of Playwright's default snapshot folders. */
const SNAPSHOTS = '-snapshots';

async function isBesideSpec(path: string, within: string): Promise<boolean> {
  for (let folder = dirname(path); isBelow(within, folder); folder = dirname(folder)) {
    if (!basename(folder).endsWith(SNAPSHOTS)) continue;
    const spec = await stat(folder.slice(0, -SNAPSHOTS.length)).catch(() => null);
    if (spec?.isFile()) return true;
  }
  return false;
}

async function folderOfBaseline(folders: BaselineFolders, shownPath: string): Promise<string | null> {
  const place = await findBaseline(folders, shownPath);
  if (place.kind === 'outside') return null;
  const baseline = await readBaseline(place.path, place.format, shownPath);
  if (baseline.kind !== 'image' || !baseline.record) return null;
  const { id, environment } = baseline.record;
  const names = { page: id, viewport: null, state: null };
  return join(folders.root, baselineFolder(names, environment, shownPath));
}

/**
 * Returns the base folder of a baseline path: removes the folders for its environment and for its page, viewport and state.
 *
 * @param path relative, with slashes
 */
export function baselineFolder(names: Omit<ShotName, 'id'>, environment: Environment | null, path: string): string {
  const own = environment ? [environmentFolder(environment)] : [];
  const above = [...own, ...safePathParts(names).slice(0, -1)];
  let folder = posix.dirname(path);
  while (above.length > 0) {
    if (posix.basename(folder) === above.pop()) folder = posix.dirname(folder);
  }
  return folder;
}
