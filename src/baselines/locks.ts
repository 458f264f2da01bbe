import { createHash, randomBytes } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Acquires a lock across all worker processes of a run. The first owner gets it.
 *
 * @param folder the lock folder of the run. All workers share it, and it is emptied at the start of a run.
 * @returns the owner of the lock: the given one, or the one that acquired it before.
 */
export function acquireLock(folder: string, key: string, owner: string): string {
  mkdirSync(folder, { recursive: true });
  const path = pathOf(folder, key);
  const temporary = `${path}.${randomBytes(6).toString('hex')}`;
  writeFileSync(temporary, owner);
  try {
    // Creating a hard link is atomic, includes the content, and fails if the path exists.
    linkSync(temporary, path);
    return owner;
  } catch {
    if (existsSync(path)) return readFileSync(path, 'utf8');
    // The file system has no hard links: creating the file exclusively acquires the lock.
    writeFileSync(path, owner, { flag: 'wx' });
    return owner;
  } finally {
    rmSync(temporary, { force: true });
  }
}

/** Checks whether a lock has an owner. */
export function isLocked(folder: string, key: string): boolean {
  return existsSync(pathOf(folder, key));
}

function pathOf(folder: string, key: string): string {
  return join(folder, createHash('sha256').update(key).digest('hex').slice(0, 32));
}
