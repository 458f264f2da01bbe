import type { Stabiliser } from '../stabiliser.js';

/** Halts every video at its first frame. */
export const videos = {
  name: 'videos',
  explanation: 'these videos did not reach their first frame',
  async wait(capMs) {
    const cap = new Promise<void>((resolve) => setTimeout(resolve, capMs));
    const playing = Array.from(document.querySelectorAll('video')).filter((video) => !video.paused || video.autoplay);
    Object.assign(globalThis, { __proofsheetPlaying: playing });
    const pending = new Set(playing);
    const halts = playing.map(async (video) => {
      video.autoplay = false;
      video.pause();
      const isStream = video.srcObject !== null || video.currentSrc.startsWith('blob:');
      // Seeking needs a server that gives parts of a file: loading anew leads to the first frame everywhere.
      if (isStream || video.error !== null) return pending.delete(video);
      const ending = ['loadeddata', 'error'].map((event) => {
        return new Promise((resolve) => video.addEventListener(event, resolve, { once: true }));
      });
      const shown = new Promise((resolve) => video.requestVideoFrameCallback?.(resolve));
      video.preload = 'auto';
      video.load();
      await Promise.race(ending);
      // Where the browser tells: the frame is not only there, but shown.
      await Promise.race([shown, new Promise((resolve) => setTimeout(resolve, 200))]);
      return pending.delete(video);
    });
    await Promise.race([Promise.all(halts), cap]);
    return Array.from(pending, (video) => video.currentSrc);
  },
  restore() {
    const { __proofsheetPlaying: playing = [] } = globalThis as { __proofsheetPlaying?: HTMLVideoElement[] };
    for (const video of playing) void video.play().catch(() => {});
  },
} satisfies Stabiliser;
