import { readdir, readFile, rm, rmdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { messageOf, ProofsheetError } from '../../model/errors.js';
import { IMAGES_FOLDER, resolveLink } from '../paths.js';
import { replaceFile } from '../replace-file.js';
import { contentTypeOf } from './content-type.js';
import type { Storage } from './storage.js';

/** Creates a storage in a folder. A file is there whole or not at all. */
export function createFolderStorage(folder: string): Storage {
  return {
    async put(link, bytes) {
      const path = resolveLink(folder, link);
      if (path === null) throw failed(link, 'it is no link of a capture');
      await replaceFile(path, bytes).catch((cause) => {
        throw failed(folder, `it cannot be written to (${messageOf(cause)})`);
      });
    },
    async get(link) {
      const path = resolveLink(folder, link);
      const contentType = contentTypeOf(link);
      if (path === null || contentType === null) return null;
      const bytes = await readFile(path).catch(() => null);
      return bytes && { bytes, contentType };
    },
    prune: (before) => prune(join(folder, IMAGES_FOLDER), before),
  };
}

/** What another service removes, or adds, at the same time is of no matter. */
async function prune(folder: string, before: number): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  for (const entry of entries.filter((one) => one.isFile())) {
    const path = join(entry.parentPath, entry.name);
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }));
    if (mtimeMs >= before) continue;
    await rm(path, { force: true });
    // The folder of a capture, and of a host, goes with the last that was in it.
    for (const empty of [dirname(path), dirname(dirname(path))]) await rmdir(empty).catch(() => {});
  }
}

function failed(where: string, found: string): ProofsheetError {
  const advice = 'Look at the rights of the storage folder and the room on its disk.';
  return new ProofsheetError({ code: 'storage-failed', where, found, advice });
}
