/**
 * What the parts of the search for banners hand to each other inside the page.
 *
 * Each part is a function that travels there as source text and gets the others as arguments. None calls Array.from with a
 * function: old libraries put one of their own there, which does not take it.
 */

/** What was done to a page so far, kept in the page itself; gone with it when it moves on. */
export interface CookieState {
  /** What takes each change back, in the order in which they were made. */
  readonly undo: (() => void)[];
  readonly told: Set<string>;
  readonly hidden: Set<HTMLElement>;
  /** Heights that the page may have been pushed down by. */
  readonly heights: number[];
  /** Frames of this page whose whole document is a banner. */
  readonly consentFrames: Set<Element>;
  /** Closed shadow roots that were seen made, or opened from outside. */
  readonly closedRoots: Set<ShadowRoot>;
  /** Elements that may have a closed shadow root. */
  readonly suspects: Element[];
  readonly judged: WeakSet<Element>;
}

/** The page's elements as they are shown, with shadow roots in their places. */
export interface Tree {
  readonly roots: readonly (Document | ShadowRoot)[];
  parentOf(element: Element): Element | null;
  childrenOf(element: Element): Element[];
  isWithin(inner: Element, outer: Element): boolean;
  rootsWithin(element: Element): ShadowRoot[];
  isShown(element: Element): boolean;
  /** Finds also inside the shadow roots below the element. */
  find(element: Element, selector: string): Element[];
  /** Reads what can be seen of the text, in lower case, with plain spaces and apostrophes. */
  textOf(element: Element): string;
  describe(element: Element): string;
}

/** Reads what an element says. */
export interface Reader {
  /** Tells what of a banner's topics a text speaks of. */
  topicOf(text: string): 'cookie' | 'privacy' | null;
  /** Checks whether an element both speaks of cookies and asks for consent. */
  asksConsent(element: Element): boolean;
  /** Checks whether consent is asked for with a clear yes or no, not only "OK". */
  asksClearly(element: Element): boolean;
  /** Checks whether all that an element says is "cookie settings". */
  isReopener(element: Element): boolean;
  /** Checks whether an element, or its first descendants, are named as banners are. */
  isNamed(element: Element): boolean;
  /** Checks whether a name, of a class for instance, has to do with cookies. */
  isName(text: string): boolean;
}

/** Judges where an element lies. */
export interface Place {
  isOverlay(element: Element): boolean;
  coversViewport(element: Element): boolean;
  /** Checks whether there is nothing to be seen in the element but a color over the page. */
  isEmpty(element: Element): boolean;
  /** Checks whether an element in the flow is the first or last thing on the page, and a bar. */
  isEdgeBar(element: Element): boolean;
  /** Returns the outermost element that holds nothing else. */
  widen(element: Element): Element;
}

/** A banner, and what to say of it. */
export interface Banner {
  readonly element: Element;
  readonly name: string;
}

/** What one frame tells. */
export interface FrameFindings {
  readonly told: readonly string[];
  /** The whole document is a banner: the frame that shows it has to go. */
  readonly isBanner: boolean;
  /** How many elements may hide something in a closed shadow root. */
  readonly suspects: number;
}

/** Makes changes that can be taken back. */
export interface Changes {
  hide(element: HTMLElement, told: string): void;
  /** Takes properties off the inline style; tells whether there was one. */
  unset(element: HTMLElement, properties: readonly string[]): boolean;
  override(element: HTMLElement, property: string, value: string): void;
  dropAttribute(element: Element, name: string): void;
  dropClass(element: Element, name: string): void;
  disable(sheet: StyleSheet): void;
}
