import type { SeenLoad } from '../model/index.js';
import type { FolderServer } from './folder-servers.js';
import { type PageInputs, readPageInputs } from './page-inputs.js';
import type { ReusableShot } from './project-reuse.js';
import {
  hashOf,
  isVerified,
  type KeyParts,
  type ReuseCache,
  type ReuseEntry,
  type StoredCapture,
} from './reuse-cache.js';

/** The reuse of earlier captures for one shot. */
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
    /** Adds a load of the page. Its inputs are those of all loads. */
    recordLoad: (load: SeenLoad) => void loads.push(load),
    /** Returns the inputs of the captured page. */
    readInputs: (): PageInputs =>
      typeof source === 'string' ? { kind: 'unknown', reason: source } : readPageInputs(loads, source),
    /** Returns the day of the earlier capture that this one verifies, such as `2026-11-27`; null: it verifies none. */
    verifiedSince: () => verified?.stored.capture.fetchTime.slice(0, 10) ?? null,
    /**
     * Stores a capture that passed.
     *
     * @param described - as returned by `readInputs`; for unknown inputs, only the reason is stored
     * @param baseline - SHA-256 of the baseline file that the image is, or that it was compared with
     */
    async store(described: PageInputs, baseline: string, stored: StoredCapture): Promise<void> {
      if (described.kind === 'unknown') return cache.writeReason(name, described.reason);
      await cache.add(name, { parts: { ...shot.parts, baseline }, inputs: described.inputs, stored });
      const { environment } = stored.findings;
      if (environment) await cache.writeEnvironment(shot.parts.environment, environment);
      if (run.prunes()) await cache.prune(MAX_CACHE_BYTES);
    },
    /** Removes all stored captures of the shot if this one verifies them. */
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
  for (const entry of entries.filter((one) => otherPart(parts, one.parts) === null)) {
    const changed = entry.inputs.find(({ path, digest }) => digest !== server.digestOf(path));
    if (changed === undefined) return entry;
    changes.push(`${changed.path} changed`);
  }
  return changes[0] ?? PART_CHANGES[otherPart(parts, last.parts) ?? 'settings'];
}

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
