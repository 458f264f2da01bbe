import type { SettleName } from '../../model/index.js';
import type { Root } from '../in-page/tools.js';

/**
 * Removes one cause of differences between two captures of the same page.
 *
 * `init`, `wait`, `freeze` and `restore` run in the page, in every frame. They are sent as source text, so they must be
 * self-contained. They store their state in `window.__proofsheet`: see `in-page/memory.ts`.
 */
export interface Stabilizer {
  readonly name: SettleName;
  /**
   * CSS of every document and open shadow root, from the start of a page. If it were applied later, it would cause another layout
   * of the whole page.
   */
  readonly css?: string;
  /** Runs in every document before its own scripts. Does not run in a page that the test opened. */
  readonly init?: () => void;
  /**
   * Waits until the cause is gone, at most {@link capMs}. Resolves to the URLs or names of what is still pending; empty
   * if nothing is.
   *
   * @param roots the document and its open shadow roots.
   */
  readonly wait?: (capMs: number, pause: (ms: number) => Promise<void>, roots: readonly Root[]) => Promise<string[]>;
  /** Maximum duration of `wait`, in milliseconds. */
  readonly capMs?: number;
  /** Stops what moves by itself in the document and its open shadow roots. Runs just before every screenshot. */
  readonly freeze?: (roots: readonly Root[]) => void;
  /** Resumes what was stopped, in a page that stays open. */
  readonly restore?: () => void;
  /** The warning message if `wait` did not finish. The names that `wait` returned follow it. */
  readonly explanation?: string;
}
