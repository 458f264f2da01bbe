import { join } from 'node:path';
import type { BaselineRecord } from '../model/baseline-record.js';
import { SHOT_FORMATS } from '../model/image.js';
import { readBaseline } from './baseline.js';
import { type WalkScope, walk } from './walk.js';

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
