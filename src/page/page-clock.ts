/** How long a page lives before its image, in milliseconds of its own time, as it does for a visitor who reads it. */
export const LIVED_MS = 5_000;

/** How long a page lives after its window grew or its content was changed, in milliseconds of its time: animations of what came into view end. */
export const REACTION_MS = 1_000;

/** Real milliseconds for each millisecond of a page with workers or sockets, which have a clock of their own. */
export const OWN_CLOCK_PACE = 0.5;

/**
 * The clock of a page. `frames/controlled-clock.ts` controls the time of a page in Chromium, and in the headless shell its frames, too.
 * `plain/installed-clock.ts` is for Firefox and WebKit, and `plain/real-clock.ts` for a page that a test opened.
 */
export interface PageClock {
  /** Controlled: nothing of the page runs by a timer unless one of these functions is called. */
  readonly isControlled: boolean;
  /** The frames of the page are drawn by this clock, and by nothing else. */
  readonly drawsFrames: boolean;
  prepare(): Promise<void>;
  /**
   * Lets the page live for `ms` milliseconds of its time, with `stepMs` of them between two frames. A controlled page lives as fast as the machine can,
   * and its time is paused while it loads something.
   */
  pass(ms: number, stepMs?: number): Promise<void>;
  /** Lets the page live while Playwright acts in it, such as by a click: its time passes no faster than real time. */
  during<T>(work: Promise<T>): Promise<T>;
  /** Draws frames for work that needs some, such as a screenshot of Playwright. The page gets hardly any time. */
  standing<T>(work: () => Promise<T>): Promise<T>;
  /** Waits for work that usually needs no time of the page. The page gets some only if it is idle and the work has not ended. */
  awaiting<T>(work: Promise<T>): Promise<T>;
  /** Lets the page live as little as possible, without frames, until `event`, and until the responses that it waits for have come. */
  until(event: Promise<unknown>): Promise<void>;
  /**
   * Lets the page live until a multiple of `ms` milliseconds since it was opened: interactions take a different time in each run.
   *
   * @param aheadMs - how much later than its frames the page is from now on, in milliseconds of a controlled page
   */
  align(ms: number, aheadMs?: number): Promise<void>;
  /** Returns the image of the next frame, with `devicePixelRatio` pixels for each CSS pixel. @throws Error outside Chromium */
  shoot(format: 'png' | 'jpeg' | 'webp', quality: number): Promise<Buffer>;
  /** Ends what is going on, such as a long {@link PageClock.pass}, with an error: the document that it was for was replaced. */
  abandon(): void;
}
