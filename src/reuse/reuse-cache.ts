import { existsSync, readdirSync, readFileSync, statSync, utimesSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isTemporary, replaceFile, sha256, sweep } from '../baselines/index.js';
import { type Environment, environmentSchema, type ReuseEntry } from '../model/index.js';

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
const FORMAT = 'v2';

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
      try {
        utimesSync(pathOf(shot, key), now, now);
      } catch {
        // Another process may have removed the entry.
      }
    },
    remove: (shot) => rm(folderOf(shot), { recursive: true, force: true }),
    readReason: async (shot) => readText(join(folderOf(shot), REASON_FILE)),
    writeReason: (shot, reason) => replaceFile(join(folderOf(shot), REASON_FILE), reason),
    async readEnvironment(machine) {
      const text = readText(join(folder, FORMAT, ENVIRONMENTS, `${machine}.json`));
      return environmentSchema.safeParse(parse(text ?? '')).data ?? null;
    },
    writeEnvironment: (machine, environment) =>
      replaceFile(join(folder, FORMAT, ENVIRONMENTS, `${machine}.json`), JSON.stringify(environment)),
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
  try {
    const names = existsSync(folder) ? readdirSync(folder) : [];
    return names
      .filter((name) => name.endsWith('.json') && !isTemporary(name))
      .flatMap((name): EntryFile[] => {
        const path = join(folder, name);
        const found = statSync(path, { throwIfNoEntry: false });
        return found ? [{ path, name: name.slice(0, -5), size: found.size, usedMs: found.mtimeMs }] : [];
      })
      .sort(lastUsedFirst);
  } catch {
    return [];
  }
}

function lastUsedFirst(a: EntryFile, b: EntryFile): number {
  return b.usedMs - a.usedMs;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function readText(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}

function readEntry({ path, name }: EntryFile): CachedEntry | null {
  try {
    const { checksum, entry }: { checksum: unknown; entry: ReuseEntry } = JSON.parse(readFileSync(path, 'utf8'));
    return checksum === checksumOf(name, entry) ? { key: name, entry } : null;
  } catch {
    return null;
  }
}

/** Returns a hash of an entry and its key. To validate the entry by a schema takes several times as long. */
function checksumOf(key: string, entry: ReuseEntry): string {
  return sha256(Buffer.from(key + JSON.stringify(entry)));
}
