import type { Stabiliser } from '../stabiliser.js';

/** Waits until every web font that the page uses is there: text is drawn in a fallback font before. */
export const fonts = {
  name: 'fonts',
  capMs: 2_000,
  explanation: 'these fonts were still loading',
  async wait(capMs, pause) {
    await Promise.race([document.fonts.ready, pause(capMs)]);
    return Array.from(document.fonts)
      .filter((font) => font.status === 'loading')
      .map((font) => font.family);
  },
} satisfies Stabiliser;
