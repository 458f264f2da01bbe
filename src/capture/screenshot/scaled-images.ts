import type { Page } from '@playwright/test';
import type { Rectangle } from '../../model/image.js';
import { evaluateInFrames, openRoots, type Root } from '../in-page/frames.js';

/** Renders a part of the page, at most as high as one tile, and discards the image. Null: the whole page. */
export type DrawPart = (part: Rectangle | null) => Promise<void>;

/**
 * Draws the images of a page that it shows in several sizes, the larger sizes before the smaller ones.
 *
 * Chromium scales an image down by halves: 1/2, 1/4, and so on. It makes 1/4 from 1/2 if it has that already, and otherwise from the
 * original (`SoftwareImageDecodeCache::FindCachedCandidate`); the pixels of the two differ slightly. A frame draws its images in an
 * order that varies: of 16 loads of a page with a logo in two sizes, 10 showed it in one way and 6 in the other. Each call of `draw`
 * adds one smaller size, so the larger one always comes first. The next image of the page adds the smallest.
 *
 * @param larger - from {@link listLargerImagesSource}
 */
export async function drawLargeImagesFirst(page: Page, larger: readonly LargerImage[], draw: DrawPart): Promise<void> {
  if (larger.length === 0) return;
  const halvings = [...new Set(larger.map((image) => image.halvings))].sort((one, other) => one - other);
  try {
    for (const most of halvings) {
      const boxes = larger.filter((image) => image.halvings === most).map(({ box }) => box);
      await evaluateInFrames(page, `(${String(hideSmallImages)})(${IMAGES}((${String(openRoots)})()), ${most})`);
      await draw(boxes.includes(null) ? null : boundsOf(boxes.filter((box) => box !== null)));
    }
  } finally {
    await evaluateInFrames(page, `(${String(showSmallImages)})()`);
  }
}

function boundsOf(boxes: readonly Rectangle[]): Rectangle {
  const [x, y] = [Math.min(...boxes.map((box) => box.x)), Math.min(...boxes.map((box) => box.y))];
  const right = Math.max(...boxes.map((box) => box.x + box.width));
  const bottom = Math.max(...boxes.map((box) => box.y + box.height));
  return { x, y, width: right - x, height: bottom - y };
}

/** An image that a page shows smaller elsewhere. */
export interface LargerImage {
  /** How often Chromium halves the image before it scales it to the size of the element. */
  readonly halvings: number;
  /** The place of the element, in CSS pixels of the document; null in a frame within the page. */
  readonly box: Rectangle | null;
}

/** An image that a page shows in several sizes, in one of them. */
interface ScaledImage extends Pick<LargerImage, 'halvings'> {
  readonly element: Element;
  readonly isSmallest: boolean;
}

/** Runs in the page. Finds the images that it shows in several sizes: those of `<img>`, also where they are backgrounds in `style`. */
function findScaledImages(roots: readonly Root[]): ScaledImage[] {
  const sizes = new Map<string, { naturalWidth: number; naturalHeight: number }>();
  const shown: { element: Element; url: string; fit: string }[] = [];
  for (const root of roots) {
    for (const image of root.querySelectorAll('img')) {
      const { naturalWidth, naturalHeight, currentSrc: url } = image;
      if (naturalWidth === 0) continue;
      sizes.set(url, { naturalWidth, naturalHeight });
      shown.push({ element: image, url, fit: getComputedStyle(image).objectFit });
    }
    for (const element of root.querySelectorAll('[style*="url("]')) {
      const { backgroundImage, backgroundSize } = getComputedStyle(element);
      const url = /^url\("(.*)"\)$/.exec(backgroundImage)?.[1];
      if (url !== undefined) shown.push({ element, url, fit: backgroundSize });
    }
  }

  const scaleOf = (fit: string, ...ratios: number[]) => {
    if (fit === 'none' || fit === 'auto') return 1;
    if (fit === 'contain') return Math.min(...ratios);
    return fit === 'scale-down' ? Math.min(1, ...ratios) : Math.max(...ratios);
  };
  const byUrl = new Map<string, { element: Element; halvings: number }[]>();
  for (const { element, url, fit } of shown) {
    const size = sizes.get(url);
    const { width, height } = element.getBoundingClientRect();
    if (!size || width === 0 || height === 0) continue;
    const scale = scaleOf(fit, width / size.naturalWidth, height / size.naturalHeight);
    const halvings = Math.max(0, Math.floor(-Math.log2(scale)));
    byUrl.set(url, [...(byUrl.get(url) ?? []), { element, halvings }]);
  }
  return [...byUrl.values()].flatMap((images) => {
    const all = images.map(({ halvings }) => halvings);
    const smallest = Math.max(...all);
    return smallest === Math.min(...all)
      ? []
      : images.map(({ element, halvings }) => ({ element, halvings, isSmallest: halvings === smallest }));
  });
}

const IMAGES = `(${String(findScaledImages)})`;

/** Returns the source of an expression that lists the images that a page shows smaller elsewhere. */
export function listLargerImagesSource(roots: string): string {
  return `(${String(toLargerImages)})(${IMAGES}(${roots}))`;
}

/** Runs in the page. */
function toLargerImages(images: readonly ScaledImage[]): LargerImage[] {
  return images.flatMap(({ element, halvings, isSmallest }) => {
    const { x, y, width, height } = element.getBoundingClientRect();
    const box = window === window.top ? { x: x + scrollX, y: y + scrollY, width, height } : null;
    return isSmallest ? [] : [{ halvings, box }];
  });
}

/**
 * Runs in the page. Hides the images that are halved more often than `most`, and shows the others. A script animation hides an image:
 * it changes neither an attribute nor the layout.
 */
function hideSmallImages(images: readonly ScaledImage[], most: number): void {
  window.__proofsheet ??= {};
  for (const animation of window.__proofsheet.hiddenImages ?? []) animation.cancel();
  const hidden = { visibility: 'hidden' };
  window.__proofsheet.hiddenImages = images
    .filter(({ halvings }) => halvings > most)
    .map(({ element }) => element.animate([hidden, hidden], { duration: 1, fill: 'both' }));
}

/** Runs in the page. Shows all images again. */
function showSmallImages(): void {
  for (const animation of window.__proofsheet?.hiddenImages ?? []) animation.cancel();
  delete window.__proofsheet?.hiddenImages;
}
