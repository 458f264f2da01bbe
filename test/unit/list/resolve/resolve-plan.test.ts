import { describe, expect, test } from 'vitest';
import { planOf, shotOf, shotsOf } from '../list-file.js';

const VIEWPORTS = 'viewports:\n  desktop: { width: 1280, height: 720 }\n  phone: { device: iPhone 15 }\n';

describe('the shots of a list', () => {
  const MODES = 'modes: { light: {}, dark: { colorScheme: dark } }\n';

  test.each([
    [
      'those of the viewports that a page, or else the defaults, pick',
      `${VIEWPORTS}defaults: { viewports: [phone] }\npages: [/, { url: /a, viewports: [phone, desktop] }]`,
      'index/phone a/desktop a/phone',
    ],
    [
      'each page in each viewport and mode',
      `${VIEWPORTS}${MODES}pages:\n  - { url: /, states: { open: { modes: [dark] } } }\n  - { url: /a, modes: [light], viewports: [phone] }`,
      'index/desktop/light index/desktop/dark index/phone/light index/phone/dark index/desktop/dark/open index/phone/dark/open a/phone/light',
    ],
    [
      'a page and each of its states, in each viewport',
      `${VIEWPORTS}pages: [{ name: a, url: /, states: { open: {}, dark: {} } }, /b]`,
      'a/desktop a/phone a/desktop/open a/phone/open a/desktop/dark a/phone/dark b/desktop b/phone',
    ],
    ['only the states with base: false', 'pages: [{ url: /a, base: false, states: { open: {} } }]', 'a/open'],
    [
      'states in other viewports than the page',
      `${VIEWPORTS}pages: [{ url: /a, viewports: [desktop], states: { menu: { viewports: [phone] } } }]`,
      'a/desktop a/phone/menu',
    ],
  ])('are %s', (_, list, ids) => {
    expect(shotsOf(`${list}\n`).map(({ id }) => id)).toEqual(ids.split(' '));
  });

  test('have their parts, their size and the fields of their mode', () => {
    const shots = shotsOf(`${VIEWPORTS}${MODES}pages: [{ url: /, modes: [dark], states: { open: {} } }]\n`);
    expect(shots.map(({ page, viewport, mode, state, size }) => [page, viewport, mode, state, size])).toEqual([
      ['index', 'desktop', 'dark', null, { width: 1280, height: 720 }],
      ['index', 'phone', 'dark', null, { device: 'iPhone 15' }],
      ['index', 'desktop', 'dark', 'open', { width: 1280, height: 720 }],
      ['index', 'phone', 'dark', 'open', { device: 'iPhone 15' }],
    ]);
    expect(shots[0]?.fields.colorScheme).toBe('dark');
  });

  test.each([
    ['the item of their page', 'pages:\n  - /\n  -\n    url: /a\n  - { url: /b }\n', ['2:5', '4:5', '5:5']],
    [
      'the key of their state',
      'pages:\n  - url: /a\n    states:\n      open:\n        delay: 1\n      dark: {}\n',
      ['2:5', '4:7', '6:7'],
    ],
    [
      'their page, if the defaults have the state',
      'defaults: { states: { dark: {} } }\npages:\n  - /a\n  - { url: /b, states: { open: {} } }\n  - { url: /c, states: {} }\n',
      ['3:5', '3:5', '4:5', '4:26', '5:5'],
    ],
  ])('stand at %s', (_, list, places) => {
    expect(shotsOf(list).map(({ position: { line, column } }) => `${line}:${column}`)).toEqual(places);
  });
});

describe('the fields of a shot', () => {
  test.each([
    [
      "are the page's over the defaults; selectors and requests to block are added, and single switches and answers laid over others",
      'defaults: { hide: ".a, .b", remove: [.b], mask: .c, delay: 1, tags: [x], maxDiffPixelRatio: 0.1, settle: { fonts: false, motion: true }, block: "**/ads/**", mock: { "**/a": { body: one }, "**/b": { body: two } }, cookies: { a: "1" } }',
      '{ url: /, hide: [".c"], remove: .e, mask: [.f], delay: 2, tags: [y], maxDiffPixels: 5, settle: { motion: false }, block: ["**/chat/**"], mock: { "**/b": { status: 500 } }, cookies: { b: "2" } }',
      {
        ...{ hide: ['.a, .b', '.c'], remove: ['.b', '.e'], mask: ['.c', '.f'], delay: 2, tags: ['y'] },
        ...{ maxDiffPixelRatio: 0.1, maxDiffPixels: 5, settle: { fonts: false, motion: false }, cookies: { b: '2' } },
        ...{ block: ['**/ads/**', '**/chat/**'], mock: { '**/a': { body: 'one' }, '**/b': { status: 500 } } },
      },
    ],
    [
      "are those of the state over the page's, over the defaults",
      'defaults: { hide: .a, delay: 1, colorScheme: light, settle: { fonts: false } }',
      '{ url: /, base: false, hide: .b, delay: 2, threshold: 0.1, states: { open: { hide: [.c], mask: .d, delay: 3, settle: { gifs: false } } } }',
      {
        ...{ hide: ['.a', '.b', '.c'], mask: ['.d'], delay: 3, threshold: 0.1, colorScheme: 'light' },
        settle: { fonts: false, gifs: false },
      },
    ],
  ])('%s', (_, defaults, page, fields) => {
    expect(shotOf(`${defaults}\npages: [${page}]\n`).fields).toEqual(fields);
  });

  test('of a mode are added to those of the page', () => {
    const list = `
modes:
  dark:
    colorScheme: dark
    delay: 2
    hide: .sun
    tags: [dark]
    javascriptCode: setTheme('dark')
    waitFor: .moon
    actions: [{ click: .theme }]
    headers: { X-Theme: dark }
    cookies: { theme: dark }
pages:
  - url: /
    colorScheme: light
    delay: 1
    hide: .ad
    tags: [smoke]
    javascriptCode: open()
    waitFor: [main]
    actions: [{ click: .menu }]
    headers: { X-Theme: light, X-User: a }
    cookies: [{ name: theme, value: light }, { name: user, value: a, path: /a }]
`;
    expect(shotOf(list).tags).toEqual(['@smoke', '@dark']);
    expect(shotOf(list).fields).toEqual({
      colorScheme: 'dark',
      delay: 2,
      hide: ['.ad', '.sun'],
      tags: ['smoke', 'dark'],
      javascriptCode: "await (async () => {\nsetTheme('dark')\n})();\nopen()",
      waitFor: ['main', '.moon'],
      actions: [{ click: '.theme' }, { click: '.menu' }],
      headers: { 'X-Theme': 'dark', 'X-User': 'a' },
      cookies: [
        { name: 'user', value: 'a', path: '/a' },
        { name: 'theme', value: 'dark' },
      ],
    });
  });

  test('have their tags as Playwright wants them, each once', () => {
    expect(shotOf('pages:\n  - { url: /, tags: [smoke, "@slow", "@smoke"] }\n').tags).toEqual(['@smoke', '@slow']);
    const states = shotsOf('pages:\n  - { url: /a, tags: [x], states: { b: { tags: [y], skip: soon }, c: {} } }\n');
    expect(states.map(({ tags, skip }) => `${tags} ${skip}`)).toEqual(['@x null', '@y soon', '@x null']);
  });
});

describe('a plan', () => {
  test('knows its file, and a hash that does not depend on the line ends of a checkout', () => {
    const plan = planOf('pages:\n  - /\n');
    // printf 'pages:\n  - /\n' | sha256sum
    expect(plan.hash).toBe('c05ca5a082700617d4c9ffb11deb5435d2f49995f6a4b2cb48d3b8a6aed74982');
    expect(planOf('pages:\r\n  - /\r\n').hash).toBe(plan.hash);
    expect(planOf('pages:\n  - /a\n').hash).not.toBe(plan.hash);
    expect(plan.file).toMatch(/^\/.*pages\.yaml$/);
    expect(plan.shots[0]?.position.file).toBe(plan.file);
  });

  test('does not depend on the environment in its hash, so that shards agree', () => {
    const list = `baseURL: \${SITE}\npages: [/]\n`;
    expect(planOf(list, { SITE: 'http://a' }).hash).toBe(planOf(list, { SITE: 'http://b' }).hash);
  });
});
