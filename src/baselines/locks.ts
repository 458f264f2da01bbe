import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Acquires a lock across all worker processes of a run. The first owner gets it.
 *
 * A lock is one file, which is never removed: some file systems need much time to create a file after many were deleted.
 *
 * @param folder the lock folder of the run. All workers share it. Each run has a new one.
 * @param owner - without line breaks at its end
 * @returns the owner of the lock: the given one, or the one that acquired it before.
 */
export function acquireLock(folder: string, key: string, owner: string): string {
  const path = pathOf(folder, key);
  if (!existsSync(folder)) mkdirSync(folder, { recursive: true });
  if (existsSync(path)) return readOwner(path);
  try {
    // Creating a file exclusively is atomic. Its content is complete once it has its end.
    writeFileSync(path, `${owner}${END}`, { flag: 'wx' });
    return owner;
  } catch (cause) {
    if (existsSync(path)) return readOwner(path);
    throw cause;
  }
}

const END = '\n';

/** Maximum time until the owner of a lock is written, in milliseconds. */
const MAX_WRITE_MS = 2_000;

/** Reads the owner of a lock. Another process may be writing it. */
function readOwner(path: string): string {
  for (const startedAt = performance.now(); performance.now() - startedAt < MAX_WRITE_MS; sleep()) {
    const text = readFileSync(path, 'utf8');
    if (text.endsWith(END)) return text.slice(0, -END.length);
  }
  throw new Error(`the lock ${path} has no owner. Was a process killed, or is the disk full?`);
}

/** Waits for 1 ms. */
function sleep(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
}

/** Checks whether a lock has an owner. */
export function isLocked(folder: string, key: string): boolean {
  return existsSync(pathOf(folder, key));
}

function pathOf(folder: string, key: string): string {
  return join(folder, createHash('sha256').update(key).digest('hex').slice(0, 32));
}
