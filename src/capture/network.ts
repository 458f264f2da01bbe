import type { Page, Request, WebSocket } from '@playwright/test';
import type { Warning } from '../model/capture.js';

/** What a request is for, in Playwright's words. */
export type Resource = 'image' | 'font' | 'stylesheet' | 'script' | 'fetch' | 'xhr' | 'document';

/** A request of a document, of `fetch` or of XHR, and its response. Times are those of `performance.now()`. */
export interface Exchange {
  /** Method, URL and body: equal for a request that is repeated. */
  readonly key: string;
  /** Method, origin and path: equal for requests that differ in the query alone. */
  readonly path: string;
  readonly askedAt: number;
  /** When its headers came; null: not yet. */
  readonly answeredAt: number | null;
  /** When its body came, or when it failed; null: not yet. */
  readonly endedAt: number | null;
  /** A script of the page receives the response. */
  readonly isByScript: boolean;
  /** Its status is below 400. */
  readonly isOk: boolean;
}

/** What a page asks its servers for while it is captured. */
export interface Network {
  /** Lists the URLs of requests that are not answered yet. */
  pending(kinds: readonly Resource[]): string[];
  /**
   * Waits until none is pending, at most `capMs`; resolves to those that still are.
   *
   * @param since leaves out what was asked for before, by `performance.now()`.
   */
  quiet(kinds: readonly Resource[], capMs: number, since?: number): Promise<string[]>;
  /** Lists all exchanges so far, in order. */
  exchanges(): readonly Exchange[];
  /** Checks whether anything is open, a socket too. */
  isBusy(): boolean;
  /** Checks whether a WebSocket or an event stream is open. */
  hasSockets(): boolean;
  /** Resolves when something was asked for or answered, at the latest after `ms`. */
  change(ms?: number): Promise<void>;
  isStopped(): boolean;
  /** Resolves when nothing that holds up the load event was asked for or answered for `ms`, whatever is still waited for. */
  stalled(ms: number): Promise<void>;
  /** Returns a warning for every kind of resource of which some did not load. */
  broken(known: ReadonlySet<string>): Warning[];
  stop(): void;
}

/** Nobody waits longer than this for one event. */
const LONGEST_MS = 10_000;

const ASKED_BY_SCRIPT: readonly string[] = ['fetch', 'xhr'];

const EXCHANGED: readonly string[] = [...ASKED_BY_SCRIPT, 'document'];

const NAMED: Readonly<Record<string, string>> = { image: 'images', font: 'fonts', stylesheet: 'stylesheets' };

const HOLDS_UP_LOAD: readonly string[] = ['document', 'stylesheet', 'script', 'image', 'font', 'media'];

/** Starts to watch, before the page is opened. */
export function watchNetwork(page: Page): Network {
  const open = new Map<Request, number>();
  const exchanges = new Map<Request, Exchange>();
  const amend = (request: Request, more: Partial<Exchange>) => {
    const exchange = exchanges.get(request);
    if (exchange) exchanges.set(request, { ...exchange, ...more });
  };
  const sockets = new Set<WebSocket>();
  let stopped = false;
  const failures = new Map<string, Map<string, string>>();
  const waiting = new Set<() => void>();
  let lastEvent = performance.now();
  const touch = (request: Request) => {
    // A page that asks for news again and again is no nearer to its end for that.
    if (HOLDS_UP_LOAD.includes(request.resourceType())) lastEvent = performance.now();
    for (const wake of waiting) wake();
  };
  const fail = (request: Request, why: string) => {
    const kind = request.resourceType();
    if (!(kind in NAMED)) return;
    const urls = failures.get(kind) ?? new Map<string, string>();
    failures.set(kind, urls.set(request.url(), why));
  };
  const listeners = {
    request(request: Request) {
      open.set(request, performance.now());
      if (EXCHANGED.includes(request.resourceType())) exchanges.set(request, beginExchange(request));
      touch(request);
    },
    response(response: { status(): number; request(): Request }) {
      amend(response.request(), { answeredAt: performance.now(), isOk: response.status() < 400 });
      if (response.status() >= 400) fail(response.request(), String(response.status()));
      // A body that no script reads never ends: for what scripts ask for, the answer is enough.
      if (ASKED_BY_SCRIPT.includes(response.request().resourceType())) open.delete(response.request());
      touch(response.request());
    },
    requestfinished(request: Request) {
      amend(request, { endedAt: performance.now() });
      open.delete(request);
      touch(request);
    },
    requestfailed(request: Request) {
      amend(request, { endedAt: performance.now(), isOk: false });
      open.delete(request);
      const why = request.failure()?.errorText ?? 'failed';
      // What the page itself has given up was not needed.
      if (!why.includes('ERR_ABORTED')) fail(request, why);
      touch(request);
    },
    websocket(socket: WebSocket) {
      sockets.add(socket);
      socket.once('close', () => sockets.delete(socket));
    },
  };
  page.on('request', listeners.request);
  page.on('response', listeners.response);
  page.on('requestfinished', listeners.requestfinished);
  page.on('requestfailed', listeners.requestfailed);
  page.on('websocket', listeners.websocket);
  const pending = (kinds: readonly string[], since = 0) =>
    [...open].flatMap(([request, asked]) =>
      kinds.includes(request.resourceType()) && asked >= since ? [request.url()] : [],
    );
  return {
    pending: (kinds) => pending(kinds),
    exchanges: () => [...exchanges.values()],
    isBusy: () => open.size + sockets.size > 0,
    hasSockets: () => sockets.size > 0 || pending(['eventsource']).length > 0,
    change: (ms = LONGEST_MS) => event(waiting, ms),
    isStopped: () => stopped,
    async quiet(kinds, capMs, since) {
      const end = performance.now() + capMs;
      for (;;) {
        const left = end - performance.now();
        const urls = pending(kinds, since);
        if (urls.length === 0 || left <= 0) return urls;
        await event(waiting, left);
      }
    },
    async stalled(ms) {
      for (let idle = 0; idle < ms; idle = performance.now() - lastEvent) await pause(ms - idle);
    },
    broken: (known) =>
      [...failures].flatMap(([kind, urls]) => {
        const named = [...urls].filter(([url]) => !known.has(url)).map(([url, why]) => `${url} (${why})`);
        return named.length === 0
          ? []
          : [{ code: `broken-${kind}`, message: `${NAMED[kind]} did not load: ${listSome(named)}` }];
      }),
    stop() {
      stopped = true;
      page.off('websocket', listeners.websocket);
      page.off('request', listeners.request);
      page.off('response', listeners.response);
      page.off('requestfinished', listeners.requestfinished);
      page.off('requestfailed', listeners.requestfailed);
    },
  };
}

function beginExchange(request: Request): Exchange {
  const [method, url] = [request.method(), request.url()];
  const { origin, pathname } = URL.canParse(url) ? new URL(url) : { origin: '', pathname: url };
  return {
    key: `${method} ${url} ${request.postData() ?? ''}`,
    path: `${method} ${origin}${pathname}`,
    askedAt: performance.now(),
    answeredAt: null,
    endedAt: null,
    isByScript: ASKED_BY_SCRIPT.includes(request.resourceType()),
    isOk: false,
  };
}

/** Lists the first few names, each at a length that can be read. */
export function listSome(names: readonly string[]): string {
  const shown = names.slice(0, 3).map((name) => (name.length > 120 ? `${name.slice(0, 117)}...` : name));
  return names.length > 3 ? `${shown.join(', ')} and ${names.length - 3} more` : shown.join(', ');
}

/** Resolves at the next event, or after `ms`. */
function event(waiting: Set<() => void>, ms: number): Promise<void> {
  return new Promise((resolve) => {
    const wake = () => {
      clearTimeout(timer);
      waiting.delete(wake);
      resolve();
    };
    const timer = setTimeout(wake, ms);
    waiting.add(wake);
  });
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
