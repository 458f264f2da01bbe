import { createHash, randomBytes } from 'node:crypto';
import { fsync } from 'node:fs';
import { mkdir, open, readdir, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { messageOf } from '../model/errors.js';

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

/** The names of this process's files before their rename: of which machine they are, and of which process there. */
const MACHINE = createHash('sha256').update(hostname()).digest('hex').slice(0, 8);
const PATTERN = /^\.proofsheet-(?<machine>[\da-f]{8})-(?<pid>\d+)-[\da-f]{8}\.tmp$/;

/** No file takes as long to be written, on whatever machine: in milliseconds. */
const LONGEST_WRITE = 60 * 60 * 1000;

/** Returns a name for a file that is to be renamed when it is whole. */
export function temporaryName(): string {
  return `.proofsheet-${MACHINE}-${process.pid}-${randomBytes(4).toString('hex')}.tmp`;
}

/** Checks whether a name is one that a file had before its rename: a process that was killed leaves it behind. */
export function isTemporary(name: string): boolean {
  return PATTERN.test(name);
}

/**
 * Removes what killed processes left in folders: files with a name of ours whose process, one of this machine, is gone,
 * or that nobody has touched for an hour. What cannot be removed stays.
 */
export async function sweep(folders: Iterable<string>): Promise<void> {
  for (const folder of new Set(folders)) {
    const names = await readdir(folder).catch(() => []);
    for (const name of names.filter(isTemporary)) {
      const path = join(folder, name);
      if (await isLeft(path, name)) await rm(path, { force: true }).catch(messageOf);
    }
  }
}

async function isLeft(path: string, name: string): Promise<boolean> {
  const { machine, pid } = PATTERN.exec(name)?.groups ?? {};
  if (machine === MACHINE && !isRunning(Number(pid))) return true;
  const touched = await stat(path).then(
    ({ mtimeMs }) => mtimeMs,
    () => Number.POSITIVE_INFINITY,
  );
  return Date.now() - touched > LONGEST_WRITE;
}

/** A process of another user is one that may not be asked. */
function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (cause) {
    return cause instanceof Error && 'code' in cause && cause.code !== 'ESRCH';
  }
}

/** Writes a file where there is none. @returns false, and does nothing, where there is one */
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
