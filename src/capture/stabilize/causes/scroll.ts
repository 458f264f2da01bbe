import type { Stabilizer } from '../stabilizer.js';

/** How tall a page may become while it is scrolled through; what an endless feed brings beyond that is cut off. */
export const MOST_FEED_HEIGHT = 20_000;

/** Has content appear that comes only when it is scrolled to, and goes back to the top. */
export const scroll = {
  name: 'scroll',
  capMs: 8_000,
  explanation: 'not scrolled to its end in time',
  init() {
    window.__proofsheet ??= {};
    const memory = window.__proofsheet;
    // A page without such scripts looks the same however it was scrolled: then the way down is spared.
    window.IntersectionObserver = new Proxy(window.IntersectionObserver, {
      construct(target, args, asked) {
        memory.watchesScroll = true;
        return Reflect.construct(target, args, asked);
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

/** What a way down the page and back has found. */
export interface ScrolledThrough {
  /** Where the image has to end, since the page grew beyond {@link MOST_FEED_HEIGHT} meanwhile; null: at its own end. */
  readonly cutAt: number | null;
  readonly complete: boolean;
  /** False: the page is no taller than its window, or has no script that would notice. */
  readonly scrolled: boolean;
  /** Where it has to be cut if it grows on: a page that was taller from the start is not. */
  readonly most: number;
  /** How tall the page was before the way down, and at its end, in CSS pixels. */
  readonly heights: { readonly before: number; readonly atEnd: number };
}

/**
 * Scrolls down a screen at a time until the page grows no more, and back. Runs in the page.
 *
 * @param most where a page that grows has to be cut, in CSS pixels from its top.
 * @param always even where the page has no script that would notice.
 * @param from where an earlier way has ended, in CSS pixels from the top; 0: there was none.
 */
export async function scrollThrough({
  most: mostGrown,
  capMs,
  always,
  from,
}: {
  most: number;
  capMs: number;
  always: boolean;
  from: number;
}): Promise<ScrolledThrough> {
  const root = document.scrollingElement ?? document.documentElement;
  const first = root.scrollHeight;
  const most = from > 0 ? mostGrown : Math.max(mostGrown, first);
  const done = { cutAt: null, complete: true, scrolled: false, most, heights: { before: first, atEnd: first } };
  if (first <= innerHeight || !(always || window.__proofsheet?.watchesScroll || onscroll)) return done;
  const start = { left: scrollX, top: scrollY };
  const end = performance.now() + capMs;
  // Observers are told after the frame in which they were due.
  const painted = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
  // A feed takes a moment to bring more; one that has brought more before, is given longer.
  const grown = async (height: number) => {
    const enough = performance.now() + (from > 0 || height > first ? 500 : 100);
    while (root.scrollHeight === height && performance.now() < enough) await painted();
  };
  let complete = true;
  for (let top = Math.max(0, from - innerHeight); top < Math.min(root.scrollHeight, most); top += innerHeight) {
    if (performance.now() > end) {
      complete = false;
      break;
    }
    scrollTo({ left: start.left, top, behavior: 'instant' });
    await painted();
    if (top + innerHeight >= root.scrollHeight) await grown(root.scrollHeight);
  }
  // Before the way back: what comes meanwhile was not scrolled through.
  const atEnd = root.scrollHeight;
  scrollTo({ ...start, behavior: 'instant' });
  await painted();
  return { cutAt: atEnd > most ? most : null, complete, scrolled: true, most, heights: { before: first, atEnd } };
}
