import type { Page, Request, Response, WebSocket } from '@playwright/test';
import { parseUrl, type SeenLoad } from '../model/index.js';

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
  /** Checks whether a WebSocket or an event stream is open. */
  hasSockets(): boolean;
  /** Checks whether a request is open that may still be waited for. */
  isHolding(): boolean;
  /**
   * Checks whether a script may read the body of a response in parts: the browser pauses the time of a page until a request is answered, but not
   * while its body is read. A body that no script reads never ends.
   */
  hasOpenBody(): boolean;
  /** Checks whether no request is open, not even one that is not waited for, such as a beacon. */
  isIdle(): boolean;
  /** Gives up the open requests: nothing waits for them any more. */
  giveUp(): void;
  /** Lists the URLs of the open requests that were given up. */
  givenUp(): string[];
  /** Waits for the open requests that were not given up, as long as they may hold the page. A poll is not waited for. */
  answered(): Promise<void>;
  /** Lists the requests that failed or are open and whose response can change the page: origin and path of each, without the query. */
  missing(): string[];
  /** Lists those of {@link missing} whose connection broke. */
  lost(): string[];
  /** Lists the failed requests of the resources of the page, not that of its document. */
  failures(): Failure[];
  /** Lists all requests so far, and the other ways in which data reached the page. */
  seen(): SeenLoad;
  /** Takes note of a request that never leaves, because a rule of the list blocks or answers it. It is in none of these lists. */
  exclude(request: Request): void;
  /** Checks whether a request of this URL was excluded. */
  isExcluded(url: string): boolean;
  stop(): void;
}

/**
 * How long a request is waited for, in milliseconds: for its response, and then for its body, which may not be read at all; for one that
 * repeats an answered request; and for an event stream.
 */
const HELD_MS = { unanswered: 10_000, body: 3_000, poll: 2_000, stream: 1_000 };

/** Interval between two checks of how long requests were waited for, in milliseconds. */
const CHECK_MS = 50;

const LOAD_BLOCKING_RESOURCES: readonly string[] = ['document', 'stylesheet', 'script', 'image', 'font', 'media'];

const PAINTED_RESOURCES: readonly string[] = [...LOAD_BLOCKING_RESOURCES, 'fetch', 'xhr'];

/** What is waited for. A page never reads the answer of others, such as a beacon. */
const AWAITED_RESOURCES: readonly string[] = [...PAINTED_RESOURCES, 'eventsource', 'texttrack', 'other'];

/** The errors of Chromium and Firefox for a connection that the network or the server broke. */
const BROKEN_CONNECTION =
  /ERR_(CONNECTION_(RESET|CLOSED|ABORTED|TIMED_OUT)|EMPTY_RESPONSE|CONTENT_LENGTH_MISMATCH|INCOMPLETE_CHUNKED_ENCODING|TIMED_OUT|NETWORK_CHANGED|HTTP2_\w+|QUIC_\w+)|NS_ERROR_NET_(RESET|INTERRUPT|PARTIAL_TRANSFER|TIMEOUT)/;

/** A request without a complete response. */
interface OpenRequest {
  /** When it was sent, or answered, in milliseconds of `performance.now()`. */
  readonly since: number;
  readonly isAnswered: boolean;
  readonly isPoll: boolean;
}

/** Starts to track requests. Call it before navigation. */
export function watchNetwork(page: Page): Network {
  const open = new Map<Request, OpenRequest>();
  const abandoned = new Set<Request>();
  const unfinished = new Set<Request>();
  /** How often each request and each path was answered with success. */
  const answers = new Map<string, number>();
  const sockets = new Set<WebSocket>();
  const failures = new Map<Request, string>();
  const waiters = new Set<() => void>();
  const seen: Request[] = [];
  const excluded = new Set<Request>();
  const channels = new Set<string>();
  const context = page.context();
  // The calls of the page itself are known earlier (`readCalls`), but not those of a frame of another origin.
  const noteWorker = () => channels.add('a worker');
  const noteServiceWorker = () => channels.add('a service worker');
  const notePage = () => channels.add('a second page');
  const notify = () => {
    for (const waiter of [...waiters]) waiter();
  };
  const end = (request: Request) => {
    open.delete(request);
    unfinished.delete(request);
    notify();
  };
  const listeners = {
    request(request: Request) {
      seen.push(request);
      unfinished.add(request);
      if (!AWAITED_RESOURCES.includes(request.resourceType())) return;
      open.set(request, { since: performance.now(), isAnswered: false, isPoll: isPoll(request, answers) });
    },
    response(response: Response) {
      const request = response.request();
      const opened = open.get(request);
      if (opened) open.set(request, { ...opened, since: performance.now(), isAnswered: true });
      // The failures so far are those of the document that this one replaces.
      if (isDocumentOf(page, request)) failures.clear();
      if (response.status() >= 400) failures.set(request, String(response.status()));
      else {
        for (const key of keysOf(request)) answers.set(key, (answers.get(key) ?? 0) + 1);
        // The page requested it again, with success.
        for (const failed of failures.keys()) if (failed.url() === request.url()) failures.delete(failed);
      }
      notify();
    },
    requestfinished: end,
    requestfailed(request: Request) {
      const reason = request.failure()?.errorText ?? 'failed';
      // Requests that the page aborted do not count as failures.
      if (!reason.includes('ERR_ABORTED')) failures.set(request, reason);
      end(request);
    },
    websocket(socket: WebSocket) {
      channels.add('a WebSocket');
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
  const giveUp = () => {
    for (const request of open.keys()) abandoned.add(request);
  };
  const isAwaited = ([request, state]: [Request, OpenRequest]) =>
    !abandoned.has(request) && performance.now() - state.since < limitOf(request, state);
  const ownFailures = () => [...failures].filter(([request]) => !excluded.has(request));
  const failed = (accepts: (reason: string) => boolean) =>
    ownFailures().flatMap(([request, reason]) =>
      PAINTED_RESOURCES.includes(request.resourceType()) && accepts(reason) ? [request.url()] : [],
    );
  const pending = () =>
    [...open.keys()].flatMap((request) =>
      LOAD_BLOCKING_RESOURCES.includes(request.resourceType()) ? [request.url()] : [],
    );
  const unique = (urls: readonly string[]) => [...new Set(urls.map(withoutQuery))];
  return {
    hasSockets: () => sockets.size > 0 || [...open.keys()].some((request) => request.resourceType() === 'eventsource'),
    isHolding: () => [...open].some(isAwaited),
    hasOpenBody: () => [...open].some((entry) => entry[0].resourceType() === 'fetch' && isAwaited(entry)),
    isIdle: () => unfinished.size === 0,
    giveUp,
    givenUp: () => [...abandoned].filter((request) => open.has(request)).map((request) => request.url()),
    async answered() {
      const isOpen = () => [...open].some((entry) => !entry[1].isPoll && isAwaited(entry));
      while (isOpen()) await nextEvent(waiters, CHECK_MS);
      for (const entry of open) if (!entry[1].isPoll && !isAwaited(entry)) abandoned.add(entry[0]);
    },
    missing: () => unique([...failed(() => true), ...pending()]),
    lost: () => unique(failed((reason) => BROKEN_CONNECTION.test(reason))),
    failures: () =>
      ownFailures().flatMap(([request, reason]) =>
        isDocumentOf(page, request)
          ? []
          : [{ type: request.resourceType(), url: firstUrlOf(request), reason, isInFrame: isOfFrame(page, request) }],
      ),
    exclude: (request) => void excluded.add(request),
    isExcluded: (url) => [...excluded].some((request) => request.url() === url),
    seen: () => ({
      requests: seen
        .filter((request) => !excluded.has(request))
        .map((request) => ({ method: request.method(), url: request.url() })),
      channels: [...channels],
    }),
    stop() {
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
 * Checks whether a request is a poll. It is one if the same request, or two to the same path, got a successful response before. A retry of a
 * failed request is not a poll.
 */
function isPoll(request: Request, answers: ReadonlyMap<string, number>): boolean {
  const [same, samePath] = keysOf(request);
  return (answers.get(same) ?? 0) >= 1 || (answers.get(samePath) ?? 0) >= 2;
}

/** Returns the keys of a request: repeated ones share the first, those that differ in the query the second. */
function keysOf(request: Request): readonly [string, string] {
  const [method, url] = [request.method(), request.url()];
  return [`${method} ${url} ${request.postData() ?? ''}`, `path ${method} ${withoutQuery(url)}`];
}

function limitOf(request: Request, { isAnswered, isPoll }: OpenRequest): number {
  if (request.resourceType() === 'eventsource') return HELD_MS.stream;
  if (isPoll) return HELD_MS.poll;
  return isAnswered ? HELD_MS.body : HELD_MS.unanswered;
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

function withoutQuery(url: string): string {
  const { origin, pathname } = parseUrl(url) ?? { origin: '', pathname: url };
  return `${origin}${pathname}`;
}

/** Formats the first 3 names, each cut to 120 characters, and the number of the others. */
export function listFew(names: readonly string[]): string {
  const shown = names.slice(0, 3).map((name) => (name.length > 120 ? `${name.slice(0, 117)}...` : name));
  return names.length > 3 ? `${shown.join(', ')} and ${names.length - 3} more` : shown.join(', ');
}

/** Resolves at the next event, or after `ms` milliseconds. */
function nextEvent(waiters: Set<() => void>, ms: number): Promise<void> {
  return new Promise((resolve) => {
    const resume = () => {
      clearTimeout(timer);
      waiters.delete(resume);
      resolve();
    };
    const timer = setTimeout(resume, ms);
    waiters.add(resume);
  });
}
