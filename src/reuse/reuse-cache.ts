import { existsSync, readFileSync, utimesSync } from 'node:fs';
import { readdir, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { replaceFile, sha256, sweep } from '../baselines/index.js';
import { type CaptureResponse, type Environment, environmentSchema, type ShotRecord } from '../model/index.js';

export type ReuseCache = ReturnType<typeof openReuseCache>;

/** Other formats are in other folders, so that two versions can share a cache. */
const FORMAT = 'v4';

const MAX_ENTRIES = 8;

export interface CachedShot {
  /** Its captures that passed, the last one first. */
  readonly entries: readonly ReuseEntry[];
  /** Why the last capture is not one of them; null: it is, or there was none. */
  readonly reason: string | null;
}

/**
 * Opens the cache in a folder. It has a file for each shot, whose name is a hash that identifies the shot. A file is replaced as a whole. One
 * whose checksum does not match its name and content is ignored. Small reads are synchronous: that takes much less processor time.
 */
export function openReuseCache(cacheFolder: string) {
  const folder = join(cacheFolder, FORMAT);
  const pathOf = (name: string) => join(folder, `${name}.json`);
  const environmentPath = (machine: string) => pathOf(`environment-${machine}`);
  // To validate an entry by a schema takes several times as long as its checksum.
  const read = (shot: string): CachedShot =>
    tryTo((): CachedShot | null => {
      const { checksum, ...known } = readJson(pathOf(shot));
      return checksum === hashOf([shot, known]) ? known : null;
    }) ?? { entries: [], reason: null };
  const write = (shot: string, known: CachedShot) =>
    replaceFile(pathOf(shot), JSON.stringify({ ...known, checksum: hashOf([shot, known]) }));
  return {
    read,
    /** Adds a capture. It replaces one with the same inputs, and the oldest one makes room for it. */
    async add(shot: string, entry: ReuseEntry): Promise<void> {
      const keyOf = ({ parts, inputs }: ReuseEntry) => JSON.stringify([parts, inputs]);
      const others = read(shot).entries.filter((one) => keyOf(one) !== keyOf(entry));
      await write(shot, { entries: [entry, ...others].slice(0, MAX_ENTRIES), reason: null });
    },
    writeReason: (shot: string, reason: string) => write(shot, { ...read(shot), reason }),
    /** Marks a shot as used, so that others are removed before it. Another process may have removed it. */
    markUsed: (shot: string) => tryTo(() => utimesSync(pathOf(shot), new Date(), new Date())),
    remove: (shot: string) => rm(pathOf(shot), { force: true }),
    /** Returns the environment that a browser reported when it ran last. @param machine - see `KeyParts.environment` */
    readEnvironment: (machine: string) => tryTo(() => environmentSchema.parse(readJson(environmentPath(machine)))),
    writeEnvironment: (machine: string, environment: Environment) =>
      replaceFile(environmentPath(machine), JSON.stringify(environment)),
    /** Removes the files that were not used for the longest time, until the rest is within the limit. */
    async prune(maxBytes: number): Promise<void> {
      await sweep([folder]);
      const paths = (await readdir(folder).catch(() => [])).map((name) => join(folder, name));
      const found = await Promise.all(paths.map(async (path) => ({ path, file: await stat(path).catch(() => null) })));
      let bytes = 0;
      for (const { path, file } of found.sort((a, b) => (b.file?.mtimeMs ?? 0) - (a.file?.mtimeMs ?? 0))) {
        bytes += file?.size ?? 0;
        if (bytes > maxBytes) await rm(path, { force: true });
      }
    },
  };
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

/** `PROOFSHEET_CACHE`, relative to the working directory, or `node_modules/.cache/proofsheet` in the nearest folder with `node_modules`. */
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
  return sha256(JSON.stringify(value));
}

/**
 * Decides whether a reusable shot is captured all the same, to verify that its inputs are complete: others in each commit.
 * @param share 0..1
 * @param run - the commit; outside of git, the id of the run
 */
export function isVerified(share: number, run: string, { project, id }: Pick<ShotRecord, 'project' | 'id'>): boolean {
  return Number.parseInt(hashOf([run, project, id]).slice(0, 12), 16) / 2 ** 48 < share;
}
