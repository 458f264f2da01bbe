import type { Stabilizer } from '../stabilizer.js';

/** Scrolls through the page to trigger lazy content, and back to the initial position. */
export const scroll = {
  name: 'scroll',
  // The maximum height has 28 screens of 720 px. They take 14 s on a page that polls every 500 ms and has its real time.
  capMs: 15_000,
  explanation: 'the page was not scrolled to its end in time',
  init() {
    // A script that waits for one or two frames is not a loop.
    const minLoopFrames = 3;
    const listening = new Set<EventTarget>();
    const observed = new Map<IntersectionObserver, Set<Element>>();
    const loopFrames = new Set<number>();
    const firstFrames = new Set<number>();
    window.__proofsheet ??= {};
    window.__proofsheet.scrollWatchers = { listening, observed, loopFrames, firstFrames };

    const scrollEvents = ['scroll', 'scrollend', 'wheel'];
    EventTarget.prototype.addEventListener = new Proxy(EventTarget.prototype.addEventListener, {
      apply(target, receiver, args) {
        // Without a receiver, the function listens on the window.
        if (scrollEvents.includes(args[0])) listening.add(receiver ?? window);
        return Reflect.apply(target, receiver, args);
      },
    });

    const { prototype } = IntersectionObserver;
    prototype.observe = new Proxy(prototype.observe, {
      apply(target, receiver: IntersectionObserver, args: [Element]) {
        Reflect.apply(target, receiver, args);
        observed.set(receiver, (observed.get(receiver) ?? new Set()).add(args[0]));
      },
    });
    prototype.unobserve = new Proxy(prototype.unobserve, {
      apply(target, receiver: IntersectionObserver, args: [Element]) {
        Reflect.apply(target, receiver, args);
        observed.get(receiver)?.delete(args[0]);
      },
    });
    prototype.disconnect = new Proxy(prototype.disconnect, {
      apply(target, receiver: IntersectionObserver, args: []) {
        Reflect.apply(target, receiver, args);
        observed.delete(receiver);
      },
    });

    // The number of frames that led to the frame that runs; 0 outside a frame.
    let depth = 0;
    const { queueMicrotask } = window;
    window.requestAnimationFrame = new Proxy(window.requestAnimationFrame, {
      apply(target, receiver, [callback]: [FrameRequestCallback]) {
        if (typeof callback !== 'function') return Reflect.apply(target, receiver, [callback]);
        const frameDepth = depth + 1;
        const frames = frameDepth >= minLoopFrames ? loopFrames : firstFrames;
        const run = (time: number) => {
          frames.delete(id);
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
        frames.add(id);
        return id;
      },
    });
    window.cancelAnimationFrame = new Proxy(window.cancelAnimationFrame, {
      apply(target, receiver, args: [number]) {
        loopFrames.delete(Number(args[0]));
        firstFrames.delete(Number(args[0]));
        Reflect.apply(target, receiver, args);
      },
    });
  },
} satisfies Stabilizer;
