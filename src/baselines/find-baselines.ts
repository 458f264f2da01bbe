import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join, posix } from 'node:path';
import type { BaselineRecord } from '../model/environment.js';
import { SHOT_FORMATS } from '../model/image.js';
import { readBaseline } from './baseline.js';

/** A spec file of a run. */
export interface Spec {
  /** The folder of its project's tests, relative to the root, with slashes. */
  readonly testDir: string;
  /** Relative to that folder. */
  readonly path: string;
}

/** How the folders of baselines are named after their specs: `visual.spec.ts-snapshots`, below `top`. */
interface Naming {
  readonly top: string;
  readonly before: string;
  readonly after: string;
}

/**
 * Finds the folders of baselines whose spec is gone: named as those of the run's own specs are, after a file that is on no
 * disk. Where a file of that name is there that did not run, its folder is in doubt, and left out.
 *
 * @param folders in which baselines of the run lie; where they are not named after a spec, nothing can be told.
 */
export async function findAbandoned({ folders, ...scope }: WalkScope, specs: readonly Spec[]): Promise<string[]> {
  const namings = folders.flatMap((folder) => namingOf(folder, specs) ?? []);
  if (namings.length === 0) return [];
  const tops = [...new Set([...namings.map(({ top }) => top), ...specs.map(({ testDir }) => testDir)])];
  const ran = new Set(specs.map(pathOf));
  const [found, strangers] = [new Set<string>(), new Set<string>()];
  for await (const { path, isFolder } of walk({ ...scope, folders: tops })) {
    if (isFolder) found.add(path);
    else if (!ran.has(path)) strangers.add(posix.basename(path));
  }
  return [...found].filter((folder) => {
    return namings.some((naming) => {
      const spec = specNamedBy(posix.basename(folder), naming);
      return spec !== null && isIn(naming.top, folder) && !strangers.has(spec);
    });
  });
}

/** Reads how a folder is named after one of the specs: by the part of its path nearest to the baselines. */
function namingOf(folder: string, specs: readonly Spec[]): Naming | null {
  const parts = folder.split('/');
  for (let name = parts.pop(); name !== undefined; name = parts.pop()) {
    const own = name;
    const [spec] = specs
      .filter(({ path }) => own.includes(posix.basename(path)))
      .sort((a, b) => posix.basename(b.path).length - posix.basename(a.path).length);
    if (!spec) continue;
    const [before = '', after = ''] = own.split(posix.basename(spec.path));
    return { top: topOf(parts, spec), before, after };
  }
  return null;
}

/** Returns what is above the folder that the spec lies in, where the path of the baselines names that. */
function topOf(above: readonly string[], { path }: Spec): string {
  const own = path.split('/').slice(0, -1);
  const isNamed = own.length > 0 && above.slice(-own.length).join('/') === own.join('/');
  return (isNamed ? above.slice(0, -own.length) : above).join('/') || '.';
}

/** Returns the file that a folder is named after; null: none that could be a spec. */
function specNamedBy(name: string, { before, after }: Naming): string | null {
  if (!name.startsWith(before) || !name.endsWith(after)) return null;
  const spec = name.slice(before.length, name.length - after.length);
  return /.\.[cm]?[jt]sx?$/.test(spec) ? spec : null;
}

function pathOf({ testDir, path }: Spec): string {
  return posix.join(testDir, path);
}

function isIn(top: string, folder: string): boolean {
  return top === '.' || folder.startsWith(`${top}/`);
}

/** A baseline that was found on the disk. */
export interface FoundBaseline {
  /** Relative to the root, with slashes. */
  readonly path: string;
  readonly record: BaselineRecord;
}

/** Where baselines are looked for. */
export interface SearchScope extends WalkScope {
  /** Which paths, relative to the root, are of no interest, and not read. */
  readonly isKnown: (path: string) => boolean;
}

/** Finds baselines on the disk: the images that carry our record. Links are not followed. */
export async function findBaselines({ isKnown, ...scope }: SearchScope): Promise<FoundBaseline[]> {
  const found: FoundBaseline[] = [];
  for await (const { path, isFolder } of walk(scope)) {
    if (!isFolder && !isKnown(path)) found.push(...(await readOne(scope.root, path)));
  }
  return found;
}

async function readOne(root: string, path: string): Promise<FoundBaseline[]> {
  const format = SHOT_FORMATS.find((name) => path.endsWith(`.${name}`));
  const baseline = format && (await readBaseline(join(root, path), format, path));
  return baseline?.kind === 'image' && baseline.record ? [{ path, record: baseline.record }] : [];
}

/** What is walked through. */
export interface WalkScope {
  /** Absolute. */
  readonly root: string;
  /** Relative to the root, with slashes; what is below them is walked through as well. */
  readonly folders: readonly string[];
  /** Absolute folders that are left out. */
  readonly outputs: readonly string[];
}

/** Something that is found on the way. */
export interface WalkEntry {
  /** Relative to the root, with slashes. */
  readonly path: string;
  readonly isFolder: boolean;
}

/** Walks through folders. Links, hidden folders and `node_modules` are not entered; what cannot be read is empty. */
export async function* walk({ root, folders, outputs }: WalkScope): AsyncGenerator<WalkEntry> {
  const waiting = [...folders];
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    for (const entry of await entriesOf(join(root, folder))) {
      const path = posix.join(folder, entry.name);
      if (entry.isFile()) yield { path, isFolder: false };
      if (!entry.isDirectory() || isForeign(entry.name) || outputs.includes(join(root, path))) continue;
      waiting.push(path);
      yield { path, isFolder: true };
    }
  }
}

async function entriesOf(folder: string): Promise<Dirent[]> {
  return readdir(folder, { withFileTypes: true }).catch(() => []);
}

function isForeign(name: string): boolean {
  return name === 'node_modules' || name.startsWith('.');
}
