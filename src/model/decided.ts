import type { RunRecord } from './record.js';

interface Named {
  readonly project: string;
  readonly id: string;
}

/** What people decide of a shot. */
export type Decision = 'approved' | 'rejected';

/** What became of shots that somebody decided on. */
export interface Decided {
  /** Baselines that were written. */
  readonly written: readonly (Named & { readonly path: string })[];
  /** Shots of which nothing had to be written, and why. */
  readonly kept: readonly (Named & { readonly reason: string })[];
  readonly refused: readonly (Named & { readonly reason: string })[];
  readonly warnings: readonly string[];
  /** The run as it is now. */
  readonly record: RunRecord;
}
