import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { request as ask, createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type Duplex, pipeline } from 'node:stream';
import type { AddressPolicy } from './address-policy.js';
import { type ConnectionLimits, type Connections, createConnections } from './connection-limits.js';

/** Leads browsers to what a guard lets through, and nowhere else: names are looked up here, not in the browser. */
export interface FilterProxy {
  readonly server: string;
  /** Lets one capture in. */
  admit(): ProxyCredentials;
  close(): Promise<void>;
}

/** What one capture is let in by, and what became of its requests. */
export interface ProxyCredentials extends Pick<Connections, 'troubles' | 'end'> {
  readonly username: string;
  readonly password: string;
}

const LIMITS: ConnectionLimits = { bytes: 256 * 1024 * 1024, connections: 128, connectMs: 10_000, idleMs: 60_000 };

/** Starts it on a free port of loopback. Nobody gets anything of it without a pass. */
export async function startProxy(guard: AddressPolicy, limits: ConnectionLimits = LIMITS): Promise<FilterProxy> {
  const admitted = new Map<string, Connections>();
  const linesOf = ({ headers }: IncomingMessage) => admitted.get(headers['proxy-authorization'] ?? '');
  const server = createServer((request, response) => {
    const connections = linesOf(request);
    if (connections) void forward(request, response, connections);
    else response.writeHead(407, { 'proxy-authenticate': 'Basic realm="proofsheet"' }).end();
  });
  server.on('connect', (request: IncomingMessage, client: Duplex, head: Buffer) => {
    client.on('error', ignoreGone);
    const connections = linesOf(request);
    if (connections) void tunnel(request, client, head, connections);
    else
      client.end(
        'HTTP/1.1 407 Proxy Authentication Required\r\nproxy-authenticate: Basic realm="proofsheet"\r\ncontent-length: 0\r\n\r\n',
      );
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  // It is there for others, who say how long.
  server.unref();
  return {
    server: `http://127.0.0.1:${port}`,
    admit() {
      const connections = createConnections(guard, limits);
      const [username, password] = [randomBytes(9).toString('base64url'), randomBytes(24).toString('base64url')];
      const header = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
      admitted.set(header, connections);
      return {
        ...{ username, password },
        troubles: connections.troubles,
        end() {
          admitted.delete(header);
          connections.end();
        },
      };
    },
    close() {
      for (const connections of admitted.values()) connections.end();
      admitted.clear();
      return new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
    },
  };
}

/** A browser that went away needs no answer. */
function ignoreGone(): void {}

/** Connects a browser with a host for what it keeps to itself: HTTPS, and sockets. Which host it is, is looked at. */
export async function tunnel(
  request: IncomingMessage,
  client: Duplex,
  head: Buffer,
  connections: Connections,
): Promise<void> {
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
    // Why it is refused is told to who captures, not to the page.
    client.end('HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\n\r\n');
  }
}

/** Asks a host what a browser asks for openly. Where that is refused, the browser gets no answer: one would be a page. */
export async function forward(
  request: IncomingMessage,
  response: ServerResponse,
  connections: Connections,
): Promise<void> {
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
    // Whatever else a server may come up with, such as another protocol.
    upstream.once('close', () => response.headersSent || cut());
    upstream.once('response', (answer) => {
      if (!begin(response, answer)) return cut();
      answer.on('data', ({ length }) => connections.spend(length));
      pipeline(answer, response, () => socket.destroy());
    });
    pipeline(request, upstream, () => {});
  } catch {
    cut();
  }
}

/** Servers send heads that cannot be sent on. */
function begin(response: ServerResponse, { statusCode = 0, statusMessage, rawHeaders }: IncomingMessage): boolean {
  try {
    response.writeHead(statusCode, statusMessage, forwarded(rawHeaders));
    return true;
  } catch {
    return false;
  }
}

/** Headers that are for who is at the other end of one line, not for who is asked. */
const OF_ONE_LINE = /^(proxy-.*|connection|keep-alive|te|trailer|transfer-encoding|upgrade)$/i;

function forwarded(headers: readonly string[]): string[] {
  return headers.flatMap((name, index) => {
    return index % 2 === 1 || OF_ONE_LINE.test(name) ? [] : [name, headers[index + 1] ?? ''];
  });
}
