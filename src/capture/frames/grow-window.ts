import type { Locator, Page } from '@playwright/test';
import type { PageState } from '../../browser/page-state.js';
import type { Size } from '../../model/image.js';
import type { PageClock } from '../clock/page-clock.js';
import { evaluateInFrames, openRoots, type Root } from '../in-page/frames.js';
import { MAX_HEIGHT, SHORTER, tooTall } from '../screenshot/tiles.js';

/** Maximum height to which a page may grow while its window grows, in CSS pixels. An endless feed is cut there. */
const MAX_FEED_HEIGHT = 20_000;

/** Maximum number of times that the window grows: content that was out of view may load, and make the page taller. */
const MAX_GROWTHS = 12;

/** How long the page lives after its window grew, in milliseconds of its time: animations of what came into view end. */
const REACTION_MS = 1_000;

/** The shares of the window that an area which scrolls must have, to be shown in full: of its height, and of its area. */
const LARGE_AREA = { height: 0.5, area: 0.2 };

/**
 * Makes the window of a page as tall as its content, so that everything is in view. What a page shows only in view is then there:
 * frames of other sites, content with `content-visibility`, fixed backgrounds, virtual lists, and what hides again when it is
 * scrolled out. Lengths that follow the height of the window (`vh`, percentages of it, fixed elements) keep what they were.
 *
 * If the page itself does not scroll, and an area within it takes most of the window (an application with a fixed frame), then the window
 * grows until the area shows all of its content. Lengths follow the window then, as on a taller screen.
 *
 * @param scrolls - the page gets a scroll event, as if a visitor had scrolled
 * @returns height at which an endless page is cut, in CSS pixels; null for no limit.
 * @throws ProofsheetError `page-too-tall`
 */
export async function growWindow(
  page: Page,
  state: PageState,
  clock: PageClock,
  scrolls: boolean,
): Promise<number | null> {
  const window = page.viewportSize();
  if (!window) return null;
  // A phone shows a page that is wider than its window at a smaller scale.
  const { height: firstHeight, scale } = await page.evaluate(measureWindow, window.width);
  let height = firstHeight;
  await evaluateInFrames(page, `(${String(detachFromHeight)})((${String(openRoots)})())`);
  let isPinned = false;
  for (let growths = 0; growths < MAX_GROWTHS; growths++) {
    const contentHeight = await readContentHeight(state);
    const hiddenHeight = contentHeight > height ? 0 : await page.evaluate(hiddenIn, LARGE_AREA);
    const wanted = Math.max(contentHeight, height + hiddenHeight);
    if (wanted <= height) break;
    if (wanted > MAX_HEIGHT) throw tooTall(page, wanted, `the maximum height is ${MAX_HEIGHT} px`, SHORTER);
    const isEndless = growths > 0 && wanted > MAX_FEED_HEIGHT && height <= MAX_FEED_HEIGHT;
    height = isEndless ? MAX_FEED_HEIGHT : wanted;
    const pins: boolean = hiddenHeight === 0 && !isPinned;
    const size = { width: window.width, height: Math.ceil(height * scale) };
    if (pins) await pinLengths(page, window, size);
    else await clock.awaiting(page.setViewportSize(size));
    isPinned ||= pins;
    await page.evaluate(notifyOfScroll, scrolls);
    await clock.pass(REACTION_MS);
    if (isEndless) return MAX_FEED_HEIGHT;
  }
  return null;
}

async function readContentHeight(state: PageState): Promise<number> {
  const session = await state.session();
  const { cssContentSize } = await session.send('Page.getLayoutMetrics');
  return Math.ceil(cssContentSize.height);
}

/** No frame is drawn between the sizes, so the page observes only the last one, with the lengths that it had. */
async function pinLengths(page: Page, from: Size, to: Size): Promise<void> {
  await page.evaluate(`window.__proofsheetLengths = (${String(createLengths)})(${String(openRoots)})`);
  await page.setViewportSize(to);
  const isFollowing = await page.evaluate<boolean>('window.__proofsheetLengths.compare()');
  if (!isFollowing) return;
  await page.setViewportSize(from);
  await page.evaluate('window.__proofsheetLengths.read()');
  await page.setViewportSize(to);
  await page.evaluate('window.__proofsheetLengths.pin()');
}

/**
 * Runs in the page. Gives media queries about the height of the window the result that they have now, in all style sheets that a script may
 * read. A background that is fixed to the window becomes one of its element: it would be as tall as the window.
 */
function detachFromHeight(roots: readonly Root[]): void {
  const isOfHeight = /height|aspect-ratio|orientation/;
  const fix = (media: MediaList) => {
    if (isOfHeight.test(media.mediaText)) media.mediaText = matchMedia(media.mediaText).matches ? 'all' : 'not all';
  };
  const visit = (sheet: CSSStyleSheet | CSSGroupingRule) => {
    try {
      for (const rule of sheet.cssRules) {
        if (rule instanceof CSSMediaRule) fix(rule.media);
        if (rule instanceof CSSGroupingRule) visit(rule);
        if (rule instanceof CSSImportRule) {
          fix(rule.media);
          if (rule.styleSheet) visit(rule.styleSheet);
        }
      }
    } catch {
      // A style sheet of another origin.
    }
  };
  for (const root of roots)
    for (const sheet of [...root.styleSheets, ...root.adoptedStyleSheets]) {
      fix(sheet.media);
      visit(sheet);
    }
  for (const element of roots.flatMap((root) => Array.from(root.querySelectorAll<HTMLElement>('body *'))))
    if (getComputedStyle(element).backgroundAttachment.includes('fixed'))
      element.style.setProperty('background-attachment', 'scroll', 'important');
}

/** Runs in the page. Returns the height of the window in CSS pixels of the page, and how many pixels of the window one of them is. */
function measureWindow(windowWidth: number): { height: number; scale: number } {
  return { height: innerHeight, scale: windowWidth / innerWidth };
}

/** Runs in the page. Tells scripts that the page was scrolled, and what is in view now. */
function notifyOfScroll(scrolls: boolean): void {
  if (!scrolls) return;
  document.dispatchEvent(new Event('scroll', { bubbles: true }));
}

/**
 * Runs in the page. Returns by how much the largest area that scrolls hides its content, in CSS pixels; 0 if the page has none that takes
 * most of its window.
 */
function hiddenIn({ height, area }: typeof LARGE_AREA): number {
  const hidden = Array.from(document.querySelectorAll('*')).flatMap((element) => {
    const isLarge =
      element.clientHeight >= height * innerHeight &&
      element.clientHeight * element.clientWidth >= area * innerHeight * innerWidth;
    const scrolled = element.scrollHeight - element.clientHeight;
    if (!isLarge || scrolled <= 1 || element === document.scrollingElement) return [];
    return /auto|scroll|overlay/.test(getComputedStyle(element).overflowY) && element.checkVisibility()
      ? [scrolled]
      : [];
  });
  return Math.max(0, ...hidden);
}

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

/** An area whose content is only seen in parts. */
interface HidingArea {
  readonly name: string;
  /** CSS pixels of its content that are not in view. */
  readonly hidden: number;
}

/** Lists the areas of a page that scroll, and so hide a part of their content. */
export function listHidingAreas(page: Page): Promise<HidingArea[]> {
  return page.evaluate(findHidingAreas, SMALLEST_AREA);
}

/** Smallest area whose hidden content matters, in CSS pixels. */
const SMALLEST_AREA = { width: 80, height: 40 };

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

/** Runs in the page. Makes an element, and everything around it that would cut it off, as large as its content. */
function expandAreas(area: Element): void {
  const grow = (element: HTMLElement, isTall: boolean) => {
    const style = getComputedStyle(element);
    const [content, shown] = isTall
      ? [element.scrollHeight, element.clientHeight]
      : [element.scrollWidth, element.clientWidth];
    if ((isTall ? style.overflowY : style.overflowX) === 'visible' || content <= shown + 1) return;
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

/** The lengths of a document that follow the height of its window. */
interface Lengths {
  /** Compares with the first size. Returns whether something follows the height. */
  compare(): boolean;
  /** Reads the lengths at the first size. */
  read(): void;
  /** Gives what follows the height the lengths that it had at the first size. */
  pin(): void;
}

/**
 * Runs in the page. Finds the elements that follow the height of the window: their boxes differ between two heights. The computed values
 * of their lengths say why: those in units of the window differ; percentages and `auto` do not.
 */
function createLengths(listRoots: () => Root[]): Lengths {
  const properties = [
    ...['height', 'min-height', 'max-height', 'top', 'bottom', 'margin-top', 'margin-bottom', 'padding-top'],
    ...['padding-bottom', 'font-size', 'line-height', 'row-gap', 'flex-basis', 'grid-template-rows', 'grid-auto-rows'],
    ...['transform', 'translate', 'background-size', 'background-position-y', 'block-size', 'width', 'max-width'],
  ];
  const elements = listRoots().flatMap((root) => Array.from(root.querySelectorAll('*')));
  const boxOf = (element: Element) => {
    const { top, height, width } = element.getBoundingClientRect();
    const parent = element.parentElement?.getBoundingClientRect().top ?? 0;
    return [height, width, top - parent] as const;
  };
  const before = elements.map(boxOf);
  interface Following {
    readonly element: HTMLElement | SVGElement;
    values: readonly string[];
    usedHeight: string;
    usedTop: string;
    position: string;
  }
  let following: Following[] = [];
  const valuesOf = (element: Element) => {
    const map = element.computedStyleMap();
    return properties.map((name) => map.get(name)?.toString() ?? '');
  };
  const set = (element: HTMLElement | SVGElement, name: string, value: string) =>
    element.style.setProperty(name, value, 'important');
  return {
    compare() {
      following = elements.flatMap((element, index) => {
        if (!(element instanceof HTMLElement || element instanceof SVGElement)) return [];
        const old = before[index];
        const isFollowing =
          old !== undefined && boxOf(element).some((length, at) => Math.abs(length - (old[at] ?? 0)) > 0.01);
        const isFixed = isFollowing || getComputedStyle(element).position === 'fixed';
        return isFixed ? [{ element, values: [], usedHeight: '', usedTop: '', position: '' }] : [];
      });
      return following.length > 0;
    },
    read() {
      for (const one of following) {
        const { height, top, position } = getComputedStyle(one.element);
        one.values = valuesOf(one.element);
        one.usedHeight = height;
        one.usedTop = top;
        one.position = position;
      }
    },
    pin() {
      for (const { element, values, usedHeight, usedTop, position } of following) {
        const now = valuesOf(element);
        // A computed value that differs has a unit of the window.
        for (const [index, name] of properties.entries())
          if (now[index] !== values[index] && values[index] !== undefined) set(element, name, values[index]);
        const isRoot = element === document.documentElement;
        const isPlaced = position === 'fixed' || (position === 'absolute' && isOfWindow(element));
        const style = getComputedStyle(element);
        // Percentages of the window: the document resolves them, and elements that are placed in the window.
        const isResolved = isPlaced || (isRoot && now[0] !== 'auto');
        if (isResolved && style.height !== usedHeight) set(element, 'height', usedHeight);
        if (isPlaced && style.top !== usedTop && usedTop !== 'auto') {
          set(element, 'top', usedTop);
          set(element, 'bottom', 'auto');
        }
      }
    },
  };
  /** An absolute element without a positioned ancestor follows the window. */
  function isOfWindow(element: Element): boolean {
    const parent = element instanceof HTMLElement ? element.offsetParent : null;
    return parent === null || (parent === document.body && getComputedStyle(document.body).position === 'static');
  }
}

declare global {
  interface Window {
    __proofsheetLengths?: Lengths;
  }
}
