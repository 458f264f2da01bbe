import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join, posix } from 'node:path';
import type { BaselineRecord } from '../model/baseline-record.js';
import { SHOT_FORMATS } from '../model/image.js';
import { readBaseline } from './baseline.js';

/** A baseline that was found on the disk. */
export interface FoundBaseline {
  /** Relative to the root, with slashes. */
  readonly path: string;
  readonly record: BaselineRecord;
}

/** Where baselines are looked for. */
export interface SearchScope {
  /** Absolute. */
  readonly root: string;
  /** Relative to the root, with slashes; what is below them is searched as well. */
  readonly folders: readonly string[];
  /** Absolute folders whose images are no baselines. */
  readonly outputs: readonly string[];
  /** Which paths, relative to the root, are of no interest, and not read. */
  readonly isKnown: (path: string) => boolean;
}

/** Finds baselines on the disk: the images that carry our record. Links are not followed. */
export async function findBaselines({ root, folders, outputs, isKnown }: SearchScope): Promise<FoundBaseline[]> {
  const found: FoundBaseline[] = [];
  const waiting = [...folders];
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    for (const entry of await entriesOf(join(root, folder))) {
      const path = posix.join(folder, entry.name);
      if (entry.isDirectory() && !isForeign(entry.name) && !outputs.includes(join(root, path))) waiting.push(path);
      if (entry.isFile() && !isKnown(path)) found.push(...(await readOne(root, path)));
    }
  }
  return found;
}

async function entriesOf(folder: string): Promise<Dirent[]> {
  return readdir(folder, { withFileTypes: true }).catch(() => []);
}

function isForeign(name: string): boolean {
  return name === 'node_modules' || name.startsWith('.');
}

async function readOne(root: string, path: string): Promise<FoundBaseline[]> {
  const format = SHOT_FORMATS.find((name) => path.endsWith(`.${name}`));
  const baseline = format && (await readBaseline(join(root, path), format, path));
  return baseline?.kind === 'image' && baseline.record ? [{ path, record: baseline.record }] : [];
}
