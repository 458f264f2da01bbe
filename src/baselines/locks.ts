import { createHash, randomBytes, randomUUID } from 'node:crypto';
import {
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { codeOf, ProofsheetError, renderDuration } from '../model/index.js';

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

/**
 * Runs an action while no other process runs one under the same name in the folder. Waits for the others.
 *
 * The lock is a file in the folder, which its process touches while the action runs. A killed process leaves it behind: it is removed
 * if that process has ended, or if nobody touched it for a minute. Without permission or space for a lock, the action runs without
 * one: it cannot write there either, and reports that.
 *
 * @param name - what the lock protects. An action must not lock it again.
 * @throws ProofsheetError `lock-held` after `maxWaitMs`, and the error of the action
 */
export async function withLock<T>(
  folder: string,
  name: string,
  action: () => Promise<T>,
  maxWaitMs = MAX_WAIT_MS,
): Promise<T> {
  const release = await acquireFile(lockPath(folder, name), maxWaitMs);
  try {
    return await action();
  } finally {
    release();
  }
}

/** Maximum time to wait for another process, in milliseconds. Approving 1,000 shots takes a minute on a slow machine. */
const MAX_WAIT_MS = 120_000;
const POLL_MS = 20;
/** How often a process touches its lock, and when a lock that was not touched counts as abandoned; in milliseconds. */
const TOUCH_MS = 2_000;
const ABANDONED_MS = 60_000;

/** Identifies the machine and, on Linux, the container: process ids are those of one of them. */
export const MACHINE = createHash('sha256')
  .update(hostname() + readPidNamespace())
  .digest('hex')
  .slice(0, 8);

function readPidNamespace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return '';
  }
}

/** Checks whether a process is running. For a process of another user, `kill` throws EPERM, so only ESRCH means no. */
export function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (cause) {
    return codeOf(cause) !== 'ESRCH';
  }
}

const LOCK_NAME = /^\.proofsheet-[\da-f]{12}\.lock$/;

/** Checks whether a file name is that of a lock of {@link withLock}. */
export function isLockFile(name: string): boolean {
  return LOCK_NAME.test(name);
}

function lockPath(folder: string, name: string): string {
  return join(folder, `.proofsheet-${createHash('sha256').update(name).digest('hex').slice(0, 12)}.lock`);
}

/** @returns removes the lock */
async function acquireFile(path: string, maxWaitMs: number): Promise<() => void> {
  const owner = `${MACHINE}-${process.pid}-${randomBytes(4).toString('hex')}`;
  for (const startedAt = performance.now(); ; ) {
    const lock = readLock(path);
    const waitedMs = performance.now() - startedAt;
    if (lock === null) {
      try {
        createLock(path, owner);
        return keepLock(path, owner);
      } catch (cause) {
        if (!isTaken(cause)) return () => {};
      }
    } else if (isAbandoned(lock)) {
      if (!(await removeAbandonedLock(path))) return () => {};
      continue;
    }
    if (waitedMs > maxWaitMs) throw held(path, lock, waitedMs);
    await wait(POLL_MS);
  }
}

/** Creates a lock with its content in one step, so that a process that is killed meanwhile leaves no lock without an owner. */
function createLock(path: string, owner: string): void {
  const temporary = join(dirname(path), `.proofsheet-${owner}.tmp`);
  try {
    writeFileSync(temporary, owner);
    linkSync(temporary, path);
  } catch (cause) {
    if (codeOf(cause) === 'EEXIST') throw cause;
    // Some file systems have no hard links. There, a lock without an owner is abandoned after a minute.
    writeFileSync(path, owner, { flag: 'wx' });
  } finally {
    removeFile(temporary);
  }
}

/** On Windows, creating a file that is being deleted fails with EPERM. */
function isTaken(cause: unknown): boolean {
  return codeOf(cause) === 'EEXIST' || (process.platform === 'win32' && codeOf(cause) === 'EPERM');
}

function keepLock(path: string, owner: string): () => void {
  const timer = setInterval(() => touch(path), TOUCH_MS).unref();
  return () => {
    clearInterval(timer);
    if (readLock(path)?.owner === owner) removeFile(path);
  };
}

function touch(path: string): void {
  const now = new Date();
  try {
    utimesSync(path, now, now);
  } catch {
    // Another process may have removed the lock.
  }
}

/** A lock file at one moment. */
interface LockFile {
  readonly owner: string;
  readonly touchedMs: number;
  /** Differs from that of a later lock, and of this lock after a touch. */
  readonly identity: string;
}

/** @returns null if the lock was released */
function readLock(path: string): LockFile | null {
  try {
    const { ino, mtimeMs } = statSync(path);
    const owner = readFileSync(path, 'utf8');
    return { owner, touchedMs: mtimeMs, identity: `${ino} ${mtimeMs} ${owner}` };
  } catch {
    return null;
  }
}

function isAbandoned({ owner, touchedMs }: LockFile): boolean {
  const { machine, pid } = OWNER.exec(owner)?.groups ?? {};
  return (machine === MACHINE && !isRunning(Number(pid))) || Date.now() - touchedMs > ABANDONED_MS;
}

/** Checks whether the process of a lock was killed. */
export function isAbandonedLock(path: string): boolean {
  const lock = readLock(path);
  return lock !== null && isAbandoned(lock);
}

const OWNER = /^(?<machine>[\da-f]{8})-(?<pid>\d+)-[\da-f]{8}$/;

/**
 * Removes a lock if its process was killed. Two processes that find it must not both remove it, because the second one would remove
 * the lock that another process created since. So each abandoned lock has a lock of its own for its removal.
 *
 * @returns false if the file cannot be removed
 */
export async function removeAbandonedLock(path: string): Promise<boolean> {
  const found = readLock(path);
  if (!found || !isAbandoned(found)) return true;
  return withLock(dirname(path), found.identity, async () => {
    return readLock(path)?.identity !== found.identity || removeFile(path);
  });
}

function removeFile(path: string): boolean {
  try {
    rmSync(path, { force: true });
    return true;
  } catch {
    return false;
  }
}

function held(path: string, lock: LockFile | null, waitedMs: number): ProofsheetError {
  const { machine, pid } = OWNER.exec(lock?.owner ?? '')?.groups ?? {};
  const holder = machine === MACHINE ? `process ${pid}` : 'a process of another machine or container';
  return new ProofsheetError({
    code: 'lock-held',
    where: path,
    found: `${holder} still has this lock after ${renderDuration(waitedMs)}`,
    advice: 'Wait until it is done, then try again.',
  });
}

/** Returns true for the first worker of a run that asks about a notice, so that each notice is printed once. */
export function isFirstNotice(locksFolder: string, notice: string): boolean {
  const owner = randomUUID();
  return acquireLock(locksFolder, notice, owner) === owner;
}
