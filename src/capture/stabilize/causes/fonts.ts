import type { Stabilizer } from '../stabilizer.js';

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
