import type { ScrollWatchers } from '../in-page/memory.js';
import type { Stabilizer } from './stabilizer.js';

/** Scrolls through the page to trigger lazy content, and back to the initial position. Implemented in `live-page.ts`. */
export const scroll = {
  name: 'scroll',
  init: ({ memory }) => {
    // A script that waits for one or two frames is not a loop.
    const minLoopFrames = 3;
    const listening = new Set<EventTarget>();
    const wheeled = new Set<EventTarget>();
    const observed = new Map<IntersectionObserver, Map<Element, boolean>>();
    const pendingFrames = new Set<number>();
    const loopFrames = new Set<number>();
    const flags = { hasObserved: false, hasResize: false, hidesResize: false };
    const sets = { listening, wheeled, observed, pendingFrames, loopFrames };
    const watchers: ScrollWatchers = { ...sets, ...flags, sendFirstInput: () => {} };
    memory.scrollWatchers = watchers;
    // It is called before the listeners of the page.
    const hide = (event: Event) => watchers.hidesResize && event.stopImmediatePropagation();
    for (const target of [window, visualViewport]) target?.addEventListener('resize', hide);

    const scrollEvents = ['scroll', 'scrollend', 'scrollsnapchange', 'scrollsnapchanging', 'wheel'];
    const heard = new Map<EventListenerOrEventListenerObject, Set<string>>();
    EventTarget.prototype.addEventListener = new Proxy(EventTarget.prototype.addEventListener, {
      apply(target, receiver = window, args) {
        const [type, listener] = args;
        if (scrollEvents.includes(type)) listening.add(receiver);
        const isOfPage = [window, document, document.documentElement, document.body].includes(receiver);
        if (isOfPage && listener) heard.set(listener, (heard.get(listener) ?? new Set()).add(type));
        if (type === 'wheel') wheeled.add(receiver);
        watchers.hasResize ||= type === 'resize';
        return Reflect.apply(target, receiver, args);
      },
    });
    const moves = ['wheel', 'mousemove', 'mouseover', 'pointermove'];
    watchers.sendFirstInput = () => {
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
    window.matchMedia = new Proxy(window.matchMedia, {
      apply(target, receiver, args) {
        const list: MediaQueryList = Reflect.apply(target, receiver, args);
        list.addEventListener('change', hide);
        watchers.hasResize ||= /height|aspect-ratio|orientation/.test(list.media);
        return list;
      },
    });

    const { prototype } = IntersectionObserver;
    const notes = {
      observe(observer: IntersectionObserver, target: Element) {
        watchers.hasObserved = true;
        observed.set(observer, (observed.get(observer) ?? new Map()).set(target, false));
      },
      unobserve: (observer: IntersectionObserver, target: Element) => observed.get(observer)?.delete(target),
      disconnect: (observer: IntersectionObserver) => observed.delete(observer),
    };
    for (const [method, note] of Object.entries(notes)) {
      const value = new Proxy(Reflect.get(prototype, method), {
        apply(target, receiver, args) {
          Reflect.apply(target, receiver, args);
          note(receiver, args[0]);
        },
      });
      Reflect.set(prototype, method, value);
    }

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
    window.cancelAnimationFrame = new Proxy(window.cancelAnimationFrame, {
      apply(target, receiver, args: [number]) {
        for (const frames of [pendingFrames, loopFrames]) frames.delete(Number(args[0]));
        Reflect.apply(target, receiver, args);
      },
    });
  },
} satisfies Stabilizer;
