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
      // Without a first frame there is nothing to go to: what is shown is the poster, or nothing.
      if (video.readyState < HTMLMediaElement.HAVE_METADATA) return pending.delete(video);
      const arrival = new Promise((resolve) => video.addEventListener('seeked', resolve, { once: true }));
      video.currentTime = 0;
      await arrival;
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
