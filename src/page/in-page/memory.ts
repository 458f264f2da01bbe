import type { HiddenElement } from '../../model/index.js';

/** What proofsheet keeps in a document. A navigation discards it. In a page of a test, no init script has noted anything. */
export interface PageMemory extends ReturnType<typeof createMemory> {
  scrollWatchers?: ScrollWatchers;
  /** Returns how long ago a worker, a socket or an event stream sent its last message, in milliseconds of the page. */
  sinceMessage?: () => number;
  /** Checks whether a script waits for a part of a stream, or for work of the browser. */
  isAwaiting?: () => boolean;
  /** Names the elements that appeared after an interaction and vanished. */
  listVanished?: () => string[];
  /** What is scrolled before the image: the page, or an area of it. */
  scroller?: Element;
  cookies?: CookieState;
  layout?: Layout;
  lengths?: Lengths;
  pinned?: PinnedParts;
}

/** Runs in the page. */
export function createMemory() {
  const closedRoots: WeakRef<ShadowRoot>[] = [];
  const blankCanvases: string[] = [];
  const playingVideos: HTMLVideoElement[] = [];
  const styled: { root: DocumentOrShadowRoot; sheet: CSSStyleSheet }[] = [];
  const ownStyles = new WeakMap<Element, string>();
  const panels: Panels = {
    grown: [],
    touched: [],
    looked: [],
    telling: [],
    complete: new WeakSet(),
    kept: new WeakSet(),
    scrolled: new Map(),
  };
  return {
    closedRoots,
    blankCanvases,
    playingVideos,
    styled,
    panels,
    asksForFrames: false,
    /** A script has asked the browser for work that is no request, such as encryption. */
    asksForWork: false,
    /** The page asks for animation frames all the time. */
    hasLoop: false,
    /** The page has created a shared worker, or registered a service worker. */
    hasSharedWorker: false,
    /** The scroller became longer whenever it was scrolled. */
    isEndless: false,
    /** The animations that have the time of an installed clock, and their own playback rates. */
    playbackRates: new WeakMap<Animation, number>(),
    stoppedImages: new Set<HTMLImageElement>(),
    /** Stopped clones and the marquees that they replace. */
    stoppedMarquees: new Map<Element, HTMLMarqueeElement>(),
    /** The areas that the list names in `expand`. */
    namedAreas: new Set<Element>(),
    /** The elements that were made as large as their content. */
    expanded: new WeakSet<Element>(),
    /** The attributes `style` of the elements with styles of {@link override}. What that sets is no declaration of the page. */
    ownStyles,
    override(element: HTMLElement | SVGElement, style: Readonly<Record<string, string>>): void {
      const before = element.style.cssText;
      if (!ownStyles.has(element)) ownStyles.set(element, before);
      panels.touched.unshift({ element, style: before });
      for (const [name, value] of Object.entries(style)) element.style.setProperty(name, value, 'important');
    },
  };
}

/** The scripts of a document that may react to scrolling. */
export interface ScrollWatchers {
  readonly listening: ReadonlySet<EventTarget>;
  readonly wheeled: ReadonlySet<EventTarget>;
  /** The elements that each intersection observer observes, and whether it has seen them. */
  readonly observed: ReadonlyMap<IntersectionObserver, Map<Element, boolean>>;
  /** The animation frames that are requested, by id, and those of them that belong to a loop. */
  readonly pendingFrames: ReadonlySet<number>;
  readonly loopFrames: ReadonlySet<number>;
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

/** What was done about cookie banners. */
export interface CookieState {
  readonly undo: (() => void)[];
  readonly removed: HiddenElement[];
  readonly hidden: Set<HTMLElement>;
  /** Heights of hidden elements and their children, in CSS pixels. The page may reserve space of one of these heights. */
  readonly heights: number[];
  /** Frames of this page whose whole document is a banner. */
  readonly consentFrames: Set<Element>;
}

/** What the first window showed in full. */
interface Layout {
  /** Notes how it is now. */
  note(): void;
  /** Lists the elements that have another size or text than noted. */
  listChanged(): number[];
  /** Checks whether an element is no longer shown that was when it was noted. */
  hasVanished(): boolean;
}

/** The lengths of a document that follow the height of its window. */
interface Lengths {
  /** Compares with the first size. Returns whether something follows the height. */
  compare(): boolean;
  /** Reads the lengths at the first size. */
  read(): void;
  /** Gives what follows the height the lengths that it had at the first size. */
  pin(): void;
}

/** A panel that grew, and what it hid and showed before, in CSS pixels. */
export interface GrownPanel {
  readonly panel: Element;
  readonly hidden: { readonly down: number; readonly sideways: number };
  readonly shown: { readonly down: number; readonly sideways: number };
  /** How far it was scrolled, from its top or, if it was scrolled to its end, from there. */
  readonly scroll: { readonly top: number; readonly isAtEnd: boolean };
}

/** The panels of a document: areas that scroll. */
interface Panels {
  /** Those that grew in the last call. */
  grown: GrownPanel[];
  /** The styles before the last call, those that were set last first. */
  touched: { readonly element: HTMLElement | SVGElement; readonly style: string }[];
  /**
   * Panels that are looked at when the image is proven: the one that a visitor scrolls instead of the page, and those with a script that draws
   * what is in view, which are blank below.
   */
  readonly looked: { readonly panel: Element; readonly styles: Panels['touched']; top: number }[];
  /** Panels whose script learns of how far they are scrolled: what is beside them may show it. */
  readonly telling: { readonly panel: Element; readonly styles: Panels['touched'] }[];
  /** Panels that show all of their content. */
  readonly complete: WeakSet<Element>;
  /** Panels that show no more when they are larger. */
  readonly kept: WeakSet<Element>;
  /** Panels that are scrolled sideways, and where that began; null if it has ended. */
  readonly scrolled: Map<Element, number | null>;
}

/** What an element shows while the page or a panel is scrolled, and that the image does not show. */
export interface PinnedLook {
  readonly name: string;
  /** The text that the image does not have; null if it has another look only, such as a color. */
  readonly text: string | null;
}

/** The elements that do not scroll with the page, or with a panel, while missing content is looked for. */
interface PinnedParts {
  hide(): void;
  /** Shows the canvases of a panel again: one that sticks to it draws its content. */
  showCanvases(panel: Element): void;
  /** Lists what those that are hidden show, and did not when they were noted: at most one text for each. */
  list(): PinnedLook[];
  /**
   * Lists what elements beside a panel show, and did not when they were noted. At its start, notes those that show something else already:
   * they do not count.
   */
  listBeside(panel: Element, isStart: boolean): PinnedLook[];
}

declare global {
  interface Window {
    __proofsheet?: PageMemory;
  }
}
