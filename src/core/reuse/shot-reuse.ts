import type { CachedEntry, ReuseCache } from '../../baselines/reuse-cache.js';
import type { Environment } from '../../model/environment.js';
import { messageOf } from '../../model/errors.js';
import type { KeyParts, PageInput, ReuseEntry, SeenLoad } from '../../model/reuse.js';
import type { ShotRecord } from '../../model/run-record.js';
import { hashOf, isVerified, keyOf } from './key.js';
import { readPageInputs } from './page-inputs.js';
import type { DescribedInputs, RunInputs } from './run-inputs.js';

/** Whether a shot is captured. `verify`: it could be reused, but it was chosen to be captured all the same. */
export type ReuseDecision =
  | { readonly kind: 'reuse'; readonly entry: ReuseEntry }
  | { readonly kind: 'verify'; readonly entry: ReuseEntry }
  | { readonly kind: 'capture'; readonly why: string };

/** The reuse of earlier captures for one shot. */
export interface ShotReuse {
  /** Decides whether an earlier capture can be reused. @param baseline - SHA-256 of the baseline file */
  decide(baseline: string): Promise<ReuseDecision>;
  /** Returns the environment of the browser from an earlier run; null: it must be launched to know. */
  readEnvironment(): Promise<Environment | null>;
  /** Adds a load of the page. Its inputs are those of all loads. */
  recordLoad(load: SeenLoad): void;
  /** Fetches the inputs of the captured page. */
  readInputs(): Promise<DescribedInputs>;
  /**
   * Stores a capture that passed.
   *
   * @param inputs - as returned by `readInputs`; for unknown inputs, only the reason is stored
   * @param baseline - SHA-256 of the baseline file that the image is, or that it was compared with
   */
  store(inputs: DescribedInputs, baseline: string, record: ShotRecord): Promise<void>;
  /** Removes all stored captures of the shot. */
  drop(): Promise<void>;
}

/** The shot, and everything that its image depends on except its inputs and its baseline. */
export interface ReusableShot {
  readonly project: string;
  readonly id: string;
  /** Why the shot is never reused; null if it can be. */
  readonly obstacle: string | null;
  /** Why this run captures the shot in any case; null if it can reuse. Its capture can be reused later. */
  readonly captureReason: string | null;
  /** Hashes of everything but the baseline. */
  readonly parts: Omit<KeyParts, 'baseline'>;
  /** Origin of a server that only this run has; null: none. Stored inputs do not contain it. */
  readonly servedOrigin: string | null;
  /** Value of the header `Accept-Language`; null: the default of the browser. */
  readonly language: string | null;
}

/** What the shots of a run share. */
export interface ReuseRun {
  readonly cache: ReuseCache;
  readonly inputs: RunInputs;
  /** Share of the reusable shots that are captured all the same, 0..1. */
  readonly verify: number;
  /** The commit; outside of git, the id of the run. */
  readonly run: string;
  /** True for the worker that keeps the cache within its size. */
  readonly prunes: () => boolean;
}

/** Maximum size of the cache, in bytes. An entry of a page with 50 inputs takes about 30 kB. */
const MAX_CACHE_BYTES = 200 * 1024 * 1024;

/**
 * Reads the earlier captures of a shot before its test begins, and requests the inputs of the last one: the test then need not wait for
 * them. Decides nothing. Servers of stories are left out, because they may not run yet.
 */
export async function readAhead(
  shot: Pick<ReusableShot, 'project' | 'id'>,
  { cache, inputs }: Pick<ReuseRun, 'cache' | 'inputs'>,
): Promise<readonly CachedEntry[]> {
  const entries = await cache.read(nameOf(shot));
  const [last] = entries;
  const isServed = last?.entry.inputs.some(({ url }) => url.startsWith(SERVED));
  // The decision about the shot meets the same error.
  if (last && !isServed) inputs.readDigests(last.entry.inputs).catch(messageOf);
  return entries;
}

/** Returns the name of a shot in the cache. */
function nameOf({ project, id }: Pick<ReusableShot, 'project' | 'id'>): string {
  return hashOf([project, id]);
}

/** Creates the reuse of one shot. @param stored - its earlier captures, the last used first */
export function createShotReuse(shot: ReusableShot, run: ReuseRun, stored: Promise<readonly CachedEntry[]>): ShotReuse {
  const { cache } = run;
  const name = nameOf(shot);
  const loads: SeenLoad[] = [];
  return {
    async decide(baseline) {
      const reason = shot.obstacle ?? shot.captureReason;
      if (reason !== null) return { kind: 'capture', why: reason };
      const entries = (await stored).map((cached) => ({
        ...cached,
        inputs: rebaseAll(cached.entry.inputs, SERVED, shot.servedOrigin),
      }));
      const found = await findEntry({ ...shot.parts, baseline }, entries, run.inputs);
      if (typeof found === 'string') return { kind: 'capture', why: await explain(found, cache, name) };
      await cache.touch(name, found.key);
      return { kind: isVerified(run.verify, run.run, shot) ? 'verify' : 'reuse', entry: found.entry };
    },
    readEnvironment: () => cache.readEnvironment(shot.parts.environment),
    recordLoad: (load) => void loads.push(load),
    async readInputs() {
      if (shot.obstacle !== null) return { kind: 'unknown', reason: shot.obstacle };
      const page = readPageInputs(loads, shot.language);
      return page.kind === 'unknown' ? page : run.inputs.describe(page.inputs);
    },
    async store(described, baseline, record) {
      if (described.kind === 'unknown') return cache.writeReason(name, described.reason);
      const parts = { ...shot.parts, baseline };
      const inputs = rebaseAll(described.inputs, shot.servedOrigin, SERVED);
      await cache.write(name, keyOf(parts, inputs), { parts, inputs, uses: described.uses, record });
      if (record.environment) await cache.writeEnvironment(parts.environment, record.environment);
      if (run.prunes()) await cache.prune(MAX_CACHE_BYTES);
    },
    drop: () => cache.drop(name),
  };
}

/** Stands in stored inputs for the origin of a server that only one run has. */
const SERVED = 'http://served.invalid';

/** Replaces an origin in the URLs and headers of inputs. */
function rebaseAll(inputs: readonly PageInput[], from: string | null, to: string | null): PageInput[] {
  if (from === null || to === null) return [...inputs];
  return inputs.map(({ url, headers, ...input }) => ({
    ...input,
    url: url.replace(from, to),
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, value.replaceAll(from, to)])),
  }));
}

/** An entry with its inputs as this run requests them. */
interface Candidate extends CachedEntry {
  readonly inputs: readonly PageInput[];
}

/** Finds the entry whose inputs are those of now. Returns why there is none, for the entry that comes closest. */
async function findEntry(
  parts: KeyParts,
  entries: readonly Candidate[],
  inputs: RunInputs,
): Promise<Candidate | string> {
  const [last] = entries;
  if (!last) return NOTHING_KNOWN;
  const candidates = entries.filter(({ entry }) => otherPart(parts, entry.parts) === null);
  const changes: string[] = [];
  for (const candidate of candidates) {
    const digests = await inputs.readDigests(candidate.inputs);
    // Equal parts and equal digests give an equal key.
    const changed = candidate.inputs.findIndex(({ digest }, index) => digest !== digests[index]);
    if (changed === -1) return candidate;
    changes.push(renderChange(candidate.inputs[changed]?.url ?? '', digests[changed] ?? null));
  }
  return changes[0] ?? PART_CHANGES[otherPart(parts, last.entry.parts) ?? 'settings'];
}

const NOTHING_KNOWN = 'no capture of it is known';

const PART_CHANGES: Readonly<Record<keyof KeyParts, string>> = {
  version: 'the last capture was made with another version of proofsheet',
  settings: 'its settings changed',
  environment: 'the browser, its options, the fonts or the system changed',
  baseline: 'its baseline changed',
};

function otherPart(parts: KeyParts, others: KeyParts): keyof KeyParts | null {
  const names = ['version', 'settings', 'environment', 'baseline'] as const;
  return names.find((name) => parts[name] !== others[name]) ?? null;
}

/** Names an input that changed. @param digest - its current digest; null: not known */
function renderChange(url: string, digest: string | null): string {
  return digest === null ? `${url} cannot be fetched, or depends on more than its URL` : `${url} changed`;
}

/** Without an entry, the last capture may have stored why. */
async function explain(why: string, cache: ReuseCache, name: string): Promise<string> {
  return why === NOTHING_KNOWN ? ((await cache.readReason(name)) ?? why) : why;
}
