import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Guard } from './guard.js';
import { createLines, type LineLimits, type Lines } from './lines.js';
import { forward, tunnel } from './proxy-request.js';

/** Leads browsers to what a guard lets through, and nowhere else: names are looked up here, not in the browser. */
export interface FilterProxy {
  readonly server: string;
  /** Lets one capture in. */
  admit(): Pass;
  close(): Promise<void>;
}

/** What one capture is let in by, and what became of its requests. */
export interface Pass extends Pick<Lines, 'troubles' | 'end'> {
  readonly username: string;
  readonly password: string;
}

const LIMITS: LineLimits = { bytes: 256 * 1024 * 1024, lines: 128, connectMs: 10_000, idleMs: 60_000 };

/** Starts it on a free port of loopback. Nobody gets anything of it without a pass. */
export async function startProxy(guard: Guard, limits: LineLimits = LIMITS): Promise<FilterProxy> {
  const admitted = new Map<string, Lines>();
  const linesOf = ({ headers }: IncomingMessage) => admitted.get(headers['proxy-authorization'] ?? '');
  const server = createServer((request, response) => {
    const lines = linesOf(request);
    if (lines) void forward(request, response, lines);
    else response.writeHead(407, { 'proxy-authenticate': 'Basic realm="proofsheet"' }).end();
  });
  server.on('connect', (request: IncomingMessage, client: Duplex, head: Buffer) => {
    client.on('error', ignoreGone);
    const lines = linesOf(request);
    if (lines) void tunnel(request, client, head, lines);
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
      const lines = createLines(guard, limits);
      const [username, password] = [randomBytes(9).toString('base64url'), randomBytes(24).toString('base64url')];
      const header = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
      admitted.set(header, lines);
      return {
        ...{ username, password },
        troubles: lines.troubles,
        end() {
          admitted.delete(header);
          lines.end();
        },
      };
    },
    close() {
      for (const lines of admitted.values()) lines.end();
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
