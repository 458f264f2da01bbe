import type { Frame, Page } from '@playwright/test';
import type { CaptureContext } from '../capture-context.js';
import { openRoots, type Root } from '../in-page/frames.js';
import { LIVED_MS, type PageClock } from '../page-clock.js';
import { hasInteractions } from '../prepare-page.js';
import { MAX_HEIGHT, SHORTER, tooTall } from '../screenshot/screenshot-backend.js';
import { expandFrames, MAX_GROWN_PX } from './expand-areas.js';
import { expandPanels } from './expand-panels.js';
import { detachFromHeight, pinLengths } from './pin-lengths.js';

/** Maximum number of times that the window grows: content that was out of view may load, and make the page taller. */
const MAX_ROUNDS = 12;

/** How long the page lives after its window grew, in milliseconds of its time: animations of what came into view end. */
export const REACTION_MS = 1_000;

/**
 * Makes the window of a page as tall as its content, so that everything is in view. What a page shows only in view is then there:
 * frames of other sites, content with `content-visibility`, fixed backgrounds, virtual lists, and what hides again when it is
 * scrolled out. Lengths that follow the height of the window (`vh`, percentages of it, fixed elements) keep what they were.
 *
 * Areas within the page that scroll become as large as their content, and frames as tall as their documents.
 *
 * @returns height at which an endless page is cut, in CSS pixels; null for no limit.
 * @throws ProofsheetError `page-too-tall`
 */
export async function growWindow(context: CaptureContext): Promise<number | null> {
  const { page, clock, settings } = context;
  const expands = settings.expand !== false;
  const window = page.viewportSize();
  if (!window) return null;
  // A phone shows a page that is wider than its window at a smaller scale.
  const [first, scale] = await page.evaluate((width) => [innerHeight, width / innerWidth] as const, window.width);
  let height = first;
  await detachFromHeight(page);
  const following = new Set<Frame>();
  let lowestEnd = 0;
  const readHeight = async () => {
    if (expands) await expandFrames(page, clock, following);
    return Math.max(await readContentHeight(context), lowestEnd);
  };
  const sizeOf = (pageHeight: number) => ({ width: window.width, height: Math.ceil(pageHeight * scale) });
  let [isPinned, grewWithWindow] = [false, false];
  let mayResize = await page.evaluate<boolean>(`(${String(watchLayout)})(${String(openRoots)})`);
  let livesOn = await page.evaluate(watchesView);
  for (let growths = 0; growths < MAX_ROUNDS; growths++) {
    const wanted = await readHeight();
    if (wanted <= height) {
      const end = expands ? await expandPanels(context) : null;
      if (end !== null) {
        lowestEnd = Math.max(lowestEnd, end);
        await page.evaluate(listChanged);
        grewWithWindow = false;
        continue;
      }
      // What came into view may load its content after a while.
      if (growths === 0 || !livesOn) break;
      livesOn = false;
      await clock.pass(LIVED_MS - REACTION_MS);
      continue;
    }
    if (wanted > MAX_HEIGHT) throw tooTall(page, wanted, `the maximum height is ${MAX_HEIGHT} px`, SHORTER);
    const isEndless = grewWithWindow && wanted > MAX_GROWN_PX && height <= MAX_GROWN_PX;
    const heightBefore = height;
    height = isEndless ? MAX_GROWN_PX : wanted;
    const pins: boolean = !isPinned;
    if (pins) await pinLengths(page, sizeOf(heightBefore), sizeOf(height));
    else await clock.awaiting(page.setViewportSize(sizeOf(height)));
    isPinned = true;
    grewWithWindow = true;
    if (!hasInteractions(settings)) await page.evaluate(notifyOfScroll);
    await clock.pass(REACTION_MS);
    if (
      pins &&
      mayResize &&
      (await followsHeight(page, clock, (await readHeight()) - height > (height - heightBefore) / 2))
    ) {
      await clock.awaiting(page.setViewportSize(sizeOf(heightBefore)));
      await clock.pass(REACTION_MS);
      await page.evaluate(hideResize);
      height = heightBefore;
      isPinned = false;
      mayResize = false;
      continue;
    }
    if (isEndless) return MAX_GROWN_PX;
  }
  return null;
}

async function readContentHeight({ session }: CaptureContext): Promise<number> {
  const { cssContentSize } = await (await session()).send('Page.getLayoutMetrics');
  return Math.ceil(cssContentSize.height);
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
  const read = (element: Element) =>
    element.getClientRects().length > 0 ? `${element.clientWidth} ${element.clientHeight} ${element.textContent}` : '';
  const isShown = (element: Element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  let last = elements.map(read);
  let shown = elements.map(isShown);
  window.__proofsheetLayout = {
    listChanged() {
      const now = elements.map(read);
      const changed = now.flatMap((value, index) => (value === last[index] ? [] : [index]));
      last = now;
      shown = elements.map(isShown);
      return changed;
    },
    // A scrollbar of a script is no content.
    hasVanished: () =>
      elements.some((one, at) => one.textContent?.trim() && one.isConnected && shown[at] && !isShown(one)),
  };
  return onresize !== null || (window.__proofsheet?.scrollWatchers?.hasResize ?? true);
}

/**
 * Checks whether a script lays the page out by the height of the window, so that a taller window shows another page: what the first window
 * showed has another size or text. What changes by itself does not count.
 */
async function followsHeight(page: Page, clock: PageClock, keepsGrowing: boolean): Promise<boolean> {
  const changed = await page.evaluate(listChanged);
  if (changed.length === 0) return keepsGrowing;
  await clock.pass(REACTION_MS);
  const later = await page.evaluate(listChanged);
  return keepsGrowing || changed.some((index) => !later.includes(index));
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
    __proofsheetLayout?: { listChanged(): number[]; hasVanished(): boolean };
  }
}
