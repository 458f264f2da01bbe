import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Browser, type BrowserContextOptions, chromium, expect } from '@playwright/test';
import { openBrowser } from '../../../src/page/browser/launch.js';
import { openCaptureBrowser } from '../../../src/service/captures/capture-browser.js';
import { type Egress, type EgressSettings, openEgress } from '../../../src/service/egress/egress.js';
import { OPERATIONS } from '../../../src/service/operations.js';
import { type Call, createService, type Service } from '../../../src/service/service.js';
import { openStorage } from '../../../src/service/storage.js';
import { type Answer, type Received, type Server, startServer, test } from '../../e2e/direct.js';
import { OFFLINE_FLAGS } from '../../e2e/project.js';
import { makeTempFolder } from '../../unit/temp-folder.js';
import { tryEveryWay } from './ways-in.js';

/** What {@link tryEveryWay} gets to where nothing is in its way. */
const WAYS = [
  ...['beacon', 'fetch-redirect', 'iframe-redirect', 'img', 'ping', 'popup', 'prefetch', 'refresh', 'serviceworker'],
  ...['sharedworker', 'speculation', 'video', 'websocket', 'worker'],
];

/** A server and a UDP socket that are nobody's business. */
interface Trap {
  readonly url: string;
  readonly datagrams: string;
  readonly paths: Set<string>;
  /** Lines that were opened, and packets that came. */
  readonly touches: { lines: number; packets: number };
  close(): void;
}

async function setTrap(): Promise<Trap> {
  const paths = new Set<string>();
  const touches = { lines: 0, packets: 0 };
  const http = createServer((request, response) => {
    paths.add(request.url?.slice(1) ?? '');
    response.writeHead(200, { 'access-control-allow-origin': '*', 'content-type': 'text/plain' }).end('secret');
  });
  http.on('connection', () => (touches.lines += 1));
  http.on('upgrade', (request, socket) => {
    paths.add(request.url?.slice(1) ?? '');
    socket.destroy();
  });
  http.listen(0, '127.0.0.1');
  const udp: Socket = createSocket('udp4', () => (touches.packets += 1));
  udp.bind(0, '127.0.0.1');
  await Promise.all([once(http, 'listening'), once(udp, 'listening')]);
  const { port } = http.address() as AddressInfo;
  return {
    ...{ url: `http://127.0.0.1:${port}`, datagrams: `127.0.0.1:${udp.address().port}`, paths, touches },
    close() {
      http.closeAllConnections();
      http.close();
      udp.close();
    },
  };
}

/** A site that anybody may see; what is asked for at `/to?` leads to the URL that follows, at `/run?` a script runs. */
function answer({ url }: Received): Answer {
  const rest = decodeURIComponent(url.search.slice(1));
  if (url.pathname === '/to') return { status: 302, headers: { location: rest } };
  if (url.pathname === '/sw.js') {
    const body = `fetch(${JSON.stringify(rest)}, { mode: 'no-cors' })`;
    return { headers: { 'content-type': 'text/javascript' }, body };
  }
  const script = url.pathname === '/run' ? `<script>${rest}</script>` : '';
  return `<!doctype html><title>Page</title>${script}<body style="background: white"><p>This is for everybody.</p></body>`;
}

let site: Server;
let trap: Trap;
let rules: EgressSettings;
let outside: Egress;
const closings: (() => unknown)[] = [];

test.beforeAll(async () => {
  const started = await startServer(answer);
  trap = await setTrap();
  site = started.server;
  const resolve = async (name: string) => {
    if (name !== 'rebound.test') return [];
    return [{ address: '127.0.0.1', family: 4 }];
  };
  rules = { allowPrivate: false, allowed: [`127.0.0.1:${site.port}`], resolve };
  outside = await openEgress(rules);
  closings.push(started.close, trap.close, outside.close);
});

test.afterAll(async () => {
  for (const close of closings.splice(0)) await close();
});

/** Opens a page of the site, and has it try every way. @returns its service workers */
async function tryIn(browser: Browser, ground: Trap, options: BrowserContextOptions, until: () => Promise<void>) {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  await page.goto(site.url);
  const { url: secret, datagrams } = ground;
  await page.evaluate(tryEveryWay, { secret, datagrams, redirect: `${site.url}/to?` });
  await until();
  const workers = context.serviceWorkers().length;
  await context.close();
  return workers;
}

test('a page has no other way to reach a server', async ({ launchOptions }) => {
  const open = await setTrap();
  const [plain, { browser }] = await Promise.all([
    chromium.launch({ ...launchOptions, args: OFFLINE_FLAGS }),
    openBrowser(outside.launchOptions),
  ]);
  try {
    // Without a guard they are ways: else the test would say nothing.
    await tryIn(plain, open, {}, async () => {
      await expect.poll(() => WAYS.filter((way) => !open.paths.has(way)), { timeout: 20_000 }).toEqual([]);
      await expect.poll(() => open.touches.packets).toBeGreaterThan(0);
    });
    const session = await outside.openSession();
    const pause = () => new Promise<void>((resolve) => setTimeout(resolve, 300));
    const workers = await tryIn(browser, trap, session.contextOptions, pause);
    expect({ ...trap.touches, workers }).toEqual({ lines: 0, packets: 0, workers: 0 });
    expect(session.lastError()?.code).toBe('target-refused');
  } finally {
    await Promise.all([plain.close(), browser.close()]);
    open.close();
  }
});

test('a context without a pass, and one whose pass has ended, reach nothing', async () => {
  const { browser } = await openBrowser(outside.launchOptions);
  const session = await outside.openSession();
  session.close();
  try {
    for (const options of [{}, session.contextOptions]) {
      const context = await browser.newContext(options);
      const page = await context.newPage();
      const status = await page.goto(site.url).then((response) => response?.status(), String);
      expect(status).toContain('net::ERR_');
      await context.close();
    }
  } finally {
    await browser.close();
  }
});

test.describe('the service', () => {
  let service: Service;

  test.beforeAll(async () => {
    const storage = await openStorage(makeTempFolder());
    const captures = await openCaptureBrowser({ ...rules, timeout: 30 });
    service = createService({
      ...{ captures, storage, concurrency: 2, queueLength: 99, timeout: 30, maxPixels: 1e8 },
      ...{ languageModel: null, cacheSeconds: 0 },
    });
  });

  test.afterAll(() => service.close());

  const call: Call = { signal: new AbortController().signal, urlOf: (link) => `http://service.test/${link}` };
  const capture = (url: string, more: object = {}) => service.run(OPERATIONS.screenshotV2.read({ url, ...more }), call);

  // Every notation of an address, and names without one: test/unit/service/egress.
  test('does not capture a private address, whatever leads to it', async () => {
    const wanted = [
      capture(`http://rebound.test:${new URL(trap.url).port}/`),
      capture(`${site.url}/to?${trap.url}`),
      capture(site.url, { javascriptCode: `location = ${JSON.stringify(trap.url)}` }),
    ];
    const refused = { reason: expect.objectContaining({ code: 'target-refused' }) };
    expect(await Promise.allSettled(wanted)).toMatchObject(wanted.map(() => refused));
    expect(trap.touches).toEqual({ lines: 0, packets: 0 });
  });

  test('does not capture a page that no server sent', async () => {
    const blob = "URL.createObjectURL(new Blob(['mine'], { type: 'text/html' }))";
    for (const target of ["'about:blank'", blob]) {
      const gone = capture(`${site.url}/run?location=${encodeURIComponent(target)}`);
      await expect(gone).rejects.toMatchObject({ code: 'page-redirected' });
    }
    // Where a script cannot lead to at all, the page stays.
    for (const target of [
      'file:///etc/passwd',
      'data:text/html,mine',
      'chrome://version',
      'view-source:http://a.test/',
    ]) {
      const { warnings } = await capture(`${site.url}/run?location='${target}'`);
      expect(warnings).toEqual([]);
    }
  });

  test('does not fetch an image from a private address', async () => {
    const imageUrl = `${site.url}/to?${trap.url}`;
    const job = OPERATIONS.compareV3.read({ before: { imageUrl }, after: { imageUrl } });
    await expect(service.run(job, call)).rejects.toThrow('the address of the host is not public');
    expect(trap.touches.lines).toBe(0);
  });
});
