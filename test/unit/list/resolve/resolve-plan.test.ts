import { describe, expect, test } from 'vitest';
import { planOf, shotOf, shotsOf } from '../list-file.js';

const VIEWPORTS = 'viewports:\n  desktop: { width: 1280, height: 720 }\n  phone: { device: iPhone 15 }\n';

const idsOf = (list: string) => shotsOf(list).map(({ id }) => id);

describe('the shots of a list', () => {
  test('are each page in each viewport, in the order of the list', () => {
    const shots = shotsOf(`${VIEWPORTS}pages:\n  - /\n  - { name: x, url: /y }\n`);
    expect(shots.map(({ id, page, viewport, state, size }) => [id, page, viewport, state, size])).toEqual([
      ['index/desktop', 'index', 'desktop', null, { width: 1280, height: 720 }],
      ['index/phone', 'index', 'phone', null, { device: 'iPhone 15' }],
      ['x/desktop', 'x', 'desktop', null, { width: 1280, height: 720 }],
      ['x/phone', 'x', 'phone', null, { device: 'iPhone 15' }],
    ]);
  });

  test('are one a page where no viewport is named', () => {
    expect(shotsOf('pages: [/, /a]\n').map(({ id, viewport, size }) => [id, viewport, size])).toEqual([
      ['index', null, null],
      ['a', null, null],
    ]);
  });

  test('are only those of the viewports that a page, or else the defaults, pick', () => {
    const list = `${VIEWPORTS}defaults: { viewports: [phone] }\npages:\n  - /\n  - { url: /a, viewports: [phone, desktop] }\n`;
    expect(shotsOf(list).map(({ id }) => id)).toEqual(['index/phone', 'a/desktop', 'a/phone']);
  });

  test('are each page in each viewport and mode, in the order of the list', () => {
    const modes = 'modes: { light: {}, dark: { colorScheme: dark } }\n';
    const list = `${VIEWPORTS}${modes}pages:\n  - { url: /, states: { open: { modes: [dark] } } }\n  - { url: /a, modes: [light], viewports: [phone] }\n`;
    expect(idsOf(list)).toEqual([
      'index/desktop/light',
      'index/desktop/dark',
      'index/phone/light',
      'index/phone/dark',
      'index/desktop/dark/open',
      'index/phone/dark/open',
      'a/phone/light',
    ]);
    expect(
      shotsOf(list)
        .map(({ mode, fields }) => [mode, fields.colorScheme])
        .slice(0, 2),
    ).toEqual([
      ['light', undefined],
      ['dark', 'dark'],
    ]);
  });

  test('stand at the item of their page', () => {
    const shots = shotsOf(`${VIEWPORTS}pages:\n  - /\n  -\n    url: /a\n  - { url: /b }\n`);
    expect(shots.map(({ position: { line, column } }) => `${line}:${column}`)).toEqual([
      '5:5',
      '5:5',
      '7:5',
      '7:5',
      '8:5',
      '8:5',
    ]);
  });
});

describe('the fields of a shot', () => {
  test("are the page's over the defaults, but selectors to hide are added", () => {
    const list = `
defaults: { hide: ".a, .b", delay: 1, tags: [x], maxDiffPixelRatio: 0.1, fullSize: true }
pages:
  - url: /
    hide: [".c"]
    delay: 2
    tags: [y]
    maxDiffPixels: 5
`;
    expect(shotOf(list).fields).toEqual({
      hide: ['.a, .b', '.c'],
      delay: 2,
      tags: ['y'],
      maxDiffPixelRatio: 0.1,
      maxDiffPixels: 5,
      fullSize: true,
    });
  });

  test('add selectors to hide, to remove and to mask, and lay single switches of settle over others', () => {
    const list = `
defaults: { hide: .a, remove: [.b], mask: .c, settle: { fonts: false, motion: true }, element: .d, cookies: { a: "1" } }
pages:
  - { url: /, remove: .e, mask: [.f, .g], settle: { motion: false }, element: .h, cookies: { b: "2" } }
`;
    expect(shotOf(list).fields).toEqual({
      hide: ['.a'],
      remove: ['.b', '.e'],
      mask: ['.c', '.f', '.g'],
      settle: { fonts: false, motion: false },
      element: '.h',
      cookies: { b: '2' },
    });
  });

  test('add requests to block, and lay answers to requests over others', () => {
    const list = `
defaults: { block: "**/ads/**", mock: { "**/a": { body: one }, "**/b": { body: two } } }
pages:
  - { url: /, block: ["**/chat/**"], mock: { "**/b": { status: 500 } } }
`;
    expect(shotOf(list).fields).toMatchObject({
      block: ['**/ads/**', '**/chat/**'],
      mock: { '**/a': { body: 'one' }, '**/b': { status: 500 } },
    });
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

describe('the shots of a page with states', () => {
  test('are its own and one for each state, in each viewport', () => {
    const list = `${VIEWPORTS}pages:\n  - { name: a, url: /, states: { open: {}, dark: {} } }\n  - /b\n`;
    expect(idsOf(list)).toEqual([
      ...['a/desktop', 'a/phone', 'a/desktop/open', 'a/phone/open', 'a/desktop/dark', 'a/phone/dark'],
      ...['b/desktop', 'b/phone'],
    ]);
  });

  test('are only the states with base: false', () => {
    expect(idsOf('pages:\n  - { url: /a, base: false, states: { open: {} } }\n')).toEqual(['a/open']);
    expect(idsOf('pages:\n  - { url: /a, base: true, states: { open: {} } }\n')).toEqual(['a', 'a/open']);
  });

  test('stand at the key of their state', () => {
    const list = 'pages:\n  - url: /a\n    states:\n      open:\n        delay: 1\n      dark: {}\n';
    const places = shotsOf(list).map(({ position: { line, column } }) => `${line}:${column}`);
    expect(places).toEqual(['2:5', '4:7', '6:7']);
  });

  test('may come from the defaults, and stand at their page then', () => {
    const list =
      'defaults: { states: { dark: {} } }\npages:\n  - /a\n  - { url: /b, states: { open: {} } }\n  - { url: /c, states: {} }\n';
    const places = shotsOf(list).map(({ id, position: { line, column } }) => `${id} ${line}:${column}`);
    expect(places).toEqual(['a 3:5', 'a/dark 3:5', 'b 4:5', 'b/open 4:26', 'c 5:5']);
  });

  test('may be of other viewports than the page', () => {
    const list = `${VIEWPORTS}pages:\n  - { url: /a, viewports: [desktop], states: { menu: { viewports: [phone] } } }\n`;
    expect(idsOf(list)).toEqual(['a/desktop', 'a/phone/menu']);
  });

  test('have their own tags, and a reason of their own to be skipped', () => {
    const list = 'pages:\n  - { url: /a, tags: [x], states: { b: { tags: [y], skip: soon }, c: {} } }\n';
    expect(shotsOf(list).map(({ tags, skip }) => ({ tags, skip }))).toEqual([
      { tags: ['@x'], skip: null },
      { tags: ['@y'], skip: 'soon' },
      { tags: ['@x'], skip: null },
    ]);
  });
});

describe("the fields of a state's shot", () => {
  test("are its own over the page's, over the defaults", () => {
    const list = `
defaults: { hide: .a, delay: 1, colorScheme: light, settle: { fonts: false } }
pages:
  - url: /
    base: false
    hide: .b
    delay: 2
    threshold: 0.1
    states:
      open:
        hide: [.c]
        mask: .d
        delay: 3
        settle: { gifs: false }
`;
    expect(shotOf(list).fields).toEqual({
      hide: ['.a', '.b', '.c'],
      mask: ['.d'],
      delay: 3,
      threshold: 0.1,
      colorScheme: 'light',
      settle: { fonts: false, gifs: false },
    });
  });

  test('are never those of another state, nor are they fields of the page', () => {
    const shots = shotsOf('pages:\n  - { url: /, states: { a: { mask: .a }, b: { mask: .b } } }\n');
    expect(shots.map(({ fields }) => fields)).toEqual([{}, { mask: ['.a'] }, { mask: ['.b'] }]);
  });
});
