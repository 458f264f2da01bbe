import type { Stabilizer } from '../stabilizer.js';

/**
 * Waits until all images and frames are loaded, including lazy ones. Decodes images synchronously.
 */
export const images = {
  name: 'images',
  capMs: 5_000,
  explanation: 'these images or frames did not arrive',
  // Chromium skips the background of an image that covers it, which changes the pixels at rounded corners. Whether it
  // does depends on whether the image was decoded before painting. It never does for another `object-position`.
  startCss: ':where(img) { object-position: 50% 50.001%; }',
  async wait(capMs, pause, roots) {
    const loaded = (element: Element) =>
      new Promise<void>((resolve) => {
        element.addEventListener('load', () => resolve(), { once: true });
        element.addEventListener('error', () => resolve(), { once: true });
      });
    const imagesWithSource = roots
      .flatMap((root) => Array.from(root.querySelectorAll('img')))
      .filter((image) => image.currentSrc || image.src || image.srcset);
    const imageLoads = imagesWithSource.map((image) => {
      image.loading = 'eager';
      // Does not call `image.decode()`: it caches the image either scaled or unscaled, so a downscaled photo rendered
      // in two ways at random.
      image.decoding = 'sync';
      return image.complete ? undefined : loaded(image);
    });
    // A lazy frame that has not started to load has the document `about:blank` and a `src`.
    const lazy = roots
      .flatMap((root) => Array.from(root.querySelectorAll('iframe')))
      .filter((frame) => frame.loading === 'lazy' && frame.src && frame.contentDocument?.URL === 'about:blank');
    const pending = new Set(lazy);
    const frameLoads = lazy.map((frame) => {
      frame.loading = 'eager';
      return loaded(frame).then(() => pending.delete(frame));
    });
    await Promise.race([Promise.all([...imageLoads, ...frameLoads]), pause(capMs)]);
    return [
      ...imagesWithSource
        .filter((image) => !image.complete || image.naturalWidth === 0)
        .map((image) => image.currentSrc || image.src),
      ...Array.from(pending, (frame) => frame.src),
    ];
  },
  freeze(roots) {
    for (const root of roots) {
      // Lazy elements that were added later load for the next screenshot. Their open requests delay its acceptance.
      for (const late of root.querySelectorAll<HTMLImageElement | HTMLIFrameElement>('[loading="lazy" i]'))
        late.loading = 'eager';
    }
  },
} satisfies Stabilizer;
