import { request as askHttp, type IncomingMessage } from 'node:http';
import { request as askHttps } from 'node:https';
import type { BrowserContextOptions, LaunchOptions } from '@playwright/test';
import {
  type AddressPolicy,
  type AddressRules,
  addressesOfUrl,
  createAddressPolicy,
  lookupOf,
} from './address-policy.js';
import { type ProxyCredentials, startProxy } from './proxy.js';

/** The way from the service to the web: all that it fetches for others, it fetches on it. */
export interface Egress {
  /** What the service's browser is launched with. */
  readonly launchOptions: Pick<LaunchOptions, 'args' | 'proxy'>;
  /** Lets one capture out. */
  admit(): Leave;
  /** Makes sure that a URL may be fetched. @throws ProofsheetError naming what it leads to. */
  checkTarget(url: string): Promise<void>;
  /** Fetches as `fetch` does. A redirect is not followed here: whoever asks checks its target first. */
  fetch(url: string, init: { readonly signal: AbortSignal }): Promise<Response>;
  close(): Promise<void>;
}

/** What one capture goes outside with. */
export interface Leave extends Pick<ProxyCredentials, 'troubles' | 'end'> {
  /** What its context is opened with; a context that is opened otherwise reaches nothing. */
  readonly contextOptions: BrowserContextOptions;
}

/** Which addresses may be asked for, and what the browser is launched with beyond what we need. */
export interface EgressSettings extends AddressRules {
  readonly browserFlags?: readonly string[];
}

/** What is looked up, or asked for, is so by the proxy and nothing else. */
const FLAGS = [
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
  '--disable-background-networking',
  '--disable-quic',
  // Two names of one switch: which one holds depends on the browser.
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--webrtc-ip-handling-policy=disable_non_proxied_udp',
];

/** Loopback goes by the proxy as well, whatever the environment says. */
const BYPASS = '<-loopback>';

/** Opens a way on which nobody reaches an address that is refused: by whatever name, at whatever moment. */
export async function openEgress({ browserFlags = [], ...rules }: EgressSettings): Promise<Egress> {
  const guard = createAddressPolicy(rules);
  const proxy = await startProxy(guard);
  const { server } = proxy;
  return {
    launchOptions: { args: [...FLAGS, ...browserFlags], proxy: { server, bypass: BYPASS } },
    admit() {
      const pass = proxy.admit();
      const { username, password } = pass;
      return {
        ...pass,
        contextOptions: {
          proxy: { server, username, password, bypass: BYPASS },
          acceptDownloads: false,
          serviceWorkers: 'block',
          permissions: [],
        },
      };
    },
    async checkTarget(url) {
      await addressesOfUrl(guard, url);
    },
    fetch: (url, { signal }) => fetchWithPolicy(guard, url, signal),
    close: () => proxy.close(),
  };
}

/**
 * Fetches from an address that a guard has looked at. A redirect is not followed, and nothing is unpacked.
 *
 * @throws ProofsheetError `target-refused`, `page-unreachable`
 */
export async function fetchWithPolicy(guard: AddressPolicy, url: string, signal: AbortSignal): Promise<Response> {
  const addresses = await addressesOfUrl(guard, url);
  const ask = new URL(url).protocol === 'https:' ? askHttps : askHttp;
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const request = ask(url, {
      signal,
      agent: false,
      headers: { 'accept-encoding': 'identity', 'user-agent': 'proofsheet' },
      lookup: lookupOf(addresses),
    });
    request.once('response', resolve);
    request.once('error', reject);
    request.once('close', () => reject(new Error('there was no answer')));
    request.end();
  });
  const headers = Object.entries(answer.headersDistinct).flatMap(([name, values = []]) => {
    return values.map((value): [string, string] => [name, value]);
  });
  return new Response(bodyOf(answer), { status: answer.statusCode ?? 0, headers });
}

/** An answer of these kinds has no body, and a `Response` that has one none of these. */
const BARE = [204, 205, 304];

function bodyOf(answer: IncomingMessage): ReadableStream | null {
  if (BARE.includes(answer.statusCode ?? 0)) {
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
