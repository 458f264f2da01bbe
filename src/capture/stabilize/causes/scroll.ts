import type { Stabilizer } from '../stabilizer.js';

/** Maximum height to which a page may grow while it is scrolled, in CSS pixels. An endless feed is cut there. */
export const MAX_FEED_HEIGHT = 20_000;

/** Scrolls through the page to trigger lazy content, and back to the initial position. */
export const scroll = {
  name: 'scroll',
  capMs: 8_000,
  explanation: 'the page was not scrolled to its end in time',
  init() {
    window.__proofsheet ??= {};
    const memory = window.__proofsheet;
    // Scrolling does not change a page without such scripts, so it is skipped there.
    window.IntersectionObserver = new Proxy(window.IntersectionObserver, {
      construct(target, args, newTarget) {
        memory.watchesScroll = true;
        return Reflect.construct(target, args, newTarget);
      },
    });
    const listen = EventTarget.prototype.addEventListener;
    EventTarget.prototype.addEventListener = new Proxy(listen, {
      apply(target, receiver, args) {
        if (args[0] === 'scroll' || args[0] === 'wheel') memory.watchesScroll = true;
        return Reflect.apply(target, receiver, args);
      },
    });
  },
} satisfies Stabilizer;

/** The result of {@link scrollThrough}. */
export interface ScrolledThrough {
  /** Height at which the image is cut because the page grew beyond {@link MAX_FEED_HEIGHT}; null for no limit. */
  readonly cutAt: number | null;
  /** The end of the page was reached in time. */
  readonly complete: boolean;
  /** False if the page is not taller than the viewport, or has no script that observes scrolling. */
  readonly scrolled: boolean;
  /** Height at which the page is cut if it grows further. A page that was taller before scrolling is not cut. */
  readonly maxHeight: number;
  /** The height of the page before scrolling and at the end of it, in CSS pixels. */
  readonly heights: { readonly before: number; readonly atEnd: number };
}

/**
 * Scrolls down by one viewport height at a time until the page stops growing, and back. Runs in the page.
 *
 * @param maxHeight the height at which a growing page is cut, in CSS pixels.
 * @param always scrolls even if the page has no script that observes scrolling.
 * @param from the end of an earlier scroll, in CSS pixels from the top; 0 if there was none.
 */
export async function scrollThrough({
  maxHeight: maxGrownHeight,
  capMs,
  always,
  from,
}: {
  maxHeight: number;
  capMs: number;
  always: boolean;
  from: number;
}): Promise<ScrolledThrough> {
  const root = document.scrollingElement ?? document.documentElement;
  const first = root.scrollHeight;
  const maxHeight = from > 0 ? maxGrownHeight : Math.max(maxGrownHeight, first);
  const unscrolled = {
    cutAt: null,
    complete: true,
    scrolled: false,
    maxHeight,
    heights: { before: first, atEnd: first },
  };
  if (first <= innerHeight || !(always || window.__proofsheet?.watchesScroll || onscroll)) return unscrolled;
  const start = { left: scrollX, top: scrollY };
  const end = performance.now() + capMs;
  // Intersection observers are notified after the frame.
  const nextFrame = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
  // A feed needs time to load more content. A page that has already grown gets 500 ms, other pages 100 ms.
  const waitForGrowth = async (height: number) => {
    const waitEnd = performance.now() + (from > 0 || height > first ? 500 : 100);
    while (root.scrollHeight === height && performance.now() < waitEnd) await nextFrame();
  };
  let complete = true;
  for (let top = Math.max(0, from - innerHeight); top < Math.min(root.scrollHeight, maxHeight); top += innerHeight) {
    if (performance.now() > end) {
      complete = false;
      break;
    }
    scrollTo({ left: start.left, top, behavior: 'instant' });
    await nextFrame();
    if (top + innerHeight >= root.scrollHeight) await waitForGrowth(root.scrollHeight);
  }
  // Measured before scrolling back: content that is added meanwhile was not scrolled through.
  const atEnd = root.scrollHeight;
  scrollTo({ ...start, behavior: 'instant' });
  await nextFrame();
  return {
    cutAt: atEnd > maxHeight ? maxHeight : null,
    complete,
    scrolled: true,
    maxHeight,
    heights: { before: first, atEnd },
  };
}
