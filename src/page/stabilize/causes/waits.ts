import type { Stabilizer } from '../stabilizer.js';

/** Waits until no visible element has `aria-busy="true"`. */
export const busy = {
  name: 'busy',
  capMs: 5_000,
  explanation: 'elements are still marked with aria-busy',
  async wait(capMs, pause) {
    const end = performance.now() + capMs;
    const name = (element: Element) =>
      element.id
        ? `#${element.id}`
        : element.tagName.toLowerCase() + (element.classList[0] ? `.${element.classList[0]}` : '');
    for (;;) {
      const found = Array.from(document.querySelectorAll('[aria-busy="true" i]')).filter((element) =>
        element.checkVisibility(),
      );
      if (found.length === 0) return [];
      if (performance.now() > end) return found.map(name);
      await pause(50);
    }
  },
} satisfies Stabilizer;

/**
 * Waits until all web fonts of the page are loaded: until then, text uses a fallback font.
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
