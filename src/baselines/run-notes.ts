import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf } from '../model/errors.js';

/**
 * Reads what a worker of the run noted under a key; null if there is nothing. The note may be incomplete, because another worker may be
 * writing it: the caller must check that.
 */
export async function readNote(folder: string, key: string): Promise<string | null> {
  return readFile(pathOf(folder, key), 'utf8').catch(() => null);
}

/** Notes something for the other workers of the run. The first note of a key stays. A note that cannot be written is left out. */
export async function writeNote(folder: string, key: string, text: string): Promise<void> {
  const path = pathOf(folder, key);
  const write = () => writeFile(path, text, { flag: 'wx' });
  await write().catch(async (cause) => {
    const isFirst = cause instanceof Error && 'code' in cause && cause.code === 'ENOENT';
    if (isFirst) await mkdir(join(path, '..'), { recursive: true }).then(write).catch(messageOf);
  });
}

function pathOf(folder: string, key: string): string {
  return join(folder, 'notes', createHash('sha256').update(key).digest('hex').slice(0, 32));
}
