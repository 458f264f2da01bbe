import { expect } from '@playwright/test';
import { html } from '../../e2e/project.js';
import { growing, RESTLESS } from '../restless.js';
import { type Runs, test } from '../runs.js';

/** What a page shows. What comes late is `early` before it comes: a page in this state never shows anything else. */
type State = 'early' | 'old' | 'new';

/** Answers of the server, by path. `text` is what changes. */
type Answers = Record<
  string,
  (text: string) => { body: string; type?: string; afterMs?: number; bodyAfterMs?: number }
>;

interface Specimen {
  readonly page: (text: string) => string;
  readonly answers?: Answers;
  /** A part of it has a clock of its own, such as a worker, so a change is confirmed. */
  readonly hasOwnClock?: true;
}

const late = (text: string) => `n.textContent = '${text}'`;
const waiting = (script: string) => `<p id="n">early</p><script>${script}</script>`;

let jobStartedAt = 0;

/** What comes late: the page is complete when its load event fires, and changes later. Other ways: `late`, `timer` and `stream` of test/bench/whole. */
const LATE: Record<string, Specimen> = {
  'a body that a script reads in parts': {
    page: () =>
      waiting(`onload = async () => {
        const parts = []; let isOver = false;
        const show = () => { if (parts.length > 0) n.textContent += parts.shift(); else if (isOver) clearInterval(timer); };
        const timer = setInterval(show, 40);
        const reader = (await fetch('/data')).body.pipeThrough(new TextDecoderStream()).getReader();
        for (let part = await reader.read(); !part.done; part = await reader.read()) parts.push(part.value);
        isOver = true;
      }`),
    // Chromium holds back the first part of a text.
    answers: { '/data': (text) => ({ body: `The answer is ${text}`, type: 'application/json', bodyAfterMs: 1500 }) },
  },
  'work of the browser that is no request': {
    page: (text) =>
      waiting(`onload = async () => {
        const key = await crypto.subtle.importKey('raw', new Uint8Array(8), 'PBKDF2', false, ['deriveBits']);
        await crypto.subtle.deriveBits({ name: 'PBKDF2', hash: 'SHA-256', salt: new Uint8Array(8), iterations: 1_000_000 }, key, 256);
        const cache = await caches.open('texts');
        for (let part = 0; part < 20; part++) await cache.put('/text-' + part, new Response('x'.repeat(100_000)));
        n.textContent = '${text}';
      }`),
  },
  'the rest of a body, 1.5 s later': {
    page: () => waiting("onload = () => fetch('/data').then((r) => r.text()).then((t) => { n.textContent = t; })"),
    answers: { '/data': (body) => ({ body, type: 'text/plain', bodyAfterMs: 1500 }) },
  },
  'the third answer to a request that repeats': {
    hasOwnClock: true,
    page: () =>
      waiting(
        "let k = 0; setInterval(() => fetch('/data').then((r) => r.text()).then((t) => { if (++k === 3) n.textContent = t; }), 700)",
      ),
    answers: { '/data': (body) => ({ body, type: 'text/plain', afterMs: 200 }) },
  },
  'a server that works in real time, and is asked until it is ready': {
    hasOwnClock: true,
    page: () =>
      waiting(`const ask = () => fetch('/data').then((r) => r.text()).then((t) => { if (t === 'busy') setTimeout(ask, 700); else n.textContent = t; });
        fetch('/job').then(ask)`),
    answers: {
      '/job': () => {
        jobStartedAt = Date.now();
        return { body: '', type: 'text/plain' };
      },
      '/data': (text) => ({ body: Date.now() - jobStartedAt < 2500 ? 'busy' : text, type: 'text/plain' }),
    },
  },
  'steps that need a frame each, after a message': {
    hasOwnClock: true,
    page: (text) =>
      waiting(`const worker = new Worker(URL.createObjectURL(new Blob(["let sent = 0; setInterval(() => { if (++sent < 8) postMessage(sent); }, 300)"])));
        let left = 20;
        const step = () => { if (--left > 0) requestAnimationFrame(step); else { ${late(text)} } };
        worker.onmessage = ({ data }) => { if (data === 7) step(); }`),
  },
  'a script that waits for a first input': {
    page: () =>
      waiting(
        "const ask = () => fetch('/data').then((r) => r.text()).then((t) => { n.textContent = t; }); ['keydown', 'touchmove', 'wheel'].forEach((type) => addEventListener(type, ask))",
      ),
    answers: { '/data': (body) => ({ body, type: 'text/plain' }) },
  },
  'a loop that waits for the time to pass': {
    page: (text) =>
      waiting(`for (const clock of [performance, Date]) { const start = clock.now(); while (clock.now() < start + 50); }
        setTimeout(() => { ${late(text)} }, 500)`),
  },
  'moments of a timer, in whole milliseconds': {
    page: (text) =>
      waiting(`setInterval(() => { n.textContent = performance.now() % 1 ? 'a fraction' : '${text}'; }, 7)`),
  },
  'a timer in a worker': {
    hasOwnClock: true,
    page: (text) =>
      waiting(`const worker = new Worker(URL.createObjectURL(new Blob(["setTimeout(() => postMessage('${text}'), 1200)"])));
        worker.onmessage = ({ data }) => { n.textContent = data; }`),
  },
};

/** What moves, or stands still by itself. */
const STILL: Record<string, Specimen> = {
  ...Object.fromEntries(
    Object.entries(RESTLESS).map(([what, body]) => [what, { page: (text: string) => `<p>${text}</p>${body}` }]),
  ),
  'a growing list': { page: (text) => `<p>${text}</p>${growing(12)}` },
};

interface Kind {
  readonly what: string;
  readonly specimens: Record<string, Specimen>;
  /** A page shows something before the change comes, and equals a baseline of that until then. */
  readonly isLate?: true;
  readonly tag?: '@soak';
}

/** By requests and in parts; by a timer and in a worker; by frames and by an interval. */
const COMMON = [
  ...['the rest of a body, 1.5 s later', 'a timer in a worker'],
  ...['a ticker by animation frames', 'a carousel every 700 ms'],
];
const commonOf = (specimens: Record<string, Specimen>) =>
  Object.fromEntries(Object.entries(specimens).filter(([name]) => COMMON.includes(name)));

const KINDS: readonly Kind[] = [
  { what: 'that comes late in a common way', specimens: commonOf(LATE), isLate: true },
  { what: 'that comes late', specimens: LATE, isLate: true, tag: '@soak' },
  { what: 'of a page that moves in a common way', specimens: commonOf(STILL) },
  { what: 'of a page that moves', specimens: STILL, tag: '@soak' },
];

for (const { what, specimens, isLate, tag = [] } of KINDS)
  test(`a change ${what} is found by one load, and a page that does not change passes`, { tag }, async ({
    runs,
    serve,
  }) => {
    test.setTimeout(600_000);
    const all = Object.entries(specimens);
    let state: State = 'old';
    const site = await serve(({ url: { pathname } }) => {
      const [, index = '', path = ''] = /^\/(\d+)(\/.*)?$/.exec(pathname) ?? [];
      const specimen = all[Number(index)]?.[1];
      if (path === '' || path === '/') return specimen ? html(located(specimen.page(state), index)) : { status: 404 };
      const answer = specimen?.answers?.[path]?.(state);
      if (!answer) return { status: 404 };
      const { type = 'text/html', ...times } = answer;
      return { headers: { 'content-type': type }, ...times };
    });
    const pages = all.map(([name], index) => `  - { name: ${JSON.stringify(name)}, url: /${index}/ }\n`);
    const list = `baseURL: ${site.url}\ndefaults: { fullSize: true, strict: false, timeout: 60 }\npages:\n${pages.join('')}`;
    const run = (mode: 'missing' | 'none' | 'all') => statusesOf(runs, list, mode);
    const each = (status: string) => all.map(([name]) => [name, status]);
    expect(await run('missing')).toEqual(each('new'));
    expect(await run('none')).toEqual(each('passed'));
    state = 'new';
    const before = site.received.length;
    expect(await run('none')).toEqual(each('changed'));
    const loads = site.received.slice(before).filter(({ url }) => /^\/\d+\/$/.test(url.pathname) && url.search === '');
    const confirmed = all.filter(([, { hasOwnClock }]) => hasOwnClock);
    expect(loads).toHaveLength(all.length + confirmed.length);
    if (!isLate) return;
    state = 'early';
    await run('all');
    state = 'new';
    expect(await run('none')).toEqual(each('changed'));
  });

test('a page that is wider than its window, with slides in a frame, is captured every time', async ({
  runs,
  serve,
}) => {
  const slides = ['a', 'b'].map((text) => `<p style="flex: 0 0 200px; margin: 0; height: 40px">${text}</p>`).join('');
  const box = `<div style="overflow: hidden; width: 200px"><div style="display: flex; transform: translateX(0)">${slides}</div></div>`;
  const site = await serve(() =>
    html(`<h1>Page</h1><iframe srcdoc='${box}'></iframe>`, '<style>body { margin: 0 }</style>'),
  );
  const names = Array.from({ length: 24 }, (_, index) => `wide${index}`);
  const pages = names.map((name) => `  - { name: ${name}, url: /, timeout: 10 }`).join('\n');
  const list = `baseURL: ${site.url}\ndefaults: { width: 300, height: 200, fullSize: true, strict: false }\npages:\n${pages}\n`;
  const { statuses } = await runs.run(list, { mode: 'changed' });
  expect(statuses).toEqual(names.map((name) => `${name}: new`).sort());
});

async function statusesOf(runs: Runs, list: string, mode: 'missing' | 'none' | 'all') {
  const run = await runs.run(list, { mode, atOnce: 2 });
  const statuses = new Map(run.statuses.map((line) => [line.replace(/: \w+$/, ''), line.replace(/.*: /, '')]));
  return [...list.matchAll(/name: "([^"]+)"/g)].map(([, name = '']) => [name, statuses.get(name) ?? 'no shot']);
}

function located(text: string, index: string): string {
  return text.replaceAll(/(["'(])\/(\w+(\.\w+)?)(["')])/g, `$1/${index}/$2$4`);
}
