import type { HiddenElement } from '../../model/index.js';

/** What proofsheet keeps in a document. A navigation discards it. In a page of a test, no init script has noted anything. */
export interface PageMemory extends ReturnType<typeof createMemory> {
  /** Returns how long ago a worker, a socket or an event stream sent its last message, in milliseconds of the page. */
  sinceMessage?: () => number;
  /** Checks whether a script waits for a part of a stream, or for work of the browser. */
  isAwaiting?: () => boolean;
  /** Names the elements that appeared after an interaction and vanished. */
  listVanished?: () => string[];
  /** What is scrolled before the image: the page, or an area of it. */
  scroller?: Element;
  cookies?: CookieState;
  /** What the first window showed in full. `hasVanished`: an element is no longer shown that was when it was noted. */
  layout?: { note(): void; listChanged(): number[]; hasVanished(): boolean };
  /** What follows the height of the window. `compare` and `pin` are called at the new height, and `read` at the first one. */
  lengths?: { compare(): boolean; read(): void; pin(): void };
  pinned?: PinnedParts;
}

/** Runs in the page. */
export function createMemory() {
  const listOf = <Item>(): Item[] => [];
  /** The attributes `style` of the elements with styles of `override`. What that sets is no declaration of the page. */
  const ownStyles = new WeakMap<Element, string>();
  const expanded = new WeakSet<Element>();
  type Touched = { readonly element: HTMLElement | SVGElement; readonly style: string };
  /** The areas that scroll. */
  const panels = {
    /** Those that grew in the last call. */
    grown: listOf<GrownPanel>(),
    /** The styles before the last call, those that were set last first. */
    touched: listOf<Touched>(),
    /**
     * Panels that are looked at when the image is proven: the one that a visitor scrolls instead of the page, and those with a script that draws
     * what is in view, which are blank below.
     */
    looked: listOf<{ readonly panel: Element; readonly styles: readonly Touched[]; top: number }>(),
    /** Panels whose script learns of how far they are scrolled: what is beside them may show it. */
    telling: listOf<{ readonly panel: Element; readonly styles: readonly Touched[] }>(),
    /** Panels that show all of their content. */
    complete: new WeakSet<Element>(),
    /** Panels that show no more when they are larger. */
    kept: new WeakSet<Element>(),
    /** Panels that are scrolled sideways, and where that began; null if it has ended. */
    scrolled: new Map<Element, number | null>(),
  };
  return {
    panels,
    closedRoots: listOf<WeakRef<ShadowRoot>>(),
    blankCanvases: listOf<string>(),
    playingVideos: listOf<HTMLVideoElement>(),
    styled: listOf<{ root: DocumentOrShadowRoot; sheet: CSSStyleSheet }>(),
    asksForFrames: false,
    /** A script has asked the browser for work that is no request, such as encryption. */
    asksForWork: false,
    /** The page asks for animation frames all the time. */
    hasLoop: false,
    /** The page has created a shared worker, or registered a service worker. */
    hasSharedWorker: false,
    /** The scroller became longer whenever it was scrolled. */
    isEndless: false,
    /** What the scripts of the document listen to. */
    scrollListeners: new Set<EventTarget>(),
    wheelListeners: new Set<EventTarget>(),
    /** The elements that each intersection observer observes, and whether it has seen them. */
    observed: new Map<IntersectionObserver, Map<Element, boolean>>(),
    /** A script has observed what is in view. The observer may have ended. */
    hasObserved: false,
    /** The animation frames that are requested, by id, and those of them that belong to a loop. */
    pendingFrames: new Set<number>(),
    loopFrames: new Set<number>(),
    /** A script listens to the size of a window, or to a media query. Without the stabilizer `scroll`, it may. */
    hasResize: true,
    /** Scripts are not told of another size of the window. */
    hidesResize: false,
    /**
     * Calls the listeners that wait for any first input of a visitor, such as those of WP Rocket, which load scripts only then: one function
     * listens to keys, to touches and to the mouse.
     */
    sendFirstInput: () => {},
    /** The animations that have the time of an installed clock, and their own playback rates. */
    playbackRates: new WeakMap<Animation, number>(),
    stoppedImages: new Set<HTMLImageElement>(),
    /** Stopped clones and the marquees that they replace. */
    stoppedMarquees: new Map<Element, HTMLMarqueeElement>(),
    /** The areas that the list names in `expand`. */
    namedAreas: new Set<Element>(),
    /** The elements that were made as large as their content. */
    expanded,
    /** Returns the style of an element as the page had it before {@link override} set a property; `grown`: its size is that of its content. */
    ownStyleOf(element: Element, style: CSSStyleDeclaration, property: string): CSSStyleDeclaration | 'grown' {
      const before = ownStyles.get(element);
      if (before === undefined || style.getPropertyPriority(property) === '') return style;
      const { style: own } = document.createElement('i');
      own.cssText = before;
      const isImportant = own.getPropertyPriority(property) !== '';
      const isSame = isImportant && own.getPropertyValue(property) === style.getPropertyValue(property);
      return expanded.has(element) && !isSame ? 'grown' : own;
    },
    override(element: HTMLElement | SVGElement, style: Readonly<Record<string, string>>): void {
      const before = element.style.cssText;
      if (!ownStyles.has(element)) ownStyles.set(element, before);
      panels.touched.unshift({ element, style: before });
      for (const [name, value] of Object.entries(style)) element.style.setProperty(name, value, 'important');
    },
  };
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

/** A panel that grew, and what it hid and showed before, in CSS pixels. */
export interface GrownPanel {
  readonly panel: Element;
  readonly hidden: { readonly down: number; readonly sideways: number };
  readonly shown: { readonly down: number; readonly sideways: number };
  /** How far it was scrolled, from its top or, if it was scrolled to its end, from there. */
  readonly scroll: { readonly top: number; readonly isAtEnd: boolean };
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
  /** Undoes `hide`. */
  show(): void;
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
