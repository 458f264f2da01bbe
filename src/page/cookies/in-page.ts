import type { HiddenElement } from '../../model/index.js';
import type { Root } from '../in-page/frames.js';

/**
 * Types of the banner search, which runs in the page.
 *
 * Each part is a function whose source is sent to the page. It receives the other parts as arguments. No part passes a
 * function to Array.from, because old libraries replace Array.from by one without this parameter.
 */

/** The changes made to a document. Stored in its global object, so a navigation discards it. */
export interface CookieState {
  /** The undo function of each change, in the order of the changes. */
  readonly undo: (() => void)[];
  /** The hidden elements, for the result. */
  readonly removed: HiddenElement[];
  readonly hidden: Set<HTMLElement>;
  /** Heights of hidden elements and their children, in CSS pixels. The page may reserve space of one of these heights. */
  readonly heights: number[];
  /** Frames of this page whose whole document is a banner. */
  readonly consentFrames: Set<Element>;
  /** Closed shadow roots, recorded by the init script or found by CDP. */
  readonly closedRoots: Set<ShadowRoot>;
  /** Elements that may have a closed shadow root. */
  readonly suspects: Element[];
  /** Elements that were already checked for a closed shadow root. */
  readonly judged: WeakSet<Element>;
}

/** The elements of the page as a flattened tree, including shadow roots. */
export interface Tree {
  readonly roots: readonly Root[];
  parentOf(element: Element): Element | null;
  childrenOf(element: Element): Element[];
  isWithin(inner: Element, outer: Element): boolean;
  rootsWithin(element: Element): ShadowRoot[];
  isShown(element: Element): boolean;
  /** Returns the matching descendants, including those in shadow roots. */
  find(element: Element, selector: string): Element[];
  /** Returns the visible text in lower case, with normalized spaces and apostrophes. */
  textOf(element: Element): string;
  /** Returns the visible text as it is written, with normalized spaces. */
  shownTextOf(element: Element): string;
  describe(element: Element): string;
}

/** Classifies the text of elements. */
export interface Reader {
  /** Returns the banner topic of a text, or null. */
  topicOf(text: string): 'cookie' | 'privacy' | null;
  /** Checks whether an element mentions cookies or privacy and asks for consent. */
  asksConsent(element: Element): boolean;
  /** Checks whether an element asks for consent with an accept or reject control, not only "OK". */
  asksClearly(element: Element): boolean;
  /** Checks whether an element says that the site uses cookies, and has a control that closes it. */
  states(element: Element): boolean;
  /** Checks whether a text is a label such as "accept all". */
  isAcceptAll(text: string): boolean;
  /**
   * Classifies a choice between "accept all" and "reject" or "customize". `consent` is a choice whose text, names, links or
   * hidden parts relate to consent. `settings` is a choice to customize without such evidence.
   */
  choiceOf(element: Element): 'consent' | 'settings' | null;
  /** Checks whether the whole label of an element is "cookie settings" or similar. */
  isReopener(element: Element): boolean;
  /** Checks whether an element, or one of its children, has an id, class or label that is typical of banners. */
  isNamed(element: Element): boolean;
  /** Checks whether a name is typical of consent tools. */
  isConsentName(text: string): boolean;
  /** Checks whether a name, such as a class name, relates to cookies. */
  isName(text: string): boolean;
}

/** Classifies the position of elements. */
export interface Place {
  isOverlay(element: Element): boolean;
  coversViewport(element: Element): boolean;
  /** Checks whether an element shows no content. An overlay may have a background. */
  isEmpty(element: Element): boolean;
  /** Checks whether an element is a bar, and the first or last visible element in the flow of the page. */
  isEdgeBar(element: Element): boolean;
  /** Returns the outermost ancestor without other visible content. */
  widen(element: Element): Element;
}

/** A banner, and its name for the result. */
export interface Banner {
  readonly element: Element;
  readonly name: string;
}

/** The result of one frame. */
export interface FrameResult {
  readonly removed: readonly HiddenElement[];
  /** Whether the whole document is a banner. If so, its frame element is hidden. */
  readonly isBanner: boolean;
  /** Number of elements that may have a closed shadow root. */
  readonly suspects: number;
}

/** Makes changes that can be undone. */
export interface Changes {
  /** @param text - its text, if it has any that is visible */
  hide(element: HTMLElement, description: string, text: string): void;
  /** Removes properties from the inline style. Returns whether any of them was set. */
  unset(element: HTMLElement, properties: readonly string[]): boolean;
  override(element: HTMLElement, property: string, value: string): void;
  dropAttribute(element: Element, name: string): void;
  dropClass(element: Element, name: string): void;
  disable(sheet: StyleSheet): void;
}
