import type { Stabilizer } from '../stabilizer.js';

declare module '../stabilizer.js' {
  interface PageMemory {
    /** What stands still for a marquee, and the marquee. */
    stillMarquees?: Map<Element, HTMLMarqueeElement>;
  }
}

/** Ends CSS and Web Animations: those with an end are put there, those without are put back to their start. */
export const animations = {
  name: 'animations',
  // While it takes a full page, Chromium resizes the window for a moment: a transition that starts at that would be in the
  // image, at any point of its way.
  css: '*, *::before, *::after { transition: none !important; scroll-behavior: auto !important; }',
  freeze() {
    window.__proofsheet ??= {};
    const memory = window.__proofsheet;
    memory.endlessAnimations ??= new Set();
    memory.stillMarquees ??= new Map();
    const roots: (Document | ShadowRoot)[] = [document];
    for (const root of roots) {
      for (const element of root.querySelectorAll('*')) if (element.shadowRoot) roots.push(element.shadowRoot);
      for (const marquee of root.querySelectorAll('marquee')) {
        if (memory.stillMarquees.has(marquee)) continue;
        // A marquee that is stopped stays where it is by then; one that never began shows its text at its start.
        const still = document.importNode(marquee, true);
        marquee.replaceWith(still);
        still.stop();
        memory.stillMarquees.set(still, marquee);
      }
      for (const animation of root.getAnimations()) {
        const endless = animation.effect?.getComputedTiming().endTime === Number.POSITIVE_INFINITY;
        if (endless) {
          memory.endlessAnimations.add(animation);
          animation.cancel();
          // One that does not move can be neither finished, nor has it to be.
        } else if (animation.playState !== 'finished' && animation.playbackRate !== 0) animation.finish();
      }
    }
  },
  restore() {
    const memory = window.__proofsheet;
    for (const [still, marquee] of memory?.stillMarquees ?? []) still.replaceWith(marquee);
    memory?.stillMarquees?.clear();
    for (const animation of memory?.endlessAnimations ?? []) animation.play();
  },
} satisfies Stabilizer;
