import type { Stabilizer } from '../stabilizer.js';

/** Pauses every video at its first frame. */
export const videos = {
  name: 'videos',
  capMs: 5_000,
  explanation: 'these videos did not reach their first frame',
  async wait(capMs, pause) {
    const playing = Array.from(document.querySelectorAll('video')).filter((video) => !video.paused || video.autoplay);
    window.__proofsheet ??= {};
    window.__proofsheet.playingVideos = playing;
    const pending = new Set(playing);
    const pauses = playing.map(async (video) => {
      video.autoplay = false;
      video.pause();
      const isStream = video.srcObject !== null || video.currentSrc.startsWith('blob:');
      // Seeking needs a server with range requests. Reloading the video shows the first frame with any server.
      if (isStream || video.error !== null) return pending.delete(video);
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
