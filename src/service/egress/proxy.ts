import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { request as ask, createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { type Duplex, pipeline } from 'node:stream';
import { messageOf, ProofsheetError, renderCountOf } from '../../model/index.js';
import { type AddressPolicy, lookupOf, placeOf } from './address-policy.js';

/** A proxy that connects browsers only to addresses that the policy allows. It looks up names instead of the browser. */
export type FilterProxy = Awaited<ReturnType<typeof startProxy>>;

const LIMITS = { bytes: 256 * 1024 * 1024, connections: 128, connectMs: 10_000, idleMs: 60_000 };

/**
 * Starts the proxy on a free loopback port. Requests without valid credentials get status 407.
 *
 * The library proxy-chain 3.0.1 can pin the address of a connection, but it answers a refused plain HTTP request with a response,
 * which the browser shows as the page, and it has no hook that could stop a connection at a limit of bytes or time.
 */
export async function startProxy(policy: AddressPolicy, limits = LIMITS) {
  const sessions = new Map<string, Connections>();
  const connectionsOf = ({ headers }: IncomingMessage) => sessions.get(headers['proxy-authorization'] ?? '');
  const server = createServer((request, response) => {
    const connections = connectionsOf(request);
    if (connections) void forward(request, response, connections);
    else response.writeHead(407, { 'proxy-authenticate': 'Basic realm="proofsheet"' }).end();
  });
  server.on('connect', (request: IncomingMessage, client: Duplex, head: Buffer) => {
    // The client may disconnect at any time.
    client.on('error', () => {});
    const connections = connectionsOf(request);
    if (connections) void tunnel(request, client, head, connections);
    else
      client.end(
        'HTTP/1.1 407 Proxy Authentication Required\r\nproxy-authenticate: Basic realm="proofsheet"\r\ncontent-length: 0\r\n\r\n',
      );
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  // The proxy alone does not keep the process running.
  server.unref();
  return {
    server: `http://127.0.0.1:${port}`,
    /** Creates the credentials of one capture. */
    openSession() {
      const connections = createConnections(policy, limits);
      const [username, password] = [randomBytes(9).toString('base64url'), randomBytes(24).toString('base64url')];
      const header = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
      sessions.set(header, connections);
      return {
        ...{ username, password },
        errors: connections.errors,
        close() {
          sessions.delete(header);
          connections.close();
        },
      };
    },
    async close() {
      for (const connections of sessions.values()) connections.close();
      sessions.clear();
      await new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      });
    },
  };
}

async function tunnel(request: IncomingMessage, client: Duplex, head: Buffer, connections: Connections): Promise<void> {
  try {
    const { hostname, port } = new URL(`http://${request.url}`);
    const socket = await connections.open(hostname, Number(port || 80));
    socket.once('close', () => client.destroy());
    client.once('close', () => socket.destroy());
    if (client.destroyed) socket.destroy();
    client.write('HTTP/1.1 200 Connected\r\n\r\n');
    socket.write(head);
    socket.on('data', ({ length }) => connections.spend(length));
    client.pipe(socket).pipe(client);
  } catch {
    // The reason goes to the caller of the capture, not to the page.
    client.end('HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\n\r\n');
  }
}

/** Forwards a plain HTTP request. A refused request gets no response, because the browser would show a response as a page. */
async function forward(request: IncomingMessage, response: ServerResponse, connections: Connections): Promise<void> {
  const cut = () => void response.destroy();
  try {
    const { protocol, hostname, port, pathname, search } = new URL(request.url ?? '');
    if (protocol !== 'http:') return cut();
    const socket = await connections.open(hostname, Number(port || 80));
    response.once('close', () => socket.destroy());
    if (response.destroyed) socket.destroy();
    const upstream = ask({
      createConnection: () => socket,
      method: request.method,
      path: pathname + search,
      headers: forwarded(request.rawHeaders),
    });
    upstream.once('error', cut);
    // Covers other outcomes, such as a switch to another protocol.
    upstream.once('close', () => response.headersSent || cut());
    upstream.once('response', (answer) => {
      try {
        response.writeHead(answer.statusCode ?? 0, answer.statusMessage, forwarded(answer.rawHeaders));
      } catch {
        // The headers of the server are not valid.
        return cut();
      }
      answer.on('data', ({ length }) => connections.spend(length));
      pipeline(answer, response, () => socket.destroy());
    });
    pipeline(request, upstream, () => {});
  } catch {
    cut();
  }
}

const HOP_BY_HOP = /^(proxy-.*|connection|keep-alive|te|trailer|transfer-encoding|upgrade)$/i;

function forwarded(headers: readonly string[]): string[] {
  return headers.flatMap((name, index) =>
    index % 2 === 1 || HOP_BY_HOP.test(name) ? [] : [name, headers[index + 1] ?? ''],
  );
}

type Connections = ReturnType<typeof createConnections>;

/** Maximum number of errors to collect. A page may request an unlimited number of names. */
const MAX_ERRORS = 50;

function createConnections(policy: AddressPolicy, limits: typeof LIMITS) {
  const errors = new Map<string, ProofsheetError>();
  const sockets = new Set<Socket>();
  let pendingLookups = 0;
  let left = limits.bytes;
  let isOver = false;
  /** Closes all connections and refuses new ones. */
  const close = () => {
    isOver = true;
    for (const socket of sockets) socket.destroy();
  };
  const note = (cause: unknown, where: string) => {
    const found = `the connection failed (${messageOf(cause)})`;
    const error =
      cause instanceof ProofsheetError
        ? cause
        : new ProofsheetError({
            ...{ code: 'page-unreachable', where, found },
            advice: 'Check that the server is running.',
          });
    if (errors.size < MAX_ERRORS) errors.set(error.message, error);
    return error;
  };
  const openSocket = async (host: string, port: number) => {
    if (isOver) throw new Error('the capture has ended');
    if (sockets.size + pendingLookups >= limits.connections)
      throw new Error(`the limit of ${renderCountOf(limits.connections, 'open connection')} is reached`);
    pendingLookups += 1;
    const addresses = await policy(host, port).finally(() => {
      pendingLookups -= 1;
    });
    if (isOver) throw new Error('the capture has ended');
    const socket = connect({ host, port, lookup: lookupOf(addresses) });
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    await connected(socket, limits.connectMs);
    return socket.setTimeout(limits.idleMs, () => socket.destroy());
  };
  return {
    /** Returns the errors of failed connections, without duplicates, in order. */
    errors: () => [...errors.values()],
    /** Opens a connection to a host. @throws ProofsheetError `target-refused`, `page-unreachable`; it is also in `errors` */
    open: (host: string, port: number) =>
      openSocket(host, port).catch((cause) => {
        throw note(cause, placeOf(host, port));
      }),
    /** Counts received bytes. Above the limit, closes all connections. */
    spend(bytes: number) {
      left -= bytes;
      if (left >= 0 || isOver) return;
      note(new Error(`the page received more than ${renderCountOf(limits.bytes, 'byte')}`), 'the page');
      close();
    },
    close,
  };
}

function connected(socket: Socket, timeoutMs: number): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.setTimeout(timeoutMs, () => socket.destroy(new Error(`no connection within ${timeoutMs / 1000} s`)));
    socket.once('connect', resolve);
    socket.on('error', reject);
    socket.once('close', () => reject(new Error('the connection was closed')));
  });
}
