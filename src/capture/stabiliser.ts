/**
 * One cause of two captures of the same page being different, and what is done about it.
 *
 * `wait` runs inside the page, in every frame. It travels there as source text, so it may use nothing from outside its own
 * body.
 */
export interface Stabiliser {
  readonly name: string;
  /** Style in force while the page is captured. */
  readonly css?: string;
  /** Waits until the cause is gone, at most `capMs`; resolves to what is still not done (URLs, names), empty when all is. */
  readonly wait?: (capMs: number) => Promise<string[]>;
  /** What a person is told when it gave up; the names that `wait` gave follow it. */
  readonly explanation?: string;
}
