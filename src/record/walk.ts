import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join, posix } from 'node:path';

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
