import type { Page } from '@playwright/test';
import { evaluateInFrames } from './frames.js';

/**
 * Tells whether anything on a page is seen in perspective. At which scale Chromium draws that, and whether it is drawn at all,
 * depends on what was drawn before (`PictureLayerImpl`, "things are unpredictable").
 */
export type DepthGauge = () => Promise<boolean>;

/** Creates the gauge of a page that stands still: it looks once, when it is first asked. */
export function createDepthGauge(page: Page): DepthGauge {
  let known: Promise<boolean> | null = null;
  return () => {
    known ??= evaluateInFrames<boolean>(page, `(${String(hasDepth)})()`).then((depths) => depths.some(Boolean));
    return known;
  };
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
