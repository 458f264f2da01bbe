import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { PNG } from 'pngjs';
import { config, expect, html, SPEC, test } from './project.js';

const KINDS = `
pages:
  - { name: good, url: /good }
  - { name: gone, url: /gone }
  - { name: gone-as-expected, url: /gone, httpStatus: 404 }
  - { name: boom, url: /boom }
  - { name: private, url: /private }
  - { name: moved, url: /private, finalUrl: /login }
  - { name: slash, url: /folder }
  - { name: nowhere, url: "http://127.0.0.1:1/" }
  - { name: slow, url: /slow, timeout: 6 }
  - { name: busy, url: /busy, timeout: 6 }
  - { name: script, url: /good, javascriptCode: "throw new Error('no such thing')" }
  - { name: selector, url: /good, hide: ["div:no-such"] }
`;

test('a page that cannot be captured is an error with its reason, never a baseline, and the others go on', async ({
  project,
}) => {
  const server = await oddServer();
  project.write({
    'pages.yaml': `baseURL: ${urlOf(server)}${KINDS}`,
    'visual.spec.ts': SPEC,
    'playwright.config.ts': config(),
  });
  const run = await project.test(['--update-snapshots']);
  server.closeAllConnections();
  server.close();
  expect(run).toExit(1);
  expect(project.statuses()).toEqual([
    ...['boom: error', 'busy: error', 'gone-as-expected: new', 'gone: error', 'good: new', 'moved: new'],
    ...['nowhere: error', 'private: error', 'script: error', 'selector: error', 'slash: new', 'slow: error'],
  ]);
  const reason = (id: string) => project.shot(id).reason;
  expect(reason('gone')).toContain('it answered 404, expected 200..299');
  expect(reason('boom')).toContain('it answered 500');
  expect(reason('private')).toContain('/login, expected');
  expect(reason('nowhere')).toContain('it cannot be reached (net::ERR_');
  expect(reason('slow')).toContain('not captured within 6 s: it ended while loading the page');
  expect(reason('busy')).toContain('not captured within 6 s');
  expect(reason('script')).toContain('`javascriptCode` failed (Error: no such thing)');
  expect(reason('selector')).toContain('"div:no-such", which is not a CSS selector');
  expect(project.files('visual.spec.ts-snapshots')).toHaveLength(4);
  expect(project.shot('gone').capture).toMatchObject({ status: 'error', link: null });
  expect(project.shot('gone').summary).toBeNull();
});

test('every format is captured at its size, is what it says, and passes again', async ({ project, site }) => {
  site.write({
    'index.html': html('<h1>Formats</h1><div style="height: 1500px; background: linear-gradient(#fff, #39f)"></div>'),
  });
  const pages = ['png', 'jpeg', 'jpg', 'webp'].flatMap((format) => [
    `  - { name: ${format}-view, url: /, format: ${format}, width: 640, height: 400 }`,
    `  - { name: ${format}-full, url: /, format: ${format}, width: 640, height: 400, fullSize: true }`,
  ]);
  project.write({
    'pages.yaml': `baseURL: ${site.url}\npages:\n${pages.join('\n')}\n`,
    'visual.spec.ts': SPEC,
    'playwright.config.ts': config(),
  });
  expect(await project.test(['--update-snapshots'])).toExit(0);
  const run = await project.test();
  expect(run).toExit(0);
  for (const { id, capture, after } of project.results().shots) {
    const [format = '', size] = id.split('-');
    expect(capture).toMatchObject({ status: 'success', url: `${site.url}/`, width: 640, height: 400 });
    expect(capture?.link).toMatch(new RegExp(`^screenshots/127\\.0\\.0\\.1/[0-9a-f-]{36}/\\d{13}\\.${format}$`));
    expect(after).toMatchObject({ width: 640 });
    if (size === 'view') expect(after?.height).toBe(400);
    else expect(after?.height).toBeGreaterThan(1500);
    const head = readFileSync(project.path(join('proofsheet-report', capture?.link ?? '')))
      .subarray(0, 12)
      .toString('latin1');
    expect(head).toMatch({ png: /^.PNG/, webp: /^RIFF....WEBP/s }[format] ?? /^\xff\xd8\xff/);
  }
});

test('a changed page is found in every format, by both engines', async ({ project, site }) => {
  site.write({ 'index.html': html('<h1>Before</h1>') });
  const pages = ['png', 'jpeg', 'webp'].flatMap((format) =>
    ['odiff', 'pixelmatch'].map(
      (engine) => `  - { name: ${format}-${engine}, url: /, format: ${format}, engine: ${engine} }`,
    ),
  );
  project.write({
    'pages.yaml': `baseURL: ${site.url}\npages:\n${pages.join('\n')}\n`,
    'visual.spec.ts': SPEC,
    'playwright.config.ts': config(),
  });
  await project.test(['--update-snapshots']);
  site.write({ 'index.html': html('<h1>Before</h1><p style="background: #fee2e2">A notice.</p>') });
  expect(await project.test()).toExit(1);
  const { shots } = project.results();
  expect(shots.map(({ status }) => status)).toEqual(shots.map(() => 'changed'));
  for (const format of ['png', 'webp']) {
    const found = shots.filter(({ id }) => id.startsWith(format)).map(({ summary }) => summary);
    // Which of them are an edge that was smoothed otherwise is where the two may see a few pixels differently.
    const [odiff, pixelmatch] = found.map(
      (summary) => (summary?.mismatchPixels ?? 0) + (summary?.antialiasedPixels ?? 0),
    );
    expect(odiff, `both engines see the same pixels for ${format}`).toBe(pixelmatch);
    expect(odiff).toBeGreaterThan(20_000);
  }
});

test('delay, hide, javascriptCode and language do what they say', async ({ project, site }) => {
  const late =
    '<p id="late"></p><script>setTimeout(() => { late.style.cssText = "background:#f00;height:20px" }, 700)</script>';
  site.write({
    'index.html': html(`<style>body{margin:0}div{height:20px;width:200px}</style>
      <div id="a" style="background:#f00"></div><div class="b" style="background:#0f0"></div>
      <div id="c"></div><div id="lang"></div>${late}
      <script>lang.style.background = navigator.language === 'de-DE' ? '#00f' : '#999'</script>`),
  });
  project.write({
    'pages.yaml': `baseURL: ${site.url}
pages:
  - { name: plain, url: /, width: 200, height: 100 }
  - { name: hidden, url: /, width: 200, height: 100, hide: "#a, .b, .absent" }
  - { name: script, url: /, width: 200, height: 100, javascriptCode: "const c = document.querySelector('#c'); await 0; c.style.background = '#f0f'" }
  - { name: delayed, url: /, width: 200, height: 120, delay: 1.2 }
  - { name: german, url: /, width: 200, height: 100, language: de-DE }
`,
    'visual.spec.ts': SPEC,
    'playwright.config.ts': config(),
  });
  expect(await project.test(['--update-snapshots'])).toExit(0);
  const color = (id: string, y: number) => {
    const image = PNG.sync.read(
      readFileSync(project.path(join('proofsheet-report', project.shot(id).after?.link ?? ''))),
    );
    return [...image.data.subarray((y * image.width + 100) * 4, (y * image.width + 100) * 4 + 3)];
  };
  expect(color('plain', 10)).toEqual([255, 0, 0]);
  expect(color('plain', 30)).toEqual([0, 255, 0]);
  expect(color('hidden', 10)).toEqual([255, 255, 255]);
  expect(color('hidden', 30)).toEqual([255, 255, 255]);
  expect(project.shot('hidden').warnings).toEqual([
    { code: 'hide-no-match', message: '`hide`: .absent matches nothing on the page' },
  ]);
  expect(color('script', 50)).toEqual([255, 0, 255]);
  expect(color('german', 70)).toEqual([0, 0, 255]);
  expect(color('plain', 70)).toEqual([153, 153, 153]);
  expect(color('delayed', 106)).toEqual([255, 0, 0]);
});

test('what moves by itself is still: transitions, endless animations, the caret, late fonts and images', async ({
  project,
}) => {
  const server = await movingServer();
  project.write({
    'pages.yaml': `baseURL: ${urlOf(server)}\npages:\n  - { name: moving, url: /, fullSize: true }\n`,
    'visual.spec.ts': SPEC,
    'playwright.config.ts': config(),
  });
  const first = await project.test(['--update-snapshots']);
  expect(first).toExit(0);
  const image = PNG.sync.read(readFileSync(project.path('visual.spec.ts-snapshots/moving-linux.png')));
  const at = (x: number, y: number) => [
    ...image.data.subarray((y * image.width + x) * 4, (y * image.width + x) * 4 + 3),
  ];
  expect(at(150, 3050), 'the lazy image below the fold is there').toEqual([0, 128, 0]);
  for (let run = 0; run < 4; run++) expect(await project.test()).toExit(0);
  server.closeAllConnections();
  server.close();
});

test('a page that never stands still is unstable, with both frames, and never a baseline', async ({
  project,
  site,
}) => {
  site.write({
    'index.html': html(
      '<h1>Clock</h1><p id="p">0</p><script>let n = 0; setInterval(() => { p.textContent = ++n }, 20)</script>',
    ),
  });
  project.write({
    'pages.yaml': `baseURL: ${site.url}\npages:\n  - { name: clock, url: / }\n`,
    'visual.spec.ts': SPEC,
    'playwright.config.ts': config(),
  });
  const run = await project.test(['--update-snapshots=all']);
  expect(run).toExit(1);
  const shot = project.shot('clock');
  expect(shot).toMatchObject({ status: 'unstable', written: false, summary: null });
  expect(shot.reason).toContain('page did not become stable; first at ');
  expect(shot.regions).toHaveLength(1);
  expect(shot.before?.link && shot.after?.link && shot.diff?.link).toBeTruthy();
  expect(project.files('visual.spec.ts-snapshots')).toEqual([]);
});

test('warnings become errors under `strict`', async ({ project, site }) => {
  site.write({ 'index.html': html('<h1>Broken</h1><img src="/nothing.png" width="50" height="50">') });
  project.write({
    'pages.yaml': `baseURL: ${site.url}\npages:\n  - { name: lax, url: / }\n  - { name: strict, url: /, strict: true }\n`,
    'visual.spec.ts': SPEC,
    'playwright.config.ts': config(),
  });
  await project.test(['--update-snapshots']);
  expect(project.statuses()).toEqual(['lax: new', 'strict: error']);
  expect(project.shot('lax').warnings[0]?.message).toBe(
    `these images or frames did not arrive: ${site.url}/nothing.png`,
  );
  expect(project.shot('strict').reason).toContain('these images or frames did not arrive');
});

function urlOf(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function oddServer(): Promise<Server> {
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    const send = (status: number, headers: Record<string, string> = {}, body = html(`<h1>${path}</h1>`)) =>
      response.writeHead(status, { 'content-type': 'text/html', ...headers }).end(body);
    if (path === '/gone') send(404);
    else if (path === '/boom') send(500);
    else if (path === '/private') send(302, { location: '/login' });
    else if (path === '/folder') send(301, { location: '/folder/' });
    else if (path === '/busy') send(200, {}, html('<h1>Busy</h1><script>setTimeout(() => { for (;;); }, 50)</script>'));
    else if (path !== '/slow') send(200);
  });
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
}

function movingServer(): Promise<Server> {
  const square =
    '<svg xmlns="http://www.w3.org/2000/svg" width="300" height="100"><rect width="300" height="100" fill="#008000"/></svg>';
  const body = `<style>
      @keyframes spin { to { transform: rotate(1turn) } } @keyframes come { from { opacity: 0 } }
      .spin { width: 40px; height: 40px; background: #c00; animation: spin 1s infinite linear }
      .come { animation: come 3s } a { color: #00f; transition: color 2s } a.on { color: #f00 }
    </style>
    <input autofocus value="caret"><div class="spin"></div><p class="come">Here I come</p><a id="a">Link</a>
    <script>setTimeout(() => a.classList.add('on'), 10)</script>
    <div style="height: 2800px"></div><img loading="lazy" src="/late.svg" width="300" height="100" style="display: block; position: absolute; top: 3000px; left: 0">`;
  const server = createServer((request, response) => {
    if (request.url === '/late.svg') {
      setTimeout(() => response.writeHead(200, { 'content-type': 'image/svg+xml' }).end(square), 600);
    } else response.writeHead(200, { 'content-type': 'text/html' }).end(html(body));
  });
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
}
