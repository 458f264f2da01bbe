import { mkdir, mkdtemp, readdir, readFile, rm, rmdir, stat } from 'node:fs/promises';
import { dirname, extname, join } from 'node:path';
import { adviseFileError, IMAGES_FOLDER, mediaTypeOf, messageOf, resolveLink } from '../../model/index.js';
import { storageFailed, writeCapture } from '../captures/capture-file.js';

/** A file in a storage. */
export interface Stored {
  readonly bytes: Buffer;
  readonly contentType: string;
}

/** Stores captures until they expire. */
export interface Storage {
  /**
   * Writes a file.
   *
   * @param link a link: `screenshots/<host>/<uuid>/<epoch_millis>.<extension>`.
   * @throws ProofsheetError `storage-failed`
   */
  put(link: string, bytes: Buffer, contentType: string): Promise<void>;
  /** Returns the file at a link; null if it does not exist, has expired, or the link is invalid. */
  get(link: string): Promise<Stored | null>;
  /** Removes files older than `before`, in milliseconds since 1970. */
  prune(before: number): Promise<void>;
}

/** Returns the content type for a file extension; null if the service stores no such files. */
export function contentTypeOf(name: string): string | null {
  const extension = extname(name).slice(1);
  return extension === 'html' ? 'text/html; charset=utf-8' : mediaTypeOf(extension);
}

/**
 * Opens a storage in a folder, which it creates. Writes are atomic.
 *
 * @throws ProofsheetError `storage-failed` if the folder cannot be written to.
 */
export async function openFolderStorage(folder: string): Promise<Storage> {
  try {
    await mkdir(folder, { recursive: true });
    await rmdir(await mkdtemp(join(folder, '.proofsheet-')));
  } catch (cause) {
    throw storageFailed(folder, `the folder cannot be written to (${messageOf(cause)})`, `${adviseFileError(cause)}.`);
  }
  return {
    put: (link, bytes) => writeCapture(folder, link, bytes),
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

/** Removes old files. Ignores files that another process adds or removes at the same time. */
async function prune(folder: string, before: number): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  for (const entry of entries.filter((file) => file.isFile())) {
    const path = join(entry.parentPath, entry.name);
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }));
    if (mtimeMs >= before) continue;
    await rm(path, { force: true });
    // Remove the folders of the capture and of the host once they are empty.
    for (const parent of [dirname(path), dirname(dirname(path))]) await rmdir(parent).catch(() => {});
  }
}
