import type { Stabilizer } from '../stabilizer.js';

/**
 * Waits until every image has arrived, those too that the page would load only when scrolled to, frames likewise, and has
 * images decoded as they are painted.
 */
export const images = {
  name: 'images',
  capMs: 5_000,
  explanation: 'these images or frames did not arrive',
  // Chromium leaves out the background of an image once it knows that the image hides it, and with it a shade at round corners:
  // that depends on whether the image was decoded before it was painted. It never does of one that is placed otherwise.
  startCss: ':where(img) { object-position: 50% 50.001%; }',
  async wait(capMs, pause) {
    const roots: (Document | ShadowRoot)[] = [document];
    for (const root of roots)
      for (const element of root.querySelectorAll('*')) if (element.shadowRoot) roots.push(element.shadowRoot);
    const arrived = (element: Element) =>
      new Promise<void>((resolve) => {
        element.addEventListener('load', () => resolve(), { once: true });
        element.addEventListener('error', () => resolve(), { once: true });
      });
    const wanted = roots
      .flatMap((root) => Array.from(root.querySelectorAll('img')))
      .filter((image) => image.currentSrc || image.src || image.srcset);
    const pictures = wanted.map((image) => {
      image.loading = 'eager';
      // Not image.decode(): what it leaves in the browser's cache is at times scaled and at times not, and so is what is
      // painted from it: a small picture of a large photo came out in two ways, by chance.
      image.decoding = 'sync';
      return image.complete ? undefined : arrived(image);
    });
    // One that has not begun shows an empty document of our own origin; what it will be, its source says.
    const lazy = roots
      .flatMap((root) => Array.from(root.querySelectorAll('iframe')))
      .filter((frame) => frame.loading === 'lazy' && frame.src && frame.contentDocument?.URL === 'about:blank');
    const pending = new Set(lazy);
    const frames = lazy.map((frame) => {
      frame.loading = 'eager';
      return arrived(frame).then(() => pending.delete(frame));
    });
    await Promise.race([Promise.all([...pictures, ...frames]), pause(capMs)]);
    return [
      ...wanted
        .filter((image) => !image.complete || image.naturalWidth === 0)
        .map((image) => image.currentSrc || image.src),
      ...Array.from(pending, (frame) => frame.src),
    ];
  },
  freeze() {
    const roots: (Document | ShadowRoot)[] = [document];
    for (const root of roots) {
      for (const element of root.querySelectorAll('*')) if (element.shadowRoot) roots.push(element.shadowRoot);
      // What was put in since comes at least for the next image: that it is on its way keeps us looking on.
      for (const late of root.querySelectorAll<HTMLImageElement | HTMLIFrameElement>('[loading="lazy" i]'))
        late.loading = 'eager';
    }
  },
} satisfies Stabilizer;
