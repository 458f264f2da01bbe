import type { Stabiliser } from '../stabiliser.js';

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
    for (const marquee of document.querySelectorAll('marquee')) marquee.stop();
    const roots: (Document | ShadowRoot)[] = [document];
    for (const root of roots) {
      for (const element of root.querySelectorAll('*')) if (element.shadowRoot) roots.push(element.shadowRoot);
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
    for (const marquee of document.querySelectorAll('marquee')) marquee.start();
    for (const animation of memory?.endlessAnimations ?? []) animation.play();
  },
} satisfies Stabiliser;
