// biome-ignore-all lint/suspicious/noTemplateCurlyInString: that is what a list has in it
import { describe, expect, test } from 'vitest';
import { messagesOf, shotsOf } from '../list-file.js';

const VIEWPORTS = 'viewports:\n  desktop: { width: 1280, height: 720 }\n  phone: { device: iPhone 15 }\n';
const idsOf = (list: string) => shotsOf(list).map(({ id }) => id);
const foundIn = (list: string) => messagesOf(list).map((message) => message.replace('pages.yaml:', ''));

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
