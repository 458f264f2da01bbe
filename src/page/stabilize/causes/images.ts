import type { Stabilizer } from '../stabilizer.js';

/**
 * Waits until all images and frames are loaded, including lazy ones. Decodes images synchronously.
 */
export const images = {
  name: 'images',
  capMs: 5_000,
  explanation: 'images or frames did not finish loading',
  // Chromium skips the background of an image that covers it, which changes the pixels at rounded corners. Whether it
  // does depends on whether the image was decoded before painting. It never does for another `object-position`.
  css: ':where(img) { object-position: 50% 50.001%; }',
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
    // A frame that has not loaded has the document `about:blank` and a `src`.
    const unloaded = roots
      .flatMap((root) => Array.from(root.querySelectorAll('iframe')))
      .filter((frame) => /^https?:/.test(frame.src) && frame.contentDocument?.URL === 'about:blank');
    const pending = new Set(unloaded);
    const frameLoads = unloaded.map((frame) => {
      frame.loading = 'eager';
      return loaded(frame).then(() => pending.delete(frame));
    });
    await Promise.race([Promise.all([...imageLoads, ...frameLoads]), pause(capMs)]);
    return [
      ...imagesWithSource.filter((image) => !image.complete).map((image) => image.currentSrc || image.src),
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

/** Pauses every video at its first frame. */
export const videos = {
  name: 'videos',
  capMs: 5_000,
  explanation: 'videos did not load their first frame',
  async wait(capMs, pause, roots) {
    const playing = roots
      .flatMap((root) => Array.from(root.querySelectorAll('video')))
      .filter((video) => !video.paused || video.autoplay);
    window.__proofsheet ??= {};
    window.__proofsheet.playingVideos = playing;
    const pending = new Set(playing);
    const pauses = playing.map(async (video) => {
      video.autoplay = false;
      video.pause();
      const isStream = video.srcObject !== null || video.currentSrc.startsWith('blob:');
      // Seeking needs a server with range requests. Reloading the video shows the first frame with any server.
      const isBroken = video.error !== null || video.networkState === HTMLMediaElement.NETWORK_NO_SOURCE;
      if (isStream || isBroken) return pending.delete(video);
      const loadEvents = ['loadeddata', 'error'].map((event) => {
        return new Promise((resolve) => video.addEventListener(event, resolve, { once: true }));
      });
      const presented = new Promise((resolve) => video.requestVideoFrameCallback?.(resolve));
      video.preload = 'auto';
      video.load();
      await Promise.race(loadEvents);
      // Waits until the frame is also presented, if the browser supports `requestVideoFrameCallback`.
      await Promise.race([presented, pause(200)]);
      return pending.delete(video);
    });
    await Promise.race([Promise.all(pauses), pause(capMs)]);
    return Array.from(pending, (video) => video.currentSrc);
  },
  restore() {
    for (const video of window.__proofsheet?.playingVideos ?? []) void video.play().catch(() => {});
  },
} satisfies Stabilizer;
