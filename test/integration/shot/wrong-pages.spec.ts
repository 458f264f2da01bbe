import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { expect } from '@playwright/test';
import type { Answer, Received } from '../../e2e/direct.js';
import { html } from '../../e2e/project.js';
import { type ListRun, type Runs, test } from '../runs.js';

/** Pages that are wrong while the server is, with what is said of them. */
const WRONG: Record<string, { answer: Answer; found: RegExp; fields?: string }> = {
  gone: { answer: { status: 404, body: html('<h1>Not found</h1>') }, found: /HTTP status 404, expected 200\.\.299/ },
  boom: { answer: { status: 500, body: html('<h1>Error</h1>') }, found: /HTTP status 500, expected 200\.\.299/ },
  teapot: {
    answer: { status: 418, body: html('<h1>Tea</h1>') },
    found: /HTTP status 418, expected 200/,
    fields: 'httpStatus: 200',
  },
  private: {
    answer: { status: 302, headers: { location: '/login' } },
    found: /the final URL is \S+\/login, expected \S+\/private/,
  },
  moved: {
    answer: { status: 301, headers: { location: '/login' } },
    found: /the final URL is \S+\/login, expected \S+\/elsewhere/,
    fields: 'finalUrl: /elsewhere',
  },
  refresh: {
    answer: html('<h1>Wait</h1>', '<meta http-equiv="refresh" content="0; url=/login">'),
    found: /the final URL is \S+\/login/,
  },
  file: {
    answer: { headers: { 'content-disposition': 'attachment' }, body: 'x' },
    found: /the URL did not load a page \(/,
  },
  nothing: { answer: { status: 204 }, found: /the URL did not load a page \(/ },
  silent: { answer: null, found: /timeout of 6 s exceeded while loading the page/, fields: 'timeout: 6' },
  white: { answer: html(''), found: /the screenshot has only one color, #ffffff/ },
  colored: {
    answer: html('', '<style>body { background: #123456 }</style>'),
    found: /the screenshot has only one color, #123456/,
    fields: 'fullSize: true',
  },
  'white-jpeg': { answer: html(''), found: /the screenshot has only one color, #ffffff/, fields: 'format: jpeg' },
  'white-webp': { answer: html(''), found: /the screenshot has only one color, #ffffff/, fields: 'format: webp' },
  'white-print': { answer: html(''), found: /the screenshot has only one color, #ffffff/, fields: 'format: pdf' },
  'white-dense': { answer: html(''), found: /the screenshot has only one color/, fields: 'viewports: [dense]' },
  image: {
    answer: html('<h1>Image</h1><img src="/no.png" width="20" height="20">'),
    found: /\/no\.png.*`strict` makes this warning an error/,
    fields: 'strict: true',
  },
  background: {
    answer: html('<h1>Background</h1>', '<style>body { background: url(/no-background.png) }</style>'),
    found: /\/no-background\.png.*`strict`/,
    fields: 'strict: true',
  },
  font: {
    answer: html(
      '<h1>Font</h1>',
      `<style>@font-face { font-family: F; src: url(/no.woff2) } h1 { font-family: F }</style>`,
    ),
    found: /\/no\.woff2.*`strict`/,
    fields: 'strict: true',
  },
  'error-text': {
    answer: html('<h1>Page not found</h1>'),
    found:
      /the heading of the page looks like an error message: "Page not found".*`strict` makes this warning an error/,
    fields: 'strict: true',
  },
  style: {
    answer: html('<h1>Style</h1>', '<link rel="stylesheet" href="/no.css">'),
    found: /\/no\.css.*`strict`/,
    fields: 'strict: true',
  },
};

/** Pages that are right whatever the server does. */
const RIGHT: Record<string, { answer: Answer; fields?: string }> = {
  good: { answer: html('<h1>Good</h1>') },
  'gone-expected': { answer: { status: 404, body: html('<h1>Not found</h1>') }, fields: 'httpStatus: 404' },
  'moved-expected': { answer: { status: 302, headers: { location: '/login' } }, fields: 'finalUrl: /login' },
  folder: { answer: { status: 301, headers: { location: '/folder/' } } },
  swatch: { answer: html('<h1>Swatch</h1><p style="background: #123456">&nbsp;</p>'), fields: 'element: p' },
  login: { answer: html('<h1>Log in</h1>') },
  'lax-error-text': { answer: html('<h1>Page not found</h1>') },
  'allowed-error-text': { answer: html('<h1>Page not found</h1>'), fields: 'strict: false' },
  'lax-image': { answer: html('<h1>Image</h1><img src="/no.png" width="20" height="20">') },
  'lax-background': {
    answer: html('<h1>Background</h1>', '<style>h1 { background: url(/no-background.png) }</style>'),
  },
  'lax-font': {
    answer: html(
      '<h1>Font</h1>',
      '<style>@font-face { font-family: F; src: url(/no.woff2) } h1 { font-family: F }</style>',
    ),
  },
  'lax-style': { answer: html('<h1>Style</h1>', '<link rel="stylesheet" href="/no.css">') },
};

/** Writes a list with these wrong pages and all others. */
function listOf(url: string, wrong: Partial<typeof WRONG>): string {
  const entry = ([name, { fields = '' }]: [string, { fields?: string }]) =>
    `  - { name: ${name}, url: /${name}, ${fields} }`;
  const entries = Object.entries({ ...wrong, ...RIGHT } as Record<string, { fields?: string }>).map(entry);
  return `baseURL: ${url}
viewports: { plain: { width: 400, height: 300 }, dense: { device: Desktop Chrome HiDPI } }
defaults: { viewports: [plain] }
pages:
${entries.join('\n')}
  - { name: nowhere, url: "http://127.0.0.1:1/" }
  - { name: no-host, url: "http://nowhere.invalid/" }
`;
}

test('a wrong page is an error with a reason, never a baseline, never a match; other pages pass', {
  tag: ['@pain-17', '@pain-31'],
}, async ({ runs, serve }) => {
  let wrong = false;
  const site = await serve(({ url }: Received): Answer => {
    const name = url.pathname.split('/')[1] ?? '';
    if (url.pathname === '/folder/') return html('<h1>Folder</h1>');
    if (name.includes('.')) return { status: 404, body: 'no' };
    if (wrong && WRONG[name]) return WRONG[name].answer;
    return RIGHT[name]?.answer ?? html(`<h1>${name}</h1>`);
  });
  // Half of the wrong pages have a baseline, the others have none.
  const half = Object.fromEntries(Object.entries(WRONG).filter((_, index) => index % 2 === 1));
  const written = await runs.run(listOf(site.url, half), { mode: 'changed' });
  expect(written.statuses.filter((status) => !status.endsWith(': new'))).toEqual([
    'no-host/plain: error',
    'nowhere/plain: error',
  ]);
  expect(baselines(runs).size).toBe(Object.keys(RIGHT).length + Object.keys(half).length);
  const left = baselines(runs);
  wrong = true;
  const run = await runs.run(listOf(site.url, WRONG), { mode: 'all' });
  expect(run.passed).toBe(false);
  expectErrors(run);
  expect(baselines(runs)).toEqual(left);
  expect(Object.keys(RIGHT).map((name) => `${name}: ${run.shot(`${name}/plain`).status}`)).toEqual(
    Object.keys(RIGHT).map((name) => `${name}: passed`),
  );
});

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

test('a page that cannot be captured is an error with a reason, never a baseline; other pages are captured', async ({
  runs,
  serve,
}) => {
  const site = await serve(({ url: { pathname } }): Answer => {
    const body = html(`<h1>${pathname}</h1>`);
    if (pathname === '/gone') return { status: 404, body };
    if (pathname === '/boom') return { status: 500, body };
    if (pathname === '/private') return { status: 302, headers: { location: '/login' } };
    if (pathname === '/folder') return { status: 301, headers: { location: '/folder/' } };
    if (pathname === '/busy') return html('<h1>Busy</h1><script>setTimeout(() => { for (;;); }, 50)</script>');
    return pathname === '/slow' ? null : body;
  });
  const run = await runs.run(`baseURL: ${site.url}${KINDS}`, { mode: 'changed' });
  expect(run.passed).toBe(false);
  expect(run.statuses).toEqual([
    ...['boom: error', 'busy: error', 'gone-as-expected: new', 'gone: error', 'good: new', 'moved: new'],
    ...['nowhere: error', 'private: error', 'script: error', 'selector: error', 'slash: new', 'slow: error'],
  ]);
  const reason = (id: string) => run.shot(id).reason;
  expect(reason('gone')).toContain('HTTP status 404, expected 200..299');
  expect(reason('boom')).toContain('HTTP status 500');
  expect(reason('private')).toContain('/login, expected');
  expect(reason('nowhere')).toContain('the page cannot be reached (net::ERR_');
  expect(reason('slow')).toContain('timeout of 6 s exceeded while loading the page');
  expect(reason('busy')).toContain('timeout of 6 s exceeded');
  expect(reason('script')).toContain('`javascriptCode` failed: Error: no such thing');
  expect(reason('selector')).toContain('"div:no-such" is not a valid CSS selector');
  expect(runs.baselines()).toHaveLength(4);
  expect(run.shot('gone').capture).toMatchObject({ status: 'error', link: null });
  expect(run.shot('gone').summary).toBeNull();
});

test('warnings become errors under `strict`', async ({ runs, serve }) => {
  const site = await serve(({ url: { pathname } }) =>
    pathname === '/' ? html('<h1>Broken</h1><img src="/nothing.png" width="50" height="50">') : { status: 404 },
  );
  const run = await runs.run(
    `baseURL: ${site.url}\npages:\n  - { name: lax, url: / }\n  - { name: strict, url: /, strict: true }\n`,
    { mode: 'changed' },
  );
  expect(run.statuses).toEqual(['lax: new', 'strict: error']);
  expect(run.shot('lax').warnings).toEqual([
    { code: 'broken-image', message: `images did not load: ${site.url}/nothing.png (404)` },
  ]);
  expect(run.shot('strict').reason).toContain('images did not load');
});

test('a baseline that cannot be written is an error of that shot alone', async ({ runs, serve }) => {
  const site = await serve(({ url }) => html(`<h1>${url.pathname}</h1>`));
  writeFileSync(runs.path('a'), 'a file where a folder has to be');
  const run = await runs.run(`baseURL: ${site.url}\npages: [{ name: a/page, url: /a }, { name: b, url: /b }]\n`, {
    mode: 'changed',
  });
  expect(run.statuses).toEqual(['a/page: error', 'b: new']);
  expect(run.shot('a/page').reason).toMatch(/the baseline cannot be written/);
});

function expectErrors(run: ListRun): void {
  for (const [name, { found, fields = '' }] of Object.entries(WRONG)) {
    const { status, reason, written, summary } = run.shot(`${name}/${fields.includes('dense') ? 'dense' : 'plain'}`);
    expect({ name, status, written, summary }).toEqual({ name, status: 'error', written: false, summary: null });
    expect(reason, name).toMatch(found);
  }
  expect(run.shot('nowhere/plain').reason).toContain('the page cannot be reached (net::ERR_');
  expect(run.shot('no-host/plain').reason).toContain('the page cannot be reached (net::ERR_NAME_NOT_RESOLVED)');
  const warned = {
    'error-text': 'Page not found',
    image: '/no.png',
    background: '/no-background.png',
    font: '/no.woff2',
    style: '/no.css',
  };
  for (const [name, file] of Object.entries(warned)) {
    const { warnings } = run.shot(`lax-${name}/plain`);
    expect(warnings, name).toHaveLength(1);
    expect(warnings[0]?.message, name).toContain(`${file}`);
  }
  for (const name of ['allowed-error-text', 'gone-expected'])
    expect(run.shot(`${name}/plain`).warnings, name).toEqual([]);
}

for (const during of ['page', 'image'])
  test(`a browser that ends while it loads the ${during} is named`, async ({
    playwright,
    launchOptions,
    runs,
    serve,
  }) => {
    const browser = await playwright.chromium.launch(launchOptions);
    const { url } = await serve(({ url: { pathname } }) => {
      if (pathname !== `/${during}`) return html('<h1>Page</h1><img src="/image" width="20" height="20">');
      void browser.close();
      return null;
    });
    const run = await runs.run(`baseURL: ${url}\npages: [{ name: gone, url: /page }]`, { browser });
    expect(run.statuses).toEqual(['gone: error']);
    expect(run.shot('gone').reason).toContain('/page: the browser closed during the capture.');
  });

/** Gives the hash of every baseline, by its file. */
function baselines(runs: Runs): Map<string, string> {
  const hash = (file: string) =>
    createHash('sha256')
      .update(readFileSync(runs.path(file)))
      .digest('hex');
  return new Map(runs.baselines().map((file) => [file, hash(file)]));
}
