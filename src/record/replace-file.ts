import { fsync } from 'node:fs';
import { mkdir, open, realpath, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { messageOf } from '../model/errors.js';
import { temporaryName } from './temporary.js';

/**
 * Writes a file whole or not at all: beside its place, then renamed, so that at any moment there is the old or the new.
 * Where a link lies in its place, what it leads to is replaced.
 *
 * @throws what the file system throws; the old file is as it was.
 */
export async function replaceFile(path: string, content: Buffer | string): Promise<void> {
  const target = await realpath(path).catch(() => path);
  const temporary = join(dirname(target), temporaryName());
  try {
    await mkdir(dirname(target), { recursive: true });
    const file = await open(temporary, 'wx');
    try {
      await file.writeFile(content);
      // The name must not be on the disk before the bytes are. A file handle of Yarn's Plug'n'Play has no sync().
      await promisify(fsync)(file.fd);
    } finally {
      await file.close();
    }
    await rename(temporary, target);
  } catch (cause) {
    await rm(temporary, { force: true }).catch(messageOf);
    throw cause;
  }
}
