import type { Stabilizer } from './stabilizer.js';

export const busy = {
  name: 'busy',
  capMs: 5_000,
  explanation: 'elements are still marked with aria-busy',
  wait: async (_, capMs, pause) => {
    const end = performance.now() + capMs;
    const nameOf = ({ id, localName, classList: [first] }: Element) =>
      id ? `#${id}` : localName + (first ? `.${first}` : '');
    for (;;) {
      const found = [...document.querySelectorAll('[aria-busy="true" i]')].filter((one) => one.checkVisibility());
      if (found.length === 0 || performance.now() > end) return found.map(nameOf);
      await pause(50);
    }
  },
} satisfies Stabilizer;

/**
 * Waits until all web fonts of the page are loaded. Then forces a layout of `select` elements: otherwise, Chromium keeps their text at the height of
 * the fallback font.
 */
export const fonts = {
  name: 'fonts',
  capMs: 2_000,
  explanation: 'fonts did not finish loading',
  wait: async ({ listRoots }, capMs, pause) => {
    await Promise.race([document.fonts.ready, pause(capMs)]);
    for (const root of listRoots()) {
      const list = root.querySelector('select');
      if (!list) continue;
      // The rule changes no size and is removed before the next frame, so the page cannot observe it.
      const sheet = new CSSStyleSheet();
      sheet.replaceSync('select { text-indent: 1px !important; }');
      root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
      list.getBoundingClientRect();
      root.adoptedStyleSheets = root.adoptedStyleSheets.filter((other) => other !== sheet);
      list.getBoundingClientRect();
    }
    return [...document.fonts].flatMap(({ status, family }) => (status === 'loading' ? [family] : []));
  },
} satisfies Stabilizer;

/**
 * Stops animations. The clock of a controlled page stops them at a moment, and Playwright's screenshot ends those of any other page: both
 * leave out `marquee`, and the bar that the browser itself moves in an indeterminate `progress`.
 */
export const animations = {
  name: 'animations',
  css: 'progress:indeterminate { appearance: none !important; }',
  freeze: ({ memory: { stoppedMarquees: stopped }, findAll }) => {
    for (const marquee of findAll<HTMLMarqueeElement>('marquee')) {
      if (stopped.has(marquee)) continue;
      // A stopped marquee stays at its current position. A clone that never started shows its text at the start position.
      const clone = document.importNode(marquee, true);
      marquee.replaceWith(clone);
      clone.stop();
      stopped.set(clone, marquee);
    }
  },
  restore: ({ memory: { stoppedMarquees } }) => {
    for (const [clone, marquee] of stoppedMarquees) clone.replaceWith(marquee);
    stoppedMarquees.clear();
  },
} satisfies Stabilizer;

/** Waits until all images and frames are loaded, including lazy ones. Decodes images synchronously. */
export const images = {
  name: 'images',
  capMs: 5_000,
  explanation: 'images or frames did not finish loading',
  // Chromium skips the background of an image that covers it, if the image was decoded before painting, which changes the pixels at rounded corners.
  // It never does for another `object-position`.
  css: ':where(img) { object-position: 50% 50.001%; }',
  wait: async ({ findAll }, capMs, pause) => {
    const loaded = (element: Element) =>
      new Promise((resolve) => {
        for (const event of ['load', 'error']) element.addEventListener(event, resolve, { once: true });
      });
    const all = findAll<HTMLImageElement>('img');
    const withSource = all.filter((image) => image.currentSrc || image.src || image.srcset);
    const imageLoads = withSource.map((image) => {
      image.loading = 'eager';
      // Does not call `image.decode()`: it caches the image either scaled or unscaled, so a downscaled photo rendered
      // in two ways at random.
      image.decoding = 'sync';
      return image.complete || loaded(image);
    });
    // A frame that has not loaded has the document `about:blank` and a `src`.
    const unloaded = findAll<HTMLIFrameElement>('iframe').filter(
      (frame) => /^https?:/.test(frame.src) && frame.contentDocument?.URL === 'about:blank',
    );
    const pending = new Set(unloaded);
    const frameLoads = unloaded.map((frame) => {
      frame.loading = 'eager';
      return loaded(frame).then(() => pending.delete(frame));
    });
    await Promise.race([Promise.all([...imageLoads, ...frameLoads]), pause(capMs)]);
    const missing = withSource.filter((image) => !image.complete).map((image) => image.currentSrc || image.src);
    return [...missing, ...[...pending].map((frame) => frame.src)];
  },
  freeze: ({ findAll }) => {
    // Lazy elements that were added later load for the next screenshot. Their open requests delay its acceptance.
    for (const late of findAll<HTMLImageElement | HTMLIFrameElement>('[loading="lazy" i]')) late.loading = 'eager';
  },
} satisfies Stabilizer;

/** Shows the first frame of each GIF or APNG. Chromium does this itself with `imageAnimationPolicy=2`. Images of other origins cannot be read. */
export const gifs = {
  name: 'gifs',
  capMs: 1_000,
  wait: async ({ memory: { stoppedImages: stopped }, findAll }, capMs, pause) => {
    // Checks the URL: reading the bytes of all images would take longer than the rest of the page.
    const animated = /^data:image\/(?:gif|apng)|\.(?:gif|apng)(?:[?#]|$)/i;
    const stop = async (image: HTMLImageElement) => {
      const { naturalWidth: width, naturalHeight: height } = image;
      if (!animated.test(image.currentSrc) || width === 0 || stopped.has(image)) return;
      const canvas = Object.assign(document.createElement('canvas'), { width, height });
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
    };
    const stops = findAll<HTMLImageElement>('img').map(stop);
    await Promise.race([Promise.all(stops), pause(capMs)]);
    return [];
  },
  restore: ({ memory: { stoppedImages } }) => {
    for (const image of stoppedImages) {
      image.style.removeProperty('content');
      if (image.getAttribute('style') === '') image.removeAttribute('style');
    }
    stoppedImages.clear();
  },
} satisfies Stabilizer;

export const videos = {
  name: 'videos',
  capMs: 5_000,
  explanation: 'videos did not load their first frame',
  wait: async ({ memory, findAll }, capMs, pause) => {
    const playing = findAll<HTMLVideoElement>('video').filter((video) => !video.paused || video.autoplay);
    memory.playingVideos = playing;
    const pending = new Set(playing);
    const pauses = playing.map(async (video) => {
      video.autoplay = false;
      video.pause();
      const isStream = video.srcObject !== null || video.currentSrc.startsWith('blob:');
      // Seeking needs a server with range requests. Reloading the video shows the first frame with any server.
      const isBroken = video.error !== null || video.networkState === HTMLMediaElement.NETWORK_NO_SOURCE;
      if (isStream || isBroken) return pending.delete(video);
      const loaded = new Promise((resolve) => {
        for (const event of ['loadeddata', 'error']) video.addEventListener(event, resolve, { once: true });
      });
      const presented = new Promise((resolve) => video.requestVideoFrameCallback?.(resolve));
      video.preload = 'auto';
      video.load();
      await loaded;
      // A browser may not support `requestVideoFrameCallback`.
      await Promise.race([presented, pause(200)]);
      return pending.delete(video);
    });
    await Promise.race([Promise.all(pauses), pause(capMs)]);
    return [...pending].map((video) => video.currentSrc);
  },
  restore: ({ memory }) => {
    for (const video of memory.playingVideos) void video.play().catch(() => {});
  },
} satisfies Stabilizer;
