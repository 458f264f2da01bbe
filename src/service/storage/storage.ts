import { readdir, readFile, rm, rmdir, stat } from 'node:fs/promises';
import { dirname, extname, join } from 'node:path';
import { replaceFile } from '../../baselines/atomic-write.js';
import { IMAGES_FOLDER, resolveLink } from '../../baselines/paths.js';
import { messageOf, ProofsheetError } from '../../model/errors.js';
import { mediaTypeOf } from '../../model/image.js';

/** What was put into a storage. */
export interface Stored {
  readonly bytes: Buffer;
  readonly contentType: string;
}

/** Where the service keeps what it has captured, until its time is over. */
export interface Storage {
  /**
   * Keeps a file.
   *
   * @param link a link of `record/paths`: `screenshots/<host>/<uuid>/<epoch_millis>.<extension>`.
   * @throws ProofsheetError `storage-failed`
   */
  put(link: string, bytes: Buffer, contentType: string): Promise<void>;
  /** Returns the file at a link; null: there is none, no more, or the link is none that was made here. */
  get(link: string): Promise<Stored | null>;
  /** Removes what was put in before a moment, milliseconds since 1970. */
  prune(before: number): Promise<void>;
}

/** Returns the content type of a file of ours by the ending of its name; null: it is none. */
export function contentTypeOf(name: string): string | null {
  const ending = extname(name).slice(1);
  return ending === 'html' ? 'text/html; charset=utf-8' : mediaTypeOf(ending);
}

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
