import type { SettleName } from '../../model/index.js';
import type { Tools } from '../in-page/tools.js';

/**
 * Removes one cause of differences between two captures of the same page. Its functions run in every frame. They are sent as source text, so they
 * must be self-contained, and store their state in the memory of the document: see `in-page/memory.ts`.
 */
export interface Stabilizer {
  readonly name: SettleName;
  /** CSS of every document and open shadow root, from the start of a page: applied later, it would cause another layout. */
  readonly css?: string;
  /** Runs in every document before its own scripts. Does not run in a page that the test opened. */
  readonly init?: (tools: Tools) => void;
  /** Waits until the cause is gone, for `capMs` milliseconds at most. Resolves to the URLs or names of what is still pending. */
  readonly wait?: (tools: Tools, capMs: number, pause: (ms: number) => Promise<void>) => Promise<string[]>;
  readonly capMs?: number;
  /** Stops what moves by itself, just before every screenshot. */
  readonly freeze?: (tools: Tools) => void;
  /** Resumes what was stopped, in a page that stays open. */
  readonly restore?: (tools: Tools) => void;
  /** The warning message if `wait` did not finish. The names that `wait` returned follow it. */
  readonly explanation?: string;
}
