import type { InputRequest, SeenLoad, SeenRequest } from '../../model/reuse.js';
import { parseUrl } from '../../model/url.js';
import { fromServer } from './fetch-input.js';

/** A request that is an input of a page, and what the browser received for it; null: no connection. */
export interface SeenInput {
  readonly request: InputRequest;
  readonly received: SeenRequest['received'];
}

/** The inputs of a page, or why a later run cannot know them. */
export type PageInputs =
  | { readonly kind: 'known'; readonly inputs: readonly SeenInput[] }
  | { readonly kind: 'unknown'; readonly reason: string };

/**
 * Decides from all loads of a page whether its requests are its inputs. That is the case if each of them can be sent again by
 * anyone, nothing else brought data, and the loads had the same requests. In doubt, the inputs are unknown.
 *
 * @param language - value of the header `Accept-Language`; null: the default of the browser
 */
export function readPageInputs(loads: readonly SeenLoad[], language: string | null): PageInputs {
  const [first] = loads;
  if (!first) return { kind: 'unknown', reason: 'no load of the page was recorded' };
  const reason = loads.map(obstacleOf).find((found) => found !== null) ?? differenceOf(loads);
  if (reason !== null) return { kind: 'unknown', reason };
  const inputs = new Map<string, SeenInput>();
  for (const request of loads.flatMap(requestsOf)) {
    const input = { request: toInput(request, originOfPage(loads), language), received: request.received };
    const { url, headers } = input.request;
    // A video is loaded in ranges.
    const key = `${url} ${headers.range ?? ''}`;
    const same = inputs.get(key);
    if (same && statusOf(same) !== statusOf(input))
      return { kind: 'unknown', reason: `two responses of ${request.url} differ` };
    inputs.set(key, input);
  }
  return { kind: 'known', inputs: [...inputs.values()].sort((a, b) => (a.request.url < b.request.url ? -1 : 1)) };
}

/**
 * Returns the requests for data from outside: the content of `data:` and `blob:` URLs comes from the page itself, and some redirects to
 * https from the browser.
 */
function requestsOf({ requests }: SeenLoad): SeenRequest[] {
  return requests.filter(({ url, received }) => {
    return !/^(data|blob|about):/i.test(url) && received?.headers['non-authoritative-reason'] === undefined;
  });
}

function obstacleOf(load: SeenLoad): string | null {
  const [channel] = load.channels;
  if (channel !== undefined) return `it uses ${channel}`;
  if (load.hasCookies) return 'it has a cookie, so its requests are its own';
  const origin = originOfPage([load]);
  return (
    requestsOf(load)
      .map((request) => requestObstacleOf(request, origin))
      .find((found) => found !== null) ?? null
  );
}

function requestObstacleOf(request: SeenRequest, origin: string | null): string | null {
  const { method, url, kind, headers, received, state, failure, isFromServiceWorker } = request;
  if (method !== 'GET') return `it sends a ${method} request to ${url}`;
  if (!/^https?:/i.test(url)) return `it loads ${url}, which is not http or https`;
  if (isFromServiceWorker) return `a service worker answered ${url}`;
  if (kind === 'eventsource') return `it opens an event stream, ${url}`;
  if ('authorization' in headers || 'cookie' in headers) return `its request of ${url} carries credentials`;
  const special = Object.keys(headers).find((name) => !PLAIN_HEADERS.test(name));
  if (special !== undefined && isCrossOrigin(url, origin))
    return `its request of ${url} needs permission of another origin (header ${special})`;
  if (state === 'pending') return `${url} was still loading when the screenshot was taken`;
  if (state === 'finished' && received === null) return `the response of ${url} is unknown`;
  if (state === 'failed' && (received !== null || !NO_CONNECTION.test(failure ?? '')))
    return `the request of ${url} was given up (${failure})`;
  return null;
}

/** Headers that a browser sends to another origin without a preflight request. */
const PLAIN_HEADERS =
  /^(accept|accept-language|content-language|dpr|device-memory|downlink|ect|origin|priority|purpose|range|referer|rtt|save-data|sec-.+|upgrade-insecure-requests|user-agent|viewport-width|width)$/;

/** Errors of a request that never reached a server. */
const NO_CONNECTION = /ERR_NAME_NOT_RESOLVED|ERR_CONNECTION_REFUSED|ERR_ADDRESS_UNREACHABLE|ERR_INTERNET_DISCONNECTED/;

/** Returns a reason if the loads do not have the same requests. */
function differenceOf(loads: readonly SeenLoad[]): string | null {
  const [first, ...others] = loads.map((load) => new Set(requestsOf(load).map(({ url }) => url)));
  for (const other of others) {
    const [url] = [...(first ?? [])]
      .filter((one) => !other.has(one))
      .concat([...other].filter((one) => !first?.has(one)));
    if (url !== undefined) return `its loads have different requests: not each loads ${url}`;
  }
  return null;
}

function statusOf({ received }: SeenInput): number | null {
  return received && fromServer(received).status;
}

/** Returns the origin of the first document: that of the page. */
function originOfPage([load]: readonly SeenLoad[]): string | null {
  const document = load?.requests.find(({ kind }) => kind === 'document');
  return parseUrl(document?.url ?? '')?.origin ?? null;
}

function isCrossOrigin(url: string, origin: string | null): boolean {
  return parseUrl(url)?.origin !== origin;
}

/** Headers that make a response depend on an earlier one, or on the connection. */
const DROPPED_HEADERS = /^(if-.+|cookie|host|connection|content-length|cache-control|pragma|accept-encoding)$/;

/** Values that Chromium sends, by resource type. It adds them after the request was reported. */
const ACCEPT: Readonly<Record<string, string>> = {
  document:
    'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8,application/signed-exchange;v=b3;q=0.7',
  image: 'image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8',
  stylesheet: 'text/css,*/*;q=0.1',
};

/** Builds the request that the browser sent, from what it reported. */
function toInput({ url, kind, headers, received }: SeenRequest, origin: string | null, language: string | null) {
  const kept = Object.entries(headers).filter(([name]) => !DROPPED_HEADERS.test(name));
  // A server may answer with the origin that asked.
  const isShared = received !== null && 'access-control-allow-origin' in received.headers;
  const added = {
    accept: ACCEPT[kind] ?? '*/*',
    ...(language !== null && { 'accept-language': language }),
    ...(isShared && origin !== null && isCrossOrigin(url, origin) && { origin }),
  };
  const all = Object.entries({ ...added, ...Object.fromEntries(kept) }).sort(([a], [b]) => (a < b ? -1 : 1));
  return { url: url.replace(/#.*$/s, ''), headers: Object.fromEntries(all) };
}
