import type { Stabilizer } from './stabilizer.js';

/** Scrolls through the page to trigger lazy content, and back to the initial position. Implemented in `live-page.ts`. */
export const scroll = {
  name: 'scroll',
  init: ({ memory, intercept }) => {
    // A script that waits for one or two frames is not a loop.
    const minLoopFrames = 3;
    const { observed, pendingFrames, loopFrames } = memory;
    memory.hasResize = false;
    // It is called before the listeners of the page.
    const hide = (event: Event) => memory.hidesResize && event.stopImmediatePropagation();
    for (const target of [window, visualViewport]) target?.addEventListener('resize', hide);

    const scrollEvents = ['scroll', 'scrollend', 'scrollsnapchange', 'scrollsnapchanging', 'wheel'];
    const heard = new Map<EventListenerOrEventListenerObject, Set<string>>();
    const noteListener = (
      _: undefined,
      receiver: EventTarget = window,
      type: string,
      listener: EventListenerOrEventListenerObject | null,
    ) => {
      if (scrollEvents.includes(type)) memory.scrollListeners.add(receiver);
      const isOfPage = [window, document, document.documentElement, document.body].some((one) => one === receiver);
      if (isOfPage && listener) heard.set(listener, (heard.get(listener) ?? new Set()).add(type));
      if (type === 'wheel') memory.wheelListeners.add(receiver);
      memory.hasResize ||= type === 'resize';
    };
    intercept(EventTarget.prototype, 'addEventListener', noteListener);
    const moves = ['wheel', 'mousemove', 'mouseover', 'pointermove'];
    memory.sendFirstInput = () => {
      for (const [listener, types] of heard) {
        const move = moves.find((type) => types.has(type));
        const isForAny = types.has('keydown') && (types.has('touchstart') || types.has('touchmove'));
        if (!move || !isForAny) continue;
        // No other listener gets this event: it could turn a slide.
        const anywhere = document.createElement('div');
        anywhere.addEventListener(move, listener, { once: true });
        anywhere.dispatchEvent(new WheelEvent(move, { bubbles: true }));
      }
    };
    intercept(window, 'matchMedia', (list: MediaQueryList) => {
      list.addEventListener('change', hide);
      memory.hasResize ||= /height|aspect-ratio|orientation/.test(list.media);
    });

    const { prototype } = IntersectionObserver;
    intercept(prototype, 'observe', (_: undefined, observer: IntersectionObserver, target: Element) => {
      memory.hasObserved = true;
      observed.set(observer, (observed.get(observer) ?? new Map()).set(target, false));
    });
    intercept(prototype, 'unobserve', (_: undefined, observer: IntersectionObserver, target: Element) =>
      observed.get(observer)?.delete(target),
    );
    intercept(prototype, 'disconnect', (_: undefined, observer: IntersectionObserver) => observed.delete(observer));

    // Chromium calls the observers of one frame in the order of their addresses, which differs in each run. Here, the oldest one is called first.
    let created = 0;
    const due: { order: number; observer: IntersectionObserver; call: () => void }[] = [];
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      for (const { observer, call } of due.splice(0).sort((a, b) => a.order - b.order))
        try {
          if (observed.has(observer)) call();
        } catch (error) {
          reportError(error);
        }
    };
    window.IntersectionObserver = new Proxy(IntersectionObserver, {
      construct(target, [callback, ...options], newTarget) {
        if (typeof callback !== 'function') return Reflect.construct(target, [callback, ...options], newTarget);
        const order = created++;
        const collect: IntersectionObserverCallback = (entries, observer) => {
          for (const { target, isIntersecting } of entries)
            if (isIntersecting) observed.get(observer)?.set(target, true);
          due.push({ order, observer, call: () => callback.call(observer, entries, observer) });
          if (due.length === 1) port2.postMessage(null);
        };
        return Reflect.construct(target, [collect, ...options], newTarget);
      },
    });

    // The number of frames that led to the frame that runs; 0 outside a frame.
    let depth = 0;
    const { queueMicrotask } = window;
    window.requestAnimationFrame = new Proxy(window.requestAnimationFrame, {
      apply(target, receiver, [callback]: [FrameRequestCallback]) {
        if (typeof callback !== 'function') return Reflect.apply(target, receiver, [callback]);
        const frameDepth = depth + 1;
        const run = (time: number) => {
          pendingFrames.delete(id);
          loopFrames.delete(id);
          depth = frameDepth;
          try {
            callback(time);
          } finally {
            // A loop may await its frames.
            queueMicrotask(() => {
              depth = 0;
            });
          }
        };
        const id: number = Reflect.apply(target, receiver, [run]);
        pendingFrames.add(id);
        if (frameDepth >= minLoopFrames) loopFrames.add(id);
        return id;
      },
    });
    intercept(window, 'cancelAnimationFrame', (_: undefined, _receiver: Window, id: unknown) => {
      for (const frames of [pendingFrames, loopFrames]) frames.delete(Number(id));
    });
  },
} satisfies Stabilizer;
