import type { Stabiliser } from '../stabiliser.js';

/** Ends CSS and Web Animations: those with an end are put there, those without are put back to their start. */
export const animations = {
  name: 'animations',
  // While it takes a full page, Chromium resizes the window for a moment: a transition that starts at that would be in the
  // image, at any point of its way.
  css: '*, *::before, *::after { transition: none !important; }',
  async wait() {
    const known = globalThis as { __proofsheetEndless?: Set<Animation> };
    known.__proofsheetEndless ??= new Set();
    const roots: (Document | ShadowRoot)[] = [document];
    for (const root of roots) {
      for (const element of root.querySelectorAll('*')) if (element.shadowRoot) roots.push(element.shadowRoot);
      for (const animation of root.getAnimations()) {
        const endless = animation.effect?.getComputedTiming().endTime === Number.POSITIVE_INFINITY;
        if (endless) {
          known.__proofsheetEndless.add(animation);
          animation.cancel();
          // One that does not move can be neither finished, nor has it to be.
        } else if (animation.playState !== 'finished' && animation.playbackRate !== 0) animation.finish();
      }
    }
    return [];
  },
  restore() {
    const { __proofsheetEndless: endless = [] } = globalThis as { __proofsheetEndless?: Set<Animation> };
    for (const animation of endless) animation.play();
  },
} satisfies Stabiliser;
