import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Browser, expect } from '@playwright/test';
import { resolveSettings } from '../../src/list/resolve/resolve-settings.js';
import { NO_CREDENTIALS } from '../../src/list/resolve/resolve-shot.js';
import { NO_EMULATION } from '../../src/model/shot.js';
import { openContext } from '../../src/page/browser/context.js';
import { capturePage } from '../../src/page/capture-page.js';
import { readImage, test } from '../e2e/direct.js';

/** How a page breaks after its load event. */
const KINDS = {
  call: (ms: number) => `fetch('/api/${ms}').then((response) => { if (!response.ok) fail() })`,
  timer: (ms: number) => `setTimeout(fail, ${ms})`,
  socket: (ms: number) => `new WebSocket('ws://' + location.host + '/socket/${ms}').onclose = fail`,
};
type Kind = keyof typeof KINDS;

const COUNT = 28;
const DELAYS = Array.from({ length: COUNT }, (_, index) => 150 + Math.round((index * 3_850) / (COUNT - 1)));
const CASES = (['call', 'timer', 'socket'] as const).flatMap((kind) => DELAYS.map((ms) => ({ kind, ms })));

const AT_ONCE = 3;

/** A page that shows an error, `ms` after its load event, unless its address ends in `/ok`. */
function pageOf(kind: Kind, ms: number, isOk: boolean): string {
  return `<!doctype html><title>Shop</title><h1>Shop</h1><main>Three things to buy</main><script>
    const fail = () => { document.querySelector('main').textContent = 'Could not load the shop' };
    addEventListener('load', () => { ${isOk ? '' : KINDS[kind](ms)} });
  </script>`;
}

async function startSite() {
  const server = createServer((request, response) => {
    const [, what = '', name = '', end = ''] = (request.url ?? '').split('/');
    if (what === 'api') {
      setTimeout(() => response.writeHead(500).end('{}'), Number(name));
      return;
    }
    const [kind = '', ms = ''] = name.split('-');
    const isKind = kind === 'call' || kind === 'timer' || kind === 'socket';
    response.writeHead(200, { 'content-type': 'text/html' });
    response.end(isKind ? pageOf(kind, Number(ms), end === 'ok') : '');
  });
  server.on('upgrade', (request, socket) => {
    const key = `${request.headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`;
    const accept = createHash('sha1').update(key).digest('base64');
    const head = `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}`;
    socket.on('error', () => {});
    socket.write(`${head}\r\n\r\n`);
    setTimeout(() => socket.destroy(), Number(request.url?.split('/')[2]));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${port}`, close };
}

async function shoot(browser: Browser, url: string, late: number | null, expected: Buffer | null): Promise<Buffer> {
  const target = { url, httpStatus: null, finalUrl: null, credentials: NO_CREDENTIALS };
  const context = await openContext(browser, NO_EMULATION, target, false);
  try {
    const help = {
      timeoutMs: 30_000,
      isExpected: (bytes: Buffer) => expected?.equals(bytes) ?? false,
      readImage: async (bytes: Buffer) => readImage(bytes),
    };
    const settings = resolveSettings(late === null ? {} : { settle: { late } }).capture;
    const { capture } = await capturePage(await context.newPage(), target, settings, help);
    return capture.image.bytes;
  } finally {
    await context.close();
  }
}

/** Captures each page as it is when all is well, then as it breaks, and lists those whose failure is in the image. */
async function findCaught(browser: Browser, late: number | null) {
  const site = await startSite();
  const queue = [...CASES];
  const caught: (typeof CASES)[number][] = [];
  const expected = await shoot(browser, `${site.url}/page/timer-0/ok`, null, null);
  const work = async () => {
    for (let one = queue.shift(); one; one = queue.shift()) {
      const bytes = await shoot(browser, `${site.url}/page/${one.kind}-${one.ms}`, late, expected);
      if (!bytes.equals(expected)) caught.push(one);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  site.close();
  return caught;
}

function count(caught: readonly { kind: Kind; ms: number }[]): string {
  const of = (kind: Kind) => caught.filter((one) => one.kind === kind).length;
  return `${caught.length} of ${CASES.length} (calls ${of('call')}, timers ${of('timer')}, sockets ${of('socket')} of ${COUNT})`;
}

test('what a timer of up to 4 s breaks, and a call that fails within 1.5 s, is never green', async ({ browser }) => {
  const caught = await findCaught(browser, null);
  process.stdout.write(`late failures that are found: ${count(caught)}\n`);
  const early = ({ kind, ms }: { kind: Kind; ms: number }) => kind === 'timer' || (kind === 'call' && ms <= 1_500);
  expect(caught.filter(early)).toHaveLength(CASES.filter(early).length);
});

test('with `settle: { late: 3 }`, what fails within 2.5 s is never green', async ({ browser }) => {
  const caught = await findCaught(browser, 3);
  process.stdout.write(`late failures that are found with late: 3: ${count(caught)}\n`);
  const early = ({ ms }: { ms: number }) => ms <= 2_500;
  expect(caught.filter(early)).toHaveLength(CASES.filter(early).length);
});
