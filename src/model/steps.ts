/** Something that has to be so before a page is captured. */
export type Wait =
  /** An element that is visible. */
  | { readonly kind: 'selector'; readonly selector: string }
  /** A text that is visible, any part of it, whatever its case. */
  | { readonly kind: 'text'; readonly text: string }
  /** A response whose URL fits this pattern, in Playwright's words: `**\/api/items*`. */
  | { readonly kind: 'response'; readonly pattern: string };

/** Something that is done to a page before it is captured, as a visitor would do it. */
export type Action =
  | { readonly kind: 'click'; readonly selector: string }
  | { readonly kind: 'hover'; readonly selector: string }
  | { readonly kind: 'fill'; readonly selector: string; readonly value: string }
  /** A key as Playwright names it (`Enter`, `Control+A`), in an element or where the focus is. */
  | { readonly kind: 'press'; readonly key: string; readonly selector: string | null }
  /** To an element, or to a distance from the top of the page in CSS pixels. */
  | { readonly kind: 'scrollTo'; readonly to: string | number }
  | { readonly kind: 'pause'; readonly ms: number }
  | { readonly kind: 'wait'; readonly until: Wait };
