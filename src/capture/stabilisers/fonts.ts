import type { Stabiliser } from '../stabiliser.js';

/** Waits until every web font that the page uses is there: text is drawn in a fallback font before. */
export const fonts = {
  name: 'fonts',
  explanation: 'these fonts were still loading',
  async wait(capMs) {
    const cap = new Promise<void>((resolve) => setTimeout(resolve, capMs));
    await Promise.race([document.fonts.ready, cap]);
    return Array.from(document.fonts)
      .filter((font) => font.status === 'loading')
      .map((font) => font.family);
  },
} satisfies Stabiliser;
