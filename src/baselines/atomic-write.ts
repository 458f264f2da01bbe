import { createHash, randomBytes } from 'node:crypto';
import { fsync } from 'node:fs';
import { mkdir, open, readdir, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { messageOf } from '../model/errors.js';

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
    const file = await open(temporary, 'wx');
    try {
      await file.writeFile(content);
      // Flush the bytes before the rename. Uses fsync, because file handles of Yarn's Plug'n'Play have no sync().
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

/** Temporary file names contain a hash of the machine and the process id. */
const MACHINE = createHash('sha256').update(hostname()).digest('hex').slice(0, 8);
const PATTERN = /^\.proofsheet-(?<machine>[\da-f]{8})-(?<pid>\d+)-[\da-f]{8}\.tmp$/;

/** Upper bound for the time to write one file, in milliseconds. */
const MAX_WRITE_MS = 60 * 60 * 1000;

/** Returns a name for a temporary file. */
export function temporaryName(): string {
  return `.proofsheet-${MACHINE}-${process.pid}-${randomBytes(4).toString('hex')}.tmp`;
}

/** Checks whether a name is that of a temporary file. A killed process leaves its temporary file behind. */
export function isTemporary(name: string): boolean {
  return PATTERN.test(name);
}

/**
 * Removes temporary files of killed processes. A file counts as abandoned if its process ran on this machine and has ended, or if
 * it was not modified for an hour. Errors are ignored.
 */
export async function sweep(folders: Iterable<string>): Promise<void> {
  for (const folder of new Set(folders)) {
    const names = await readdir(folder).catch(() => []);
    for (const name of names.filter(isTemporary)) {
      const path = join(folder, name);
      if (await isAbandoned(path, name)) await rm(path, { force: true }).catch(messageOf);
    }
  }
}

async function isAbandoned(path: string, name: string): Promise<boolean> {
  const { machine, pid } = PATTERN.exec(name)?.groups ?? {};
  if (machine === MACHINE && !isRunning(Number(pid))) return true;
  const modifiedMs = await stat(path).then(
    ({ mtimeMs }) => mtimeMs,
    () => Number.POSITIVE_INFINITY,
  );
  return Date.now() - modifiedMs > MAX_WRITE_MS;
}

/** Checks whether a process is running. For a process of another user, `kill` throws EPERM, so only ESRCH means no. */
function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (cause) {
    return cause instanceof Error && 'code' in cause && cause.code !== 'ESRCH';
  }
}

/** Writes a new file. @returns false if the file already exists; it is not changed */
export async function writeNew(path: string, text: string): Promise<boolean> {
  try {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text, { flag: 'wx' });
    return true;
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'EEXIST') return false;
    throw cause;
  }
}
