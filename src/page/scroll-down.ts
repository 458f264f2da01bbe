import type { CaptureContext } from './capture-context.js';

/** Maximum number of positions: an endless page is not scrolled to its end. */
const MAX_POSITIONS = 60;

/** How long the page lives at each position, in milliseconds of its time, and how many frames it draws meanwhile. */
const POSITION_MS = { lived: 300, step: 100 };

/**
 * Scrolls down a page by one window at a time, as a visitor would: what appears when it is scrolled to appears. Ends where it began. A page
 * whose frames are controlled is scrolled only if a script of it may react to that: its window shows all of it later.
 */
export async function scrollDown({ page, clock }: CaptureContext): Promise<void> {
  const start = await page.evaluate(readStart, !clock.drawsFrames);
  if (start === null) return;
  const { left, top, windowHeight } = start;
  const show = async (position: number) => {
    const height = await page.evaluate(scrollToPosition, { left, top: position });
    await clock.pass(POSITION_MS.lived, POSITION_MS.step);
    return height;
  };
  let height = start.height;
  for (let count = 1; count < MAX_POSITIONS && count * windowHeight < height; count++)
    height = await show(count * windowHeight);
  await show(top);
}

/** Runs in the page. Returns null if no script of the page may react to scrolling. */
function readStart(always: boolean): { left: number; top: number; height: number; windowHeight: number } | null {
  const root = document.scrollingElement ?? document.documentElement;
  if (root.scrollHeight <= innerHeight) return null;
  const { listening, observed, loopFrames } = window.__proofsheet?.scrollWatchers ?? {};
  const hasHandler = [window, document].some(({ onscroll, onscrollend }) => onscroll ?? onscrollend);
  const listens = Array.from(listening ?? []).some((target) => target === window || target === document);
  const observes = Array.from(observed?.values() ?? []).some((targets) =>
    Array.from(targets).some((target) => target.isConnected && target.getBoundingClientRect().bottom > innerHeight),
  );
  const reacts = always || hasHandler || listens || observes || (loopFrames?.size ?? 0) > 0;
  if (!reacts) return null;
  return { left: scrollX, top: scrollY, height: root.scrollHeight, windowHeight: innerHeight };
}

/** Runs in the page. Returns the height of the page. */
function scrollToPosition({ left, top }: { left: number; top: number }): number {
  scrollTo({ left, top, behavior: 'instant' });
  return (document.scrollingElement ?? document.documentElement).scrollHeight;
}
