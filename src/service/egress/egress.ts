import { request as askHttp, type IncomingMessage } from 'node:http';
import { request as askHttps } from 'node:https';
import type { BrowserContextOptions } from '@playwright/test';
import {
  type AddressPolicy,
  type AddressRules,
  addressesOfUrl,
  createAddressPolicy,
  lookupOf,
} from './address-policy.js';
import { startProxy } from './proxy.js';

/** Outgoing network access of the service. Everything that the service fetches for clients goes through it. */
export type Egress = Awaited<ReturnType<typeof openEgress>>;

/** Which pages may be captured, and how their browser is launched. */
export interface EgressSettings extends AddressRules {
  /** Further launch flags of the browser. @default [] */
  readonly browserFlags?: readonly string[];
}

const FLAGS = [
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
  '--disable-background-networking',
  '--disable-quic',
  // Two names of the same switch. The browser decides which one applies.
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--webrtc-ip-handling-policy=disable_non_proxied_udp',
];

/** Sends loopback addresses through the proxy as well, regardless of environment variables. */
const BYPASS = '<-loopback>';

/** Starts the proxy and returns the network access that it filters. Refused addresses cannot be reached by any name. */
export async function openEgress({ browserFlags = [], ...rules }: EgressSettings) {
  const policy = createAddressPolicy(rules);
  const proxy = await startProxy(policy);
  const { server } = proxy;
  return {
    /** Launch options for the browser of the service. */
    launchOptions: { args: [...FLAGS, ...browserFlags], proxy: { server, bypass: BYPASS } },
    /** Opens the network access of one capture. A browser context without its options cannot reach the network. */
    openSession() {
      const { username, password, errors, close } = proxy.openSession();
      const contextOptions: BrowserContextOptions = {
        proxy: { server, username, password, bypass: BYPASS },
        acceptDownloads: false,
        serviceWorkers: 'block',
        permissions: [],
      };
      return { errors, close, contextOptions };
    },
    /** Checks that a URL may be fetched. @throws ProofsheetError `target-refused`, `page-unreachable` */
    async checkTarget(url: string): Promise<void> {
      await addressesOfUrl(policy, url);
    },
    /** Fetches as `fetch` does, but follows no redirects. */
    fetch: (url: string, { signal }: { readonly signal: AbortSignal }) => fetchWithPolicy(policy, url, signal),
    close: proxy.close,
  };
}

/**
 * Fetches a URL from an address that the policy has checked. Redirects are not followed, and the body is not decompressed.
 *
 * @throws ProofsheetError `target-refused`, `page-unreachable`
 */
export async function fetchWithPolicy(policy: AddressPolicy, url: string, signal: AbortSignal): Promise<Response> {
  const addresses = await addressesOfUrl(policy, url);
  const send = new URL(url).protocol === 'https:' ? askHttps : askHttp;
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const request = send(url, {
      signal,
      agent: false,
      headers: { 'accept-encoding': 'identity', 'user-agent': 'proofsheet' },
      lookup: lookupOf(addresses),
    });
    request.once('response', resolve);
    request.once('error', reject);
    request.once('close', () => reject(new Error('the server sent no response')));
    request.end();
  });
  const headers = Object.entries(answer.headersDistinct).flatMap(([name, values = []]) => {
    return values.map((value): [string, string] => [name, value]);
  });
  return new Response(bodyOf(answer), { status: answer.statusCode ?? 0, headers });
}

/** Statuses without a body. The `Response` constructor throws when one of these has a body. */
const STATUSES_WITHOUT_BODY = [204, 205, 304];

function bodyOf(answer: IncomingMessage): ReadableStream | null {
  if (STATUSES_WITHOUT_BODY.includes(answer.statusCode ?? 0)) {
    answer.resume();
    return null;
  }
  const chunks = answer[Symbol.asyncIterator]();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await chunks.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: () => void answer.destroy(),
  });
}

/** Reads a body; null if it has more than `maxBytes` bytes. */
export async function readBody(body: ReadableStream<Uint8Array> | null, maxBytes: number): Promise<Buffer | null> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body ?? []) {
    length += chunk.length;
    if (length > maxBytes) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
