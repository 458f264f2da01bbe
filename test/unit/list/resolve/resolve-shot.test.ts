// biome-ignore-all lint/suspicious/noTemplateCurlyInString: that is what a list has in it
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { NO_CREDENTIALS, renderDroppedPath, resolveShot } from '../../../../src/list/resolve/resolve-shot.js';
import type { ProjectUse, Shot } from '../../../../src/model/shot.js';
import { planOf, shotOf } from '../list-file.js';

const USE: ProjectUse = { baseURL: 'http://new', viewport: { width: 1000, height: 600 } };
const LAX = { path: '/', httpOnly: false, secure: false, sameSite: 'Lax' };

function resolved(list: string, use: ProjectUse = USE): Shot {
  return resolveShot(shotOf(list), use);
}

function withFolder(list: string, env: Record<string, string> = {}) {
  const planned = shotOf(list, env);
  return { ...resolveShot(planned, USE), folder: dirname(planned.position.file) };
}

const ALL_STEPS = {
  ...{ load: true, fonts: true, images: true, layout: true, busy: true, animations: true, motion: true },
  ...{ videos: true, gifs: true, caret: true, scrollbars: true, spelling: true, scroll: true, random: true },
};

/** Fields that a shot has in another form, and what it has of a page without others. */
const CONVERTED = `
    expand: "#list, .pane"
    remove: .d, .e
    mask: [.f]
    ignore: [.g, { x: 1, y: 2, width: 3, height: 4 }]
    clock: 2024-05-01T09:30:00+02:00
    settle: { motion: false, load: true, late: 1.5 }
    texts: { .price: money }
    pseudo: { hover: '.a, .b', focus-visible: [input] }
    block: '**/ads/**'
    mock: { '**/a': { status: 500, body: down } }
    delay: 0.25
    hide: [".a, .b", "#c"]
    finalUrl: /y
    httpStatus: 404
    timeout: 2.5
    width: 300
    height: 400
`;

test('a shot has what the list says', () => {
  const { after, emulation, capture, timeoutMs } = resolved(`pages:\n  - url: http://a.example/x${CONVERTED}`);
  expect(after).toMatchObject({ url: 'http://a.example/x', finalUrl: 'http://a.example/y' });
  expect([emulation.device, emulation.size, timeoutMs]).toEqual([null, { width: 300, height: 400 }, 2500]);
  expect(capture).toMatchObject({
    ...{ expand: ['#list', '.pane'], hide: ['.a', '.b', '#c'], remove: ['.d', '.e'], mask: ['.f'] },
    ignore: { selectors: ['.g'], areas: [{ x: 1, y: 2, width: 3, height: 4 }] },
    texts: [{ selector: '.price', pattern: 'money' }],
    pseudo: { hover: ['.a', '.b'], 'focus-visible': ['input'] },
    rules: { block: ['**/ads/**'], mocks: [{ pattern: '**/a', status: 500, headers: {}, body: 'down', file: null }] },
    ...{ clock: 1714548600000, settle: { ...ALL_STEPS, motion: false }, lateMs: 1_500, delayMs: 250 },
    ...{ contentHeight: false, warnsOfErrorText: false },
  });
});

test('a shot of which the list says nothing has the defaults', () => {
  const { after, emulation, capture, compare, timeoutMs, verdict } = resolved('pages: [http://a.example/x]\n');
  const none = { element: null, media: null, javascriptCode: null, clock: null, story: null };
  expect(after.credentials).toEqual(NO_CREDENTIALS);
  expect(Object.values(emulation).filter((value) => value !== null)).toEqual([{ width: 1000, height: 600 }]);
  expect(capture).toEqual({
    ...{ ...none, format: 'png', quality: 100, scale: 'css', fullSize: false, expand: true, offline: false },
    ...{ contentHeight: false, cropsStory: false, warnsOfErrorText: true, strictMasks: false, explain: true },
    ...{ hideCookie: false, hide: [], remove: [], mask: [], waitFor: [], actions: [], texts: [], pseudo: {} },
    ...{ ignore: { selectors: [], areas: [] }, rules: { block: [], mocks: [], har: null } },
    ...{ settle: ALL_STEPS, lateMs: 0, delayMs: 0 },
  });
  expect(compare).toEqual({
    ...{ threshold: 0.005, maxDiffPixels: 0, maxDiffPixelRatio: null, maxSizeDiff: 0, allowShift: 0 },
    ...{ antialiasing: 'auto', engine: 'pixelmatch' },
  });
  expect([timeoutMs, verdict.strict]).toEqual([30_000, false]);
});

const [WHOLE, WIDE] = [
  { width: 1000, height: 600 },
  { width: 300, height: 600 },
];

test.each([
  ['viewports: { a: { width: 500, height: 501 } }\npages: [/]\n', false, { width: 500, height: 501 }],
  ['viewports: { a: { device: Pixel 7 } }\npages: [/]\n', false, null],
  ['viewports: { a: { width: 800, height: null } }\npages: [/]\n', true, { width: 800, height: 600 }],
  ['pages:\n  - { url: /, width: 300, height: 301 }\n', false, { width: 300, height: 301 }],
  ['pages:\n  - { url: /, width: 300 }\n', false, WIDE],
  ['pages:\n  - { url: /, width: 300, height: null }\n', true, WIDE],
  ['pages: [/]\n', false, WHOLE],
  ['defaults: { height: null }\npages: [/]\n', true, WHOLE],
  ['defaults: { height: null }\npages:\n  - { url: /, height: 300 }\n', false, { width: 1000, height: 300 }],
])('%j has the height of its content: %s, in a viewport of %j', (list, contentHeight, size) => {
  const { capture, emulation } = resolved(list);
  expect([capture.contentHeight, emulation.size]).toEqual([contentHeight, size]);
  const project = resolved(list, { baseURL: 'http://new', viewport: null });
  if (contentHeight) expect(project.emulation.size).toMatchObject({ height: 720 });
});

describe('the URL of a shot', () => {
  const afterUrl = (list: string, baseURL: string | null = 'http://new/sub/') =>
    resolved(list, { ...USE, baseURL }).after.url;

  test.each([
    ['/a', 'http://new/a'],
    ['a', 'http://new/sub/a'],
    ['../a?b#c', 'http://new/a?b#c'],
    ['?q=1', 'http://new/sub/?q=1'],
    ['https://other.example', 'https://other.example/'],
  ])('%s is joined to its base as Playwright does it', (url, joined) => {
    expect(afterUrl(`pages: ["${url}"]\n`)).toBe(joined);
  });

  test("is below the list's baseURL before the project's, and needs no base when it is whole", () => {
    expect(afterUrl('baseURL: http://list\npages: [/a]\n')).toBe('http://list/a');
    expect(afterUrl('pages: ["http://a.example/x"]\n', null)).toBe('http://a.example/x');
  });

  test.each([
    [null, 'baseURL is not set'],
    ['localhost:3000', 'baseURL "localhost:3000" is not a valid base for it'],
  ])('is an error at the page when its base is %j', (baseURL, found) => {
    const planned = shotOf('pages:\n  - /a\n');
    const advice = 'Set serve or baseURL in the page list, or use.baseURL in playwright.config.';
    const message = `/a: the URL is a path, but ${found}. ${advice}`;
    expect(() => resolveShot(planned, { ...USE, baseURL })).toThrow(
      expect.objectContaining({ code: 'base-url-missing', loc: planned.position, message }),
    );
  });
});

describe('the path of a base URL', () => {
  function noticeOf(list: string, projectBaseURL: string | null) {
    const plan = planOf(list);
    return renderDroppedPath(plan, projectBaseURL)?.replace(`${dirname(plan.file)}/`, '') ?? null;
  }

  const APP = 'http://host/app';
  const PROJECT = 'http://u:p@host/app';

  test.each([
    ['baseURL: http://host/app\npages:\n  - /b\n', null, '3:5: "/b" opens http://host/b', APP],
    [
      'baseURL: http://host/app/\npages: [./a, /, /b]\n',
      null,
      '2:14 (and 1 more page): "/" opens http://host/',
      `${APP}/`,
    ],
    ['baseURL: http://host/app\npages: [./a]\n', 'http://other', '2:9: "./a" opens http://host/a', APP],
    [
      'baseURL: http://new\nbefore: http://old/v1/\npages: [/a]\n',
      null,
      '3:9: "/a" opens http://old/a',
      'http://old/v1/',
    ],
    ['pages: [/a]\n', PROJECT, '1:9: "/a" opens http://***@host/a', 'http://***@host/app'],
  ])('is dropped, with a notice of the position: %j', (list, projectBaseURL, opened, base) => {
    expect(noticeOf(list, projectBaseURL)).toBe(
      `pages.yaml:${opened}, without the path of baseURL ${base}. Write "./a" instead of "/a", and end baseURL with a slash.`,
    );
  });

  test.each([
    ['baseURL: http://host/app/\npages: [./a, b/c, ../other, "?q=1", "http://other/d"]\n', null],
    ['baseURL: http://host/app\npages: [/app, /app/a]\n', null],
    ['baseURL: http://host/\npages: [/, /a, b]\n', null],
    ['baseURL: http://host/index.html\npages: [/a, b]\n', null],
    ['pages: [/a]\n', null],
    ['pages: [/a]\n', 'localhost:3000'],
    ['serve: .\npages: [/a]\n', PROJECT],
  ])('is used, or there is none: %j', (list, projectBaseURL) => {
    expect(noticeOf(list, projectBaseURL)).toBeNull();
  });
});

describe('the two sides of a shot', () => {
  test.each([
    ['before: http://old/x/\npages: [/a]\n', 'http://new/a', 'http://old/a'],
    ['before: http://old\npages: ["http://new/b?c#d"]\n', 'http://new/b?c#d', 'http://old/b?c#d'],
    ['pages:\n  - { url: /a, before: /b }\n', 'http://new/a', 'http://new/b'],
    ['pages:\n  - { url: /a, before: "http://old/b" }\n', 'http://new/a', 'http://old/b'],
    [
      'before: { url: "http://old/sub/" }\npages:\n  - { url: /a, before: { url: b } }\n',
      'http://new/a',
      'http://old/sub/b',
    ],
    // One URL with other credentials.
    ['pages:\n  - { url: /a, before: { url: /a, cookies: { b: c } } }\n', 'http://new/a', 'http://new/a'],
  ])('of %j are %s and %s', (list, after, before) => {
    const shot = resolved(list);
    expect([shot.after.url, shot.before?.url]).toEqual([after, before]);
  });

  test.each([
    'before: http://site/\nbaseURL: http://site\npages: [/a]\n',
    'before: http://new\npages: [/a]\n',
    'pages:\n  - { url: /a, before: "http://NEW:80/a" }\n',
  ])('are not the same page: %j', (list) => {
    expect(() => resolveShot(shotOf(list), { baseURL: 'http://new', viewport: null })).toThrow(
      /pages\.yaml:\d+:\d+: before and after are the same page, http:\/\/\w+\/a\. Set "before" and "baseURL" to different sites\./,
    );
  });

  test('expect the same status, and a relative redirect each on its own site', () => {
    const list = 'before: http://old\npages:\n  - { url: /a, finalUrl: /b, httpStatus: 410 }\n';
    const { after, before } = resolved(list);
    expect(after).toMatchObject({ url: 'http://new/a', httpStatus: 410, finalUrl: 'http://new/b' });
    expect(before).toMatchObject({ url: 'http://old/a', httpStatus: 410, finalUrl: 'http://old/b' });
  });
});

describe('what a page is given', () => {
  test('is what the list says, filled in from the environment', () => {
    const list = `pages:
  - url: /
    headers: { Authorization: "Bearer \${TOKEN}" }
    cookies:
      - { name: session, value: "\${SESSION}" }
      - { name: b, value: "", path: /a, httpOnly: true, secure: true, sameSite: None }
    storageState: .auth/user.json
    httpCredentials: { username: "\${NAME}", password: "\${PASSWORD}" }
`;
    const { after, folder } = withFolder(list, { TOKEN: 't', SESSION: 's', NAME: 'n', PASSWORD: 'p' });
    expect(after.credentials).toEqual({
      headers: { Authorization: 'Bearer t' },
      cookies: [
        { name: 'session', value: 's', ...LAX },
        { name: 'b', value: '', path: '/a', httpOnly: true, secure: true, sameSite: 'None' },
      ],
      storageState: join(folder, '.auth/user.json'),
      httpCredentials: { username: 'n', password: 'p' },
    });
  });
});

describe('what the page that is before is given', () => {
  const AFTER = 'headers: { A: x }';
  const TOP = 'before: { url: "http://old", headers: { C: z } }\n';
  const none = {};

  test.each([
    ['nothing of the other side', `before: http://old\npages:\n  - { url: /, ${AFTER} }\n`, none],
    ['nothing of another port', `pages:\n  - { url: /, before: "http://new:81/", ${AFTER} }\n`, none],
    ['that of the same origin', `pages:\n  - { url: /, before: /old, ${AFTER} }\n`, { A: 'x' }],
    ['that of a list of one origin', `before: http://new\npages:\n  - { url: /a, before: /b, ${AFTER} }\n`, { A: 'x' }],
    ['its own', `${TOP}pages:\n  - { url: /, before: { url: /b, headers: { D: w } } }\n`, { D: 'w' }],
    ['its own, which is nothing', `pages:\n  - { url: /, before: { url: /b, headers: {} }, ${AFTER} }\n`, none],
    ['that of the list', `${TOP}pages:\n  - { url: /, ${AFTER} }\n`, { C: 'z' }],
    ['that of the list with a mapping', `${TOP}pages:\n  - { url: /, before: { url: /b } }\n`, { C: 'z' }],
    ['that of the list on its site', `${TOP}pages:\n  - { url: /, before: "http://old/b" }\n`, { C: 'z' }],
    ['nothing on another site', `${TOP}pages:\n  - { url: /, before: "http://other/b" }\n`, none],
  ])('is %s', (_, list, headers) => {
    expect(resolved(list).before?.credentials).toEqual({ ...NO_CREDENTIALS, headers });
  });

  test('has cookies and a storage state as the other side', () => {
    const top = 'before: { url: "http://old", cookies: { c: z }, storageState: old.json }\n';
    const { before, folder } = withFolder(`${top}pages:\n  - { url: /, ${AFTER} }\n`);
    const cookies = [{ name: 'c', value: 'z', ...LAX }];
    expect(before?.credentials).toEqual({ ...NO_CREDENTIALS, cookies, storageState: join(folder, 'old.json') });
  });
});
