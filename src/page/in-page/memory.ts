import type { CookieState } from '../cookies/changes.js';
import type { BoxFinder } from '../masks.js';
import type { ScrollWatchers } from '../stabilize/scroll.js';
import type { Panels } from '../window/expand-panels.js';
import type { Layout } from '../window/grow-window.js';
import type { Lengths } from '../window/pin-lengths.js';
import type { PinnedParts } from '../window/pinned-parts.js';

/** The elements whose lengths proofsheet has set. What it sets is no declaration of the page. */
interface SizedElements {
  /** Their attributes `style` before. */
  readonly styles: WeakMap<Element, string>;
  /** Those that it made as large as their content. */
  readonly expanded: WeakSet<Element>;
}

/** What proofsheet keeps in a document. A navigation discards it. In a page of a test, no init script has noted anything. */
export interface PageMemory {
  closedRoots?: WeakRef<ShadowRoot>[];
  asksForFrames?: boolean;
  /** Returns how long ago a worker, a socket or an event stream sent its last message, in milliseconds of the page. */
  sinceMessage?: () => number;
  /** The page asks for animation frames all the time. */
  hasLoop?: boolean;
  /** The page has created a shared worker, or registered a service worker. */
  hasSharedWorker?: boolean;
  /** Checks whether a script waits for a part of a stream, or for work of the browser. */
  isAwaiting?: () => boolean;
  /** A script has asked the browser for work that is no request, such as encryption. */
  asksForWork?: boolean;
  blankCanvases?: string[];
  scrollWatchers?: ScrollWatchers;

  /** The animations that have the time of an installed clock, and their own playback rates. */
  playbackRates?: WeakMap<Animation, number>;
  /** Names the elements that appeared after an interaction and vanished. */
  listVanished?: () => string[];
  /** What is scrolled before the image: the page, or an area of it. */
  scroller?: Element;
  /** It became longer whenever it was scrolled. */
  isEndless?: boolean;
  cookies?: CookieState;
  playingVideos?: HTMLVideoElement[];
  stoppedImages?: Set<HTMLImageElement>;
  /** Stopped clones and the marquees that they replace. */
  stoppedMarquees?: Map<Element, HTMLMarqueeElement>;
  styled?: { root: DocumentOrShadowRoot; sheet: CSSStyleSheet }[];
  /** A function that is evaluated on a handle cannot call another function. */
  boxFinder?: BoxFinder;

  /** What the window shows, and what follows its height, while it grows. */
  layout?: Layout;
  lengths?: Lengths;
  panels?: Panels;
  /** The areas that the list names in `expand`. */
  namedAreas?: ReadonlySet<Element>;
  sized?: SizedElements;
  /** What is fixed or sticky, while missing content is looked for. */
  pinned?: PinnedParts;
}

declare global {
  interface Window {
    __proofsheet?: PageMemory;
  }
}
