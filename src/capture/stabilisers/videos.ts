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
      const next = (event: string) => new Promise((resolve) => video.addEventListener(event, resolve, { once: true }));
      const isComing = () => video.error === null && video.networkState !== HTMLMediaElement.NETWORK_NO_SOURCE;
      // A video that is still on its way would show its first frame later, or never: by chance.
      if (video.readyState < HTMLMediaElement.HAVE_CURRENT_DATA && isComing()) {
        await Promise.race([next('loadeddata'), next('error'), next('emptied')]);
      }
      if (video.readyState < HTMLMediaElement.HAVE_METADATA) return pending.delete(video);
      const arrival = next('seeked');
      // Where the browser tells: the frame is not only found, but shown.
      const shown = new Promise((resolve) => video.requestVideoFrameCallback?.(resolve));
      video.currentTime = 0;
      await arrival;
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
