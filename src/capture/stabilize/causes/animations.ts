import type { PageState } from '../../../browser/page-state.js';
import type { Stabilizer } from '../stabilizer.js';

declare module '../stabilizer.js' {
  interface PageMemory {
    /** Stopped clones and the marquees that they replace. */
    stoppedMarquees?: Map<Element, HTMLMarqueeElement>;
  }
}

/** Stops CSS and Web Animations. Finite animations jump to their end, infinite ones to their start. */
export const animations = {
  name: 'animations',
  // Chromium resizes the viewport for a moment during a full-page capture. Without this rule, the screenshot could show
  // a transition that this resize starts, at an arbitrary point.
  css: '*, *::before, *::after { transition: none !important; scroll-behavior: auto !important; }',
  freeze(roots) {
    window.__proofsheet ??= {};
    const memory = window.__proofsheet;
    memory.endlessAnimations ??= new Set();
    memory.stoppedMarquees ??= new Map();
    // Held animations show the moment of the controlled time. To end one could start another.
    const areHeld = memory.timers?.isControlled && document.timeline.currentTime === 0;
    for (const root of roots) {
      for (const marquee of root.querySelectorAll('marquee')) {
        if (memory.stoppedMarquees.has(marquee)) continue;
        // A stopped marquee stays at its current position. A clone that never started shows its text at the start
        // position.
        const clone = document.importNode(marquee, true);
        marquee.replaceWith(clone);
        clone.stop();
        memory.stoppedMarquees.set(clone, marquee);
      }
      for (const animation of areHeld ? [] : root.getAnimations()) {
        const endless = animation.effect?.getComputedTiming().endTime === Number.POSITIVE_INFINITY;
        if (endless) {
          memory.endlessAnimations.add(animation);
          animation.cancel();
          // `finish()` throws if the playback rate is 0, and such an animation does not move.
        } else if (animation.playState !== 'finished' && animation.playbackRate !== 0) animation.finish();
      }
    }
  },
  restore() {
    const memory = window.__proofsheet;
    for (const [clone, marquee] of memory?.stoppedMarquees ?? []) clone.replaceWith(marquee);
    memory?.stoppedMarquees?.clear();
    for (const animation of memory?.endlessAnimations ?? []) animation.play();
  },
} satisfies Stabilizer;

/**
 * Holds CSS animations, transitions and Web Animations at their start until {@link releaseAnimations}, in all documents that a page
 * loads from now on. The animations of a frame in a process of its own run: it has another CDP session.
 */
export async function holdAnimations(state: PageState): Promise<void> {
  const session = await state.session();
  // Chromium sets the rate of new documents only while the domain is enabled.
  await Promise.all([session.send('Animation.enable'), session.send('Animation.setPlaybackRate', { playbackRate: 0 })]);
}

/** Starts the animations that are held. */
export async function releaseAnimations(state: PageState): Promise<void> {
  const session = await state.session();
  // This also sets the rate to 1.
  await session.send('Animation.disable');
}

/**
 * Emulates `prefers-reduced-motion`, and holds slow repeating timers of carousels, tickers and clocks, which may ignore
 * it, and long timers, which may start them. `prepare-page.ts` sets the media feature, and the timer registry of the page holds the timers.
 */
export const motion = {
  name: 'motion',
  freeze() {
    const timers = window.__proofsheet?.timers;
    if (timers) timers.isHolding = true;
  },
  restore() {
    const timers = window.__proofsheet?.timers;
    if (timers) timers.isHolding = false;
  },
} satisfies Stabilizer;
