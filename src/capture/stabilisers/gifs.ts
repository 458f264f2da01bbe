import type { Stabiliser } from '../stabiliser.js';

/**
 * Puts every animated picture back to its first frame, where the browser does not hold it there already: Chromium does under
 * `imageAnimationPolicy=2`, at no cost and wherever the picture is used.
 */
export const gifs = {
  name: 'gifs',
  explanation: 'these animated pictures could not be halted',
  async wait(capMs) {
    const known = globalThis as { __proofsheetGifs?: Map<HTMLImageElement, (string | null)[]> };
    known.__proofsheetGifs ??= new Map();
    const shown = known.__proofsheetGifs;
    const attributes = ['src', 'srcset', 'sizes'];
    const cap = new Promise<void>((resolve) => setTimeout(resolve, capMs));
    // A picture is told by its name: to look into the bytes of all of them costs more than the page.
    const isAnimated = (url: string) => /^data:image\/(?:gif|apng|webp)|\.(?:gif|apng|webp)(?:[?#]|$)/i.test(url);
    const roots: (Document | ShadowRoot)[] = [document];
    for (const root of roots) {
      for (const element of root.querySelectorAll('*')) if (element.shadowRoot) roots.push(element.shadowRoot);
    }
    const pictures = roots
      .flatMap((root) => Array.from(root.querySelectorAll('img')))
      .filter((image) => image.complete && image.naturalWidth > 0 && isAnimated(image.currentSrc) && !shown.has(image));
    const pending = new Set(pictures);
    const halts = pictures.map(async (image) => {
      const canvas = document.createElement('canvas');
      canvas.width = image.naturalWidth;
      canvas.height = image.naturalHeight;
      // What a canvas draws of an animated picture is its first frame, by the standard.
      canvas.getContext('2d')?.drawImage(image, 0, 0);
      try {
        const still = canvas.toDataURL();
        const before = attributes.map((name) => image.getAttribute(name));
        // The size that it was given by its own pixels, or by the layout, stays: a still has the same.
        for (const name of attributes) image.removeAttribute(name);
        shown.set(image, before);
        image.src = still;
        await image.decode();
        pending.delete(image);
      } catch {
        // Of another origin: its pixels may be shown, but not read.
      }
    });
    await Promise.race([Promise.all(halts), cap]);
    return Array.from(pending, (image) => image.currentSrc);
  },
  restore() {
    const { __proofsheetGifs: shown } = globalThis as { __proofsheetGifs?: Map<HTMLImageElement, (string | null)[]> };
    for (const [image, values] of shown ?? []) {
      for (const [index, name] of ['src', 'srcset', 'sizes'].entries()) {
        const value = values[index];
        if (typeof value === 'string') image.setAttribute(name, value);
        else image.removeAttribute(name);
      }
    }
    shown?.clear();
  },
} satisfies Stabiliser;
