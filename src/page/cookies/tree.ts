import type { Tools } from '../in-page/tools.js';

export type Tree = ReturnType<typeof createTree>;

/** Runs in the page. */
export function createTree({ listRoots, parentOf: parentNodeOf, isInside: isWithin }: Tools) {
  const roots = listRoots();
  const shadows = new Map<Element, ShadowRoot>();
  for (const root of roots) if (root instanceof ShadowRoot) shadows.set(root.host, root);
  const WITHOUT_TEXT = 'script, style, link, template, noscript, meta';

  const parentOf = (element: Element): Element | null => {
    const parent = parentNodeOf(element);
    return parent instanceof Element ? parent : null;
  };

  const rootsWithin = (element: Element) => [...shadows.values()].filter((root) => isWithin(root.host, element));

  const isRendered = (element: Element) => element.checkVisibility({ visibilityProperty: true });

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
    isRendered,
    childrenOf(element: Element): Element[] {
      const root = shadows.get(element);
      if (root) return [...root.children].filter((child) => !child.matches(WITHOUT_TEXT));
      const slotted = element instanceof HTMLSlotElement ? element.assignedElements() : [];
      const children = slotted.length > 0 ? slotted : [...element.children];
      return children.filter((child) => !child.matches(WITHOUT_TEXT));
    },
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

export type Place = ReturnType<typeof createPlace>;

/** Runs in the page. */
export function createPlace(tree: Tree) {
  const MEDIA = 'img, svg, video, canvas, iframe, object, embed, input, select, textarea';

  const isAbove = (element: Element, style: CSSStyleDeclaration) => {
    if (style.position !== 'absolute') return false;
    const base = element instanceof HTMLElement ? element.offsetParent : null;
    return (base === null || base === document.body) && Number(style.zIndex) > 0;
  };

  const isOverlay = (element: Element): boolean => {
    const style = getComputedStyle(element);
    return /fixed|sticky/.test(style.position) || element.matches(':modal, :popover-open') || isAbove(element, style);
  };

  const hasArea = (element: Element) => {
    const { width, height } = element.getBoundingClientRect();
    return width > 1 && height > 1;
  };

  const isPainted = (element: Element) => {
    if (!hasArea(element) || !tree.isRendered(element)) return false;
    const { backgroundColor, backgroundImage } = getComputedStyle(element);
    return backgroundImage !== 'none' || backgroundColor !== 'rgba(0, 0, 0, 0)';
  };

  /** Checks whether an element shows no content. An overlay may have a background. */
  const isEmpty = (element: Element): boolean => {
    if (!tree.isRendered(element)) return true;
    if (tree.textOf(element) !== '') return false;
    const media = [element, ...tree.find(element, MEDIA)].filter((one) => one.matches(MEDIA));
    if (media.some((one) => tree.isRendered(one) && hasArea(one))) return false;
    return isOverlay(element) || ![element, ...tree.find(element, '*')].some(isPainted);
  };

  const hasOwnText = (element: Element) =>
    !tree.rootsWithin(element).some((root) => root.host === element) &&
    [...element.childNodes].some((node) => node.nodeType === 3 && (node.textContent ?? '').trim() !== '');

  const widen = (element: Element): Element => {
    let widest = element;
    for (let above = tree.parentOf(element); above; above = tree.parentOf(above)) {
      if (above === document.body || above === document.documentElement || hasOwnText(above)) break;
      const inner = widest;
      if (tree.childrenOf(above).some((child) => child !== inner && !isEmpty(child))) break;
      widest = above;
    }
    return widest;
  };

  const isFirstOrLast = (element: Element, side: 'previous' | 'next') => {
    for (let at: Element | null = element; at && at !== document.body; at = tree.parentOf(at)) {
      const siblingOf = (one: Element) => (side === 'next' ? one.nextElementSibling : one.previousElementSibling);
      for (let sibling = siblingOf(at); sibling; sibling = siblingOf(sibling)) {
        if (/fixed|absolute/.test(getComputedStyle(sibling).position)) continue;
        if (tree.isRendered(sibling) && hasArea(sibling)) return false;
      }
    }
    return true;
  };

  return {
    hasArea,
    isOverlay,
    isEmpty,
    widen,
    coversViewport(element: Element): boolean {
      const { left, top, right, bottom } = element.getBoundingClientRect();
      return left <= 1 && top <= 1 && right >= innerWidth - 20 && bottom >= innerHeight - 1;
    },
    /** Checks whether an element is a bar, and the first or last visible element in the flow of the page. */
    isEdgeBar(element: Element): boolean {
      const { width, height } = element.getBoundingClientRect();
      if (width < 0.8 * innerWidth || height > 0.5 * innerHeight) return false;
      return isFirstOrLast(element, 'previous') || isFirstOrLast(element, 'next');
    },
  };
}
