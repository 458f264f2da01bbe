import type { Page } from '@playwright/test';
import type { PageState } from '../../browser/page-state.js';
import type { Rectangle } from '../../model/image.js';
import type { CaptureSettings } from '../../model/shot.js';
import { evaluateInFrames, openRoots, type Root } from '../in-page/frames.js';

/**
 * Hides a temporary viewport resize from the scripts of a page.
 *
 * Before a capture beyond the viewport, Chromium resizes the viewport to 1x1 (`PageHandler::CaptureScreenshot`, "Walkaround
 * for the bug"). A frame may be rendered at that size. See https://github.com/microsoft/playwright/issues/30149
 *
 * Runs in the page, before its own scripts: only the first listener can stop an event for all others.
 */
export function hideViewportResize(): void {
  const isCaptured = () => innerWidth === 1 && innerHeight === 1;
  const suppress = (event: Event, isKnown: boolean) => {
    if (isKnown || isCaptured()) event.stopImmediatePropagation();
  };

  const watchSize = (target: EventTarget, read: () => string) => {
    let reported = read();
    const check = (event: Event) => {
      suppress(event, read() === reported);
      if (!isCaptured()) reported = read();
    };
    target.addEventListener('resize', check, true);
    // Before layout the viewport has no size, so the size is read again when the document is ready.
    addEventListener('DOMContentLoaded', () => {
      reported = read();
    });
  };
  watchSize(window, () => `${innerWidth}x${innerHeight}`);
  if (window.visualViewport) {
    const { visualViewport } = window;
    watchSize(visualViewport, () => `${visualViewport.width}x${visualViewport.height} ${visualViewport.scale}`);
  }

  window.matchMedia = new Proxy(window.matchMedia, {
    apply(target, receiver, args) {
      const list: MediaQueryList = Reflect.apply(target, receiver, args);
      let reported = list.matches;
      list.addEventListener('change', (event) => {
        suppress(event, event.matches === reported);
        if (!isCaptured()) reported = event.matches;
      });
      return list;
    },
  });

  const sizeOf = ({ contentRect }: ResizeObserverEntry) => `${contentRect.width}x${contentRect.height}`;
  window.ResizeObserver = new Proxy(window.ResizeObserver, {
    construct(target, [callback, ...rest], newTarget) {
      const reported = new WeakMap<Element, string>();
      const missed = new WeakSet<Element>();
      const filtered: ResizeObserverCallback = (entries, observer) => {
        if (isCaptured()) {
          for (const { target } of entries) missed.add(target);
          return;
        }
        const changed = entries.filter(
          (entry) => !(missed.delete(entry.target) && reported.get(entry.target) === sizeOf(entry)),
        );
        for (const entry of changed) reported.set(entry.target, sizeOf(entry));
        if (changed.length > 0) Reflect.apply(callback, observer, [changed, observer]);
      };
      return Reflect.construct(
        target,
        typeof callback === 'function' ? [filtered, ...rest] : [callback, ...rest],
        newTarget,
      );
    },
  });
}

/**
 * Moves the visible area away from the content of a page, so that Chromium draws the content only for screenshots.
 *
 * Chromium keeps decoded images (`SoftwareImageDecodeCache`). It scales a photo down from a larger decode of the same
 * photo if there is one. Otherwise it decodes a JPEG straight to the smaller size. The pixels differ slightly.
 * A page that is drawn while it loads decodes its photos in the order of arrival. A photo in several sizes then has
 * several renderings: 13 of 50 captures of `fixtures/settle/photos/?several` on two busy cores differed. With this function, the first
 * screenshot decodes all photos, and {@link drawLargeImagesFirst} gives their order.
 *
 * The page does not observe the visible area: layout, events and observers use the viewport, which stays the same. Only
 * wheel events do not scroll elements.
 *
 * Call it before navigation, and again before the first screenshot: Playwright overrides it when it resizes the
 * viewport. Chromium applies it again after every navigation.
 *
 * Limitations: screencasts are blank, so a page that is seen is not deferred. A page that a test of one's own opened was drawn before. A page with `height: null` may be drawn after
 * its viewport is resized.
 */
export async function deferRaster(page: Page, state: PageState, settings: CaptureSettings): Promise<void> {
  const { width, height } = page.viewportSize() ?? { width: 0, height: 0 };
  // Playwright takes screenshots of elements. It needs the ordinary visible area.
  const isDeferred = settings.element === null && settings.format !== 'pdf';
  const wanted = `${width}x${height} ${isDeferred}`;
  if (state.raster === 'fixed' || state.raster === wanted || (state.raster === null && !isDeferred)) return;
  const screen = await page.evaluate(measureScreen);
  if (state.raster === null && (!screen.isDesktop || screen.innerWidth !== width)) {
    state.raster = 'fixed';
    return;
  }
  const session = await state.session();
  await session.send('Emulation.setDeviceMetricsOverride', {
    width,
    height,
    screenWidth: screen.width,
    screenHeight: screen.height,
    deviceScaleFactor: 1,
    mobile: false,
    ...(isDeferred && { viewport: NOTHING }),
  });
  state.raster = wanted;
}

/** An area that no page reaches, in CSS pixels: a captured page has at most 60,000 rows. */
const NOTHING = { x: 1_000_000, y: 1_000_000, width: 10, height: 10, scale: 1 };

/** Runs in the page. A phone and a high resolution need metrics that cannot be read here. */
function measureScreen() {
  const isDesktop = devicePixelRatio === 1 && navigator.maxTouchPoints === 0;
  return { width: screen.width, height: screen.height, innerWidth, isDesktop };
}

/**
 * Draws the images of a page that it shows in several sizes, the larger sizes before the smaller ones.
 *
 * Chromium scales an image down by halves: 1/2, 1/4, and so on. It makes 1/4 from 1/2 if it has that already, and otherwise from the
 * original (`SoftwareImageDecodeCache::FindCachedCandidate`); the pixels of the two differ slightly. A frame draws its images in an
 * order that varies: of 16 loads of a page with a logo in two sizes, 10 showed it in one way and 6 in the other. Each call of `draw`
 * adds one smaller size, so the larger one always comes first. The next image of the page adds the smallest.
 *
 * @param larger - from {@link listLargerImagesSource}
 * @param draw - draws a part of the page, or the whole page, and discards the image
 */
export async function drawLargeImagesFirst(
  page: Page,
  larger: readonly LargerImage[],
  draw: (part: Rectangle | null) => Promise<void>,
): Promise<void> {
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
