import type { Page } from '@playwright/test';
import { evaluateInFrames } from './frames.js';

/** How many images in a row have to be equal: where something is seen in perspective, and elsewhere. */
const IMAGES = { deep: 4, flat: 2 };

/**
 * Tells how many images of a page in a row have to be equal before one is believed. At which scale Chromium draws what is
 * seen in perspective, and whether it is drawn at all, depends on what was drawn before (`PictureLayerImpl`, "things are
 * unpredictable"): two images may be equal by chance.
 */
export async function imagesToBelieve(page: Page): Promise<number> {
  const depths = await evaluateInFrames<boolean>(page, `(${String(hasDepth)})()`);
  return depths.some(Boolean) ? IMAGES.deep : IMAGES.flat;
}

/** Runs in the page. */
function hasDepth(): boolean {
  const roots: (Document | ShadowRoot)[] = [document];
  for (const root of roots) {
    for (const element of root.querySelectorAll('*')) {
      const { perspective, transform } = getComputedStyle(element);
      if (perspective !== 'none' && perspective !== '') return true;
      if (transform.startsWith('matrix3d')) {
        const { m14, m24, m34 } = new DOMMatrixReadOnly(transform);
        if (m14 !== 0 || m24 !== 0 || m34 !== 0) return true;
      }
      if (element.shadowRoot) roots.push(element.shadowRoot);
    }
  }
  return false;
}
