import type { BrowserContext, Frame, Page, Request, Response } from '@playwright/test';
import { parseUrl } from '../model/url.js';
import { withTimeLimit } from './timing.js';

declare global {
  interface Window {
    /** Calls of the page or its frames that Playwright reports late, or in no event. */
    __proofsheetCalls?: (call?: string) => string[];
  }
}

/** One action of a page, or one response to it. */
export type PageEvent =
  | { readonly kind: 'document'; readonly url: string }
  | { readonly kind: 'request'; readonly method: string; readonly url: string; readonly resource: string }
  /** `headers` are header names in lower case. */
  | { readonly kind: 'response'; readonly headers: readonly string[] }
  /** Size and position of the window, as text. It is read when the page opens, and after each use. */
  | { readonly kind: 'window'; readonly bounds: string }
  /** Anything that prevents reuse in any case: a worker, a socket, a second page. */
  | { readonly kind: 'other'; readonly what: string };

/** The decision on the context of a page: reset its only origin, or close it. */
export type Reuse =
  | {
      readonly kind: 'reset';
      readonly origin: string;
      /** The page sent only GET and HEAD requests, so it did not log in by a request. */
      readonly onlyRead: boolean;
    }
  | { readonly kind: 'close'; readonly because: string };

/** The requests and responses after which a page can still be reset. Anything not listed closes the context. */
const ALLOWED = {
  protocols: ['http:', 'https:', 'data:', 'blob:', 'about:'],
  methods: ['GET', 'HEAD', 'POST'],
  resources: [
    ...['document', 'stylesheet', 'script', 'image', 'media', 'font', 'texttrack', 'manifest'],
    ...['xhr', 'fetch', 'other'],
  ],
  /**
   * Headers that leave no state in the browser except cookies, which a reset clears, and cache entries. Two exceptions are
   * allowed because most sites send them: `strict-transport-security` and `alt-svc`. They only choose the transport.
   */
  headers: [
    ...['accept-ranges', 'age', 'allow', 'alt-svc', 'cache-control', 'connection', 'date', 'etag', 'expires'],
    ...['feature-policy', 'keep-alive', 'last-modified', 'link', 'location', 'origin-agent-cluster'],
    ...['permissions-policy', 'pragma', 'referrer-policy', 'refresh', 'retry-after', 'server', 'server-timing'],
    ...['set-cookie', 'sourcemap', 'strict-transport-security', 'timing-allow-origin', 'transfer-encoding'],
    ...['vary', 'via'],
  ],
  headerPrefixes: ['access-control-', 'content-', 'cross-origin-', 'x-'],
};

/** Decides from all events of a page whether its context can be reset and used again. */
export function decideReuse(events: readonly PageEvent[]): Reuse {
  const problem = events.map(problemOf).find((found) => found !== null);
  if (problem) return { kind: 'close', because: problem };
  const bounds = new Set(events.flatMap((event) => (event.kind === 'window' ? [event.bounds] : [])));
  if (bounds.size > 1) return { kind: 'close', because: `the window changed: ${[...bounds].join(', ')}` };
  const origins = new Set(events.flatMap((event) => (event.kind === 'document' ? (originOf(event.url) ?? []) : [])));
  const [origin, ...others] = origins;
  if (origin === undefined) return { kind: 'close', because: 'no document' };
  if (others.length > 0) return { kind: 'close', because: `documents of ${[...origins].join(', ')}` };
  const onlyRead = events.every((event) => event.kind !== 'request' || READING_METHODS.includes(event.method));
  return { kind: 'reset', origin, onlyRead };
}

const READING_METHODS = ['GET', 'HEAD'];

function problemOf(event: PageEvent): string | null {
  switch (event.kind) {
    case 'request':
      return requestProblem(event);
    case 'response': {
      const header = event.headers.find((name) => !isAllowedHeader(name));
      return header === undefined ? null : `response header ${header}`;
    }
    case 'other':
      return event.what;
    case 'document':
    case 'window':
      return null;
    default:
      return event satisfies never;
  }
}

function requestProblem({ method, url, resource }: Extract<PageEvent, { kind: 'request' }>): string | null {
  if (parseUrl(url) === null) return 'request of an invalid URL';
  const { protocol, username, password } = new URL(url);
  if (username !== '' || password !== '') return 'credentials in a URL';
  if (!ALLOWED.protocols.includes(protocol)) return `${protocol} request`;
  if (!ALLOWED.methods.includes(method)) return `${method} request`;
  return ALLOWED.resources.includes(resource) ? null : `${resource} request`;
}

function isAllowedHeader(name: string): boolean {
  return ALLOWED.headers.includes(name) || ALLOWED.headerPrefixes.some((prefix) => name.startsWith(prefix));
}

/** Returns the origin of a document. Documents with an opaque origin inherit their parent's origin, or have no storage. */
function originOf(url: string): string | null {
  if (parseUrl(url) === null) return null;
  const { origin } = new URL(url);
  return origin === 'null' ? null : origin;
}

/** Records the events of a page. */
export interface IsolationCheck {
  /** Adds an event that Playwright does not report. */
  note(event: PageEvent): void;
  /** Decides whether the context can be reset. A pending response closes the context, because it may set a cookie. */
  decide(): Reuse;
  /** Resolves when no response is pending. It may never resolve. */
  answered(): Promise<void>;
  /** Discards all events, for the next use of the same context. */
  reset(): void;
}

/** Starts to record the events of a page. Call it before the page navigates. */
export function watchIsolation(context: BrowserContext, page: Page): IsolationCheck {
  const events: PageEvent[] = [];
  const pending = new Set<Request>();
  const waiting: (() => void)[] = [];
  const end = (request: Request) => {
    pending.delete(request);
    if (pending.size === 0) for (const resolve of waiting.splice(0)) resolve();
  };
  const noteOther = (what: string) => () => void events.push({ kind: 'other', what });
  page.on('framenavigated', (frame: Frame) => void events.push({ kind: 'document', url: frame.url() }));
  page.on('worker', noteOther('a worker'));
  page.on('crash', noteOther('a crash'));
  page.on('websocket', noteOther('a WebSocket'));
  page.on('download', noteOther('a download'));
  context.on('page', noteOther('a second page'));
  context.on('serviceworker', noteOther('a service worker'));
  context.on('request', (request) => {
    events.push({ kind: 'request', method: request.method(), url: request.url(), resource: request.resourceType() });
    pending.add(request);
  });
  context.on('response', (response: Response) => {
    events.push({ kind: 'response', headers: Object.keys(response.headers()) });
  });
  context.on('requestfinished', end);
  context.on('requestfailed', end);
  return {
    note: (event) => void events.push(event),
    decide: () => (pending.size > 0 ? { kind: 'close', because: 'a pending response' } : decideReuse(events)),
    async answered() {
      if (pending.size > 0) await new Promise<void>((resolve) => waiting.push(resolve));
    },
    reset() {
      events.length = 0;
      pending.clear();
    },
  };
}

/** Init script that records the calls that Playwright reports late, or in no event. */
export const WATCH_CALLS_SCRIPT: string = `(${String(watchCalls)})();`;

/** Expression for the calls that {@link WATCH_CALLS_SCRIPT} recorded in the document of a page. */
export const READ_CALLS = 'window.__proofsheetCalls?.() ?? []';

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
