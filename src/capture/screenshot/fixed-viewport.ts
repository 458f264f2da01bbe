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
