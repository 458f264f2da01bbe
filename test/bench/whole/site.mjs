import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join } from 'node:path';
import { root } from '../../../scripts/run.mjs';
import { writeDocument } from './shared.mjs';

const TYPES = {
  '.css': 'text/css',
  '.csv': 'text/csv',
  '.events': 'text/event-stream',
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.webm': 'video/webm',
};

/**
 * Serves the specimens, each below its name, in one of two versions:
 *
 * - `/NAME/` is its page, `/NAME/FILE` one of its files. `/lib/PATH` is a file of a library, `/clip.webm` a video.
 * - A file that is opened as a WebSocket is one message.
 * - `?wait=MS` delays a response. `?stream=MS` sends the first half at once, and the rest later.
 * - `«before|after»` in a text is one of both. `{other}` is the address of the specimen at another site. `§` is a number that differs in
 *   each response.
 *
 * @returns its address, `show`, which sets the version (0 or 1), and `close`.
 */
export async function serveSpecimens(specimens, libraries) {
  let version = 0;
  let responses = 0;
  const byName = new Map(specimens.map((specimen) => [specimen.name, specimen]));

  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  const sockets = new Set();
  server.on('upgrade', (request, socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    push(request, socket).catch(() => socket.destroy());
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address();

  async function answer({ headers, url }, response) {
    const { pathname, searchParams } = new URL(url, 'http://127.0.0.1');
    const body = await find(pathname, headers.host ?? '');
    await sleep(Number(searchParams.get('wait') ?? 0));
    const type = TYPES[extname(pathname)] ?? 'text/html';
    response.setHeader('content-type', `${type}; charset=utf-8`);
    response.setHeader('cache-control', 'no-store');
    response.setHeader('access-control-allow-origin', '*');
    // A browser moves in a video only where it can ask for a part of it.
    const [, start] = /^bytes=(\d+)-$/.exec(headers.range ?? '') ?? [];
    if (body && start) {
      response.writeHead(206, { 'content-range': `bytes ${start}-${body.length - 1}/${body.length}` });
      return response.end(body.subarray(Number(start)));
    }
    response.writeHead(body ? 200 : 404);
    if (!body) return response.end();
    const streamMs = Number(searchParams.get('stream') ?? 0);
    // An event stream stays open.
    if (extname(pathname) === '.events') {
      response.flushHeaders();
      await sleep(streamMs);
      return response.write(body);
    }
    if (streamMs > 0) {
      response.write(body.subarray(0, body.length >> 1));
      await sleep(streamMs);
      return response.end(body.subarray(body.length >> 1));
    }
    return response.end(body);
  }

  async function push({ headers, url }, socket) {
    const { pathname, searchParams } = new URL(url, 'http://127.0.0.1');
    const body = await find(pathname, headers.host ?? '');
    const key = createHash('sha1').update(`${headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`);
    const lines = ['HTTP/1.1 101 Switching Protocols', 'Upgrade: websocket', 'Connection: Upgrade'];
    socket.write([...lines, `Sec-WebSocket-Accept: ${key.digest('base64')}`, '', ''].join('\r\n'));
    await sleep(Number(searchParams.get('wait') ?? 0));
    // A text of less than 126 bytes, in one piece.
    if (body) socket.write(Buffer.concat([Buffer.from([0x81, body.length]), body]));
  }

  async function find(path, host) {
    if (path === '/clip.webm') return readFile(join(root, 'fixtures/settle/videos/clip.webm'));
    if (path.startsWith('/lib/')) return readFile(join(libraries, path.slice('/lib/'.length))).catch(() => undefined);
    const [, name, file] = /^\/([^/]+)\/(.*)$/.exec(path) ?? [];
    const specimen = byName.get(name);
    const text = file === '' ? specimen && writeDocument(specimen.load ?? [], specimen.body) : specimen?.files?.[file];
    return text === undefined ? undefined : Buffer.from(fill(text, name, host));
  }

  function fill(text, name, host) {
    const other = host.startsWith('localhost') ? '127.0.0.1' : 'localhost';
    return text
      .replace(/«([^»|]*)\|([^»]*)»/g, (_, before, after) => (version === 0 ? before : after))
      .replaceAll('{other}', `http://${other}:${port}/${name}`)
      .replaceAll('§', () => String(100_000 + ((++responses * 7919) % 900_000)));
  }

  return {
    url: `http://127.0.0.1:${port}`,
    show(next) {
      version = next;
    },
    close: () =>
      new Promise((done) => {
        server.close(done);
        server.closeAllConnections();
        for (const socket of sockets) socket.destroy();
      }),
  };
}

function sleep(ms) {
  return new Promise((done) => setTimeout(done, ms));
}
