import type { Stabilizer } from '../stabilizer.js';

/**
 * Shows the first frame of each GIF, where the browser does not hold it there already: Chromium does, at no cost and wherever
 * the picture is used, under `imageAnimationPolicy=2`. One of another origin cannot be read, and is left as it is.
 */
export const gifs = {
  name: 'gifs',
  capMs: 1_000,
  async wait(capMs, pause) {
    window.__proofsheet ??= {};
    window.__proofsheet.haltedPictures ??= new Set();
    const halted = window.__proofsheet.haltedPictures;
    const roots: (Document | ShadowRoot)[] = [document];
    for (const root of roots) {
      for (const element of root.querySelectorAll('*')) if (element.shadowRoot) roots.push(element.shadowRoot);
    }
    // By its name: to look into the bytes of all pictures would cost more than the rest of the page.
    const pictures = roots
      .flatMap((root) => Array.from(root.querySelectorAll('img')))
      .filter((image) => /^data:image\/(?:gif|apng)|\.(?:gif|apng)(?:[?#]|$)/i.test(image.currentSrc))
      .filter((image) => image.naturalWidth > 0 && !halted.has(image));
    const halts = pictures.map(async (image) => {
      const canvas = document.createElement('canvas');
      canvas.width = image.naturalWidth;
      canvas.height = image.naturalHeight;
      // What a canvas takes of an animated picture is its first frame, by the standard.
      canvas.getContext('2d')?.drawImage(image, 0, 0);
      const still = new Image();
      try {
        still.src = canvas.toDataURL();
        await still.decode();
      } catch {
        return;
      }
      // Not its source: `srcset`, <picture> and the page's own script may have a say in that.
      image.style.setProperty('content', `url("${still.src}")`, 'important');
      halted.add(image);
    });
    if (halts.length > 0) await Promise.race([Promise.all(halts), pause(capMs)]);
    return [];
  },
  restore() {
    for (const image of window.__proofsheet?.haltedPictures ?? []) {
      image.style.removeProperty('content');
      if (image.getAttribute('style') === '') image.removeAttribute('style');
    }
    window.__proofsheet?.haltedPictures?.clear();
  },
} satisfies Stabilizer;
