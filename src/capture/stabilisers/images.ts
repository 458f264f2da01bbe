import type { Stabiliser } from '../stabiliser.js';

/**
 * Waits until every image has arrived, those too that the page would load only when scrolled to, and has them decoded
 * as they are painted.
 */
export const images = {
  name: 'images',
  capMs: 5_000,
  explanation: 'these images did not arrive',
  async wait(capMs, pause) {
    const wanted = Array.from(document.images).filter((image) => image.currentSrc || image.src || image.srcset);
    const arrivals = wanted.map((image) => {
      image.loading = 'eager';
      // Not image.decode(): what it leaves in the browser's cache is at times scaled and at times not, and so is what is
      // painted from it: a small picture of a large photo came out in two ways, by chance.
      image.decoding = 'sync';
      if (image.complete) return undefined;
      return new Promise<void>((resolve) => {
        image.addEventListener('load', () => resolve(), { once: true });
        image.addEventListener('error', () => resolve(), { once: true });
      });
    });
    await Promise.race([Promise.all(arrivals), pause(capMs)]);
    return wanted
      .filter((image) => !image.complete || image.naturalWidth === 0)
      .map((image) => image.currentSrc || image.src);
  },
} satisfies Stabiliser;
