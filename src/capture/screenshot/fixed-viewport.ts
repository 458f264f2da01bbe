/**
 * Keeps from a page's scripts that its window is resized for a moment: whatever Chromium captures beyond its window, it first
 * makes that window 1x1 (`PageHandler::CaptureScreenshot`, "Walkaround for the bug"), and a frame may fall into it.
 *
 * Runs in the page, before its own scripts: what listens first can stop an event for all others.
 * https://github.com/microsoft/playwright/issues/30149
 */
export function keepWindowSteady(): void {
  const isCaptured = () => innerWidth === 1 && innerHeight === 1;
  const swallow = (event: Event, isKnown: boolean) => {
    if (isKnown || isCaptured()) event.stopImmediatePropagation();
  };

  const watchSize = (target: EventTarget, read: () => string) => {
    let told = read();
    const check = (event: Event) => {
      swallow(event, read() === told);
      if (!isCaptured()) told = read();
    };
    target.addEventListener('resize', check, true);
    // Before the page is laid out, it is of no size: what it is when its scripts begin, they are told.
    addEventListener('DOMContentLoaded', () => {
      told = read();
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
      let told = list.matches;
      list.addEventListener('change', (event) => {
        swallow(event, event.matches === told);
        if (!isCaptured()) told = event.matches;
      });
      return list;
    },
  });

  const sizeOf = ({ contentRect }: ResizeObserverEntry) => `${contentRect.width}x${contentRect.height}`;
  window.ResizeObserver = new Proxy(window.ResizeObserver, {
    construct(target, [callback, ...rest], asked) {
      const told = new WeakMap<Element, string>();
      const missed = new WeakSet<Element>();
      const filtered: ResizeObserverCallback = (entries, observer) => {
        if (isCaptured()) {
          for (const { target } of entries) missed.add(target);
          return;
        }
        const news = entries.filter(
          (entry) => !(missed.delete(entry.target) && told.get(entry.target) === sizeOf(entry)),
        );
        for (const entry of news) told.set(entry.target, sizeOf(entry));
        if (news.length > 0) Reflect.apply(callback, observer, [news, observer]);
      };
      return Reflect.construct(
        target,
        typeof callback === 'function' ? [filtered, ...rest] : [callback, ...rest],
        asked,
      );
    },
  });
}
