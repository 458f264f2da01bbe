import { posix } from 'node:path';
import { type WalkScope, walk } from './walk.js';

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

/** Gives what is above the folder that the spec lies in, where the path of the baselines names that. */
function topOf(above: readonly string[], { path }: Spec): string {
  const own = path.split('/').slice(0, -1);
  const isNamed = own.length > 0 && above.slice(-own.length).join('/') === own.join('/');
  return (isNamed ? above.slice(0, -own.length) : above).join('/') || '.';
}

/** Gives the file that a folder is named after; null: none that could be a spec. */
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
