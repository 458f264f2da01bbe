import type { Page } from '@playwright/test';
import type { CaptureContext } from '../capture-context.js';
import { callInFrames } from '../in-page/frames.js';
import type { GrownPanel } from '../in-page/memory.js';
import type { Tools } from '../in-page/tools.js';
import { hasInteractions } from '../interactions.js';
import type { PageClock } from '../page-clock.js';
import { expandAreas, isScrolledByScript, LAYOUT_MS, MAX_GROWN_PX, SMALLEST_AREA } from './expand-areas.js';
import { paintsMissing } from './fill-missing.js';

/** Maximum number of its heights that a panel may hide and is filled in: each of them is looked at. */
const MAX_FILLED = 12;

/** How long the page lives at each position of a panel that is scrolled sideways, in milliseconds of its time, and at how many at most. */
const SIDEWAYS = { ms: 300, positions: 30 };

/**
 * Makes panels that scroll as large as their content, in both directions. If that shows no more of a panel, it becomes as it was: one whose
 * content follows its size, or a panel that would cover what is beside it.
 *
 * @returns where the lowest of the page ends, in CSS pixels; 0 if they are as they were; null if there was none, nor in a frame.
 */
export async function expandPanels({ page, clock, settings }: CaptureContext): Promise<number | null> {
  const options = { ...SMALLEST_AREA, most: MAX_GROWN_PX, tellsOfScroll: !hasInteractions(settings) };
  const mostFilled = paintsMissing(settings) ? MAX_FILLED : 0;
  await scrollSideways(page, clock);
  const grown = callInFrames(page, growPanels, options, expandAreas, isScrolledByScript);
  if (!(await grown).includes(true)) return null;
  await clock.pass(2 * LAYOUT_MS, LAYOUT_MS);
  return Math.max(0, ...(await callInFrames(page, keepPanels, mostFilled)));
}

/** Scrolls through panels whose content a script may load once it is in view: what lies beside the window never is. */
async function scrollSideways(page: Page, clock: PageClock): Promise<void> {
  for (let position = 1; position <= SIDEWAYS.positions; position++) {
    const isLast = position === SIDEWAYS.positions;
    const scrolled = callInFrames(page, scrollPanels, SMALLEST_AREA.hidden, isLast);
    if (!(await scrolled).includes(true)) return;
    await clock.pass(SIDEWAYS.ms);
  }
}

/** Scrolls each panel by its width, and at its end back to where it was. Returns whether one was scrolled. */
function scrollPanels({ memory, findAll }: Tools, hidden: number, isLast: boolean): boolean {
  const { hasObserved, scrollListeners: listening } = memory;
  const { scrolled } = memory.panels;
  const hasFrames = document.querySelector('iframe') !== null;
  // Most pages have no such script: their elements need not be measured.
  for (const panel of hasObserved || hasFrames || listening.size > 0 ? findAll('body *') : []) {
    if (scrolled.has(panel) || panel.scrollWidth - panel.clientWidth < hidden) continue;
    const mayLoad = hasObserved || listening.has(panel) || panel.querySelector('iframe') !== null;
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

/** Returns whether there was a panel. */
function growPanels(
  tools: Tools,
  options: typeof SMALLEST_AREA & { readonly most: number; readonly tellsOfScroll: boolean },
  expand: typeof expandAreas,
  isScrolled: typeof isScrolledByScript,
): boolean {
  const { memory, findAll, isShown } = tools;
  const { panels } = memory;
  const { documentElement, scrollingElement, body } = document;
  // The body scrolls by itself where the root element has an overflow of its own.
  const own = getComputedStyle(documentElement).overflowY === 'visible' ? body : null;
  const ofWindow = [documentElement, scrollingElement, own];
  const read = (panel: Element): GrownPanel[] => {
    const { scrollHeight, scrollWidth, clientHeight, clientWidth } = panel;
    const more = [scrollHeight - clientHeight, scrollWidth - clientWidth];
    if (clientWidth < options.width || clientHeight < options.height || more.every((one) => one < options.hidden))
      return [];
    // A drawing keeps its size, and cuts off what is larger.
    if (ofWindow.includes(panel) || panels.kept.has(panel) || panel.closest('svg')) return [];
    const { overflowY, overflowX } = getComputedStyle(panel);
    const isArea = (overflow: string) =>
      /auto|scroll/.test(overflow) || (overflow === 'hidden' && isScrolled(tools, panel));
    const [down = 0, sideways = 0] = more.map((px, side) =>
      px >= options.hidden && isArea(side === 0 ? overflowY : overflowX) ? px : 0,
    );
    const most = Math.max(down, sideways);
    if (most === 0 || most > options.most) return [];
    const shown = { down: clientHeight, sideways: clientWidth };
    const top = panel.scrollTop;
    const scroll = { top, isAtEnd: top > 0 && top + clientHeight >= scrollHeight - 1 };
    return isShown(panel) ? [{ panel, hidden: { down, sideways }, shown, scroll }] : [];
  };
  panels.touched = [];
  panels.grown = findAll('*').flatMap(read);
  for (const { panel, hidden } of panels.grown) {
    // What is in a panel that becomes wider keeps its width, such as slides of 80 %.
    const content = hidden.sideways > 0 ? Array.from(panel.querySelectorAll<HTMLElement>('*')) : [];
    const widths = content.map((element) => getComputedStyle(element).width);
    // Chromium draws it in the window only.
    const undrawn = content.filter((element) => getComputedStyle(element).contentVisibility === 'auto');
    for (const element of undrawn) memory.override(element, { 'content-visibility': 'visible' });
    // So do the columns of a grid, which may be shares of its width.
    const grids = [panel, ...content].flatMap((element) => {
      const { display, gridTemplateColumns } = getComputedStyle(element);
      const isGrid = hidden.sideways > 0 && element instanceof HTMLElement && display.includes('grid');
      return isGrid ? [{ element, columns: gridTemplateColumns }] : [];
    });
    for (const { element, columns } of grids) memory.override(element, { 'grid-template-columns': columns });
    for (const [index, element] of content.entries()) {
      const width = widths[index];
      if (width?.endsWith('px') && element.style) memory.override(element, { 'min-width': width, 'max-width': width });
    }
    expand(tools, panel);
    if (options.tellsOfScroll) panel.dispatchEvent(new Event('scroll'));
  }
  return panels.grown.length > 0;
}

/**
 * If one of the panels shows no more than before, all of them become as they were: they may share what is around them.
 *
 * @param mostFilled - the most of its own heights that a panel may hide if a script draws only what is in view: the rest is filled in later
 * @returns where the lowest of the page ends, with what is around it, in CSS pixels; 0 if there is none, or in a frame
 */
function keepPanels({ memory, findLeaves, isInside }: Tools, mostFilled: number): number {
  const { panels, layout, scrollListeners, scroller } = memory;
  if (panels.grown.length === 0) return 0;
  const inFrame = window.parent !== window;
  const all = findLeaves();
  const isDrawn = (panel: Element, shown: number, isSideways: boolean) => {
    const { left, top } = panel.getBoundingClientRect();
    const end = (isSideways ? left + panel.scrollWidth : top + panel.scrollHeight) - shown;
    const reaches = (leaf: Element) => leaf.getBoundingClientRect()[isSideways ? 'right' : 'bottom'] > end;
    const reachesEnd = (box: Element) => all.some((leaf) => reaches(leaf) && isInside(leaf, box));
    if (panel.childElementCount === 0 || reachesEnd(panel)) return true;
    // A panel without content is the scroll bar of what is around it, which a script draws.
    const isScrollBar = !all.some((leaf) => isInside(leaf, panel));
    return isScrollBar && panel.parentElement !== null && reachesEnd(panel.parentElement);
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
      return isBeside && leaf.checkVisibility() && !isInside(leaf, panel);
    });
  };
  const isScripted = (panel: Element) => scrollListeners.has(panel) || Reflect.get(panel, 'onscroll');
  const canBeFilled = ({ panel, hidden, shown }: GrownPanel) =>
    hidden.down <= mostFilled * shown.down &&
    panel.getBoundingClientRect().bottom > innerHeight &&
    !inFrame &&
    devicePixelRatio === 1;
  const showsMore = (one: GrownPanel) => {
    const { panel, hidden, shown } = one;
    if (hidden.down > 0 && panel.scrollHeight - panel.clientHeight >= hidden.down) return false;
    if (hidden.sideways > 0) {
      if (panel.scrollWidth - panel.clientWidth >= hidden.sideways) return false;
      if (!isDrawn(panel, shown.sideways, true) || !hasRoom(panel, shown.sideways)) return false;
    }
    return hidden.down === 0 || isDrawn(panel, shown.down, false) || (isScripted(panel) && canBeFilled(one));
  };
  const mustBeLookedAt = (one: GrownPanel) =>
    one.hidden.down > 0 &&
    canBeFilled(one) &&
    (isDrawn(one.panel, one.shown.down, false) ? one.panel === scroller : isScripted(one.panel));
  // Such as by a query of the height of its container.
  const failed = layout?.hasVanished() ? panels.grown : panels.grown.filter((one) => !showsMore(one));
  if (failed.length > 0) {
    for (const { element, style } of panels.touched) element.style.cssText = style;
    for (const { panel } of failed) panels.kept.add(panel);
    // A panel that showed all was at its top. A script may have loaded more content there.
    for (const { panel, scroll } of panels.grown) panel.scrollTop = scroll.isAtEnd ? panel.scrollHeight : scroll.top;
    panels.grown = [];
    return 0;
  }
  const styles = panels.touched;
  // What else is set from now on is none of these styles.
  panels.touched = [];
  for (const one of panels.grown) {
    const { panel } = one;
    panels.complete.add(panel);
    if (panel === scroller || isScripted(panel)) panels.telling.push({ panel, styles });
    if (mustBeLookedAt(one)) panels.looked.push({ panel, styles, top: 0 });
  }
  if (inFrame) return 0;
  // What is around a panel grew with it.
  const around = styles.filter(({ element }) => panels.grown.some(({ panel }) => isInside(panel, element)));
  return Math.max(...around.map(({ element }) => Math.ceil(element.getBoundingClientRect().bottom + scrollY)));
}
