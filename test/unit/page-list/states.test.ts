// biome-ignore-all lint/suspicious/noTemplateCurlyInString: that is what a list has in it
import { describe, expect, test } from 'vitest';
import { messagesOf, shotOf, shotsOf } from './list-file.js';

const VIEWPORTS = 'viewports:\n  desktop: { width: 1280, height: 720 }\n  phone: { device: iPhone 15 }\n';
const idsOf = (list: string) => shotsOf(list).map(({ id }) => id);
const foundIn = (list: string) => messagesOf(list).map((message) => message.replace('pages.yaml:', ''));

describe('the shots of a page with states', () => {
  test('are its own and one for each state, in each viewport', () => {
    const list = `${VIEWPORTS}pages:\n  - { name: a, url: /, states: { open: {}, dark: {} } }\n  - /b\n`;
    expect(idsOf(list)).toEqual([
      ...['a/desktop', 'a/phone', 'a/desktop/open', 'a/phone/open', 'a/desktop/dark', 'a/phone/dark'],
      ...['b/desktop', 'b/phone'],
    ]);
  });

  test('have the name of their state, and the URL of their page', () => {
    expect(shotsOf('pages:\n  - { name: a, url: /x, states: { open: {} } }\n')).toMatchObject([
      { id: 'a', page: 'a', viewport: null, state: null, url: '/x' },
      { id: 'a/open', page: 'a', viewport: null, state: 'open', url: '/x' },
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

describe('states', () => {
  test.each([
    [
      'states: [open]',
      '3:13: "states" must be a mapping, not the list ["open"]. States of the page, each a separate shot: a mapping of name to page fields. Default: none.',
    ],
    [
      'states: { open: }',
      '3:21: state "open" must be a mapping, not an empty value. Write a value, or remove the line.',
    ],
    ['states: { open: { treshold: 1 } }', '3:23: unknown key "treshold" in state "open". Did you mean "threshold"?'],
    [
      'states: { open: { click: .a } }',
      '3:23: unknown key "click" in state "open". "click" is an action: write "actions: [{ click: ... }]".',
    ],
    ['states: { open: { url: /x } }', '3:23: unknown key "url" in state "open". Move it to a page.'],
    ['states: { open: { states: {} } }', '3:23: unknown key "states" in state "open". Move it to a page.'],
    ['states: { open: { base: false } }', '3:23: unknown key "base" in state "open". Move it to a page.'],
    ['states: { "": {} }', '3:15: invalid name "" in "states". Write a name of at least one character.'],
    [
      'states: { "a\\nb": {} }',
      '3:15: the name of a state must be one line of 1 to 200 characters. Remove its line breaks and tabs, or shorten it.',
    ],
    [
      'states: { " ": {} }',
      '3:15: the name of a state must be one line of 1 to 200 characters. Remove its line breaks and tabs, or shorten it.',
    ],
    [
      'states: { a: { element: ".a," } }',
      '3:29: "element" has an empty selector in ".a,". Remove the extra comma. If an #id follows it, use quotes: in YAML, # starts a comment.',
    ],
    [
      'states: { a: { finalUrl: "a:b" } }',
      '3:30: "finalUrl" must be an http(s) URL or a path, not "a:b". Write a URL such as "http://localhost:3000/path", or "/path" for a path relative to baseURL.',
    ],
    ['base: no', '3:11: "base" must be true or false, not "no". Write true or false, without quotes.'],
    [
      'base: false',
      '3:11: the page has no shot: "base" is false, and it has no states. Add a state, or remove "base".',
    ],
  ])('are reported with the allowed values: %s', (line, message) => {
    expect(foundIn(`pages:\n  - url: /\n    ${line}\n`)).toEqual([message]);
  });

  test('are missing where the defaults leave out the base, at each page that has none', () => {
    const found = 'the page has no shot: "base" is false, and it has no states. Add a state, or remove "base".';
    expect(foundIn('defaults: { base: false }\npages:\n  - /a\n  - { url: /b, states: { c: {} } }\n')).toEqual([
      `3:5: ${found}`,
    ]);
    expect(foundIn('defaults: { base: false, states: { c: {} } }\npages:\n  - { url: /b, states: {} }\n')).toEqual([
      `3:5: ${found}`,
    ]);
  });

  test('are not missing because they are wrong', () => {
    expect(foundIn('pages:\n  - { url: /a, base: false, states: [b] }\n')).toHaveLength(1);
    expect(foundIn('pages:\n  - { url: /a, base: false, states: { b: { width: 5 } } }\n')).toHaveLength(1);
    expect(foundIn('defaults: { states: 5 }\npages:\n  - { url: /a, base: false }\n')).toHaveLength(1);
  });

  test('may not contradict the viewports of the list', () => {
    expect(
      foundIn(`${VIEWPORTS}pages:\n  - { url: /, states: { a: { width: 500 }, b: { viewports: [tv] } } }\n`),
    ).toEqual([
      '5:30: "width" cannot be used together with named viewports (desktop, phone). Remove it, or define the size under the "viewports" of the list and select it with "viewports" in the page.',
      '5:61: unknown viewport "tv". Allowed: desktop, phone.',
    ]);
  });
});

describe('two shots with one name', () => {
  const FILES = 'File names ignore case and replace characters other than letters, digits and . _ = -.';

  test('are reported for a page with the name of a state of another page', () => {
    const list = 'pages:\n  - { url: /x, name: a, states: { b: {} } }\n  - { url: /y, name: A/B }\n';
    expect(foundIn(list)).toEqual([
      `3:5: shot "A/B" would have the same files as shot "a/b" of the state at pages.yaml:2:35. Give one of them another "name". ${FILES}`,
    ]);
    expect(foundIn(list.replace('A/B', 'a/b'))).toEqual([
      '3:5: duplicate shot "a/b": the state at pages.yaml:2:35 has the same id. Give one of the pages another "name".',
    ]);
  });

  test('are reported at the state for a state with the name of a page', () => {
    const list = 'pages:\n  - { url: /y, name: a/b }\n  - { url: /x, name: a, states: { b: {} } }\n';
    expect(foundIn(list)).toEqual([
      '3:35: duplicate shot "a/b": the page at pages.yaml:2:5 has the same id. Give one of the pages another "name".',
    ]);
  });

  test('are reported for a state with the name of a viewport', () => {
    const list = `${VIEWPORTS}pages:\n  - { name: a, url: /x, viewports: [phone] }\n  - { name: a/phone, url: /y, viewports: [phone] }\n  - { name: a/phone, url: /z, base: false, viewports: [phone], states: { b: {} } }\n  - { name: a, url: /w, base: false, viewports: [phone], states: { phone/b: {} } }\n`;
    expect(foundIn(list)).toEqual([
      '8:68: duplicate shot "a/phone/phone/b": the state at pages.yaml:7:74 has the same id. Give one of the pages another "name".',
    ]);
  });

  test.each([
    ['open', 'Open'],
    ['a?b', 'a*b'],
    ['ä', 'a\u0308'],
  ])('are reported for two states of one page, case and Unicode folded: %s and %s', (one, other) => {
    const list = `pages:\n  - { url: /x, states: { "${one}": {}, "${other}": {} } }\n`;
    const column = 30 + one.length;
    expect(foundIn(list)).toEqual([
      `2:${column + 4}: shot "x/${other}" would have the same files as shot "x/${one}" of the state at pages.yaml:2:26. Rename one of them. ${FILES}`,
    ]);
  });

  test('are reported once for two equal pages', () => {
    const page = '{ url: /x, states: { b: {}, c: {} } }';
    expect(foundIn(`pages:\n  - ${page}\n  - ${page}\n`)).toEqual([
      '3:5: duplicate shot "x": the page at pages.yaml:2:5 has the same id. Give one of the pages another "name".',
    ]);
  });

  test('are not reported for pages that share a name but no shot', () => {
    const list =
      'pages:\n  - { url: /x, name: a, base: false, states: { b: {} } }\n  - { url: /y, name: a, base: false, states: { c: {} } }\n';
    expect(idsOf(list)).toEqual(['a/b', 'a/c']);
  });

  test('never show the value of a variable in the name of a page', () => {
    const list = 'pages:\n  - { url: /x, name: "${N}", states: { b: {}, B: {} } }\n';
    const messages = messagesOf(list, { N: 'geheim' });
    expect(messages).toEqual([expect.stringContaining('shot "${N}/B" would have the same files as shot "${N}/b"')]);
    expect(messages.join()).not.toContain('geheim');
  });
});
