import type { SettleName } from '../../model/index.js';
import type { Root } from '../in-page/frames.js';

/**
 * Removes one cause of differences between two captures of the same page.
 *
 * `init`, `wait`, `freeze` and `restore` run in the page, in every frame. They are sent as source text, so they must be
 * self-contained. They store their state in {@link PageMemory}.
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

/** The scripts of a document that may react to scrolling, stored in `window.__proofsheet`. */
export interface ScrollWatchers {
  /** The targets of scroll listeners. */
  readonly listening: ReadonlySet<EventTarget>;
  /** The elements that each intersection observer observes. */
  readonly observed: ReadonlyMap<IntersectionObserver, ReadonlySet<Element>>;
  /** The requested animation frames of loops, by id. */
  readonly loopFrames: ReadonlySet<number>;
  /** A script listens to the mouse wheel. */
  hasWheel: boolean;
  /** A script has observed what is in view. The observer may have ended. */
  hasObserved: boolean;
  /** A script listens to the size of a window, or to a media query. */
  hasResize: boolean;
  /** Scripts are not told of another size of the window. */
  hidesResize: boolean;
  /**
   * Calls the listeners that wait for any first input of a visitor, such as those of WP Rocket, which load scripts only then: one function listens
   * to keys, to touches and to the mouse.
   */
  sendFirstInput: () => void;
}

/** The state of the stabilizers in a document, stored in `window.__proofsheet`. */
export interface PageMemory {
  scrollWatchers?: ScrollWatchers;
  /** What is scrolled before the image: the page, or an area of it. */
  scroller?: Element;
  /** The page has called `requestAnimationFrame`. */
  asksForFrames?: boolean;
  /** The page has created a shared worker, or registered a service worker. */
  hasSharedWorker?: boolean;
  /** Checks whether a script waits for a part of a stream, or for work of the browser. */
  isAwaiting?: () => boolean;
  /** A script has asked the browser for work that is no request, such as encryption. */
  asksForWork?: boolean;
  /** Names of the canvases without a 3D context. */
  blankCanvases?: string[];
  playingVideos?: HTMLVideoElement[];
  stoppedImages?: Set<HTMLImageElement>;
  /** Stopped clones and the marquees that they replace. */
  stoppedMarquees?: Map<Element, HTMLMarqueeElement>;
  /** Style sheets that were added, and their roots. */
  styled?: { root: DocumentOrShadowRoot; sheet: CSSStyleSheet }[];
}

declare global {
  interface Window {
    __proofsheet?: PageMemory;
  }
}
