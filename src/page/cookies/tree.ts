import type { openRoots } from '../in-page/frames.js';

/** The elements of a page as a flattened tree, including shadow roots. */
export type Tree = ReturnType<typeof createTree>;

/** Runs in the page. Creates the functions that read the flattened tree of elements. */
export function createTree(listRoots: typeof openRoots) {
  const roots = listRoots();
  const shadows = new Map<Element, ShadowRoot>();
  for (const root of roots) if (root instanceof ShadowRoot) shadows.set(root.host, root);
  const WITHOUT_TEXT = 'script, style, link, template, noscript, meta';

  const parentOf = (element: Element): Element | null => {
    const above = element.assignedSlot ?? element.parentElement;
    if (above) return above;
    const root = element.getRootNode();
    return root instanceof ShadowRoot ? root.host : null;
  };

  const isWithin = (inner: Element, outer: Element): boolean => {
    for (let at: Element | null = inner; at; at = parentOf(at)) if (at === outer) return true;
    return false;
  };

  const rootsWithin = (element: Element) => [...shadows.values()].filter((root) => isWithin(root.host, element));

  const isShown = (element: Element) => element.checkVisibility({ visibilityProperty: true });

  // toLowerCase converts a Turkish capital İ to "i" and a combining dot (U+0307).
  const normalize = (text: string) =>
    text
      .normalize('NFC')
      .toLowerCase()
      .replace(/\u0307/g, '')
      .replace(/[’‘`]/g, "'")
      .replace(/\s+/g, ' ')
      .trim();

  /** Returns visible text only. A banner may contain hidden text, such as the lists of its further steps. */
  const shownText = (node: Node): string => {
    // biome-ignore lint/performance/useDomNodeTextContent: textContent includes hidden text.
    return node instanceof HTMLElement ? node.innerText : (node.textContent ?? '');
  };

  const textsOf = (element: Element): string => {
    const elementText = shownText(element);
    const inner = rootsWithin(element).flatMap((root) =>
      [...root.children].map((child) => (child.matches(WITHOUT_TEXT) ? '' : shownText(child))),
    );
    const slotted = [...element.querySelectorAll('slot')].map((slot) => slot.assignedNodes().map(shownText));
    return [elementText, ...inner, ...slotted.flat()].join(' ');
  };

  return {
    roots,
    parentOf,
    isWithin,
    rootsWithin,
    isShown,
    childrenOf(element: Element): Element[] {
      const root = shadows.get(element);
      if (root) return [...root.children].filter((child) => !child.matches(WITHOUT_TEXT));
      const slotted = element instanceof HTMLSlotElement ? element.assignedElements() : [];
      const children = slotted.length > 0 ? slotted : [...element.children];
      return children.filter((child) => !child.matches(WITHOUT_TEXT));
    },
    /** Returns the matching descendants, including those in shadow roots. */
    find(element: Element, selector: string): Element[] {
      const inner = rootsWithin(element).flatMap((root) => [...root.querySelectorAll(selector)]);
      return [...element.querySelectorAll(selector), ...inner];
    },
    /** Returns the visible text in lower case, with normalized spaces and apostrophes. */
    textOf: (element: Element) => normalize(textsOf(element)),
    /** Returns the visible text as it is written, with normalized spaces. */
    shownTextOf: (element: Element) => textsOf(element).replace(/\s+/g, ' ').trim(),
    describe(element: Element): string {
      const name = element.id ? `#${element.id}` : [...element.classList].map((one) => `.${one}`)[0];
      return `${element.localName}${name ?? ''}`;
    },
  };
}
