import { existsSync, readdirSync, readFileSync, statSync, utimesSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { isTemporary, replaceFile, sweep } from '../baselines/index.js';
import { type Environment, environmentSchema } from '../model/index.js';
import { hashOf, type ReuseEntry } from './key.js';

/**
 * The captures that passed, on disk. Several processes may use one cache at the same time. `shot` is a hash that identifies a shot; it is
 * the name of its folder.
 */
export interface ReuseCache {
  /** Returns the entries of a shot, the last used first. Damaged entries, and those of other formats, are left out. */
  read(shot: string): Promise<CachedEntry[]>;
  /** Adds an entry under its key. The oldest entries of the shot make room for it. */
  write(shot: string, key: string, entry: ReuseEntry): Promise<void>;
  /** Marks an entry as used, so that others are removed before it. */
  markUsed(shot: string, key: string): Promise<void>;
  /** Removes all entries of a shot. */
  remove(shot: string): Promise<void>;
  /** Returns why the last capture of a shot is not in the cache; null: it is, or there was none. */
  readReason(shot: string): Promise<string | null>;
  writeReason(shot: string, reason: string): Promise<void>;
  /** Returns the environment that a browser reported when it ran last. @param machine - see `KeyParts.environment` */
  readEnvironment(machine: string): Promise<Environment | null>;
  writeEnvironment(machine: string, environment: Environment): Promise<void>;
  /** Removes the entries that were not used for the longest time, until the rest is within the limit. */
  prune(maxBytes: number): Promise<void>;
}

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

/** Maximum number of entries of one shot: its states on some branches. */
const MAX_ENTRIES = 8;

const REASON_FILE = 'reason.txt';

const ENVIRONMENTS = 'environments';

/**
 * Opens the cache in a folder. An entry is a file whose name is its key, written once and never changed. A file whose checksum does not
 * match its name and content is no entry.
 */
export function openReuseCache(folder: string): ReuseCache {
  const folderOf = (shot: string) => join(folder, FORMAT, shot);
  const pathOf = (shot: string, key: string) => join(folderOf(shot), `${key}.json`);
  const environmentPath = (machine: string) => join(folder, FORMAT, ENVIRONMENTS, `${machine}.json`);
  return {
    async read(shot) {
      return listFiles(folderOf(shot)).flatMap((file) => readEntry(file) ?? []);
    },
    async write(shot, key, entry) {
      await replaceFile(pathOf(shot, key), JSON.stringify({ checksum: checksumOf(key, entry), entry }));
      await rm(join(folderOf(shot), REASON_FILE), { force: true });
      const files = listFiles(folderOf(shot));
      await Promise.all(files.slice(MAX_ENTRIES).map(({ path }) => rm(path, { force: true })));
    },
    async markUsed(shot, key) {
      const now = new Date();
      // Another process may have removed the entry.
      tryTo(() => utimesSync(pathOf(shot, key), now, now));
    },
    remove: (shot) => rm(folderOf(shot), { recursive: true, force: true }),
    readReason: async (shot) => tryTo(() => readFileSync(join(folderOf(shot), REASON_FILE), 'utf8')),
    writeReason: (shot, reason) => replaceFile(join(folderOf(shot), REASON_FILE), reason),
    async readEnvironment(machine) {
      return tryTo(() => environmentSchema.parse(readJson(environmentPath(machine))));
    },
    writeEnvironment: (machine, environment) => replaceFile(environmentPath(machine), JSON.stringify(environment)),
    async prune(maxBytes) {
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

/** Lists the entry files of a folder, the last used first. Small reads are synchronous: that takes much less processor time. */
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

function readEntry({ path, name }: EntryFile): CachedEntry | null {
  return tryTo(() => {
    const { checksum, entry }: { checksum: unknown; entry: ReuseEntry } = readJson(path);
    return checksum === checksumOf(name, entry) ? { key: name, entry } : null;
  });
}

/** Returns a hash of an entry and its key. To validate the entry by a schema takes several times as long. */
function checksumOf(key: string, entry: ReuseEntry): string {
  return hashOf([key, entry]);
}

function readJson(path: string) {
  return JSON.parse(readFileSync(path, 'utf8'));
}

/** Returns null if a file cannot be read. */
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
