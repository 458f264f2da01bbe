import type { Page, Request, Response, WebSocket } from '@playwright/test';
import { parseUrl, type SeenLoad } from '../model/index.js';
import { pause } from './browser/timing.js';
import { callInFrames } from './in-page/frames.js';

export type Network = ReturnType<typeof watchNetwork>;

/**
 * How long a request is waited for, in milliseconds: for its response, and then for its body, which may not be read at all, or which a script
 * reads in parts; for one that repeats an answered request; for an event stream; and for work of the browser.
 */
const HELD_MS = { unanswered: 10_000, body: 3_000, read: 5_000, repeat: 2_000, stream: 1_000, work: 10_000 };

/** A page polls if it sends a request again that was answered so often. Components of a page may each send it once. */
const POLL_ANSWERS = 2;

const CHECK_MS = 5;

const BLOCKING_RESOURCES: readonly string[] = ['document', 'stylesheet', 'script', 'image', 'font', 'media'];

const PAINTED_RESOURCES: readonly string[] = [...BLOCKING_RESOURCES, 'fetch', 'xhr'];

/** What is waited for. A page never reads the answer of others, such as a beacon. */
const AWAITED_RESOURCES: readonly string[] = [...PAINTED_RESOURCES, 'eventsource', 'texttrack', 'other'];

/** The errors of Chromium, Firefox and WebKit for a connection that the network or the server broke. */
const BROKEN_CONNECTION =
  /Connection (reset by peer|terminated unexpectedly)|Socket I\/O timed out|ERR_(CONNECTION_(RESET|CLOSED|ABORTED|TIMED_OUT)|EMPTY_RESPONSE|CONTENT_LENGTH_MISMATCH|INCOMPLETE_CHUNKED_ENCODING|TIMED_OUT|NETWORK_CHANGED|HTTP2_\w+|QUIC_\w+)|NS_ERROR_NET_(RESET|INTERRUPT|PARTIAL_TRANSFER|TIMEOUT)/;

/** Their errors for a request that the page itself gave up. */
const ABORTED = /ERR_ABORTED|NS_BINDING_ABORTED|cancelled/i;

interface Tracked {
  readonly request: Request;
  /** As in Playwright's `request.resourceType()`. */
  readonly type: string;
  /** How often the same request was answered with success before it. */
  readonly repeats: number;
  /** The same request was answered before, or two to the same path. A retry of a failed request is no repeat. */
  readonly isRepeat: boolean;
  /** When it was sent, or answered, in milliseconds of `performance.now()`. */
  since: number;
  state: 'sent' | 'answered' | 'ended';
  isGivenUp: boolean;
  /** Its body has taken longer than it may. */
  isExpired: boolean;
  isExcluded: boolean;
  /** The HTTP status, or the error of the network; null: it did not fail. */
  failure: string | null;
}

/** Starts to track requests. Call it before navigation. */
export function watchNetwork(page: Page) {
  const tracked = new Map<Request, Tracked>();
  /** How often each request and each path was answered with success. */
  const answers = new Map<string, number>();
  const sockets = new Set<WebSocket>();
  const channels = new Set<string>();
  const cutOff = new Set<string>();
  const eventStreams = new Set<Request>();
  let hasSharedWorker = false;
  let workSince = Number.NEGATIVE_INFINITY;
  const context = page.context();
  /** A request may have been sent before this function was called. */
  const find = (request: Request): Tracked => {
    const known = tracked.get(request);
    if (known) return known;
    const ended = { state: 'ended', isGivenUp: false, isExpired: false, isExcluded: false, failure: null } as const;
    const [repeats = 0, ofPath = 0] = keysOf(request).map((key) => answers.get(key) ?? 0);
    const isRepeat = repeats >= 1 || ofPath >= 2;
    const found = { request, type: request.resourceType(), repeats, isRepeat, since: performance.now(), ...ended };
    tracked.set(request, found);
    return found;
  };
  const onRequest = (request: Request) => void Object.assign(find(request), { state: 'sent' });
  const onResponse = (response: Response) => {
    const request = response.request();
    const answered = find(request);
    if (answered.state === 'sent') Object.assign(answered, { state: 'answered', since: performance.now() });
    if (/^text\/event-stream\b/i.test(response.headers()['content-type'] ?? '')) eventStreams.add(request);
    const status = response.status();
    for (const other of tracked.values()) {
      // The failures so far are those of the document that this one replaces, or the page requested it again, with success.
      const isRepeated = status < 400 && other.request.url() === request.url();
      if (isDocumentOf(page, request) || isRepeated) other.failure = null;
    }
    if (status >= 400) answered.failure = String(status);
    else for (const key of keysOf(request)) answers.set(key, (answers.get(key) ?? 0) + 1);
  };
  const onFinished = (request: Request) => void Object.assign(find(request), { state: 'ended' });
  const onFailed = (request: Request) => {
    onFinished(request);
    const reason = request.failure()?.errorText ?? 'failed';
    // Requests that the page aborted do not count as failures.
    if (!ABORTED.test(reason)) find(request).failure = reason;
  };
  const onSocket = (socket: WebSocket) => {
    channels.add('a WebSocket');
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  };
  // The calls of the page itself are known earlier (`readCalls`), but not those of a frame of another origin.
  const onWorker = () => channels.add('a worker');
  const onServiceWorker = () => channels.add('a service worker');
  const onPage = () => channels.add('a second page');
  page.on('request', onRequest);
  page.on('response', onResponse);
  page.on('requestfinished', onFinished);
  page.on('requestfailed', onFailed);
  page.on('websocket', onSocket);
  page.on('worker', onWorker);
  context.on('serviceworker', onServiceWorker);
  context.on('page', onPage);
  const isPainted = ({ type }: Tracked) => PAINTED_RESOURCES.includes(type);
  const open = () =>
    [...tracked.values()].filter(({ state, type }) => state !== 'ended' && AWAITED_RESOURCES.includes(type));
  const isAwaited = (one: Tracked) => !one.isGivenUp && performance.now() - one.since < limitOf(one);
  const polls = () =>
    [...tracked.values()].some(({ type, repeats }) => /fetch|xhr/.test(type) && repeats >= POLL_ANSWERS);
  const failed = () => [...tracked.values()].filter(({ failure, isExcluded }) => failure !== null && !isExcluded);
  return {
    /** Checks whether the page sends a request again and again: its server works on something, in real time. */
    polls,
    /** Checks whether a part of the page has a clock of its own: a worker, a socket, an event stream, or a server that is polled. */
    hasOwnClocks: () =>
      polls() ||
      hasSharedWorker ||
      page.workers().length > 0 ||
      sockets.size > 0 ||
      open().some(({ type }) => type === 'eventsource'),
    /** Takes note of what the scripts of the page use: a shared worker, and work of the browser that is no request, such as encryption. */
    noteUses({ hasSharedWorker: usesWorker, asksForWork }: { hasSharedWorker?: boolean; asksForWork?: boolean }) {
      hasSharedWorker ||= usesWorker === true;
      if (asksForWork && workSince < 0) workSince = performance.now();
    },
    isHolding: () => open().some(isAwaited),
    /**
     * Checks whether a script awaits work of the browser, or reads the body of a response in parts: the browser pauses the time of a page until a
     * request is answered, but for neither of these. A body that no script reads never ends.
     */
    async isWorking() {
      const bodies = open().filter(({ type }) => type === 'fetch');
      const mayBeRead = ({ since }: Tracked) => performance.now() - since < HELD_MS.read;
      const answered = bodies.filter(({ state }) => state === 'answered');
      const isOpen = answered.some(mayBeRead) || bodies.some((one) => one.state === 'sent' && isAwaited(one));
      const isHolding = isOpen || performance.now() - workSince < HELD_MS.work;
      const expired = answered.filter((one) => !one.isExpired && !mayBeRead(one));
      if (!isHolding && expired.length === 0) return false;
      const isReading = await isAwaiting(page);
      for (const one of expired) {
        one.isExpired = true;
        if (isReading) cutOff.add(firstUrlOf(one.request));
      }
      return isHolding && isReading;
    },
    /** Lists the responses whose bodies a script still read when they were no longer waited for. */
    cutOff: () => [...cutOff],
    /** No request is open, not even one that is not waited for, such as a beacon. */
    isIdle: () => [...tracked.values()].every(({ state }) => state === 'ended'),
    giveUp() {
      for (const one of open()) one.isGivenUp = true;
    },
    givenUp: () => open().flatMap(({ isGivenUp, request }) => (isGivenUp ? [request.url()] : [])),
    /** As `givenUp`, without event streams that were answered: they stay open. */
    notLoaded: () =>
      open().flatMap((one) => (one.isGivenUp && !eventStreams.has(one.request) ? [one.request.url()] : [])),
    /** Waits for the open requests that were not given up, as long as they may hold the page, and then gives them up. A repeated one is not waited for. */
    async awaitAnswers() {
      const awaited = () => open().filter(({ isRepeat }) => !isRepeat);
      while (awaited().some(isAwaited)) await pause(CHECK_MS);
      for (const one of awaited()) one.isGivenUp = true;
    },
    /** Lists the requests that failed or are open and whose response can change the page: origin and path of each, without the query. */
    missing: () =>
      addressesOf([...failed().filter(isPainted), ...open().filter(({ type }) => BLOCKING_RESOURCES.includes(type))]),
    lost: () => addressesOf(failed().filter((one) => isPainted(one) && BROKEN_CONNECTION.test(one.failure ?? ''))),
    /** Lists the failed requests of the resources of the page, not that of its document. */
    failures: () =>
      failed()
        .filter(({ request }) => !isDocumentOf(page, request))
        .map(({ request, type, failure }) => ({
          ...{ type, reason: failure ?? '' },
          /** The URL that the page requested. A redirect leads to another one. */
          url: firstUrlOf(request),
          /** A frame of the page requested it. The document of a frame has no frame yet when it is requested. */
          isInFrame: request.isNavigationRequest() || request.frame() !== page.mainFrame(),
        })),
    /** Takes note of a request that never leaves, because a rule of the list blocks or answers it. It is in none of these lists. */
    exclude(request: Request) {
      find(request).isExcluded = true;
    },
    isExcluded: (url: string) => [...tracked.values()].some((one) => one.isExcluded && one.request.url() === url),
    seen(): SeenLoad {
      const seen = [...tracked.keys()].filter((request) => !find(request).isExcluded);
      const requests = seen.map((request) => ({ method: request.method(), url: request.url() }));
      return { requests, channels: [...channels] };
    },
    stop() {
      page.off('request', onRequest);
      page.off('response', onResponse);
      page.off('requestfinished', onFinished);
      page.off('requestfailed', onFailed);
      page.off('websocket', onSocket);
      page.off('worker', onWorker);
      context.off('serviceworker', onServiceWorker);
      context.off('page', onPage);
    },
  };
}

/** A page that closed does not wait. */
async function isAwaiting(page: Page): Promise<boolean> {
  const read = callInFrames(page, ({ memory }) => memory.isAwaiting?.() ?? false);
  return (await read.catch(() => [])).some(Boolean);
}

/**
 * Returns the keys of a request: repeated ones share the first, those that differ in the query the second. A time or a random number in the URL
 * only keeps the answer out of a cache.
 */
function keysOf(request: Request): readonly [string, string] {
  const [method, url] = [request.method(), request.url().replace(/(?<=[?&=])(\d{10,}|0\.\d{6,})/g, '')];
  return [`${method} ${url} ${request.postData() ?? ''}`, `path ${method} ${withoutQuery(url)}`];
}

function limitOf({ type, isRepeat, state }: Tracked): number {
  if (type === 'eventsource') return HELD_MS.stream;
  if (isRepeat) return HELD_MS.repeat;
  return state === 'answered' ? HELD_MS.body : HELD_MS.unanswered;
}

/** A request is for a document of the page itself, not for one of its frames. */
export function isDocumentOf(page: Page, request: Request): boolean {
  return request.isNavigationRequest() && request.frame() === page.mainFrame();
}

function firstUrlOf(request: Request): string {
  const earlier = request.redirectedFrom();
  return earlier ? firstUrlOf(earlier) : request.url();
}

function addressesOf(found: readonly Tracked[]): string[] {
  return [...new Set(found.map(({ request }) => withoutQuery(request.url())))];
}

function withoutQuery(url: string): string {
  const { origin, pathname } = parseUrl(url) ?? { origin: '', pathname: url };
  return `${origin}${pathname}`;
}
