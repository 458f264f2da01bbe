import type { SettleName } from '../../model/settle.js';

/**
 * One cause of two captures of the same page being different, and what is done about it.
 *
 * `init`, `wait`, `freeze` and `restore` run inside the page, in every frame. They travel there as source text, so they may
 * use nothing from outside their own body. What they have to remember, they keep in {@link PageMemory}.
 */
export interface Stabilizer {
  readonly name: SettleName;
  /** Style in force while the page is captured, in every document and open shadow root. */
  readonly css?: string;
  /** Style that is in force from the start of a page: put in force later, it would have the whole page laid out once more. */
  readonly startCss?: string;
  /** Runs in every document before its own scripts do; not in a page that was opened by someone else. */
  readonly init?: () => void;
  /**
   * Waits until the cause is gone, at most {@link capMs}; resolves to what is still not done (URLs, names), empty when all is.
   * Only `pause` tells our own waiting from what the page has planned.
   */
  readonly wait?: (capMs: number, pause: (ms: number) => Promise<void>) => Promise<string[]>;
  /** How long `wait` may take, in milliseconds. */
  readonly capMs?: number;
  /** Stops what moves, just before every image. */
  readonly freeze?: () => void;
  /** Lets go on what was halted, in a page that will be used further. */
  readonly restore?: () => void;
  /** What a person is told when it gave up; the names that `wait` gave follow it. */
  readonly explanation?: string;
}

/** What the stabilizers remember in a document, under one name. */
export interface PageMemory {
  /** The page has scripts that want to know where it is scrolled to. */
  watchesScroll?: boolean;
  /** When the page last changed itself after it was loaded: milliseconds of `performance.now()`. */
  lastMutation?: number;
  /** The browser's own `setTimeout`, for waits that are not the page's. */
  setTimer?: (callback: () => void, ms: number) => number;
  /** Canvases that the browser gave no 3D context. */
  blankCanvases?: string[];
  endlessAnimations?: Set<Animation>;
  playingVideos?: HTMLVideoElement[];
  haltedPictures?: Set<HTMLImageElement>;
  /** Style sheets that were put in force, and where. */
  styled?: { root: DocumentOrShadowRoot; sheet: CSSStyleSheet }[];
}

declare global {
  interface Window {
    __proofsheet?: PageMemory;
  }
}
