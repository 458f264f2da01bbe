import { parseUrl, type SeenLoad } from '../model/index.js';
import { answerFor, type FolderServer } from './folder-servers.js';
import type { ReusableShot } from './project-reuse.js';
import {
  type Dependency,
  hashOf,
  isVerified,
  type KeyParts,
  type ReuseCache,
  type ReuseEntry,
  type StoredCapture,
} from './reuse-cache.js';

export type ShotReuse = ReturnType<typeof createShotReuse>;

/** What the shots of a worker share. */
export interface ReuseRun {
  readonly cache: ReuseCache;
  /** Share of the reusable shots that are captured all the same, 0..1. */
  readonly verify: number;
  /** The commit; outside of git, the id of the run. */
  readonly run: string;
  /** True for the worker that keeps the cache within its size. */
  readonly prunes: () => boolean;
}

/** Maximum size of the cache, in bytes. An entry of a page with 50 inputs takes about 10 kB. */
const MAX_CACHE_BYTES = 200 * 1024 * 1024;

/** Creates the reuse of one shot. Call it before the page is loaded. */
export function createShotReuse(shot: ReusableShot, run: ReuseRun) {
  const { cache } = run;
  const { source } = shot;
  const name = hashOf([shot.project, shot.id]);
  const loads: SeenLoad[] = [];
  let verified: ReuseEntry | null = null;
  // These are the answers to earlier pages.
  if (typeof source !== 'string') source.takeAnswers();
  return {
    /** Returns the earlier capture that stands for the shot, or why the shot is captured. @param baseline - SHA-256 of the baseline file */
    decide(baseline: string): StoredCapture | string {
      if (typeof source === 'string') return source;
      if (shot.captureReason !== null) return shot.captureReason;
      const { entries, reason } = cache.read(name);
      const found = findEntry({ ...shot.parts, baseline }, entries, source);
      if (found === null || typeof found === 'string') return found ?? reason ?? 'no capture of it is known';
      cache.markUsed(name);
      if (!isVerified(run.verify, run.run, shot)) return found.stored;
      verified = found;
      return 'it was chosen to be verified';
    },
    /** Returns the environment of the browser from an earlier run; null: it must be launched to know. */
    readEnvironment: () => cache.readEnvironment(shot.parts.environment),
    recordLoad: (load: SeenLoad) => void loads.push(load),
    /** Returns the inputs of the page, or why a later run cannot know them. */
    readInputs: () => (typeof source === 'string' ? source : readPageInputs(loads, source)),
    /** Returns the day of the earlier capture that this one verifies, such as `2026-11-27`; null: it verifies none. */
    verifiedSince: () => verified?.stored.capture.fetchTime.slice(0, 10) ?? null,
    /**
     * Stores a capture that passed; for unknown inputs, only their reason.
     * @param baseline - SHA-256 of the baseline file that the image is, or that it was compared with
     */
    async store(inputs: readonly Dependency[] | string, baseline: string, stored: StoredCapture): Promise<void> {
      if (typeof inputs === 'string') return cache.writeReason(name, inputs);
      await cache.add(name, { parts: { ...shot.parts, baseline }, inputs, stored });
      const { environment } = stored.findings;
      if (environment) await cache.writeEnvironment(shot.parts.environment, environment);
      if (run.prunes()) await cache.prune(MAX_CACHE_BYTES);
    },
    async removeVerified(): Promise<void> {
      if (verified) await cache.remove(name);
    },
  };
}

/** Finds the entry whose inputs are those of now. Returns why there is none, for the entry that comes closest; null without entries. */
function findEntry(parts: KeyParts, entries: readonly ReuseEntry[], server: FolderServer): ReuseEntry | string | null {
  const [last] = entries;
  if (!last) return null;
  const changes: string[] = [];
  for (const entry of entries.filter((one) => changeOf(parts, one.parts) === null)) {
    const changed = entry.inputs.find(({ path, digest }) => digest !== server.digestOf(path));
    if (changed === undefined) return entry;
    changes.push(`${changed.path} changed`);
  }
  return changes[0] ?? changeOf(parts, last.parts);
}

const PART_CHANGES = [
  ['version', 'the last capture was made with another version of proofsheet'],
  ['settings', 'its settings changed'],
  ['environment', 'the browser, its options, the fonts or the system changed'],
  ['baseline', 'its baseline changed'],
] as const;

function changeOf(parts: KeyParts, others: KeyParts): string | null {
  return PART_CHANGES.find(([name]) => parts[name] !== others[name])?.[1] ?? null;
}

/**
 * The inputs are every path that the loads asked the server for, with its answer. If anything else brought data, returns why they are unknown.
 * @param server - has answered only this page since `takeAnswers` was called last
 */
export function readPageInputs(loads: readonly SeenLoad[], server: FolderServer): readonly Dependency[] | string {
  const { origin } = new URL(server.url);
  const answers = server.takeAnswers();
  const paths = loads.map((load) => pathsOf(load, origin));
  const reason =
    (loads.length === 0 ? 'no load of the page was recorded' : null) ??
    loads.map((load) => notReusableReason(load, origin)).find((found) => found !== null) ??
    differenceOf(paths);
  if (reason !== null) return reason;
  const inputs: Dependency[] = [];
  // The server knows requests that the browser does not report, and the browser those that its cache answered.
  for (const path of [...new Set([...answers.keys(), ...paths.flatMap((some) => [...some])])].sort()) {
    const [digest = answerFor(server, path).digest, ...others] = answers.get(path) ?? [];
    if (others.length > 0) return `${path} changed while the page was captured`;
    inputs.push({ path, digest });
  }
  return inputs;
}

/** Returns the requests for data from outside: the content of the others comes from the page itself. */
function requestsOf({ requests }: SeenLoad): SeenLoad['requests'] {
  return requests.filter(({ url }) => !/^(data|blob|about):/i.test(url));
}

function notReusableReason(load: SeenLoad, origin: string): string | null {
  const [channel] = load.channels;
  if (channel !== undefined) return `it uses ${channel}`;
  for (const { method, url } of requestsOf(load)) {
    const target = parseUrl(url);
    if (target?.origin !== origin) return `it requests ${url}, which the run does not serve`;
    if (method !== 'GET' && method !== 'HEAD') return `it sends a ${method} request to ${target.pathname}`;
  }
  return null;
}

function pathsOf(load: SeenLoad, origin: string): ReadonlySet<string> {
  const urls = requestsOf(load).map(({ url }) => parseUrl(url));
  return new Set(urls.flatMap((url) => (url?.origin === origin ? [url.pathname] : [])));
}

function differenceOf([first, ...others]: readonly ReadonlySet<string>[]): string | null {
  for (const other of others) {
    const path = [...(first ?? []), ...other].find((one) => !first?.has(one) || !other.has(one));
    if (path !== undefined) return `its loads have different requests: not each loads ${path}`;
  }
  return null;
}
