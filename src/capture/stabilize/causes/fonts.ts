import type { Stabilizer } from '../stabilizer.js';

/**
 * Waits until every web font that the page uses is there: text is drawn in a fallback font before. Then it has the text of
 * closed lists laid out anew, which Chromium leaves at the height at which the fallback font had it, a pixel off.
 */
export const fonts = {
  name: 'fonts',
  capMs: 2_000,
  explanation: 'these fonts were still loading',
  async wait(capMs, pause) {
    await Promise.race([document.fonts.ready, pause(capMs)]);
    const roots = (window.__proofsheet?.styled ?? []).map(({ root }) => root);
    for (const root of roots) {
      const list = root instanceof Document || root instanceof ShadowRoot ? root.querySelector('select') : null;
      if (!list) continue;
      // It changes no size, and is taken back before anything is drawn: the page can see nothing of it.
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
