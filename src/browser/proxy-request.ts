import { request as ask, type IncomingMessage, type ServerResponse } from 'node:http';
import { type Duplex, pipeline } from 'node:stream';
import type { Lines } from './lines.js';

/** Connects a browser with a host for what it keeps to itself: HTTPS, and sockets. Which host it is, is looked at. */
export async function tunnel(request: IncomingMessage, client: Duplex, head: Buffer, lines: Lines): Promise<void> {
  try {
    const { hostname, port } = new URL(`http://${request.url}`);
    const socket = await lines.open(hostname, Number(port || 80));
    socket.once('close', () => client.destroy());
    client.once('close', () => socket.destroy());
    if (client.destroyed) socket.destroy();
    client.write('HTTP/1.1 200 Connected\r\n\r\n');
    socket.write(head);
    socket.on('data', ({ length }) => lines.spend(length));
    client.pipe(socket).pipe(client);
  } catch {
    // Why it is refused is told to who captures, not to the page.
    client.end('HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\n\r\n');
  }
}

/** Asks a host what a browser asks for openly. Where that is refused, the browser gets no answer: one would be a page. */
export async function forward(request: IncomingMessage, response: ServerResponse, lines: Lines): Promise<void> {
  const cut = () => void response.destroy();
  try {
    const { protocol, hostname, port, pathname, search } = new URL(request.url ?? '');
    if (protocol !== 'http:') return cut();
    const socket = await lines.open(hostname, Number(port || 80));
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
      answer.on('data', ({ length }) => lines.spend(length));
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
