import type { Frame, Page } from '@playwright/test';
import type { PageState } from '../browser/page-state.js';
import { openRoots, type Root } from '../in-page/frames.js';
import { LIVED_MS, type PageClock } from '../page-clock.js';
import { MAX_HEIGHT, SHORTER, tooTall } from '../screenshot/screenshot-backend.js';
import { expandFrames, expandLargest, expandPanels, hiddenInLargest } from './expand-areas.js';
import { detachFromHeight, pinLengths } from './pin-lengths.js';

/** Maximum height to which a page may grow while its window grows, in CSS pixels. An endless feed is cut there. */
const MAX_FEED_HEIGHT = 20_000;

/** Maximum number of times that the window grows: content that was out of view may load, and make the page taller. */
const MAX_GROWTHS = 12;

/** How long the page lives after its window grew, in milliseconds of its time: animations of what came into view end. */
export const REACTION_MS = 1_000;

/**
 * The shares of the window that an area which scrolls must have, to be shown in full: of its height, and of its area. In a page that scrolls,
 * too, it must take most of the window.
 */
const LARGE_AREA = { height: 0.5, area: 0.2 };
const MAIN_AREA = { height: 0.5, area: 0.5 };

/** Share of the window by which a page may scroll, beside an area that scrolls: margins make an application taller than its window. */
const MAX_OVERFLOW = 0.1;

/** How a window grows. */
interface GrowthOptions {
  /** The page gets a scroll event, as if a visitor had scrolled. */
  readonly tellsOfScroll: boolean;
  /** The window grows until the largest area that scrolls shows all of its content. */
  readonly expands: boolean;
}

/**
 * Makes the window of a page as tall as its content, so that everything is in view. What a page shows only in view is then there:
 * frames of other sites, content with `content-visibility`, fixed backgrounds, virtual lists, and what hides again when it is
 * scrolled out. Lengths that follow the height of the window (`vh`, percentages of it, fixed elements) keep what they were.
 *
 * If the page itself hardly scrolls, and an area within it takes most of the window (an application with a fixed frame), then the window
 * grows until the area shows all of its content. Lengths follow the window then, as on a taller screen. Frames become as tall as their
 * documents.
 *
 * @returns height at which an endless page is cut, in CSS pixels; null for no limit.
 * @throws ProofsheetError `page-too-tall`
 */
export async function growWindow(
  page: Page,
  state: PageState,
  clock: PageClock,
  { tellsOfScroll, expands }: GrowthOptions,
): Promise<number | null> {
  const window = page.viewportSize();
  if (!window) return null;
  // A phone shows a page that is wider than its window at a smaller scale.
  const { height: firstHeight, scale, isLocked } = await page.evaluate(measureWindow, window.width);
  let height = firstHeight;
  await detachFromHeight(page);
  const following = new Set<Frame>();
  let lowestEnd = 0;
  const readHeight = async () => {
    if (expands) await expandFrames(page, clock, following);
    return Math.max(await readContentHeight(state), lowestEnd);
  };
  let contentHeight = await readHeight();
  const scrolls = contentHeight > (1 + MAX_OVERFLOW) * height && !isLocked;
  if (expands && scrolls && (await expandLargest(page, MAIN_AREA))) contentHeight = await readContentHeight(state);
  const sizeOf = (pageHeight: number) => ({ width: window.width, height: Math.ceil(pageHeight * scale) });
  const resizeTo = async (pageHeight: number) => {
    await clock.awaiting(page.setViewportSize(sizeOf(pageHeight)));
    await clock.pass(REACTION_MS);
  };
  let isPinned = false;
  let mayResize = await page.evaluate<boolean>(`(${String(watchLayout)})(${String(openRoots)})`);
  let livesOn = await page.evaluate(watchesView);
  for (let growths = 0; growths < MAX_GROWTHS; growths++) {
    if (growths > 0) contentHeight = await readHeight();
    const overflow = contentHeight - height;
    const scrollsLittle = overflow <= MAX_OVERFLOW * height;
    const hiddenHeight = expands && (isLocked || scrollsLittle) ? await hiddenInLargest(page, LARGE_AREA) : 0;
    const wanted =
      hiddenHeight > 0 ? height + hiddenHeight + (scrollsLittle ? Math.max(0, overflow) : 0) : contentHeight;
    if (wanted <= height) {
      const end = expands ? await expandPanels(page) : 0;
      lowestEnd = Math.max(lowestEnd, end);
      if (end > 0) {
        await page.evaluate(listChanged);
        continue;
      }
      // What came into view may load its content after a while.
      if (growths === 0 || !livesOn) break;
      livesOn = false;
      await clock.pass(LIVED_MS - REACTION_MS);
      continue;
    }
    if (wanted > MAX_HEIGHT) throw tooTall(page, wanted, `the maximum height is ${MAX_HEIGHT} px`, SHORTER);
    const isEndless = growths > 0 && wanted > MAX_FEED_HEIGHT && height <= MAX_FEED_HEIGHT;
    const heightBefore = height;
    height = isEndless ? MAX_FEED_HEIGHT : wanted;
    const pins: boolean = hiddenHeight === 0 && !isPinned;
    const size = sizeOf(height);
    if (pins) await pinLengths(page, sizeOf(heightBefore), size);
    else await clock.awaiting(page.setViewportSize(size));
    isPinned ||= pins;
    if (tellsOfScroll) await page.evaluate(notifyOfScroll);
    await clock.pass(REACTION_MS);
    if (
      pins &&
      mayResize &&
      (await followsHeight(page, clock, (await readHeight()) - height > (height - heightBefore) / 2))
    ) {
      await resizeTo(heightBefore);
      await page.evaluate(hideResize);
      height = heightBefore;
      isPinned = false;
      mayResize = false;
      continue;
    }
    if (isEndless) return MAX_FEED_HEIGHT;
    if (hiddenHeight === 0 || (await hiddenInLargest(page, LARGE_AREA)) < hiddenHeight) continue;
    // The content of the area follows the window, such as sections of `100vh`.
    await clock.awaiting(page.setViewportSize(sizeOf(heightBefore)));
    await expandLargest(page, LARGE_AREA);
    height = heightBefore;
  }
  return null;
}

async function readContentHeight(state: PageState): Promise<number> {
  const session = await state.session();
  const { cssContentSize } = await session.send('Page.getLayoutMetrics');
  return Math.ceil(cssContentSize.height);
}

/** The window of a page. */
interface WindowOfPage {
  /** In CSS pixels of the page. */
  readonly height: number;
  /** Pixels of the window for each CSS pixel of the page. */
  readonly scale: number;
  /** A visitor cannot scroll the page, even if it is taller. */
  readonly isLocked: boolean;
}

/** Runs in the page. */
function measureWindow(windowWidth: number): WindowOfPage {
  const isLocked = [document.documentElement, document.body ?? document.documentElement].some((element) =>
    /hidden|clip/.test(getComputedStyle(element).overflowY),
  );
  return { height: innerHeight, scale: windowWidth / innerWidth, isLocked };
}

/** Runs in the page. Tells scripts that the page and its areas were scrolled, and what is in view now. */
function notifyOfScroll(): void {
  document.dispatchEvent(new Event('scroll', { bubbles: true }));
  const { listening } = window.__proofsheet?.scrollWatchers ?? {};
  for (const element of document.querySelectorAll<HTMLElement>('body *'))
    if (element.onscroll || listening?.has(element)) element.dispatchEvent(new Event('scroll'));
}

/** Runs in the page. Checks whether a script may react to what is in view. */
function watchesView(): boolean {
  const { listening, hasObserved = false } = window.__proofsheet?.scrollWatchers ?? {};
  return hasObserved || (listening?.size ?? 0) > 0;
}

/**
 * Runs in the page. Notes what the first window shows in full. `listChanged` lists its elements that have another size or text since the last
 * call.
 *
 * @returns whether a script may react to the size of the window.
 */
function watchLayout(listRoots: () => Root[]): boolean {
  const elements = listRoots()
    .flatMap((root) => Array.from(root.querySelectorAll('body *')))
    .filter((element) => {
      const { top, bottom } = element.getBoundingClientRect();
      return top >= 0 && bottom > top && bottom <= innerHeight;
    });
  const read = (element: Element) => `${element.clientWidth} ${element.clientHeight} ${element.textContent}`;
  let last = elements.map(read);
  window.__proofsheetLayout = {
    listChanged() {
      const now = elements.map(read);
      const changed = now.flatMap((value, index) => (value === last[index] ? [] : [index]));
      last = now;
      return changed;
    },
  };
  return onresize !== null || (window.__proofsheet?.scrollWatchers?.hasResize ?? true);
}

/**
 * Checks whether a script lays the page out by the height of the window, so that a taller window shows another page: what the first window
 * showed has another size or text. What changes by itself does not count.
 */
async function followsHeight(page: Page, clock: PageClock, isGrowingOn: boolean): Promise<boolean> {
  const changed = await page.evaluate(listChanged);
  if (changed.length === 0) return isGrowingOn;
  await clock.pass(REACTION_MS);
  const later = await page.evaluate(listChanged);
  return isGrowingOn || changed.some((index) => !later.includes(index));
}

/** Runs in the page. */
function listChanged(): readonly number[] {
  return window.__proofsheetLayout?.listChanged() ?? [];
}

/** Runs in the page. A visitor who scrolls does not resize the window. */
function hideResize(): void {
  if (window.__proofsheet?.scrollWatchers) window.__proofsheet.scrollWatchers.hidesResize = true;
}

declare global {
  interface Window {
    __proofsheetLayout?: { listChanged(): number[] };
  }
}
