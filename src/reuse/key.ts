import { createHash } from 'node:crypto';
import type { CaptureResponse, ShotRecord } from '../model/index.js';

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
