import type { Page } from '@playwright/test';
import type { CaptureContext } from '../capture-context.js';
import { evaluateInFrames, openRoots, type Root } from '../in-page/frames.js';
import type { PageClock } from '../page-clock.js';
import { hasInteractions } from '../prepare-page.js';
import { expandAreas, isScrolledByScript, LAYOUT_MS, MAX_GROWN_PX, SMALLEST_AREA } from './expand-areas.js';
import { fillsMissing } from './fill-missing.js';

/** Maximum number of its heights that a panel may hide and is filled in: each of them is looked at. */
const MAX_FILLED = 12;

/** How long the page lives at each position of a panel that is scrolled sideways, in milliseconds of its time, and at how many at most. */
const SIDEWAYS = { ms: 300, positions: 30 };

/** Panels that were made as large as their content. */
interface Panels {
  /** Those of the last call, and what they hid before and showed, down and sideways. */
  grown: { readonly panel: Element; readonly hidden: readonly number[]; readonly shown: readonly number[] }[];
  /** The styles before the last call, those that were set last first. */
  touched: { readonly element: HTMLElement; readonly style: string }[];
  /**
   * Panels that are looked at when the image is proven: the one that a visitor scrolls instead of the page, and those with a script that draws
   * what is in view, which are blank below.
   */
  readonly looked: { readonly panel: Element; readonly styles: Panels['touched']; top: number }[];
  /** Panels that show no more when they are larger. */
  readonly kept: WeakSet<Element>;
  /** Panels that are scrolled sideways, and where that began; null if it has ended. */
  readonly scrolled: Map<Element, number | null>;
}

declare global {
  interface Window {
    __proofsheetPanels?: Panels;
  }
}

/**
 * Makes panels that scroll as large as their content, in both directions. If that shows no more of a panel, it becomes as it was: one whose
 * content follows its size, or a panel that would cover what is beside it.
 *
 * @returns where the lowest of them ends, in CSS pixels; 0 if they are as they were; null if there was none.
 */
export async function expandPanels({ page, clock, settings }: CaptureContext): Promise<number | null> {
  const options = JSON.stringify({ ...SMALLEST_AREA, most: MAX_GROWN_PX, tellsOfScroll: !hasInteractions(settings) });
  const grow = `(${String(growPanels)})((${String(openRoots)})(), ${options}, ${String(expandAreas)}, ${String(isScrolledByScript)})`;
  await scrollSideways(page, clock);
  if (!(await evaluateInFrames<boolean>(page, grow)).includes(true)) return null;
  await clock.pass(2 * LAYOUT_MS, LAYOUT_MS);
  const keep = `(${String(keepPanels)})((${String(openRoots)})(), ${fillsMissing(settings) ? MAX_FILLED : 0})`;
  return Math.max(0, ...(await evaluateInFrames<number>(page, keep)));
}

/** Scrolls through panels whose content a script may load once it is in view: what lies beside the window never is. */
async function scrollSideways(page: Page, clock: PageClock): Promise<void> {
  for (let position = 1; position <= SIDEWAYS.positions; position++) {
    const options = JSON.stringify({ ...SMALLEST_AREA, isLast: position === SIDEWAYS.positions });
    const scroll = `(${String(scrollPanels)})((${String(openRoots)})(), ${options})`;
    if (!(await evaluateInFrames<boolean>(page, scroll)).includes(true)) return;
    await clock.pass(SIDEWAYS.ms);
  }
}

/** Runs in a frame. Scrolls each panel by its width, and at its end back to where it was. Returns whether one was scrolled. */
function scrollPanels(
  roots: readonly Root[],
  { hidden, isLast }: typeof SMALLEST_AREA & { readonly isLast: boolean },
): boolean {
  const { hasObserved, listening } = window.__proofsheet?.scrollWatchers ?? {};
  window.__proofsheetPanels ??= { grown: [], touched: [], looked: [], kept: new WeakSet(), scrolled: new Map() };
  const { scrolled } = window.__proofsheetPanels;
  // Most pages have no such script: their elements need not be measured.
  const watched = hasObserved || listening?.size ? roots : [];
  for (const panel of watched.flatMap((root) => Array.from(root.querySelectorAll('body *')))) {
    if (scrolled.has(panel) || panel.scrollWidth - panel.clientWidth < hidden) continue;
    const mayLoad = hasObserved || listening?.has(panel);
    if (mayLoad && /auto|scroll/.test(getComputedStyle(panel).overflowX)) scrolled.set(panel, panel.scrollLeft);
  }
  const scrolls = ([panel, start]: [Element, number | null]) => {
    if (start === null) return false;
    const before = panel.scrollLeft;
    const isToLeft = getComputedStyle(panel).direction === 'rtl';
    panel.scrollBy({ left: isToLeft ? -panel.clientWidth : panel.clientWidth, behavior: 'instant' });
    if (!isLast && panel.scrollLeft !== before) return true;
    panel.scrollTo({ left: start, behavior: 'instant' });
    scrolled.set(panel, null);
    return false;
  };
  return Array.from(scrolled, scrolls).includes(true);
}

/** Runs in a frame. Returns whether there was a panel. */
function growPanels(
  roots: readonly Root[],
  options: typeof SMALLEST_AREA & { readonly most: number; readonly tellsOfScroll: boolean },
  expand: (area: Element, hasGrown: boolean, note: (element: HTMLElement) => void) => void,
  isScrolled: typeof isScrolledByScript,
): boolean {
  window.__proofsheetPanels ??= { grown: [], touched: [], looked: [], kept: new WeakSet(), scrolled: new Map() };
  const panels = window.__proofsheetPanels;
  const { documentElement, scrollingElement, body } = document;
  // The body scrolls by itself where the root element has an overflow of its own.
  const own = getComputedStyle(documentElement).overflowY === 'visible' ? body : null;
  const ofWindow = [documentElement, scrollingElement, own];
  const read = (panel: Element) => {
    const { scrollHeight, scrollWidth, clientHeight, clientWidth } = panel;
    const more = [scrollHeight - clientHeight, scrollWidth - clientWidth];
    if (clientWidth < options.width || clientHeight < options.height || more.every((one) => one < options.hidden))
      return [];
    // A drawing keeps its size, and cuts off what is larger.
    if (ofWindow.includes(panel) || panels.kept.has(panel) || panel.closest('svg')) return [];
    const { overflowY, overflowX } = getComputedStyle(panel);
    const isArea = (overflow: string) => /auto|scroll/.test(overflow) || (overflow === 'hidden' && isScrolled(panel));
    const scrolls = [overflowY, overflowX].map(isArea);
    const hidden = more.map((px, side) => (scrolls[side] && px >= options.hidden ? px : 0));
    const most = Math.max(...hidden);
    if (most === 0 || most > options.most) return [];
    const isShown = panel.checkVisibility({ visibilityProperty: true, opacityProperty: true });
    return isShown ? [{ panel, hidden, shown: [clientHeight, clientWidth] as const }] : [];
  };
  const note = (element: HTMLElement) => panels.touched.unshift({ element, style: element.style.cssText });
  panels.touched = [];
  panels.grown = roots.flatMap((root) => Array.from(root.querySelectorAll('*'))).flatMap(read);
  for (const { panel, hidden } of panels.grown) {
    // What is in a panel that becomes wider keeps its width, such as slides of 80 %.
    const content = hidden[1] ? Array.from(panel.querySelectorAll<HTMLElement>('*')) : [];
    const widths = content.map((element) => getComputedStyle(element).width);
    // Chromium draws it in the window only.
    const undrawn = content.filter((element) => getComputedStyle(element).contentVisibility === 'auto');
    for (const element of undrawn) {
      note(element);
      element.style.setProperty('content-visibility', 'visible', 'important');
    }
    for (const [index, element] of content.entries()) {
      if (!widths[index]?.endsWith('px') || !element.style) continue;
      note(element);
      for (const name of ['min-width', 'max-width']) element.style.setProperty(name, widths[index], 'important');
    }
    expand(panel, false, note);
    if (options.tellsOfScroll) panel.dispatchEvent(new Event('scroll'));
  }
  return panels.grown.length > 0;
}

/**
 * Runs in a frame. If one of the panels shows no more than before, all of them become as they were: they may share what is around them.
 *
 * @param mostFilled - how many of its heights a panel may hide, of which a script does not draw all: it is filled in later
 */
function keepPanels(roots: readonly Root[], mostFilled: number): number {
  const panels = window.__proofsheetPanels;
  if (!panels || panels.grown.length === 0) return 0;
  const inFrame = window.parent !== window;
  const leaves = 'img, svg, canvas, video, iframe, input, button, :not(:has(*)):not(:empty)';
  const all = roots.flatMap((root) => Array.from(root.querySelectorAll(leaves)));
  const parentOf = (node: Node) => (node instanceof Element && node.assignedSlot) || node.parentNode;
  const isIn = (panel: Node, node: Node | null): boolean =>
    node !== null && (node === panel || isIn(panel, node instanceof ShadowRoot ? node.host : parentOf(node)));
  const isDrawn = (panel: Element, shown: number, isSideways: boolean) => {
    const { left, top } = panel.getBoundingClientRect();
    const end = (isSideways ? left + panel.scrollWidth : top + panel.scrollHeight) - shown;
    const reaches = (leaf: Element) => leaf.getBoundingClientRect()[isSideways ? 'right' : 'bottom'] > end;
    return panel.childElementCount === 0 || all.some((leaf) => reaches(leaf) && isIn(panel, leaf));
  };
  const hasRoom = (panel: Element, shown: number) => {
    const { left, right, top, bottom } = panel.getBoundingClientRect();
    const isToLeft = getComputedStyle(document.documentElement).direction === 'rtl';
    const isCut = isToLeft ? right + scrollX > innerWidth : left + scrollX < 0;
    if (isCut || (inFrame && (left < 0 || right > innerWidth))) return false;
    const [from, to] = isToLeft ? [left, right - shown] : [left + shown, right];
    return !all.some((leaf) => {
      const box = leaf.getBoundingClientRect();
      const isBeside = box.left < to && box.right > from && box.top < bottom && box.bottom > top;
      return isBeside && leaf.checkVisibility() && !isIn(panel, leaf);
    });
  };
  const looked: Element[] = [];
  const failed = panels.grown.filter(({ panel, hidden: [down = 0, sideways = 0], shown: [height = 0, width = 0] }) => {
    // Such as by a query of the height of its container.
    if (window.__proofsheetLayout?.hasVanished()) return true;
    if (down > 0 && panel.scrollHeight - panel.clientHeight >= down) return true;
    if (sideways > 0 && panel.scrollWidth - panel.clientWidth >= sideways) return true;
    if (sideways > 0 && !(isDrawn(panel, width, true) && hasRoom(panel, width))) return true;
    if (down === 0) return false;
    const isAllDrawn = isDrawn(panel, height, false);
    const isScripted = window.__proofsheet?.scrollWatchers?.listening.has(panel) || Reflect.get(panel, 'onscroll');
    const isBelow = panel.getBoundingClientRect().bottom > innerHeight;
    const isFilled = isBelow && down <= mostFilled * height && !inFrame && devicePixelRatio === 1;
    if (isFilled && (isAllDrawn ? panel === window.__proofsheet?.scroller : isScripted)) looked.push(panel);
    return !isAllDrawn && !(isFilled && isScripted);
  });
  if (failed.length === 0) {
    panels.looked.push(...looked.map((panel) => ({ panel, styles: panels.touched, top: 0 })));
    const ends = panels.grown.map(({ panel }) => Math.ceil(panel.getBoundingClientRect().bottom + scrollY));
    return inFrame ? 1 : Math.max(...ends);
  }
  for (const { element, style } of panels.touched) element.style.cssText = style;
  for (const { panel } of failed) panels.kept.add(panel);
  panels.grown = [];
  return 0;
}
