import { type Browser, chromium, expect, type Page } from '@playwright/test';
import { readCalls } from '../../../src/browser/isolation-check.js';
import { chooseBrowser, drawingFlags, repeatableFlags } from '../../../src/browser/launch.js';
import { createPagePool, type PagePool, type PageRequirements } from '../../../src/browser/page-pool.js';
import { capturePage } from '../../../src/capture/capture-page.js';
import { NO_CREDENTIALS } from '../../../src/page-list/resolve/resolve-credentials.js';
import { resolveSettings } from '../../../src/page-list/resolve/resolve-shot.js';
import { type Answer, type Received, readImage, type Server, startServer, test } from '../../e2e/direct.js';
import { OFFLINE_FLAGS } from '../../e2e/project.js';

let browser: Browser;
let site: Server;
let crossOrigin: Server;
const closings: (() => void)[] = [];

const { executablePath } = chooseBrowser(
  { browserName: 'chromium', channel: undefined, headless: true, executablePath: undefined, remote: false },
  process,
);
const launchOptions = executablePath ? { executablePath } : {};

test.beforeAll(async () => {
  browser = await chromium.launch({ ...launchOptions, args: drawingFlags(repeatableFlags(OFFLINE_FLAGS)) });
  const [own, other] = await Promise.all([startServer(answer), startServer(answer)]);
  [site, crossOrigin] = [own.server, other.server];
  closings.push(own.close, other.close);
});

test.afterAll(async () => {
  for (const close of closings.splice(0)) close();
  await browser.close();
});

test.afterEach(async () => {
  await pool.close();
});

let pool: PagePool;
test.beforeEach(() => {
  pool = createPagePool({ browser, drawsBeyondWindow: true });
});

/** Runs in the page. Leaves something wherever a page can, now, from now on, and when it is left. */
async function leaveTraces(): Promise<void> {
  const leave = () => {
    void cookieStore.set({ name: 'left', value: '1', expires: Date.now() + 3_600_000 });
    localStorage.setItem('left', '1');
    sessionStorage.setItem('left', '1');
    window.name = 'left';
  };
  leave();
  setInterval(leave, 1);
  for (const event of ['beforeunload', 'pagehide', 'unload', 'visibilitychange']) {
    addEventListener(event, leave);
    document.addEventListener(event, leave);
  }
  const cache = await caches.open('left');
  await cache.put('/left', new Response('left'));
  const folder = await navigator.storage.getDirectory();
  await folder.getFileHandle('left', { create: true });
  await new Promise((resolve) => {
    const opening = indexedDB.open('left');
    opening.onupgradeneeded = () => opening.result.createObjectStore('left');
    opening.onsuccess = resolve;
  });
  history.pushState(null, '', '#left');
  await fetch('/cached').then((response) => response.text());
  await fetch('/cookie').then((response) => response.text());
}

/** Runs in the page. The server answers the handshake with a challenge, and the browser keeps the password for it. */
async function openGuardedSocket(port: number): Promise<void> {
  await new Promise((resolve) => {
    new WebSocket(`ws://joe:word@127.0.0.1:${port}/guarded`).onclose = resolve;
  });
}

/** Runs in the page. */
async function findTraces() {
  const folder = await navigator.storage.getDirectory();
  const files: string[] = [];
  for await (const name of folder.keys()) files.push(name);
  await fetch('/cached').then((response) => response.text());
  return {
    cookie: document.cookie,
    sent: await fetch('/sent').then((response) => response.text()),
    local: localStorage.length,
    session: sessionStorage.length,
    name: window.name,
    caches: (await caches.keys()).length,
    files: files.length,
    databases: (await indexedDB.databases()).length,
    history: history.length,
  };
}

test('data that a page stored, even while it was left, is removed before the next page', async () => {
  const first = await pool.take(WISH);
  await first.goto(site.url);
  const clean = await first.evaluate(findTraces);
  await first.evaluate(leaveTraces);
  const traces = await first.evaluate(findTraces);
  expect(traces, 'it is found where it was left').toMatchObject({
    local: 1,
    session: 1,
    name: 'left',
    caches: 1,
    files: 1,
  });
  expect(traces.sent).toMatch(/left=1.*hidden=1|hidden=1.*left=1/);
  const asked = () => site.received.filter(({ url }) => url.pathname === '/cached').length;
  const before = asked();
  // What is still on its way would have the page closed.
  await first.waitForLoadState('networkidle');
  await pool.giveBack(first);

  const second = await pool.take(WISH);
  expect(second, 'it is the same page').toBe(first);
  await second.goto(site.url);
  expect(await second.evaluate(findTraces)).toEqual(clean);
  expect(asked(), 'what was kept for an hour is asked for again').toBe(before + 1);
});

test('a worker is known as soon as a script has started it', async () => {
  const page = await pool.take(WISH);
  await page.goto(site.url);
  expect(await readCalls(page)).toEqual([]);
  const calls = page.evaluate(() => {
    void navigator.serviceWorker.register('/no-such-worker.js').catch(() => {});
    new Worker('/no-such-worker.js');
    new SharedWorker('/no-such-worker.js');
  });
  expect((await Promise.all([calls, readCalls(page)]))[1]).toEqual(['a service worker', 'a worker', 'a shared worker']);
});

test('the calls of a page that was closed are not known, which is no error', async () => {
  const page = await browser.newPage();
  await page.close();
  expect(await readCalls(page)).toEqual(['a document that does not respond']);
});

test('the HTTP cache stays for the next page, unless a page had a cookie or sent data', async () => {
  const asked = () => site.received.filter(({ url }) => url.pathname === '/cached').length;
  const visit = async (act: () => Promise<unknown>) => {
    const page = await pool.take(WISH);
    await page.goto(site.url);
    await page.evaluate(() => fetch('/cached').then((response) => response.text()));
    await page.evaluate(act);
    await page.waitForLoadState('networkidle');
    await pool.giveBack(page);
    return page;
  };
  const before = asked();
  const first = await visit(async () => {});
  expect(await visit(async () => {}), 'it is the same page').toBe(first);
  expect(asked() - before, 'the second page finds the response of the first').toBe(1);
  expect(await visit(() => fetch('/sent', { method: 'POST' }).then((response) => response.text()))).toBe(first);
  expect(await visit(() => cookieStore.set('own', '1'))).toBe(first);
  expect(asked() - before, 'a page sent data').toBe(2);
  expect(await visit(async () => {})).toBe(first);
  expect(asked() - before, 'a page had a cookie').toBe(3);
});

for (const [what, act] of Object.entries<(page: Page) => Promise<unknown>>({
  'a document of another origin': (page) =>
    page.evaluate((url) => {
      const frame = document.createElement('iframe');
      frame.src = url;
      document.body.append(frame);
      return new Promise((resolve) => frame.addEventListener('load', resolve));
    }, crossOrigin.url),
  'a second page': async (page) => {
    const opened = page.waitForEvent('popup');
    await page.evaluate(() => void open('/'));
    await opened;
  },
  'a worker': async (page) => {
    const started = page.waitForEvent('worker');
    await page.evaluate(() => void new Worker('/worker.js'));
    await started;
  },
  'a service worker': (page) =>
    page.evaluate(async () => {
      await navigator.serviceWorker.register('/worker.js');
      await navigator.serviceWorker.ready;
    }),
  'a shared worker': (page) => page.evaluate(() => void new SharedWorker('data:text/javascript,0')),
  'a WebSocket with a password': (page) => page.evaluate(openGuardedSocket, site.port),
  'a WebSocket with a password in a frame': async (page) => {
    await page.evaluate(() => void document.body.append(document.createElement('iframe')));
    await page.frames()[1]?.evaluate(openGuardedSocket, site.port);
  },
  'a server that asks for client hints': (page) => page.goto(`${site.url}/hints`),
  'a redirect that asks for client hints': (page) => page.goto(`${site.url}/hints-moved`),
  'a resized window': (page) => page.evaluate(() => resizeTo(555, 444)),
  'a moved window': (page) => page.evaluate(() => moveTo(100, 50)),
  'a download': async (page) => {
    const started = page.waitForEvent('download');
    await page.evaluate(() => {
      Object.assign(document.createElement('a'), { href: 'data:,x', download: 'x.txt' }).click();
    });
    await started;
  },
  'a password that it gave itself': (page) =>
    page.evaluate(
      () =>
        new Promise((resolve) => {
          const request = new XMLHttpRequest();
          request.open('GET', '/guarded', true, 'joe', 'word');
          request.onload = resolve;
          request.send();
        }),
    ),
  'a ping whose answer nobody waits for': (page) => page.evaluate(() => navigator.sendBeacon('/cookie')),
  'an answer that is still to come': (page) => page.evaluate(() => void fetch('/never', { keepalive: true })),
  'a renderer that hangs': (page) =>
    page.evaluate(() => {
      setTimeout(() => {
        for (;;);
      });
    }),
})) {
  test(`a page is closed, and not used again, after ${what}`, async () => {
    const first = await pool.take(WISH);
    await first.goto(site.url);
    await act(first);
    await pool.giveBack(first);
    expect(first.isClosed()).toBe(true);
    const second = await pool.take(WISH);
    const response = await second.goto(`${site.url}/guarded`);
    expect(await second.evaluate(() => document.body.textContent)).toBe('kept out');
    expect(await response?.request().headerValue('device-memory'), 'a client hint').toBe(null);
    expect(await second.evaluate(() => [outerWidth, outerHeight])).toEqual([1280, 720]);
  });
}

test('a page that is let in, and one of another kind, has a page of its own', async () => {
  const plain = await pool.take(WISH);
  await plain.goto(site.url);
  await pool.giveBack(plain);
  const let_in = { ...NO_CREDENTIALS, cookies: [COOKIE] };
  const others: PageRequirements[] = [
    { ...WISH, kind: null },
    { ...WISH, kind: 'other' },
    { ...WISH, crossOrigin: true },
    { ...WISH, emulation: { ...WISH.emulation, language: 'de-DE' } },
    { ...WISH, target: { ...WISH.target, credentials: let_in } },
    { ...WISH, target: { ...WISH.target, credentials: { ...NO_CREDENTIALS, headers: { 'x-token': 'a' } } } },
    { ...WISH, target: { ...WISH.target, url: 'http://joe:word@127.0.0.1/' } },
  ];
  for (const wish of others) {
    const page = await pool.take(wish);
    expect(page).not.toBe(plain);
    await page.goto(site.url);
    await pool.giveBack(page);
    expect(page.isClosed(), 'only one of another kind waits for its like').toBe(wish.kind === null || isLetIn(wish));
  }
  expect(await pool.take(WISH)).toBe(plain);
});

test('a page that hangs delays no other capture, and closing all pages does not wait for it', async () => {
  const hanging = await pool.take(WISH);
  await hanging.goto(site.url);
  await hanging.evaluate(() => {
    setTimeout(() => {
      for (;;);
    });
  });
  const begin = performance.now();
  const cleaned = pool.giveBack(hanging);
  const next = await pool.take(WISH);
  expect(next).not.toBe(hanging);
  await pool.close();
  await cleaned;
  expect([next.isClosed(), hanging.isClosed()]).toEqual([true, true]);
  expect(performance.now() - begin, 'less than what cleaning may take').toBeLessThan(9_000);
});

test('two pages in use at the same time are different pages, and few remain idle', async () => {
  const both = await Promise.all([pool.take(WISH), pool.take(WISH)]);
  expect(both[0]).not.toBe(both[1]);
  const many = await Promise.all(Array.from({ length: 8 }, () => pool.take(WISH)));
  for (const page of many) await page.goto(site.url);
  for (const page of many) await pool.giveBack(page);
  expect(many.filter((page) => !page.isClosed())).toHaveLength(4);
});

test('a page that is used again keeps its CDP session and its init script', async () => {
  const settings = resolveSettings({}).capture;
  const capture = async () => {
    const page = await pool.take(WISH);
    const state = pool.stateOf(page);
    const read = { readImage: async (bytes: Buffer) => readImage(bytes), state };
    const help = { timeoutMs: 30_000, drawsBeyondWindow: true, longPolls: new Map(), ...read };
    await capturePage(page, { ...WISH.target, url: `${site.url}/` }, settings, { ...help, isExpected: () => true });
    const sheets = await page.evaluate(() => document.adoptedStyleSheets.length);
    const session = await state.session();
    await pool.giveBack(page);
    return { page, session, sheets };
  };
  const [first, second] = [await capture(), await capture()];
  expect(second.page).toBe(first.page);
  expect(second.session).toBe(first.session);
  // Each run of the init script adds a style sheet, and each capture another one.
  expect([first.sheets, second.sheets]).toEqual([2, 2]);
});

test('a browser launched by other code gets a new page for each capture', async () => {
  const foreign = await chromium.launch({ ...launchOptions, args: [] });
  const own = createPagePool({ browser: foreign, drawsBeyondWindow: false });
  const page = await own.take(WISH);
  await page.goto(site.url);
  await own.giveBack(page);
  expect(page.isClosed()).toBe(true);
  await foreign.close();
});

function answer({ url, headers }: Received): Answer {
  switch (url.pathname) {
    case '/cached':
      return { headers: { 'cache-control': 'max-age=3600' }, body: 'kept' };
    case '/cookie':
      return { headers: { 'set-cookie': 'hidden=1; HttpOnly; Max-Age=3600' } };
    case '/sent':
      return { body: headers.cookie ?? '' };
    case '/never':
      return null;
    case '/worker.js':
      return { headers: { 'content-type': 'text/javascript' }, body: 'onfetch = () => {};' };
    case '/hints':
      return { headers: HINTS, body: 'page' };
    case '/hints-moved':
      return { status: 302, headers: { ...HINTS, location: '/' } };
    case '/guarded':
      return headers.authorization
        ? { body: 'let in' }
        : { status: 401, headers: { 'www-authenticate': 'Basic realm="Guarded"' }, body: 'kept out' };
    default:
      return '<!doctype html><title>Page</title><body>page';
  }
}

function isLetIn({ target: { url, credentials } }: PageRequirements): boolean {
  return credentials !== NO_CREDENTIALS || url.includes('@');
}

const HINTS = { 'accept-ch': 'Device-Memory', 'critical-ch': 'Device-Memory' };

const COOKIE = { name: 'a', value: 'b', path: '/', httpOnly: false, secure: false, sameSite: 'Lax' } as const;

const WISH: PageRequirements = {
  emulation: { device: null, size: null, language: null, colorScheme: null, timezone: null, userAgent: null },
  target: { url: 'http://127.0.0.1/', httpStatus: null, finalUrl: null, credentials: NO_CREDENTIALS },
  crossOrigin: false,
  kind: 'any',
};
