import { createHash, randomBytes } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Claims a thing for an owner, across all worker processes of a run; the first to come has it.
 *
 * @param folder is emptied at the start of a run, and shared by its workers.
 * @returns the owner: the one given, or the one that was there before.
 */
export function acquireLock(folder: string, thing: string, owner: string): string {
  mkdirSync(folder, { recursive: true });
  const path = pathOf(folder, thing);
  const temporary = `${path}.${randomBytes(6).toString('hex')}`;
  writeFileSync(temporary, owner);
  try {
    // A link is there with its content or not at all, and fails where there is one already.
    linkSync(temporary, path);
    return owner;
  } catch {
    if (existsSync(path)) return readFileSync(path, 'utf8');
    // A disk that has no links: whoever creates the file first has it.
    writeFileSync(path, owner, { flag: 'wx' });
    return owner;
  } finally {
    rmSync(temporary, { force: true });
  }
}

/** Checks whether a thing was claimed by anybody. */
export function isLocked(folder: string, thing: string): boolean {
  return existsSync(pathOf(folder, thing));
}

function pathOf(folder: string, thing: string): string {
  return join(folder, createHash('sha256').update(thing).digest('hex').slice(0, 32));
}
