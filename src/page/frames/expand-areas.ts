import type { Locator, Page } from '@playwright/test';
import type { Warning } from '../../model/index.js';
import { evaluateInFrames, openRoots, type Root } from '../in-page/frames.js';

/**
 * Shows all of an element, and nothing over it: areas around it that scroll become as tall as their content, and elements that are fixed
 * or sticky are hidden.
 */
export async function isolateElement(locator: Locator): Promise<void> {
  await locator.evaluate(expandAreas);
  await locator.evaluate(hideOverlays);
}

/** Runs in the page. Hides what does not scroll with the page, except what contains an element or is in it. */
function hideOverlays(element: Element): void {
  const parentOf = (node: Node) => {
    const parent = (node instanceof Element && node.assignedSlot) || node.parentNode;
    return parent instanceof ShadowRoot ? parent.host : parent;
  };
  const isIn = (start: Node, outer: Node) => {
    for (let node: Node | null = start; node; node = parentOf(node)) if (node === outer) return true;
    return false;
  };
  const roots: ParentNode[] = [document.body];
  for (const root of roots) {
    for (const other of root.querySelectorAll<HTMLElement>('*')) {
      if (other.shadowRoot) roots.push(other.shadowRoot);
      if (!/fixed|sticky/.test(getComputedStyle(other).position) || isIn(element, other) || isIn(other, element))
        continue;
      other.style.setProperty('transition', 'none', 'important');
      // A child may set its own `visibility`.
      other.style.setProperty('opacity', '0', 'important');
    }
  }
}

/**
 * Makes areas that scroll as large as their content, and everything around them that would cut them off.
 *
 * @returns a warning for each selector that matches nothing.
 */
export async function expandNamed(page: Page, selectors: readonly string[]): Promise<Warning[]> {
  const source = `(${String(expandMatches)})((${String(openRoots)})(), ${JSON.stringify(selectors)}, ${String(expandAreas)})`;
  const matches = await evaluateInFrames<boolean[]>(page, source);
  return selectors.flatMap((selector, index) =>
    matches.some((frame) => frame[index])
      ? []
      : [{ code: 'expand-no-match', message: `\`expand\`: no element matches "${selector}"` }],
  );
}

/** The shares of its window that an area takes at least: of the height, and of the area. */
interface Shares {
  readonly height: number;
  readonly area: number;
}

/** Returns by how much the largest area that scrolls hides its content, in CSS pixels; 0 if no area has these shares. */
export function hiddenInLargest(page: Page, shares: Shares): Promise<number> {
  return page.evaluate(`(${String(measureHidden)})((${String(findLargest)})(${JSON.stringify(shares)}))`);
}

/** Makes the largest area that scrolls as large as its content. Returns false if no area has these shares. */
export function expandLargest(page: Page, shares: Shares): Promise<boolean> {
  return page.evaluate(`(() => {
    const area = (${String(findLargest)})(${JSON.stringify(shares)});
    if (area) (${String(expandAreas)})(area);
    return area !== null;
  })()`);
}

/** Runs in the page. */
function measureHidden(area: Element | null): number {
  return area ? area.scrollHeight - area.clientHeight : 0;
}

/** Runs in the page. Returns the area that hides most of its content. */
function findLargest({ height, area }: Shares): Element | null {
  const hiddenIn = (element: Element) => element.scrollHeight - element.clientHeight;
  const areas = Array.from(document.querySelectorAll('*')).filter((element) => {
    const isLarge =
      element.clientHeight >= height * innerHeight &&
      element.clientHeight * element.clientWidth >= area * innerHeight * innerWidth;
    if (!isLarge || hiddenIn(element) <= 1 || element === document.scrollingElement) return false;
    return /auto|scroll|overlay/.test(getComputedStyle(element).overflowY) && element.checkVisibility();
  });
  return areas.reduce<Element | null>((one, other) => (one && hiddenIn(one) >= hiddenIn(other) ? one : other), null);
}

/** Runs in the page. */
function expandMatches(
  roots: readonly Root[],
  selectors: readonly string[],
  expand: (area: Element) => void,
): boolean[] {
  return selectors.map((selector) => {
    const areas = roots.flatMap((root) => Array.from(root.querySelectorAll(selector)));
    for (const area of areas) expand(area);
    return areas.length > 0;
  });
}

/**
 * Runs in the page. Makes an element, and everything around it that would cut it off, as large as its content. What is around that grows, too:
 * it would be painted over what follows.
 */
function expandAreas(area: Element): void {
  let hasGrown = false;
  const grow = (element: HTMLElement, isTall: boolean) => {
    const style = getComputedStyle(element);
    const [content, shown] = isTall
      ? [element.scrollHeight, element.clientHeight]
      : [element.scrollWidth, element.clientWidth];
    const isCut = (isTall ? style.overflowY : style.overflowX) !== 'visible';
    if (!(isCut || (hasGrown && isTall)) || content <= shown + 1) return;
    hasGrown = true;
    const px = (...names: string[]) =>
      names.reduce((sum, name) => sum + Number.parseFloat(style.getPropertyValue(name)), 0);
    const [start, end, length] = isTall ? ['top', 'bottom', 'height'] : ['left', 'right', 'width'];
    const size =
      style.boxSizing === 'border-box'
        ? content + px(`border-${start}-width`, `border-${end}-width`)
        : content - px(`padding-${start}`, `padding-${end}`);
    for (const [name, value] of [
      [length, `${size}px`],
      [`max-${length}`, 'none'],
      ['flex-shrink', '0'],
      ['transition', 'none'],
    ] as const)
      element.style.setProperty(name, value, 'important');
  };
  for (let node: Node | null = area; node && node !== document.body; ) {
    if (node instanceof HTMLElement) {
      // A box that becomes wider may become less tall.
      grow(node, false);
      grow(node, true);
    }
    const parent: Node | null = (node instanceof Element && node.assignedSlot) || node.parentNode;
    node = parent instanceof ShadowRoot ? parent.host : parent;
  }
}

/** An area whose content is only seen in parts. */
interface HidingArea {
  readonly name: string;
  /** CSS pixels of its content that are not in view. */
  readonly hidden: number;
}

/** Smallest area whose hidden content matters, in CSS pixels. */
const SMALLEST_AREA = { width: 80, height: 40 };

/** Returns a warning for each area of a page that scrolls, and so hides a part of its content. */
export async function warnOfHiding(page: Page): Promise<Warning[]> {
  const areas = await page.evaluate(findHidingAreas, SMALLEST_AREA);
  return areas.map(({ name, hidden }) => ({
    code: 'content-hidden',
    message: `the area ${name} scrolls, and ${hidden} px of its content are not in the image`,
  }));
}

/** Runs in the page. */
function findHidingAreas({ width, height }: typeof SMALLEST_AREA): HidingArea[] {
  const nameOf = (element: Element) => {
    const tag = element.tagName.toLowerCase();
    return element.id ? `#${element.id}` : [tag, ...Array.from(element.classList).slice(0, 2)].join('.');
  };
  return Array.from(document.querySelectorAll('body *')).flatMap((element) => {
    const hidden = element.scrollHeight - element.clientHeight;
    if (hidden <= 1 || element.clientWidth < width || element.clientHeight < height) return [];
    const scrolls = /auto|scroll/.test(getComputedStyle(element).overflowY) && element.tagName !== 'TEXTAREA';
    return scrolls && element.checkVisibility({ visibilityProperty: true }) ? [{ name: nameOf(element), hidden }] : [];
  });
}
