import type { Page } from '@playwright/test';
import { withTimeLimit } from './browser/timing.js';

declare global {
  interface Window {
    /** Calls of the page or its frames that Playwright reports late, or in no event. */
    __proofsheetCalls?: (call?: string) => string[];
  }
}

/** Lists the calls that {@link watchCalls} recorded. In doubt there is one: a page may navigate or close, or its scripts may not end. */
export function readCalls(page: Page): Promise<readonly string[]> {
  const unknown = () => ['a document that does not respond'];
  const read = page
    .frames()
    .map((frame) => frame.evaluate<string[]>('window.__proofsheetCalls?.() ?? []').catch(unknown));
  return withTimeLimit(READ_TIMEOUT_MS, Promise.all(read), () => [unknown()]).then((calls) => calls.flat());
}

const READ_TIMEOUT_MS = 3_000;

/**
 * Runs in every frame before the scripts of the page. Playwright reports workers a moment after the call, maybe after the capture, and
 * the other classes below not at all. Shared workers and service workers have a clock of their own.
 */
export function watchCalls(): void {
  const calls: string[] = [];
  const record = (call?: string) => {
    if (call !== undefined) calls.push(call);
    return [...calls];
  };
  // Not writable and not configurable, so that the page cannot replace it.
  Object.defineProperty(window, '__proofsheetCalls', { value: record });
  const watch = (call: string) => {
    window.__proofsheet ??= {};
    window.__proofsheet.hasSharedWorker ||= call === 'a shared worker' || call === 'a service worker';
    try {
      // The frame may be removed before its calls are read.
      window.top?.__proofsheetCalls?.(call);
    } catch {
      // A frame of another origin, such as a sandboxed one, cannot call the page.
      record(call);
    }
  };
  const noteCalls = (owner: object, method: string, call: string) => {
    const original: unknown = Reflect.get(owner, method);
    if (typeof original !== 'function') return;
    const value = new Proxy(original, {
      apply(target, receiver, args) {
        watch(call);
        return Reflect.apply(target, receiver, args);
      },
      construct(target, args, newTarget) {
        watch(call);
        return Reflect.construct(target, args, newTarget);
      },
    });
    Object.defineProperty(owner, method, { value, writable: true, configurable: true });
  };
  if ('ServiceWorkerContainer' in window) noteCalls(ServiceWorkerContainer.prototype, 'register', 'a service worker');
  noteCalls(window, 'Worker', 'a worker');
  noteCalls(window, 'SharedWorker', 'a shared worker');
  noteCalls(window, 'WebTransport', 'WebTransport');
  noteCalls(window, 'RTCPeerConnection', 'WebRTC');
}
