import { once } from 'node:events';
import { get as getHttp, type IncomingMessage } from 'node:http';
import { get as getHttps } from 'node:https';
import { connect, createServer, type Socket } from 'node:net';
import type { BrowserContextOptions } from '@playwright/test';
import { failure, messageOf, ProofsheetError, renderCountOf } from '../../model/index.js';
import { listen } from '../../reuse/index.js';
import {
  type AddressPolicy,
  type AddressRules,
  addressesOfUrl,
  createAddressPolicy,
  lookupOf,
  placeOf,
} from './address-policy.js';

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

/** Opens the network access. Addresses that the rules refuse cannot be reached by any name. */
export async function openEgress({ browserFlags = [], ...rules }: EgressSettings) {
  const policy = createAddressPolicy(rules);
  const refusing = await startProxy(() => Promise.reject(new Error('no capture runs')));
  return {
    /** Launch options for the browser of the service. A browser context without the options of a session reaches nothing. */
    launchOptions: { args: [...FLAGS, ...browserFlags], proxy: { server: refusing.server, bypass: BYPASS } },
    async openSession() {
      const { server, lastError, close } = await startProxy(policy);
      const contextOptions: BrowserContextOptions = {
        proxy: { server, bypass: BYPASS },
        acceptDownloads: false,
        serviceWorkers: 'block',
        permissions: [],
      };
      return { lastError, close, contextOptions };
    },
    /** Checks that a URL may be fetched. @throws ProofsheetError `target-refused`, `page-unreachable` */
    checkTarget: (url: string) => addressesOfUrl(policy, url),
    fetch: (url: string, signal: AbortSignal) => fetchWithPolicy(policy, url, signal),
    close: refusing.close,
  };
}

const LIMITS = { bytes: 256 * 1024 * 1024, connections: 128, connectMs: 10_000, idleMs: 60_000 };

/**
 * Starts a SOCKS proxy for one capture, on a free loopback port. It looks up names instead of the browser, and connects only to addresses
 * that the policy allows. The browser sends everything through it, and shows no response of the proxy as a page.
 */
export async function startProxy(policy: AddressPolicy, limits = LIMITS) {
  let lastError: ProofsheetError | null = null;
  const clients = new Set<Socket>();
  let left = limits.bytes;
  const note = (cause: unknown, where: string) => {
    const found = `the connection failed (${messageOf(cause)})`;
    const isKnown = cause instanceof ProofsheetError;
    lastError = isKnown ? cause : failure('page-unreachable', where, found, 'Check that the server is running.');
  };
  const close = () => {
    server.close();
    for (const client of clients) client.destroy();
  };
  /** Counts received bytes. Above the limit, ends the session. */
  const spend = (bytes: number) => {
    const wasWithin = left >= 0;
    left -= bytes;
    if (left >= 0 || !wasWithin) return;
    note(new Error(`the page received more than ${renderCountOf(limits.bytes, 'byte')}`), 'the page');
    close();
  };
  const open = async (host: string, port: number): Promise<Socket> => {
    if (clients.size > limits.connections)
      throw new Error(`the limit of ${renderCountOf(limits.connections, 'open connection')} is reached`);
    const socket = connect({ host, port, lookup: lookupOf(await policy(host, port)) });
    socket.setTimeout(limits.connectMs, () => {
      socket.destroy(new Error(`no connection within ${limits.connectMs / 1000} s`));
    });
    await once(socket, 'connect');
    return socket.on('error', () => {}).setTimeout(limits.idleMs);
  };
  const serve = async (client: Socket) => {
    clients.add(client);
    client.once('close', () => clients.delete(client)).on('error', () => {});
    const { host, port } = await readTarget(client);
    const socket = await open(host, port).catch((cause) => note(cause, placeOf(host, port)));
    // The reason goes to the caller of the capture, not to the page.
    if (!socket) return client.end(replyOf(HOST_UNREACHABLE));
    socket.once('close', () => client.destroy()).on('data', ({ length }) => spend(length));
    client.once('close', () => socket.destroy());
    if (client.destroyed) return socket.destroy();
    client.write(replyOf(SUCCEEDED));
    return client.pipe(socket).pipe(client);
  };
  const server = createServer((client) => void serve(client).catch(() => client.destroy()));
  const origin = await listen(server, '127.0.0.1', 0, 'the proxy');
  // The proxy alone does not keep the process running.
  server.unref();
  return {
    server: origin.replace('http:', 'socks5:'),
    /** Returns the error of the last connection that failed; null: none did. */
    lastError: () => lastError,
    close,
  };
}

/** Replies of SOCKS 5 (RFC 1928). The browser tries no other proxy after this failure. */
const SUCCEEDED = 0;
const HOST_UNREACHABLE = 4;

function replyOf(code: number): Buffer {
  return Buffer.from([5, code, 0, 1, 0, 0, 0, 0, 0, 0]);
}

/** Reads where a client wants to connect to. Chromium sends each host as a name, also an address, and uses no authentication. */
async function readTarget(client: Socket): Promise<{ host: string; port: number }> {
  let received = Buffer.alloc(0);
  const take = async (size: number) => {
    while (received.length < size) {
      const chunk: Buffer | null = client.read();
      if (chunk) received = Buffer.concat([received, chunk]);
      else await once(client, 'readable');
    }
    const taken = received.subarray(0, size);
    received = received.subarray(size);
    return taken;
  };
  const [version, methods = 0] = await take(2);
  if (version !== 5) throw new Error('the client does not use SOCKS 5');
  await take(methods);
  client.write(Buffer.from([5, 0]));
  const [, command, , kind, length = 0] = await take(5);
  if (command !== 1 || kind !== 3) throw new Error('the client does not connect to a host name');
  return { host: (await take(length)).toString('latin1'), port: (await take(2)).readUInt16BE() };
}

/**
 * Requests a URL at an address that the policy has checked. Redirects are not followed, and the body is not decompressed.
 *
 * @throws ProofsheetError `target-refused`, `page-unreachable`
 */
export async function fetchWithPolicy(policy: AddressPolicy, url: string, signal: AbortSignal) {
  const lookup = lookupOf(await addressesOfUrl(policy, url));
  const get = new URL(url).protocol === 'https:' ? getHttps : getHttp;
  const headers = { 'accept-encoding': 'identity', 'user-agent': 'proofsheet' };
  return new Promise<IncomingMessage>((resolve, reject) => {
    const request = get(url, { signal, agent: false, headers, lookup }, resolve).on('error', reject);
    request.once('close', () => reject(new Error('the server sent no response')));
  });
}

/** Reads a body; null if it has more than `maxBytes` bytes. */
export async function readBody(body: AsyncIterable<Uint8Array> | null, maxBytes: number): Promise<Buffer | null> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body ?? []) {
    length += chunk.length;
    if (length > maxBytes) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
