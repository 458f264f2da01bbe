import { randomBytes, randomUUID } from 'node:crypto';
import {
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  utimes,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { codeOf, failure, type ProofsheetError, renderDuration } from '../model/index.js';
import { sha256 } from './names.js';

/**
 * Acquires a lock across all worker processes of a run. The first owner gets it.
 *
 * A lock is one file, which is never removed: some file systems need much time to create a file after many were deleted.
 *
 * @param folder - the lock folder of the run. All workers share it. Each run has a new one.
 * @param owner - without line breaks at its end
 * @returns the owner of the lock: the given one, or the one that acquired it before.
 */
export function acquireLock(folder: string, key: string, owner: string): string {
  const known = ownerOf(folder, key);
  if (known !== null) return known;
  mkdirSync(folder, { recursive: true });
  try {
    // Creating a file exclusively is atomic. Its content is complete once it has its end.
    writeFileSync(pathOf(folder, key), `${owner}${END}`, { flag: 'wx' });
    return owner;
  } catch (cause) {
    const other = ownerOf(folder, key);
    if (other === null) throw cause;
    return other;
  }
}

/** Returns true for the first worker of a run that asks about a notice, so that each notice is printed once. */
export function isFirstNotice(folder: string, notice: string): boolean {
  const owner = randomUUID();
  return acquireLock(folder, notice, owner) === owner;
}

const END = '\n';

const MAX_WRITE_MS = 2_000;

/** Null if the lock has no owner. Waits while another process writes it. */
export function ownerOf(folder: string, key: string): string | null {
  const path = pathOf(folder, key);
  if (!existsSync(path)) return null;
  for (const startedAt = performance.now(); performance.now() - startedAt < MAX_WRITE_MS; ) {
    const text = readFileSync(path, 'utf8');
    if (text.endsWith(END)) return text.slice(0, -END.length);
    waitSync(1);
  }
  throw new Error(`the lock ${path} has no owner. Was a process killed, or is the disk full?`);
}

/** Waits without a promise, for what must not be interrupted. */
export function waitSync(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

function pathOf(folder: string, key: string): string {
  return join(folder, sha256(key).slice(0, 32));
}

/** Identifies the machine and, on Linux, the container: process ids are those of one of them. */
const MACHINE = sha256(hostname() + readPidNamespace()).slice(0, 8);

function readPidNamespace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return '';
  }
}

const PROCESS_NAME = /(?<machine>[\da-f]{8})-(?<pid>\d+)-[\da-f]{8}/;
const TEMPORARY = new RegExp(`^\\.proofsheet-${PROCESS_NAME.source}\\.tmp$`);
const LOCK = /^\.proofsheet-[\da-f]{12}\.lock$/;

/** Says which process made a file. Another name each time. */
function processName(): string {
  return `${MACHINE}-${process.pid}-${randomBytes(4).toString('hex')}`;
}

export function temporaryName(owner = processName()): string {
  return `.proofsheet-${owner}.tmp`;
}

/** Checks whether a name is that of a temporary file or a lock. A killed process leaves them behind. */
export function isTemporary(name: string): boolean {
  return TEMPORARY.test(name) || isLockFile(name);
}

export function isLockFile(name: string): boolean {
  return LOCK.test(name);
}

/** For a process of another user, `kill` throws EPERM, so only ESRCH means that it does not run. */
export function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (cause) {
    return codeOf(cause) !== 'ESRCH';
  }
}

/**
 * Checks whether the process of a temporary file or a lock was killed: it ran on this machine and has ended, or nobody touched the file for
 * too long.
 */
export function isAbandoned(path: string): boolean {
  const isLock = isLockFile(basename(path));
  const touched = statSync(path, { throwIfNoEntry: false });
  const { machine, pid } = PROCESS_NAME.exec(isLock ? readOwner(path) : basename(path))?.groups ?? {};
  if (!touched) return false;
  if (machine === MACHINE && !isRunning(Number(pid))) return true;
  return Date.now() - touched.mtimeMs > (isLock ? ABANDONED_LOCK_MS : ABANDONED_FILE_MS);
}

/**
 * Removes a temporary file or a lock if it is abandoned. Errors are ignored.
 *
 * Two processes that find an abandoned lock must not both remove it, because the second one would remove the lock that another process
 * created since. So its removal has a lock of its own.
 *
 * @returns false if the file cannot be removed
 */
export async function removeAbandoned(path: string): Promise<boolean> {
  if (!isAbandoned(path)) return true;
  if (!isLockFile(basename(path))) return removeFile(path);
  return withLock(dirname(path), `removal of ${basename(path)}`, async () => !isAbandoned(path) || removeFile(path));
}

/**
 * Runs an action while no other process runs one under the same name in the folder. Waits for the others.
 *
 * The lock is a file in the folder, which its process touches while the action runs. A killed process leaves it behind: see
 * {@link isAbandoned}. Without permission or space for a lock, the action runs without one: it cannot write there either, and reports that.
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
  const release = await acquireFile(join(folder, `.proofsheet-${sha256(name).slice(0, 12)}.lock`), maxWaitMs);
  try {
    return await action();
  } finally {
    release();
  }
}

/** Maximum time to wait for another process, in milliseconds. Approving 1,000 shots takes a minute on a slow machine. */
const MAX_WAIT_MS = 120_000;
const POLL_MS = 20;
/** How often a process touches its lock, and when a file that was not touched counts as abandoned; in milliseconds. */
const TOUCH_MS = 2_000;
const ABANDONED_LOCK_MS = 60_000;
const ABANDONED_FILE_MS = 60 * 60_000;

async function acquireFile(path: string, maxWaitMs: number): Promise<() => void> {
  const owner = processName();
  for (const startedAt = performance.now(); ; ) {
    try {
      if (!existsSync(path)) return createLock(path, owner);
    } catch (cause) {
      // On Windows, creating a file that is being deleted fails with EPERM.
      const isTaken = codeOf(cause) === 'EEXIST' || (process.platform === 'win32' && codeOf(cause) === 'EPERM');
      if (!isTaken) return () => {};
    }
    if (isAbandoned(path)) {
      if (!(await removeAbandoned(path))) return () => {};
      continue;
    }
    const waitedMs = performance.now() - startedAt;
    if (waitedMs > maxWaitMs) throw held(path, waitedMs);
    await wait(POLL_MS);
  }
}

/** Creates a lock with its content in one step, so that a killed process leaves none without an owner, and touches it until it is released. */
function createLock(path: string, owner: string): () => void {
  const temporary = join(dirname(path), temporaryName(owner));
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
  // If it cannot be touched, the lock counts as abandoned in a minute.
  const timer = setInterval(() => utimes(path, new Date(), new Date(), () => {}), TOUCH_MS).unref();
  return () => {
    clearInterval(timer);
    if (readOwner(path) === owner) removeFile(path);
  };
}

function readOwner(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

function removeFile(path: string): boolean {
  try {
    rmSync(path, { force: true });
    return true;
  } catch {
    return false;
  }
}

function held(path: string, waitedMs: number): ProofsheetError {
  const { machine, pid } = PROCESS_NAME.exec(readOwner(path))?.groups ?? {};
  const holder = machine === MACHINE ? `process ${pid}` : 'a process of another machine or container';
  const found = `${holder} still has this lock after ${renderDuration(waitedMs)}`;
  return failure('lock-held', path, found, 'Wait until it is done, then try again.');
}
