import type { Frame, Page } from '@playwright/test';
import type { CaptureContext } from '../capture-context.js';
import { callIn } from '../in-page/frames.js';
import type { Tools } from '../in-page/tools.js';
import { hasInteractions } from '../interactions.js';
import { LIVED_MS, type PageClock, REACTION_MS } from '../page-clock.js';
import { MAX_HEIGHT, SHORTER, tooTall } from '../screenshot/screenshot-backend.js';
import { expandFrames, MAX_GROWN_PX } from './expand-areas.js';
import { expandPanels } from './expand-panels.js';
import { detachFromHeight, pinLengths } from './pin-lengths.js';

/** Maximum number of times that the window grows: content that was out of view may load, and make the page taller. */
const MAX_ROUNDS = 12;

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
  const windowSize = page.viewportSize();
  if (!windowSize) return null;
  const expands = settings.expand !== false;
  // A phone shows a page that is wider than its window at a smaller scale.
  const first = await callIn(page, readWindow);
  const scale = windowSize.width / first.width;
  const sizeOf = (height: number) => ({ width: windowSize.width, height: Math.ceil(height * scale) });
  await detachFromHeight(page);
  const following = new Set<Frame>();
  let { height } = first;
  let lowestPanelEnd = 0;
  let isPinned = false;
  /** The window was the last that grew: content that is still taller grows with it. */
  let growsWithWindow = false;
  let elementCount = 0;
  let cutAt: number | null = null;
  let reactsToResize = await callIn(page, watchLayout);
  // Scripts of a frame may wait until it is in view, and then tell the page how tall it is.
  let reactsToView = page.frames().length > 1 || (await callIn(page, watchesView));

  const readHeight = async () => {
    if (expands) await expandFrames(page, clock, following);
    return Math.max(await readContentHeight(context), lowestPanelEnd);
  };
  const resize = async (newHeight: number) => {
    if (isPinned) await clock.awaiting(page.setViewportSize(sizeOf(newHeight)));
    else await pinLengths(page, sizeOf(height), sizeOf(newHeight));
    height = newHeight;
    isPinned = true;
    if (!hasInteractions(settings)) await callIn(page, notifyOfScroll);
    await clock.pass(REACTION_MS);
  };
  /** Each of these steps returns whether it may have changed the height of the page. */
  const growOnce = async () => {
    const wanted = await readHeight();
    if (wanted <= height) return false;
    if (wanted > MAX_HEIGHT) throw tooTall(page, wanted, `the maximum height is ${MAX_HEIGHT} px`, SHORTER);
    const earlierCount = elementCount;
    elementCount = await page.evaluate(() => document.querySelectorAll('*').length);
    // A page is not endless if only its elements become larger, such as pictures that are loaded.
    const isEndless = first.grewBefore || (growsWithWindow && elementCount > earlierCount);
    if (isEndless && wanted > MAX_GROWN_PX && height <= MAX_GROWN_PX) cutAt = MAX_GROWN_PX;
    const oldHeight = height;
    const mayFollow = !isPinned && reactsToResize;
    await resize(cutAt ?? wanted);
    growsWithWindow = true;
    if (!mayFollow) return true;
    const keepsGrowing = (await readHeight()) - height > (height - oldHeight) / 2;
    if (!(await followsHeight(page, clock, keepsGrowing))) return true;
    // Once more, without the event `resize`: a visitor who scrolls does not resize the window.
    await clock.awaiting(page.setViewportSize(sizeOf(oldHeight)));
    await clock.pass(REACTION_MS);
    await callIn(page, hideResize);
    [height, isPinned, reactsToResize] = [oldHeight, false, false];
    return true;
  };
  const expandOnce = async () => {
    const end = expands ? await expandPanels(context) : null;
    if (end === null) return false;
    lowestPanelEnd = Math.max(lowestPanelEnd, end);
    await callIn(page, ({ memory }) => memory.layout?.note());
    growsWithWindow = false;
    return true;
  };
  /** What came into view may load its content after a while. */
  const liveOn = async () => {
    if (!reactsToView) return false;
    reactsToView = false;
    await clock.pass(LIVED_MS - REACTION_MS);
    return true;
  };
  for (let round = 0; round < MAX_ROUNDS && cutAt === null; round++) {
    const mayHaveChanged = (await growOnce()) || (await expandOnce()) || (round > 0 && (await liveOn()));
    if (!mayHaveChanged) break;
  }
  return cutAt;
}

async function readContentHeight({ session }: CaptureContext): Promise<number> {
  const { cssContentSize } = await (await session()).send('Page.getLayoutMetrics');
  return Math.ceil(cssContentSize.height);
}

function readWindow({ memory: { isEndless } }: Tools) {
  return { width: innerWidth, height: innerHeight, grewBefore: isEndless };
}

/** Tells scripts that the page and its areas were scrolled, and what is in view now. */
function notifyOfScroll({ memory }: Tools): void {
  document.dispatchEvent(new Event('scroll', { bubbles: true }));
  for (const element of document.querySelectorAll<HTMLElement>('body *'))
    if (element.onscroll || memory.scrollListeners.has(element)) element.dispatchEvent(new Event('scroll'));
}

/** Checks whether a script may react to what is in view. */
function watchesView({ memory: { hasObserved, scrollListeners } }: Tools): boolean {
  return hasObserved || scrollListeners.size > 0;
}

/** Notes the layout of the page. Returns whether a script may react to the size of the window. */
function watchLayout({ memory, findAll, isShown }: Tools): boolean {
  const elements = findAll('body *').filter((element) => {
    const { top, bottom } = element.getBoundingClientRect();
    return top >= 0 && bottom > top && bottom <= innerHeight;
  });
  const read = (element: Element) =>
    element.getClientRects().length > 0 ? `${element.clientWidth} ${element.clientHeight} ${element.textContent}` : '';
  let noted: string[] = [];
  let shown: boolean[] = [];
  const layout = {
    note() {
      noted = elements.map(read);
      shown = elements.map(isShown);
    },
    listChanged: () => elements.flatMap((element, index) => (read(element) === noted[index] ? [] : [index])),
    // A scrollbar of a script is no content.
    hasVanished: () =>
      elements.some((one, at) => one.textContent?.trim() && one.isConnected && shown[at] && !isShown(one)),
  };
  layout.note();
  memory.layout = layout;
  return onresize !== null || memory.hasResize;
}

/** Runs in the page. Its scripts do not learn any more that the window has another size. */
export function hideResize({ memory }: Tools): void {
  memory.hidesResize = true;
}

/**
 * Checks whether a script lays the page out by the height of the window, so that a taller window shows another page: what the first window
 * showed has another size or text. What changes by itself does not count.
 */
async function followsHeight(page: Page, clock: PageClock, keepsGrowing: boolean): Promise<boolean> {
  const changed = await callIn(page, noteChanges);
  if (changed.length === 0) return keepsGrowing;
  await clock.pass(REACTION_MS);
  const later = await callIn(page, noteChanges);
  return keepsGrowing || changed.some((index) => !later.includes(index));
}

/** Lists what changed, and notes the layout. */
function noteChanges({ memory: { layout } }: Tools): readonly number[] {
  const changed = layout?.listChanged() ?? [];
  layout?.note();
  return changed;
}
