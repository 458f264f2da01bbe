import { createHash, randomBytes } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf } from '../model/errors.js';

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

/**
 * Reads what a worker of the run noted under a key; null if there is nothing. The note may be incomplete, because another worker may be
 * writing it: the caller must check that.
 */
export async function readNote(folder: string, key: string): Promise<string | null> {
  return readFile(notePathOf(folder, key), 'utf8').catch(() => null);
}

/** Notes something for the other workers of the run. The first note of a key stays. A note that cannot be written is left out. */
export async function writeNote(folder: string, key: string, text: string): Promise<void> {
  const path = notePathOf(folder, key);
  const write = () => writeFile(path, text, { flag: 'wx' });
  await write().catch(async (cause) => {
    const isFirst = cause instanceof Error && 'code' in cause && cause.code === 'ENOENT';
    if (isFirst) await mkdir(join(path, '..'), { recursive: true }).then(write).catch(messageOf);
  });
}

function notePathOf(folder: string, key: string): string {
  return join(folder, 'notes', createHash('sha256').update(key).digest('hex').slice(0, 32));
}
