import { renameSync } from 'node:fs';
import { mkdir, readdir, realpath, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { codeOf } from '../model/index.js';
import { isTemporary, removeAbandoned, temporaryName, waitSync } from './locks.js';

/**
 * Writes a file atomically: writes a temporary file in the same folder, then renames it. If the path is a symbolic link, its target
 * is replaced.
 *
 * @throws the error of the file system. The old file is not changed.
 */
export async function replaceFile(path: string, content: Buffer | string): Promise<void> {
  const target = await realpath(path).catch(() => path);
  const temporary = join(dirname(target), temporaryName());
  try {
    await mkdir(dirname(target), { recursive: true });
    // The bytes are on the disk before the rename.
    await writeFile(temporary, content, { flag: 'wx', flush: true });
    renameOver(temporary, target);
  } catch (cause) {
    await rm(temporary, { force: true }).catch(() => {});
    throw cause;
  }
}

/**
 * Renames a file, also over another one. On Windows, this fails while another process has one of them open, such as a virus scanner.
 *
 * @param rename - only tests pass it, and `platform`
 */
export function renameOver(from: string, to: string, rename = renameSync, platform = process.platform): void {
  for (let waits = platform === 'win32' ? MAX_WAITS : 0; ; waits--) {
    try {
      rename(from, to);
      return;
    } catch (cause) {
      if (waits === 0 || !['EPERM', 'EACCES', 'EBUSY'].includes(codeOf(cause))) throw cause;
      waitSync(WAIT_MS);
    }
  }
}

/** How often and how long to wait for another process that has a file open. */
const MAX_WAITS = 10;
const WAIT_MS = 50;

/** Writes a new file. @returns false if the file already exists; it is not changed */
export async function writeNew(path: string, text: string): Promise<boolean> {
  try {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text, { flag: 'wx' });
    return true;
  } catch (cause) {
    if (codeOf(cause) === 'EEXIST') return false;
    throw cause;
  }
}

/** Removes the temporary files and locks of killed processes from folders. Errors are ignored. */
export async function sweep(folders: Iterable<string>): Promise<void> {
  for (const folder of new Set(folders)) {
    const names = await readdir(folder).catch(() => []);
    for (const name of names.filter(isTemporary)) await removeAbandoned(join(folder, name));
  }
}
