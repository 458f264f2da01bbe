import type { Stabiliser } from '../stabiliser.js';

/** Waits until every image has arrived and is decoded, those too that the page would load only when scrolled to. */
export const images = {
  name: 'images',
  explanation: 'these images did not arrive',
  async wait(capMs) {
    const cap = new Promise<void>((resolve) => setTimeout(resolve, capMs));
    const pending = new Set<string>();
    const waits = Array.from(document.images, async (image) => {
      image.loading = 'eager';
      if (!image.currentSrc && !image.src) return;
      const url = image.currentSrc || image.src;
      pending.add(url);
      // A broken image rejects: it stays in the list.
      await image.decode().then(
        () => pending.delete(url),
        () => {},
      );
    });
    await Promise.race([Promise.all(waits), cap]);
    return Array.from(pending);
  },
} satisfies Stabiliser;
