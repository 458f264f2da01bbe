import type { Stabilizer } from '../stabilizer.js';

/**
 * Shows the first frame of each GIF or APNG.
 *
 * Chromium does this itself with `imageAnimationPolicy=2`, at no cost and also for CSS images. Cross-origin images
 * cannot be read and are not changed.
 */
export const gifs = {
  name: 'gifs',
  capMs: 1_000,
  async wait(capMs, pause, roots) {
    window.__proofsheet ??= {};
    window.__proofsheet.stoppedImages ??= new Set();
    const stopped = window.__proofsheet.stoppedImages;
    // Checks the URL: reading the bytes of all images would take longer than the rest of the page.
    const animatedImages = roots
      .flatMap((root) => Array.from(root.querySelectorAll('img')))
      .filter((image) => /^data:image\/(?:gif|apng)|\.(?:gif|apng)(?:[?#]|$)/i.test(image.currentSrc))
      .filter((image) => image.naturalWidth > 0 && !stopped.has(image));
    const stops = animatedImages.map(async (image) => {
      const canvas = document.createElement('canvas');
      canvas.width = image.naturalWidth;
      canvas.height = image.naturalHeight;
      // By the HTML standard, `drawImage` draws the first frame of an animated image.
      canvas.getContext('2d')?.drawImage(image, 0, 0);
      const firstFrame = new Image();
      try {
        firstFrame.src = canvas.toDataURL();
        await firstFrame.decode();
      } catch {
        return;
      }
      // Does not set `src`: `srcset`, <picture> or a script of the page could override it.
      image.style.setProperty('content', `url("${firstFrame.src}")`, 'important');
      stopped.add(image);
    });
    if (stops.length > 0) await Promise.race([Promise.all(stops), pause(capMs)]);
    return [];
  },
  restore() {
    for (const image of window.__proofsheet?.stoppedImages ?? []) {
      image.style.removeProperty('content');
      if (image.getAttribute('style') === '') image.removeAttribute('style');
    }
    window.__proofsheet?.stoppedImages?.clear();
  },
} satisfies Stabilizer;
