import type { Stabiliser } from '../stabiliser.js';

/** Ends CSS and Web Animations: those with an end are put there, those without are put back to their start. */
export const animations = {
  name: 'animations',
  async wait() {
    const roots: (Document | ShadowRoot)[] = [document];
    for (const root of roots) {
      for (const element of root.querySelectorAll('*')) if (element.shadowRoot) roots.push(element.shadowRoot);
      for (const animation of root.getAnimations()) {
        const endless = animation.effect?.getComputedTiming().endTime === Number.POSITIVE_INFINITY;
        if (endless) animation.cancel();
        // One that does not move can be neither finished, nor has it to be.
        else if (animation.playState !== 'finished' && animation.playbackRate !== 0) animation.finish();
      }
    }
    return [];
  },
} satisfies Stabiliser;
