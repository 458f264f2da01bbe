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
import { type ProxySession, startProxy } from './proxy.js';

/** Outgoing network access of the service. Everything that the service fetches for clients goes through it. */
export interface Egress {
  /** Launch options for the browser of the service. */
  readonly launchOptions: Pick<LaunchOptions, 'args' | 'proxy'>;
  /** Opens the network access of one capture. */
  openSession(): EgressSession;
  /** Checks that a URL may be fetched. @throws ProofsheetError `target-refused`, `page-unreachable` */
  checkTarget(url: string): Promise<void>;
  /** Fetches as `fetch` does, but follows no redirects. Callers check the target of a redirect first. */
  fetch(url: string, init: { readonly signal: AbortSignal }): Promise<Response>;
  close(): Promise<void>;
}

/** The network access of one capture. */
export interface EgressSession extends Pick<ProxySession, 'errors' | 'close'> {
  /** Options for the browser context of the capture. A context without them cannot reach the network. */
  readonly contextOptions: BrowserContextOptions;
}

/** The allowed addresses, and further launch flags of the browser. */
export interface EgressSettings extends AddressRules {
  readonly browserFlags?: readonly string[];
}

/** Flags that send all lookups and requests through the proxy. */
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
export async function openEgress({ browserFlags = [], ...rules }: EgressSettings): Promise<Egress> {
  const policy = createAddressPolicy(rules);
  const proxy = await startProxy(policy);
  const { server } = proxy;
  return {
    launchOptions: { args: [...FLAGS, ...browserFlags], proxy: { server, bypass: BYPASS } },
    openSession() {
      const { username, password, errors, close } = proxy.openSession();
      return {
        ...{ errors, close },
        contextOptions: {
          proxy: { server, username, password, bypass: BYPASS },
          acceptDownloads: false,
          serviceWorkers: 'block',
          permissions: [],
        },
      };
    },
    async checkTarget(url) {
      await addressesOfUrl(policy, url);
    },
    fetch: (url, { signal }) => fetchWithPolicy(policy, url, signal),
    close: () => proxy.close(),
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
