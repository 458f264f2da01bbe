import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect } from '@playwright/test';
import { PNG } from 'pngjs';
import type { Answer, Received } from '../../e2e/direct.js';
import { html } from '../../e2e/project.js';
import { type ListRun, type Runs, test } from '../runs.js';

/** Pages that are wrong while the server is, with what is said of them. */
const WRONG: Record<string, { answer: Answer; found: RegExp; fields?: string }> = {
  gone: { answer: { status: 404, body: html('<h1>Not found</h1>') }, found: /HTTP status 404, expected 200\.\.299/ },
  teapot: {
    answer: { status: 418, body: html('<h1>Tea</h1>') },
    found: /HTTP status 418, expected 200/,
    fields: 'httpStatus: 200',
  },
  private: {
    answer: { status: 302, headers: { location: '/login' } },
    found: /the final URL is \S+\/login, expected \S+\/private/,
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
  masked: { answer: { status: 404, body: html('<h1>Not found</h1>') }, found: /HTTP status 404/, fields: 'mask: [h1]' },
  script: {
    answer: html('<h1>Script</h1><b>wrong</b>'),
    found: /`javascriptCode` failed: Error: no such thing/,
    fields: `javascriptCode: "if (document.querySelector('b')) throw new Error('no such thing')"`,
  },
  busy: {
    answer: html('<h1>Busy</h1><script>setTimeout(() => { for (;;); }, 50)</script>'),
    found: /timeout of 3 s exceeded/,
    fields: 'timeout: 3',
  },
  'endless-script': {
    answer: html('<h1>Endless</h1>'),
    found: /timeout of 3 s exceeded while running `javascriptCode`/,
    fields: 'timeout: 3, javascriptCode: "for (;;);"',
  },
  white: { answer: html(''), found: /the screenshot has only one color, #ffffff/ },
  silent: { answer: null, found: /timeout of 4 s exceeded while loading the page/, fields: 'timeout: 4' },
  colored: {
    answer: html('', '<style>body { background: #123456 }</style>'),
    found: /the screenshot has only one color, #123456/,
    fields: 'fullSize: true',
  },
  'white-print': { answer: html(''), found: /the screenshot has only one color, #ffffff/, fields: 'format: pdf' },
  image: {
    answer: html('<h1>Image</h1><img src="/no.png" width="20" height="20">'),
    found: /\/no\.png.*`strict` makes this warning an error/,
    fields: 'strict: true',
  },
  'error-text': {
    answer: html('<h1>Page not found</h1>'),
    found:
      /the heading of the page looks like an error message: "Page not found".*`strict` makes this warning an error/,
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
};

function listOf(url: string, wrong: typeof WRONG, right: typeof RIGHT): string {
  const entry = ([name, { fields = '' }]: [string, { fields?: string }]) =>
    `  - { name: ${name}, url: /${name}, ${fields} }`;
  const entries = Object.entries({ ...wrong, ...right } as Record<string, { fields?: string }>).map(entry);
  return `baseURL: ${url}
viewports: { plain: { width: 400, height: 300 } }
pages:
${entries.join('\n')}
  - { name: nowhere, url: "http://127.0.0.1:1/" }
  - { name: no-host, url: "http://nowhere.invalid/" }
`;
}

// Each kind of resource that does not load: broken-resources.spec.ts.
test('a wrong page is an error with a reason, never a baseline, never a match; other pages pass', async ({
  runs,
  serve,
}) => {
  let wrong = false;
  const site = await serve(({ url }: Received): Answer => {
    const name = url.pathname.split('/')[1] ?? '';
    if (url.pathname === '/folder/') return html('<h1>Folder</h1>');
    if (name.includes('.')) return { status: 404, body: 'no' };
    if (wrong && WRONG[name]) return WRONG[name].answer;
    return RIGHT[name]?.answer ?? html(`<h1>${name}</h1>`);
  });
  // Half of the wrong pages have a baseline, the others have none: among them those whose timeout is short.
  const longer = Object.entries(WRONG).filter(([, { fields = '' }]) => !fields.includes('timeout'));
  const half = Object.fromEntries(longer.filter((_, index) => index % 2 === 1));
  const written = await runs.run(listOf(site.url, half, RIGHT), { mode: 'changed' });
  expect(written.statuses.filter((status) => !status.endsWith(': new'))).toEqual([
    'no-host/plain: error',
    'nowhere/plain: error',
  ]);
  expect(baselines(runs).size).toBe(Object.keys(RIGHT).length + Object.keys(half).length);
  const left = baselines(runs);
  wrong = true;
  const run = await runs.run(listOf(site.url, WRONG, RIGHT), { mode: 'all' });
  expect(run.passed).toBe(false);
  expectErrors(run, WRONG);
  expect(baselines(runs)).toEqual(left);
  expect(Object.keys(RIGHT).map((name) => `${name}: ${run.shot(`${name}/plain`).status}`)).toEqual(
    Object.keys(RIGHT).map((name) => `${name}: passed`),
  );
});

/** Pages that answer 200 and may not be the ones that were asked for, with their warnings. */
const DOUBTFUL: Record<string, { body: string; url?: string; warnings: Record<string, string> }> = {
  data: {
    body: '<script>fetch("/api/orders")</script>',
    warnings: { 'baseline-data': 'data did not load: /api/orders (500)' },
  },
  refused: {
    body: '<iframe src="/refused-frame" width="50" height="50"></iframe>',
    warnings: { 'broken-frame': 'frames did not load: /refused-frame (net::ERR_BLOCKED_BY_RESPONSE)' },
  },
  hash: {
    url: '/hash#/account',
    body: '<script>location.hash = "#/login"</script>',
    warnings: {
      'baseline-address':
        'the final URL is /hash#/login, expected /hash#/account: set `finalUrl` to it if the page is the right one',
    },
  },
  query: {
    url: '/query?view=account',
    body: '<script>history.replaceState(null, "", "?view=login")</script>',
    warnings: {
      'baseline-address':
        'the final URL is /query?view=login, expected /query?view=account: set `finalUrl` to it if the page is the right one',
    },
  },
  account: {
    body: '<h2>Sign in</h2><input type="password">',
    warnings: {
      'baseline-sign-in':
        'the page asks for a password and looks like a sign-in page: "account - Sign in"; give the page credentials, or set `strict: false` to allow it',
    },
  },
  overlay: {
    body: '<vite-error-overlay>Failed to resolve import</vite-error-overlay>',
    warnings: {
      'page-error-text':
        'a development server shows an error over the page (<vite-error-overlay>); set `strict: false` to allow it',
    },
  },
};

/** Pages that differ from these in that they are right, with their fields. */
const TRUSTED: Record<string, string> = {
  expected: 'url: "/query?view=account", finalUrl: "/query?view=login"',
  'any-query': 'url: "/hash#/account", finalUrl: /hash',
  led: `url: /trusted, javascriptCode: "location.hash = '#menu'"`,
  first: 'url: /router',
  login: 'url: "/account?next=/login"',
  framed: 'url: /framed',
};

test('a page that may not be the one that was asked for has a warning when it becomes a baseline', async ({
  runs,
  serve,
}) => {
  let isOther = false;
  const site = await serve(({ url: { pathname } }): Answer => {
    const name = pathname.slice(1);
    if (pathname === '/api/orders') return { status: 500 };
    if (pathname === '/refused-frame') return { headers: { 'x-frame-options': 'DENY' }, body: html('<p>Frame</p>') };
    if (pathname === '/router') return html('<h1>First</h1><script>location.hash = "#/"</script>');
    if (pathname === '/framed') return html('<h1>Framed</h1><iframe src="/data" width="50" height="50"></iframe>');
    const heading = name === 'account' ? `${name} - Sign in` : name;
    return html(`<h1>${heading}</h1>${isOther ? '<p>More</p>' : ''}${DOUBTFUL[name]?.body ?? ''}`);
  });
  const listed = Object.entries(DOUBTFUL).map(
    ([name, { url }]) => `  - { name: ${name}, url: "${url ?? `/${name}`}" }`,
  );
  const list = `baseURL: ${site.url}\ndefaults: { width: 300, height: 200 }\npages:\n${listed.join('\n')}`;
  const strict = await runs.run(list.replace('defaults: {', 'defaults: { strict: true,'), { mode: 'all' });
  const warningsOf = (run: ListRun, name: string) =>
    Object.fromEntries(run.shot(name).warnings.map(({ code, message }) => [code, message.replaceAll(site.url, '')]));
  for (const [name, { warnings }] of Object.entries(DOUBTFUL)) {
    const { status, after, reason } = strict.shot(name);
    expect({ name, status, hasPicture: after !== null }).toEqual({ name, status: 'error', hasPicture: true });
    expect(reason?.replaceAll(site.url, '')).toContain(Object.values(warnings)[0]);
  }
  expect(runs.baselines()).toEqual([]);
  const right = Object.entries(TRUSTED).map(([name, fields]) => `\n  - { name: ${name}, ${fields} }`);
  const written = await runs.run(`${list}${right.join('')}`, { mode: 'changed' });
  for (const [name, { warnings }] of Object.entries(DOUBTFUL)) expect(warningsOf(written, name)).toEqual(warnings);
  for (const name of Object.keys(TRUSTED)) expect({ name, ...warningsOf(written, name) }).toEqual({ name });
  const some = `${list.split('pages:')[0]}pages:\n${listed.filter((entry) => /name: (data|hash)/.test(entry)).join('\n')}`;
  const same = await runs.run(some);
  for (const name of ['data', 'hash']) expect(same.shot(name).warnings, name).toEqual([]);
  isOther = true;
  const changed = await runs.run(some);
  for (const name of ['data', 'hash']) expect(warningsOf(changed, name)).toEqual(DOUBTFUL[name]?.warnings);
});

test('what `hideCookie` removes is in the record, and has a warning if the baseline does not know it', async ({
  runs,
  serve,
}) => {
  const banner =
    '<div id="bar" style="position: fixed; bottom: 0; background: #eee">We use cookies. <button>Accept</button> <button>Reject</button></div>';
  const backdrop = '<div class="dim" style="position: fixed; inset: 0; background: #0008; z-index: 9"></div>';
  let more = '';
  const site = await serve(() => html(`<h1>Home</h1>${banner}${more}`));
  const list = `baseURL: ${site.url}\npages:\n  - { name: home, url: /, hideCookie: true }\n  - { name: shown, url: / }\n`;
  const bar = { element: 'banner (div#bar)', text: 'We use cookies. Accept Reject' };
  const written = await runs.run(list, { mode: 'changed' });
  expect(written.shot('home').hidden).toEqual([bar]);
  expect(written.shot('shown').hidden).toBeUndefined();
  more = backdrop;
  const run = await runs.run(list);
  expect(run.statuses).toEqual(['home: passed', 'shown: changed']);
  expect(run.shot('home').hidden).toEqual([bar, { element: 'backdrop (div.dim)', text: '' }]);
  expect(run.shot('home').warnings.map(({ code }) => code)).toEqual(['baseline-hidden']);
});

function expectErrors(run: ListRun, wrong: typeof WRONG): void {
  for (const [name, { found }] of Object.entries(wrong)) {
    const { status, reason, written, summary } = run.shot(`${name}/plain`);
    expect({ name, status, written, summary }).toEqual({ name, status: 'error', written: false, summary: null });
    expect(reason, name).toMatch(found);
  }
  // The report shows what the page shows instead, unless it is masked or did not load.
  const errors = ['gone', 'private', 'script', 'masked', 'nowhere', 'silent', 'busy'];
  const shown = errors.filter((name) => run.shot(`${name}/plain`).after !== null);
  expect(shown).toEqual(['gone', 'private', 'script']);
  expect(run.shot('gone/plain').capture).toMatchObject({ status: 'error', link: null });
  const [gone, expected] = ['gone', 'gone-expected'].map((name) =>
    PNG.sync.read(run.of(`${name}/plain`).image('after')),
  );
  expect(gone?.data.equals(expected?.data ?? Buffer.of())).toBe(true);
  expect(run.shot('nowhere/plain').reason).toContain('the page cannot be reached (net::ERR_');
  expect(run.shot('no-host/plain').reason).toContain('the page cannot be reached (net::ERR_NAME_NOT_RESOLVED)');
  for (const [name, found] of Object.entries({ 'error-text': 'Page not found', image: '/no.png' })) {
    const { warnings } = run.shot(`lax-${name}/plain`);
    expect(warnings, name).toHaveLength(1);
    expect(warnings[0]?.message, name).toContain(found);
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

function baselines(runs: Runs): Map<string, string> {
  const hash = (file: string) =>
    createHash('sha256')
      .update(readFileSync(runs.path(file)))
      .digest('hex');
  return new Map(runs.baselines().map((file) => [file, hash(file)]));
}
