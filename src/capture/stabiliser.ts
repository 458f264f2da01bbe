/**
 * One cause of two captures of the same page being different, and what is done about it.
 *
 * `wait` and `restore` run inside the page, in every frame. They travel there as source text, so they may use nothing from outside their own
 * body.
 */
export interface Stabiliser {
  readonly name: string;
  /** Style in force while the page is captured. */
  readonly css?: string;
  /** Waits until the cause is gone, at most `capMs`; resolves to what is still not done (URLs, names), empty when all is. */
  readonly wait?: (capMs: number) => Promise<string[]>;
  /** Lets go on what `wait` halted, in a page that will be used further. Runs inside the page as `wait` does. */
  readonly restore?: () => void;
  /** What a person is told when it gave up; the names that `wait` gave follow it. */
  readonly explanation?: string;
}
