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
      '3:13: "states" must be a mapping, not the list ["open"]. Named situations of the page, each a shot of its own: a mapping of name to fields of a page.',
    ],
    ['states: { open: }', '3:21: state "open" must be a mapping, not nothing. Write a value, or remove the line.'],
    ['states: { open: { treshold: 1 } }', '3:23: "treshold" is not a field of state "open". Did you mean "threshold"?'],
    [
      'states: { open: { click: .a } }',
      '3:23: "click" is not a field of state "open". It is an action: write "actions: [{ click: ... }]".',
    ],
    [
      'states: { open: { url: /x } }',
      '3:23: "url" is not a field of state "open". It is a field of a page: put it there.',
    ],
    [
      'states: { open: { states: {} } }',
      '3:23: "states" is not a field of state "open". It is a field of a page: put it there.',
    ],
    [
      'states: { open: { base: false } }',
      '3:23: "base" is not a field of state "open". It is a field of a page: put it there.',
    ],
    ['states: { "": {} }', '3:15: "" cannot be a name in "states". Write a name.'],
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
      '3:29: "element" has an empty selector in ".a,". Remove the comma; or, if an #id follows it, put all in quotes: a # begins a comment in YAML.',
    ],
    [
      'states: { a: { finalUrl: "a:b" } }',
      '3:30: "finalUrl" must be an http(s) URL, or a path, not "a:b". Write "https://host/path", or "/path" for a page below baseURL.',
    ],
    ['base: no', '3:11: "base" must be true or false, not "no". Write true or false, without quotes.'],
    ['base: false', '3:11: with "base: false" and no states, this page has no shot. Add "states", or remove "base".'],
  ])('are told what they can be: %s', (line, message) => {
    expect(foundIn(`pages:\n  - url: /\n    ${line}\n`)).toEqual([message]);
  });

  test('are missing where the defaults leave out the base, at each page that has none', () => {
    const found = 'with "base: false" and no states, this page has no shot. Add "states", or remove "base".';
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
      '5:30: "width" contradicts the viewports of the list (desktop, phone). Remove it, or name this size under "viewports" and pick it with the viewports of the page.',
      '5:61: the list has no viewport "tv". Allowed: desktop, phone.',
    ]);
  });
});

describe('two shots with one name', () => {
  const FILES = 'in a file name only letters, digits and . _ = - count, and not their case.';

  test('are told of a page named as a state of another', () => {
    const list = 'pages:\n  - { url: /x, name: a, states: { b: {} } }\n  - { url: /y, name: A/B }\n';
    expect(foundIn(list)).toEqual([
      `3:5: the shot "A/B" would have the same files as the shot "a/b" of the state at pages.yaml:2:35. Give one of them another "name"; ${FILES}`,
    ]);
    expect(foundIn(list.replace('A/B', 'a/b'))).toEqual([
      '3:5: the shot "a/b" is also made by the state at pages.yaml:2:35. Give one of the two pages another "name".',
    ]);
  });

  test('are told of a state named as a page, at the state', () => {
    const list = 'pages:\n  - { url: /y, name: a/b }\n  - { url: /x, name: a, states: { b: {} } }\n';
    expect(foundIn(list)).toEqual([
      '3:35: the shot "a/b" is also made by the page at pages.yaml:2:5. Give one of the two pages another "name".',
    ]);
  });

  test('are told of a state named as a viewport', () => {
    const list = `${VIEWPORTS}pages:\n  - { name: a, url: /x, viewports: [phone] }\n  - { name: a/phone, url: /y, viewports: [phone] }\n  - { name: a/phone, url: /z, base: false, viewports: [phone], states: { b: {} } }\n  - { name: a, url: /w, base: false, viewports: [phone], states: { phone/b: {} } }\n`;
    expect(foundIn(list)).toEqual([
      '8:68: the shot "a/phone/phone/b" is also made by the state at pages.yaml:7:74. Give one of the two pages another "name".',
    ]);
  });

  test.each([
    ['open', 'Open'],
    ['a?b', 'a*b'],
    ['ä', 'a\u0308'],
  ])('are told of two states of one page, case and Unicode folded: %s and %s', (one, other) => {
    const list = `pages:\n  - { url: /x, states: { "${one}": {}, "${other}": {} } }\n`;
    const column = 30 + one.length;
    expect(foundIn(list)).toEqual([
      `2:${column + 4}: the shot "x/${other}" would have the same files as the shot "x/${one}" of the state at pages.yaml:2:26. Rename one of them; ${FILES}`,
    ]);
  });

  test('are told once where two whole pages are alike', () => {
    const page = '{ url: /x, states: { b: {}, c: {} } }';
    expect(foundIn(`pages:\n  - ${page}\n  - ${page}\n`)).toEqual([
      '3:5: the shot "x" is also made by the page at pages.yaml:2:5. Give one of the two pages another "name".',
    ]);
  });

  test('are not told of pages that share a name, but no shot', () => {
    const list =
      'pages:\n  - { url: /x, name: a, base: false, states: { b: {} } }\n  - { url: /y, name: a, base: false, states: { c: {} } }\n';
    expect(idsOf(list)).toEqual(['a/b', 'a/c']);
  });

  test('never tell the value of a variable in the name of a page', () => {
    const list = 'pages:\n  - { url: /x, name: "${N}", states: { b: {}, B: {} } }\n';
    const messages = messagesOf(list, { N: 'geheim' });
    expect(messages).toEqual([
      expect.stringContaining('the shot "${N}/B" would have the same files as the shot "${N}/b"'),
    ]);
    expect(messages.join()).not.toContain('geheim');
  });
});
