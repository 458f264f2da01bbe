import { createHash } from 'node:crypto';
import { Agent as HttpAgent, type IncomingMessage, request as sendHttp } from 'node:http';
import { Agent as HttpsAgent, request as sendHttps } from 'node:https';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';
import { messageOf } from '../../model/errors.js';
import type { Fetched, InputRequest } from '../../model/reuse.js';
import { parseUrl } from '../../model/url.js';

/** How responses are fetched without a browser. */
export interface FetchSettings {
  readonly ignoresHttpsErrors: boolean;
  /** The hosts that the browser reaches; null: all. Requests to others fail, as in the browser. */
  readonly reachableHosts: readonly string[] | null;
  readonly timeoutMs: number;
}

/** A response that is known from an earlier run. */
export interface KnownResponse {
  readonly etag: string;
  readonly digest: string;
}

/** Sends requests and hashes their responses. */
export interface InputFetcher {
  /**
   * Sends a request once. Redirects are not followed: the browser reports each as a request of its own.
   *
   * @param known - if the server confirms its ETag, the body is not sent again
   */
  fetch(request: InputRequest, known: KnownResponse | null): Promise<Fetched>;
  close(): void;
}

/** Maximum size of a body, in bytes. */
const MAX_BYTES = 200 * 1024 * 1024;

/** Maximum number of connections to one host. */
const MAX_CONNECTIONS = 8;

/** Creates a fetcher that keeps its connections open. */
export function createInputFetcher(settings: FetchSettings): InputFetcher {
  const options = { keepAlive: true, maxSockets: MAX_CONNECTIONS };
  const agents = { http: new HttpAgent(options), https: new HttpsAgent(options) };
  return {
    async fetch(request, known) {
      const url = parseUrl(request.url);
      if (url === null) return { kind: 'unknown', why: 'the URL is not valid' };
      if (settings.reachableHosts !== null && !settings.reachableHosts.includes(url.hostname))
        return { kind: 'failed' };
      const headers = {
        ...request.headers,
        'accept-encoding': 'range' in request.headers ? 'identity' : 'gzip, deflate, br',
        ...(known && { 'if-none-match': known.etag }),
      };
      try {
        const response = await send(url, headers, settings, agents);
        return await readResponse(response, known);
      } catch (cause) {
        return isNoConnection(cause) ? { kind: 'failed' } : { kind: 'unknown', why: messageOf(cause) };
      }
    },
    close() {
      agents.http.destroy();
      agents.https.destroy();
    },
  };
}

function send(
  url: URL,
  headers: Record<string, string>,
  settings: FetchSettings,
  agents: { readonly http: HttpAgent; readonly https: HttpsAgent },
): Promise<IncomingMessage> {
  const { ignoresHttpsErrors, timeoutMs } = settings;
  return new Promise((resolve, reject) => {
    const signal = AbortSignal.timeout(timeoutMs);
    const request =
      url.protocol === 'https:'
        ? sendHttps(url, { headers, signal, agent: agents.https, rejectUnauthorized: !ignoresHttpsErrors })
        : sendHttp(url, { headers, signal, agent: agents.http });
    request.on('response', resolve);
    request.on('error', (error) => {
      // The server closed a connection that was open from an earlier request.
      const isStale = request.reusedSocket && 'code' in error && error.code === 'ECONNRESET';
      if (isStale) resolve(send(url, headers, settings, agents));
      else reject(error);
    });
    request.end();
  });
}

async function readResponse(response: IncomingMessage, known: KnownResponse | null): Promise<Fetched> {
  const { statusCode: status = 0 } = response;
  const headers = flatten(response.headers);
  const body = await decode(await readBody(response), headers['content-encoding'] ?? '');
  const obstacle = obstacleOf(headers);
  if (status === 304 && known !== null) {
    const common = { headers: null, isIdentified: true, obstacle, uses: [] };
    return { kind: 'response', status: 200, digest: known.digest, etag: known.etag, ...common };
  }
  const isStorable = !/\bno-store\b/i.test(headers['cache-control'] ?? '');
  return {
    kind: 'response',
    status,
    digest: digestOf(status, headers, body),
    // A weak ETag does not promise equal bytes.
    etag: headers.etag?.startsWith('"') ? headers.etag : null,
    headers: comparable(headers),
    isIdentified: isStorable && (headers.etag !== undefined || headers['last-modified'] !== undefined),
    obstacle,
    uses: usesOf(headers['content-type'] ?? '', body),
  };
}

async function readBody(response: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of response) {
    parts.push(part);
    length += part.length;
    if (length > MAX_BYTES) throw new Error('the response is too large');
  }
  return Buffer.concat(parts);
}

/** @throws Error for an encoding that was not asked for */
async function decode(body: Buffer, encoding: string): Promise<Buffer> {
  // A response without a body may name an encoding.
  if (body.length === 0) return body;
  switch (encoding.trim().toLowerCase()) {
    case '':
    case 'identity':
      return body;
    case 'gzip':
    case 'x-gzip':
      return promisify(gunzip)(body, LIMIT);
    case 'deflate':
      return promisify(inflate)(body, LIMIT);
    case 'br':
      return promisify(brotliDecompress)(body, LIMIT);
    default:
      throw new Error(`the response has the encoding ${encoding}`);
  }
}

const LIMIT = { maxOutputLength: MAX_BYTES };

/**
 * Response headers that can change how a page looks: the type of the content, where a redirect leads, what the page may load, and
 * what it loads in addition.
 */
const LOOK_HEADERS: readonly string[] = [
  ...['accept-ch', 'access-control-allow-credentials', 'access-control-allow-origin', 'clear-site-data'],
  ...['content-disposition', 'content-language', 'content-range', 'content-security-policy', 'content-type'],
  ...['critical-ch', 'cross-origin-embedder-policy', 'cross-origin-opener-policy', 'cross-origin-resource-policy'],
  ...['document-policy', 'feature-policy', 'link', 'location', 'permissions-policy', 'referrer-policy', 'refresh'],
  ...['speculation-rules', 'strict-transport-security', 'x-content-type-options', 'x-frame-options'],
];

/** Further headers that differ between two versions of a file. */
const VERSION_HEADERS: readonly string[] = ['content-encoding', 'content-length', 'etag', 'last-modified'];

/** Returns the headers of a response that the browser and Node must both receive, with values in one form. */
export function comparable(headers: Readonly<Record<string, string>>): Record<string, string> {
  return pick(headers, [...LOOK_HEADERS, ...VERSION_HEADERS]);
}

/** The status and headers of a response. */
interface ResponseHead {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Returns a response as it was before the cache of the browser had it. With a copy of a whole file, Chromium answers a request of a range
 * with status 206, also if the server knows no ranges; if the server confirms the copy, the status may be 304.
 */
export function fromServer({ status, headers }: ResponseHead): ResponseHead {
  if (status === 304) return { status: 200, headers };
  const { 'content-range': range = '', ...others } = headers;
  const [, last, length] = /^bytes 0-(\d+)\/(\d+)$/.exec(range) ?? [];
  const isWhole = status === 206 && last !== undefined && Number(last) + 1 === Number(length);
  return isWhole ? { status: 200, headers: others } : { status, headers };
}

function pick(headers: Readonly<Record<string, string>>, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = headers[name];
      // Chromium joins repeated headers by line breaks, Node by commas.
      return value === undefined ? [] : [[name, value.replace(/\s*[\n,]\s*/g, ', ').trim()]];
    }),
  );
}

/** Hashes what a response contributes to a page. The body is the decoded one: how it was compressed does not count. */
function digestOf(status: number, headers: Readonly<Record<string, string>>, body: Buffer): string {
  const head = JSON.stringify([status, pick(headers, LOOK_HEADERS)]);
  return createHash('sha256').update(head).update('\n').update(body).digest('hex');
}

/** Returns why a page with this response cannot be reused: it depends on more than the request. */
function obstacleOf(headers: Readonly<Record<string, string>>): string | null {
  if ('set-cookie' in headers) return 'sets a cookie';
  const varies = (headers.vary ?? '')
    .toLowerCase()
    .split(',')
    .map((name) => name.trim());
  const by = varies.find((name) => name === '*' || name === 'referer');
  return by === undefined ? null : `varies by ${by === '*' ? 'anything' : by}`;
}

/** What code reads that no response contains. The words only name a possible cause. */
const USES: readonly (readonly [what: string, words: RegExp])[] = [
  ['the clock', /\bnew Date\b|\bDate\.now\b|\bDate\(\)|\bperformance\.now\b/],
  ['random numbers', /\bMath\.random\b|\bgetRandomValues\b|\brandomUUID\b/],
  ['storage', /\blocalStorage\b|\bsessionStorage\b|\bindexedDB\b|\bdocument\.cookie\b/],
];

function usesOf(type: string, body: Buffer): string[] {
  if (!/javascript|ecmascript|html/i.test(type)) return [];
  const text = body.toString('latin1');
  return USES.flatMap(([what, words]) => (words.test(text) ? [what] : []));
}

function flatten(headers: IncomingMessage['headers']): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, [value].flat().join(', ')]],
    ),
  );
}

/** The errors of Node for which Chromium says that there is no connection. */
function isNoConnection(cause: unknown): boolean {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  return ['ENOTFOUND', 'EAI_AGAIN', 'ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH'].includes(code);
}
