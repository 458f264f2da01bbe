import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, utimesSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { isTemporary, replaceFile, sweep } from '../baselines/index.js';
import { type CaptureResponse, type Environment, environmentSchema, type ShotRecord } from '../model/index.js';

/** The captures that passed, on disk. Several processes may use one cache at the same time. */
export type ReuseCache = ReturnType<typeof openReuseCache>;

/** An entry and its key. */
export interface CachedEntry {
  readonly key: string;
  readonly entry: ReuseEntry;
}

/**
 * The format of the entries. Others are in other folders, so that two versions can share a cache. The records in the entries are those of
 * the version that wrote them, which is a part of the key.
 */
const FORMAT = 'v3';

const MAX_ENTRIES = 8;

const REASON_FILE = 'reason.txt';

const ENVIRONMENTS = 'environments';

/**
 * Opens the cache in a folder. An entry is a file whose name is its key, written once and never changed. A file whose checksum does not
 * match its name and content is no entry. `shot` is a hash that identifies a shot; it is the name of its folder. Small reads are
 * synchronous: that takes much less processor time.
 */
export function openReuseCache(folder: string) {
  const folderOf = (shot: string) => join(folder, FORMAT, shot);
  const pathOf = (shot: string, key: string) => join(folderOf(shot), `${key}.json`);
  const environmentPath = (machine: string) => join(folder, FORMAT, ENVIRONMENTS, `${machine}.json`);
  return {
    /** Returns the entries of a shot, the last used first. Damaged entries, and those of other formats, are left out. */
    read: (shot: string) => listFiles(folderOf(shot)).flatMap((file) => readEntry(file) ?? []),
    /** Adds an entry under its key. The oldest entries of the shot make room for it. */
    async write(shot: string, key: string, entry: ReuseEntry): Promise<void> {
      await replaceFile(pathOf(shot, key), JSON.stringify({ checksum: hashOf([key, entry]), entry }));
      await rm(join(folderOf(shot), REASON_FILE), { force: true });
      const files = listFiles(folderOf(shot));
      await Promise.all(files.slice(MAX_ENTRIES).map(({ path }) => rm(path, { force: true })));
    },
    /** Marks an entry as used, so that others are removed before it. Another process may have removed it. */
    markUsed: (shot: string, key: string) => tryTo(() => utimesSync(pathOf(shot, key), new Date(), new Date())),
    remove: (shot: string) => rm(folderOf(shot), { recursive: true, force: true }),
    /** Returns why the last capture of a shot is not in the cache; null: it is, or there was none. */
    readReason: (shot: string) => tryTo(() => readFileSync(join(folderOf(shot), REASON_FILE), 'utf8')),
    writeReason: (shot: string, reason: string) => replaceFile(join(folderOf(shot), REASON_FILE), reason),
    /** Returns the environment that a browser reported when it ran last. @param machine - see `KeyParts.environment` */
    readEnvironment: (machine: string) => tryTo(() => environmentSchema.parse(readJson(environmentPath(machine)))),
    writeEnvironment: (machine: string, environment: Environment) =>
      replaceFile(environmentPath(machine), JSON.stringify(environment)),
    /** Removes the entries that were not used for the longest time, until the rest is within the limit. */
    async prune(maxBytes: number): Promise<void> {
      const top = join(folder, FORMAT);
      const shots = await readdir(top).catch(() => []);
      await sweep(shots.map((shot) => join(top, shot)));
      const files = shots.flatMap((shot) => listFiles(join(top, shot))).sort(lastUsedFirst);
      let bytes = 0;
      for (const { path, size } of files) {
        bytes += size;
        if (bytes > maxBytes) await rm(path, { force: true });
      }
    },
  };
}

interface EntryFile {
  readonly path: string;
  /** File name without extension. */
  readonly name: string;
  readonly size: number;
  readonly usedMs: number;
}

function listFiles(folder: string): EntryFile[] {
  if (!existsSync(folder)) return [];
  const names = tryTo(() => readdirSync(folder)) ?? [];
  return names
    .filter((name) => name.endsWith('.json') && !isTemporary(name))
    .flatMap((name): EntryFile[] => {
      const path = join(folder, name);
      const found = tryTo(() => statSync(path));
      return found ? [{ path, name: name.slice(0, -5), size: found.size, usedMs: found.mtimeMs }] : [];
    })
    .sort(lastUsedFirst);
}

function lastUsedFirst(a: EntryFile, b: EntryFile): number {
  return b.usedMs - a.usedMs;
}

/** To validate an entry by a schema takes several times as long as its checksum. */
function readEntry({ path, name }: EntryFile): CachedEntry | null {
  return tryTo(() => {
    const { checksum, entry }: { checksum: unknown; entry: ReuseEntry } = readJson(path);
    return checksum === hashOf([name, entry]) ? { key: name, entry } : null;
  });
}

function readJson(path: string) {
  return JSON.parse(readFileSync(path, 'utf8'));
}

function tryTo<T>(work: () => T): T | null {
  try {
    return work();
  } catch {
    return null;
  }
}

/**
 * Returns the folder of the cache: `PROOFSHEET_CACHE`, relative to the working directory, or `node_modules/.cache/proofsheet` in the nearest
 * folder with `node_modules`, from the folder of the config upwards.
 */
export function cacheFolderOf(configFolder: string, variable: string | undefined): string {
  if (variable) return resolve(variable);
  for (let folder = configFolder; ; folder = dirname(folder)) {
    const modules = join(folder, 'node_modules');
    if (existsSync(modules)) return join(modules, '.cache', 'proofsheet');
    if (folder === dirname(folder)) return join(configFolder, 'node_modules', '.cache', 'proofsheet');
  }
}

/** An input of a page: a path of the served folder, and a hash of its answer. */
export interface Dependency {
  /** Percent-encoded, without the query. */
  readonly path: string;
  readonly digest: string;
}

/** What a capture depends on except the inputs of its page: a hash of each part. */
export interface KeyParts {
  /** Version of proofsheet. */
  readonly version: string;
  readonly settings: string;
  readonly environment: string;
  readonly baseline: string;
}

/** What later runs report of a capture that passed. */
export interface StoredCapture {
  readonly capture: Pick<CaptureResponse, 'fetchTime' | 'width' | 'height'>;
  readonly findings: Pick<ShotRecord, 'limits' | 'compared' | 'summary' | 'environment' | 'hidden' | 'warnings'>;
}

/** A capture that passed, and everything that it depends on. */
export interface ReuseEntry {
  readonly parts: KeyParts;
  readonly inputs: readonly Dependency[];
  readonly stored: StoredCapture;
}

/** Returns the SHA-256 of a value in JSON, in hexadecimal. The order of keys counts. */
export function hashOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex');
}

/** Returns the key of a capture: a hash of everything that it depends on. */
export function keyOf(parts: KeyParts, inputs: readonly Dependency[]): string {
  const ordered = inputs.map(({ path, digest }) => [path, digest]).sort(([a = ''], [b = '']) => (a < b ? -1 : 1));
  return hashOf([parts.version, parts.settings, parts.environment, parts.baseline, ordered]);
}

/**
 * Decides whether a reusable shot is captured all the same, to verify that its inputs are complete. The choice depends only on the
 * commit and the shot: each run of a commit verifies the same shots, and each commit verifies others.
 *
 * @param share 0..1
 * @param run - the commit; outside of git, the id of the run
 */
export function isVerified(
  share: number,
  run: string,
  shot: { readonly project: string; readonly id: string },
): boolean {
  const draw = Number.parseInt(hashOf([run, shot.project, shot.id]).slice(0, 12), 16) / 2 ** 48;
  return draw < share;
}
