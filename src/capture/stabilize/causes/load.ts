import type { Stabilizer } from '../stabilizer.js';

/**
 * Waits for the load event, up to a cap: a request without a response delays it forever. Implemented in
 * `navigation.ts`.
 */
export const load = {
  name: 'load',
  capMs: 15_000,
  explanation: 'the load event did not fire in time',
} satisfies Stabilizer;

/** Waits until no visible element has `aria-busy="true"`. */
export const busy = {
  name: 'busy',
  capMs: 5_000,
  explanation: 'elements are still marked with aria-busy',
  async wait(capMs, pause) {
    const clock = window.__proofsheet?.native ?? performance;
    const end = clock.now() + capMs;
    const name = (element: Element) =>
      element.id
        ? `#${element.id}`
        : element.tagName.toLowerCase() + (element.classList[0] ? `.${element.classList[0]}` : '');
    for (;;) {
      const found = Array.from(document.querySelectorAll('[aria-busy="true" i]')).filter((element) =>
        element.checkVisibility(),
      );
      if (found.length === 0) return [];
      if (clock.now() > end) return found.map(name);
      await pause(50);
    }
  },
} satisfies Stabilizer;

/**
 * Waits until the DOM has not changed for 100 ms: hydration, late widgets, lists that are being filled. Its switch also
 * has the active timers recorded.
 */
export const layout = {
  name: 'layout',
  capMs: 2_000,
  explanation: 'the DOM did not stop changing',
  init() {
    window.__proofsheet ??= {};
    const memory = window.__proofsheet;
    // Only changes after the load event count.
    addEventListener('load', () => {
      const observer = new MutationObserver(() => {
        memory.lastMutation = (memory.native ?? performance).now();
      });
      observer.observe(document, { subtree: true, childList: true, characterData: true });
    });
  },
  async wait(capMs, pause) {
    const quietMs = 100;
    const clock = window.__proofsheet?.native ?? performance;
    const [start, pageStart] = [clock.now(), performance.now()];
    // Skipped time costs little, and a text that types itself may take 10 s.
    const skippedCapMs = 5 * capMs;
    const isOver = () => clock.now() - start > capMs || performance.now() - pageStart > skippedCapMs;
    const last = () => window.__proofsheet?.lastMutation ?? Number.NEGATIVE_INFINITY;
    for (;;) {
      const before = last();
      const quiet = clock.now() - before;
      // On a busy machine, timers of the page may be overdue. They run before a timer that is set now.
      await pause(Math.max(0, quietMs - quiet));
      if (quiet >= quietMs && last() === before) return [];
      if (isOver()) return [location.href];
    }
  },
} satisfies Stabilizer;

/**
 * Waits until all web fonts of the page are loaded: until then, text uses a fallback font. `awaitCauses` in
 * stabilize-page.ts also waits for open font requests, because only they have the URL of a font that does not load.
 *
 * Then forces a layout of `select` elements. Without it, Chromium keeps their text at the height of the fallback font,
 * which is one pixel off.
 */
export const fonts = {
  name: 'fonts',
  capMs: 2_000,
  explanation: 'fonts did not finish loading',
  async wait(capMs, pause) {
    await Promise.race([document.fonts.ready, pause(capMs)]);
    const roots = (window.__proofsheet?.styled ?? []).map(({ root }) => root);
    for (const root of roots) {
      const list = root instanceof Document || root instanceof ShadowRoot ? root.querySelector('select') : null;
      if (!list) continue;
      // The rule changes no size and is removed before the next frame, so the page cannot observe it.
      const sheet = new CSSStyleSheet();
      sheet.replaceSync('select { text-indent: 1px !important; }');
      root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
      list.getBoundingClientRect();
      root.adoptedStyleSheets = root.adoptedStyleSheets.filter((other) => other !== sheet);
      list.getBoundingClientRect();
    }
    return Array.from(document.fonts)
      .filter((font) => font.status === 'loading')
      .map((font) => font.family);
  },
} satisfies Stabilizer;
