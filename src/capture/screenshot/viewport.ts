import type { Page } from '@playwright/test';
import type { PageState } from '../../browser/page-state.js';
import type { CaptureSettings } from '../../model/shot.js';

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
 * screenshot decodes all photos, and `drawLargeImagesFirst` gives their order.
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
