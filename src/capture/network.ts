import { setTimeout as delay } from 'node:timers/promises';
import type { Page, Request, Response, WebSocket } from '@playwright/test';
import type { SeenLoad } from '../model/reuse.js';
import { parseUrl } from '../model/url.js';
import { createLoadCollector } from './seen-load.js';

/** The resource type of a request, as in Playwright's `request.resourceType()`. */
export type Resource = 'image' | 'font' | 'stylesheet' | 'script' | 'fetch' | 'xhr' | 'document';

/**
 * A request for a document, a style sheet, a script or data (`fetch`, XHR), and its response. Times are in milliseconds of
 * `performance.now()`.
 */
export interface Exchange {
  /** Method, URL and body. Repeated requests have the same key. */
  readonly key: string;
  /** Method, origin and path. Requests that differ only in the query have the same path. */
  readonly path: string;
  readonly askedAt: number;
  /** When the response headers arrived; null until then. */
  readonly answeredAt: number | null;
  /** When the response body arrived or the request failed; null until then. */
  readonly endedAt: number | null;
  /** A script of the page reads the response (`fetch` or XHR). */
  readonly isByScript: boolean;
  /** The response is a style sheet or a script. It has no effect before its body has arrived. */
  readonly isCode: boolean;
  /** The response status is below 400. */
  readonly isOk: boolean;
}

/** A request that failed. */
export interface Failure {
  /** As in Playwright's `request.resourceType()`. */
  readonly type: string;
  /** The URL that the page requested. A redirect leads to another one. */
  readonly url: string;
  /** The HTTP status, or the error of the network. */
  readonly reason: string;
  /** A frame of the page requested it. */
  readonly isInFrame: boolean;
}

/** Tracks the requests of a page while it is captured. */
export interface Network {
  /** Lists the URLs of open requests of these resource types. */
  pending(kinds: readonly Resource[]): string[];
  /**
   * Waits until no request of these resource types is open, at most `capMs` milliseconds. Resolves to the URLs still
   * open.
   *
   * @param since ignores requests that started before this time, in milliseconds of `performance.now()`.
   */
  quiet(kinds: readonly Resource[], capMs: number, since?: number): Promise<string[]>;
  /** Lists all exchanges so far, in order, except those that were given up. */
  exchanges(): readonly Exchange[];
  /** Gives up the open requests that delay the load event: no screenshot waits for their responses. Returns their URLs. */
  giveUp(): string[];
  /** Checks whether a request or a WebSocket is open. */
  isBusy(): boolean;
  /** Checks whether a WebSocket or an event stream is open. */
  hasSockets(): boolean;
  /** Resolves at the next request or response, at the latest after `ms` milliseconds. */
  change(ms?: number): Promise<void>;
  isStopped(): boolean;
  /**
   * Checks whether the time of a page that is paused may stay paused for the open requests. If they have held it for too
   * long, they are given up.
   *
   * @param heldMs - how long they have held it, in milliseconds
   */
  isHolding(heldMs: number): boolean;
  /** Lists the URLs of the open requests that were given up because they held the time of the page for too long. */
  givenUp(): string[];
  /** Waits for the open requests that were not given up, as long as they may hold the time. */
  answered(): Promise<void>;
  /** Number of documents so far that loaded in the page itself: it grows when the page navigates. */
  documents(): number;
  /**
   * Resolves after `ms` milliseconds without a request or response that delays the load event, even if some are open. Rejects when
   * `signal` is aborted.
   */
  stalled(ms: number, signal: AbortSignal): Promise<void>;
  /** Lists the requests that failed or are open and whose response can change the page: origin and path of each, without the query. */
  missing(): string[];
  /** Lists those of {@link missing} whose connection broke. */
  lost(): string[];
  /** Lists the failed requests of the resources of the page, not that of its document. */
  failures(): Failure[];
  /** Lists all requests so far, and the other ways in which data reached the page. */
  seen(): Pick<SeenLoad, 'requests' | 'channels'>;
  stop(): void;
}

/**
 * How long a request may hold the time of its page, in milliseconds: one without a response, one whose body still arrives or is not
 * read, one that repeats an answered request, and an event stream. If nothing is open, the machine is busy.
 */
const HELD_MS = { unanswered: 15_000, body: 5_000, poll: 2_000, stream: 1_000, nothing: 5_000 };

/** Maximum wait for one event, in milliseconds. */
const MAX_WAIT_MS = 10_000;

/** Interval between two checks of how long requests have held the time, in milliseconds. */
const HELD_CHECK_MS = 50;

const SCRIPT_RESOURCES: readonly string[] = ['fetch', 'xhr'];

const CODE_RESOURCES: readonly string[] = ['stylesheet', 'script'];

const RECORDED_RESOURCES: readonly string[] = [...SCRIPT_RESOURCES, ...CODE_RESOURCES, 'document'];

const LOAD_BLOCKING_RESOURCES: readonly string[] = ['document', 'stylesheet', 'script', 'image', 'font', 'media'];

const PAINTED_RESOURCES: readonly string[] = [...LOAD_BLOCKING_RESOURCES, ...SCRIPT_RESOURCES];

/** The errors of Chromium and Firefox for a connection that the network or the server broke. */
const BROKEN_CONNECTION =
  /ERR_(CONNECTION_(RESET|CLOSED|ABORTED|TIMED_OUT)|EMPTY_RESPONSE|CONTENT_LENGTH_MISMATCH|INCOMPLETE_CHUNKED_ENCODING|TIMED_OUT|NETWORK_CHANGED|HTTP2_\w+|QUIC_\w+)|NS_ERROR_NET_(RESET|INTERRUPT|PARTIAL_TRANSFER|TIMEOUT)/;

/** Starts to track requests. Call it before navigation. */
export function watchNetwork(page: Page): Network {
  const open = new Map<Request, number>();
  const exchanges = new Map<Request, Exchange>();
  const updateExchange = (request: Request, more: Partial<Exchange>) => {
    const exchange = exchanges.get(request);
    if (exchange) exchanges.set(request, { ...exchange, ...more });
  };
  const unfinished = new Map<Request, { isAnswered: boolean }>();
  const abandoned = new Set<Request>();
  const sockets = new Set<WebSocket>();
  const collector = createLoadCollector();
  const context = page.context();
  // The calls of the page itself are known earlier (`readCalls`), but not those of a frame of another origin.
  const noteWorker = () => collector.noteChannel('a worker');
  const noteServiceWorker = () => collector.noteChannel('a service worker');
  const notePage = () => collector.noteChannel('a second page');
  let stopped = false;
  let documents = 0;
  const failures = new Map<Request, string>();
  const waiters = new Set<() => void>();
  let lastEvent = performance.now();
  const recordEvent = (request: Request) => {
    // Polling requests do not bring the load event closer.
    if (LOAD_BLOCKING_RESOURCES.includes(request.resourceType())) lastEvent = performance.now();
    for (const notify of waiters) notify();
  };
  // The page requested it again, with success.
  const forgetFailures = (url: string) => {
    for (const request of failures.keys()) if (request.url() === url) failures.delete(request);
  };
  const listeners = {
    request(request: Request) {
      collector.note(request, {});
      open.set(request, performance.now());
      unfinished.set(request, { isAnswered: false });
      if (RECORDED_RESOURCES.includes(request.resourceType())) exchanges.set(request, createExchange(request));
      recordEvent(request);
    },
    response(response: Response) {
      collector.note(response.request(), { response });
      if (unfinished.has(response.request())) unfinished.set(response.request(), { isAnswered: true });
      updateExchange(response.request(), { answeredAt: performance.now(), isOk: response.status() < 400 });
      if (isDocumentOf(page, response.request())) {
        documents++;
        // The failures so far are those of the document that this one replaces.
        failures.clear();
      }
      if (response.status() >= 400) failures.set(response.request(), String(response.status()));
      else forgetFailures(response.request().url());
      // A body that no script reads never finishes. For `fetch` and XHR the response headers are enough.
      if (SCRIPT_RESOURCES.includes(response.request().resourceType())) open.delete(response.request());
      recordEvent(response.request());
    },
    requestfinished(request: Request) {
      collector.note(request, { state: 'finished' });
      updateExchange(request, { endedAt: performance.now() });
      open.delete(request);
      unfinished.delete(request);
      recordEvent(request);
    },
    requestfailed(request: Request) {
      updateExchange(request, { endedAt: performance.now(), isOk: false });
      open.delete(request);
      unfinished.delete(request);
      const reason = request.failure()?.errorText ?? 'failed';
      collector.note(request, { state: 'failed', failure: reason });
      // Requests that the page aborted do not count as failures.
      if (!reason.includes('ERR_ABORTED')) failures.set(request, reason);
      recordEvent(request);
    },
    websocket(socket: WebSocket) {
      collector.noteChannel('a WebSocket');
      sockets.add(socket);
      socket.once('close', () => sockets.delete(socket));
    },
  };
  page.on('request', listeners.request);
  page.on('response', listeners.response);
  page.on('requestfinished', listeners.requestfinished);
  page.on('requestfailed', listeners.requestfailed);
  page.on('websocket', listeners.websocket);
  page.on('worker', noteWorker);
  context.on('serviceworker', noteServiceWorker);
  context.on('page', notePage);
  const pending = (kinds: readonly string[], since = 0) =>
    [...open].flatMap(([request, startedAt]) =>
      kinds.includes(request.resourceType()) && startedAt >= since ? [request.url()] : [],
    );
  const failed = (accepts: (reason: string) => boolean) =>
    [...failures].flatMap(([request, reason]) =>
      PAINTED_RESOURCES.includes(request.resourceType()) && accepts(reason) ? [request.url()] : [],
    );
  const holding = () => [...unfinished].filter(([request]) => !abandoned.has(request));
  const heldMsOf = (request: Request, isAnswered: boolean) => {
    if (request.resourceType() === 'eventsource') return HELD_MS.stream;
    const exchange = exchanges.get(request);
    if (exchange && isPolling(exchange, [...exchanges.values()])) return HELD_MS.poll;
    return isAnswered ? HELD_MS.body : HELD_MS.unanswered;
  };
  const isHolding = (heldMs: number) => {
    const limits = holding().map(([request, { isAnswered }]) => heldMsOf(request, isAnswered));
    if (heldMs < Math.max(...limits, limits.length === 0 ? HELD_MS.nothing : 0)) return true;
    for (const [request] of holding()) abandoned.add(request);
    return false;
  };
  const unique = (urls: readonly string[]) => [...new Set(urls.map(withoutQuery))];
  return {
    pending: (kinds) => pending(kinds),
    exchanges: () => [...exchanges.values()],
    giveUp() {
      const given = [...open.keys()].filter((request) => LOAD_BLOCKING_RESOURCES.includes(request.resourceType()));
      for (const request of given) exchanges.delete(request);
      return given.map((request) => request.url());
    },
    isBusy: () => open.size + sockets.size > 0,
    hasSockets: () => sockets.size > 0 || pending(['eventsource']).length > 0,
    change: (ms = MAX_WAIT_MS) => nextEvent(waiters, ms),
    isStopped: () => stopped,
    isHolding,
    givenUp: () => [...abandoned].filter((request) => unfinished.has(request)).map((request) => request.url()),
    async answered() {
      const startedAt = performance.now();
      while (holding().length > 0 && isHolding(performance.now() - startedAt)) await nextEvent(waiters, HELD_CHECK_MS);
    },
    documents: () => documents,
    async quiet(kinds, capMs, since) {
      const end = performance.now() + capMs;
      for (;;) {
        const left = end - performance.now();
        const urls = pending(kinds, since);
        if (urls.length === 0 || left <= 0) return urls;
        await nextEvent(waiters, left);
      }
    },
    async stalled(ms, signal) {
      for (let idle = 0; idle < ms; idle = performance.now() - lastEvent) await delay(ms - idle, undefined, { signal });
    },
    missing: () => unique([...failed(() => true), ...pending(LOAD_BLOCKING_RESOURCES)]),
    lost: () => unique(failed((reason) => BROKEN_CONNECTION.test(reason))),
    failures: () =>
      [...failures].flatMap(([request, reason]) =>
        isDocumentOf(page, request)
          ? []
          : [{ type: request.resourceType(), url: firstUrlOf(request), reason, isInFrame: isOfFrame(page, request) }],
      ),
    seen: collector.read,
    stop() {
      stopped = true;
      page.off('worker', noteWorker);
      context.off('serviceworker', noteServiceWorker);
      context.off('page', notePage);
      page.off('websocket', listeners.websocket);
      page.off('request', listeners.request);
      page.off('response', listeners.response);
      page.off('requestfinished', listeners.requestfinished);
      page.off('requestfailed', listeners.requestfailed);
    },
  };
}

/**
 * Checks whether a request is a poll. It is one if an earlier request with the same key, or two with the same path, got
 * a successful response. A retry of a failed request is not a poll.
 */
export function isPolling({ key, path, askedAt }: Exchange, all: readonly Exchange[]): boolean {
  const answered = all.filter(
    (exchange) => exchange.isOk && exchange.answeredAt !== null && exchange.answeredAt < askedAt,
  );
  return (
    answered.some((exchange) => exchange.key === key) ||
    answered.filter((exchange) => exchange.path === path).length >= 2
  );
}

/** Checks whether a request is for a document of the page itself, not for one of its frames. */
export function isDocumentOf(page: Page, request: Request): boolean {
  return request.isNavigationRequest() && request.frame() === page.mainFrame();
}

/** The document of a frame has no frame yet when it is requested. */
function isOfFrame(page: Page, request: Request): boolean {
  return request.isNavigationRequest() || request.frame() !== page.mainFrame();
}

/** Returns the URL that the page requested, before all redirects. */
function firstUrlOf(request: Request): string {
  const earlier = request.redirectedFrom();
  return earlier ? firstUrlOf(earlier) : request.url();
}

function createExchange(request: Request): Exchange {
  const [method, url] = [request.method(), request.url()];
  return {
    key: `${method} ${url} ${request.postData() ?? ''}`,
    path: `${method} ${withoutQuery(url)}`,
    askedAt: performance.now(),
    answeredAt: null,
    endedAt: null,
    isByScript: SCRIPT_RESOURCES.includes(request.resourceType()),
    isCode: CODE_RESOURCES.includes(request.resourceType()),
    isOk: false,
  };
}

function withoutQuery(url: string): string {
  const { origin, pathname } = parseUrl(url) ?? { origin: '', pathname: url };
  return `${origin}${pathname}`;
}

/** Formats the first 3 names, each cut to 120 characters, and the number of the others. */
export function listSome(names: readonly string[]): string {
  const shown = names.slice(0, 3).map((name) => (name.length > 120 ? `${name.slice(0, 117)}...` : name));
  return names.length > 3 ? `${shown.join(', ')} and ${names.length - 3} more` : shown.join(', ');
}

/** Resolves at the next event, or after `ms` milliseconds. */
function nextEvent(waiters: Set<() => void>, ms: number): Promise<void> {
  return new Promise((resolve) => {
    const notify = () => {
      clearTimeout(timer);
      waiters.delete(notify);
      resolve();
    };
    const timer = setTimeout(notify, ms);
    waiters.add(notify);
  });
}
