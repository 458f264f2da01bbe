import { readdir } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { type BaselineRecord, SHOT_FORMATS } from '../model/index.js';
import { readBaseline } from './baseline.js';
import { isAbandoned, isTemporary } from './locks.js';

interface Spec {
  /** The folder of its project's tests, relative to the root, with slashes. */
  readonly testDir: string;
  /** Relative to that folder. */
  readonly path: string;
}

/**
 * The naming scheme of baseline folders below `top`. A folder name is the spec name between `before` and `after`, as in
 * `visual.spec.ts-snapshots`.
 */
interface Naming {
  readonly top: string;
  readonly before: string;
  readonly after: string;
}

/**
 * Finds baseline folders whose spec no longer exists. Their names follow the naming scheme of the run's own baseline folders. A
 * folder is left out if a file with the name of its spec exists that is not part of the run.
 *
 * @param folders - the folders of the run's baselines. Without a spec name in their paths, nothing is found.
 */
export async function findAbandoned({ folders, ...scope }: WalkScope, specs: readonly Spec[]): Promise<string[]> {
  const namings = folders.flatMap((folder) => namingOf(folder, specs) ?? []);
  if (namings.length === 0) return [];
  const tops = [...new Set([...namings.map(({ top }) => top), ...specs.map(({ testDir }) => testDir)])];
  const ran = new Set(specs.map(({ testDir, path }) => posix.join(testDir, path)));
  const [found, otherFiles] = [new Set<string>(), new Set<string>()];
  for await (const { path, isFolder } of walk({ ...scope, folders: tops })) {
    if (isFolder) found.add(path);
    else if (!ran.has(path)) otherFiles.add(posix.basename(path));
  }
  const isAbandonedBy = (folder: string, naming: Naming) => {
    const spec = specNamedBy(posix.basename(folder), naming);
    const isIn = naming.top === '.' || folder.startsWith(`${naming.top}/`);
    return spec !== null && isIn && !otherFiles.has(spec);
  };
  return [...found].filter((folder) => namings.some((naming) => isAbandonedBy(folder, naming)));
}

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

/** Returns the parent folders without the folder of the spec, if the path of the baselines contains that folder. */
function topOf(above: readonly string[], { path }: Spec): string {
  const own = path.split('/').slice(0, -1);
  const isNamed = own.length > 0 && above.slice(-own.length).join('/') === own.join('/');
  return (isNamed ? above.slice(0, -own.length) : above).join('/') || '.';
}

function specNamedBy(name: string, { before, after }: Naming): string | null {
  if (!name.startsWith(before) || !name.endsWith(after)) return null;
  const spec = name.slice(before.length, name.length - after.length);
  return /.\.[cm]?[jt]sx?$/.test(spec) ? spec : null;
}

/** A baseline that was found on the disk. */
export interface FoundBaseline {
  /** Relative to the root, with slashes. */
  readonly path: string;
  readonly record: BaselineRecord;
}

/**
 * Finds baselines on the disk: images with an embedded record. Symbolic links are not followed.
 *
 * @param isKnown - returns true for paths to skip, relative to the root
 */
export async function listBaselines(
  scope: WalkScope,
  isKnown: (path: string) => boolean = () => false,
): Promise<FoundBaseline[]> {
  const found: FoundBaseline[] = [];
  for await (const { path, isFolder } of walk(scope)) {
    const format = SHOT_FORMATS.find((name) => path.endsWith(`.${name}`));
    if (isFolder || !format || isKnown(path)) continue;
    const baseline = await readBaseline(join(scope.root, path), format, path);
    if (baseline.kind === 'image' && baseline.record) found.push({ path, record: baseline.record });
  }
  return found;
}

/** Finds the temporary files and locks of killed processes below a folder. Returns absolute paths. */
export async function findLeftovers(root: string): Promise<string[]> {
  const leftovers: string[] = [];
  for await (const { path, isFolder } of walk({ root, folders: ['.'], outputs: [] })) {
    if (!isFolder && isTemporary(posix.basename(path)) && isAbandoned(join(root, path)))
      leftovers.push(join(root, path));
  }
  return leftovers.sort();
}

interface WalkScope {
  /** Absolute. */
  readonly root: string;
  /** Relative to the root, with slashes. Subfolders are included. */
  readonly folders: readonly string[];
  /** Absolute paths of folders to skip. */
  readonly outputs: readonly string[];
}

/**
 * Walks folders recursively, and yields paths relative to the root, with slashes. Skips symbolic links, hidden folders and `node_modules`.
 * An unreadable folder counts as empty.
 */
async function* walk({ root, folders, outputs }: WalkScope): AsyncGenerator<{ path: string; isFolder: boolean }> {
  const pending = [...folders];
  for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
    for (const entry of await readdir(join(root, folder), { withFileTypes: true }).catch(() => [])) {
      const path = posix.join(folder, entry.name);
      if (entry.isFile()) yield { path, isFolder: false };
      const isSkipped = entry.name === 'node_modules' || entry.name.startsWith('.');
      if (!entry.isDirectory() || isSkipped || outputs.includes(join(root, path))) continue;
      pending.push(path);
      yield { path, isFolder: true };
    }
  }
}
