import type { Page, Request, Response } from '@playwright/test';
import { withTimeLimit } from '../browser/timing.js';
import type { SeenLoad, SeenRequest } from '../model/reuse.js';

/** Collects what reached a page during one load. {@link watchNetwork} reports each event to it. */
export interface LoadCollector {
  note(request: Request, found: Partial<Progress>): void;
  /** Another way in which data can reach the page, such as `a WebSocket`. */
  noteChannel(what: string): void;
  read(): Pick<SeenLoad, 'requests' | 'channels'>;
}

interface Progress extends Pick<SeenRequest, 'state' | 'failure'> {
  readonly response: Response | null;
}

/** Creates a collector for one load of a page. */
export function createLoadCollector(): LoadCollector {
  const requests = new Map<Request, Progress>();
  const channels = new Set<string>();
  return {
    note(request, found) {
      const before = requests.get(request) ?? { state: 'pending', failure: null, response: null };
      requests.set(request, { ...before, ...found });
    },
    noteChannel: (what) => void channels.add(what),
    read: () => ({
      requests: [...requests].map(([request, progress]) => toSeenRequest(request, progress)),
      channels: [...channels],
    }),
  };
}

function toSeenRequest(request: Request, { state, failure, response }: Progress): SeenRequest {
  return {
    method: request.method(),
    url: request.url(),
    kind: request.resourceType(),
    headers: request.headers(),
    received: response && { status: response.status(), headers: response.headers() },
    ...{ state, failure },
    isFromServiceWorker: response?.fromServiceWorker() ?? false,
  };
}

declare global {
  interface Window {
    /** Calls of the page or its frames that Playwright reports late, or in no event. */
    __proofsheetCalls?: (call?: string) => string[];
  }
}

/** Init script that records the calls that Playwright reports late, or in no event. */
export const WATCH_CALLS_SCRIPT: string = `(${String(watchCalls)})();`;

/** Expression for the calls that {@link WATCH_CALLS_SCRIPT} recorded in the document of a page. */
const READ_CALLS = 'window.__proofsheetCalls?.() ?? []';

/**
 * Lists the calls that {@link WATCH_CALLS_SCRIPT} recorded, such as `a service worker`. In doubt there is one: a page may navigate or
 * close, or its scripts may not end.
 */
export function readCalls(page: Page): Promise<readonly string[]> {
  const unknown = () => ['a document that does not respond'];
  return withTimeLimit(READ_TIMEOUT_MS, page.evaluate<string[]>(READ_CALLS).catch(unknown), unknown);
}

const READ_TIMEOUT_MS = 3_000;

/**
 * Runs in every frame before the scripts of the page. The browser stores a password that is passed to `XMLHttpRequest`. Playwright
 * reports workers a moment after the call, maybe after the capture, and the other classes below not at all.
 */
function watchCalls(): void {
  const calls: string[] = [];
  const record = (call?: string) => {
    if (call !== undefined) calls.push(call);
    return [...calls];
  };
  // Not writable and not configurable, so that the page cannot replace it.
  Object.defineProperty(window, '__proofsheetCalls', { value: record });
  const note = (call: string) => {
    try {
      window.top?.__proofsheetCalls?.(call);
    } catch {
      // A frame of another origin. Such a page is not reused anyway.
    }
  };
  const noteCalls = (owner: object, method: string, call: string, least = 0) => {
    const original: unknown = Reflect.get(owner, method);
    if (typeof original !== 'function') return;
    const value = new Proxy(original, {
      apply(target, receiver, args) {
        if (args.length >= least) note(call);
        return Reflect.apply(target, receiver, args);
      },
      construct(target, args, newTarget) {
        note(call);
        return Reflect.construct(target, args, newTarget);
      },
    });
    Object.defineProperty(owner, method, { value, writable: true, configurable: true });
  };
  noteCalls(XMLHttpRequest.prototype, 'open', 'a password for XMLHttpRequest', 4);
  if ('ServiceWorkerContainer' in window) noteCalls(ServiceWorkerContainer.prototype, 'register', 'a service worker');
  noteCalls(window, 'Worker', 'a worker');
  noteCalls(window, 'SharedWorker', 'a shared worker');
  noteCalls(window, 'WebTransport', 'WebTransport');
  noteCalls(window, 'RTCPeerConnection', 'WebRTC');
}
