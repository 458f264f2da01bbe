// biome-ignore-all lint/suspicious/noTemplateCurlyInString: that is what a list has in it
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { messagesOf, refusalOf, shotsOf, writeList } from './list-file.js';

describe('a file that is not YAML', () => {
  test('says so where aliases unfold to gigabytes', () => {
    const next = Array.from({ length: 12 }, (_, at) => `a${at + 1}: &a${at + 1} [${Array(9).fill(`*a${at}`).join()}]`);
    expect(messagesOf(`a0: &a0 [x]\n${next.join('\n')}`)).toEqual([
      'pages.yaml:1:1: the values of the list are nested too deep, or a merge (<<) or an alias (*name) is not valid. Move fields that pages share to "defaults".',
    ]);
  });

  test('is reported with one message for each invalid line', () => {
    expect(messagesOf('pages:\n\t- /\n\t- /a: b: c\n  - "x\n').length).toBeGreaterThan(1);
    expect(messagesOf('pages: [ ${A} ${B} ${C} ]\n')).toHaveLength(1);
  });

  test('is reported in limited time and size', () => {
    const noise = Uint8Array.from({ length: 300_000 }, (_, at) => 32 + ((at * at * 7919 + at * 31) % 95));
    const texts = ['x'.repeat(1_000_000), '['.repeat(100_000), '- '.repeat(50_000), '{"a":'.repeat(900), '\0: \u0003'];
    for (const text of [noise, ...texts]) {
      const messages = messagesOf(text);
      expect(messages.length).toBeGreaterThan(0);
      expect(messages.every((message) => /^pages\.yaml:\d+:\d+: .{10,500}$/.test(message))).toBe(true);
    }
  });
});

describe('a file that cannot be read', () => {
  const IMAGE = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0xff);

  const ADVICE = 'Use the path of a YAML file in UTF-8, relative to the spec.';

  test.each([
    ['empty', writeList(''), `is empty. Add at least one page: "pages: [/]".`],
    ['not there', join(writeList(''), '..', 'nowhere.yaml'), `does not exist. ${ADVICE}`],
    ['an image', writeList(IMAGE), `cannot be read (The encoded data was not valid for encoding utf-8). ${ADVICE}`],
  ])('says so: %s', (_, file, message) => {
    const found = refusalOf(file).errors.map(({ code, message, loc }) => ({ code, message, loc }));
    const loc = { file, line: 1, column: 1 };
    expect(found).toEqual([{ code: 'list-unreadable', message: `${file}: the page list ${message}`, loc }]);
  });
});

describe('YAML that a list may use', () => {
  test.each([
    ['a byte order mark, and the columns of an editor', '\uFEFFpagez: [/]\n', '1:1: unknown key "pagez"'],
    ['the line ends of Windows', 'pages:\r\n  - /\r\n  - url: 5\r\n', '3:10: "url" must be a string, not 5.'],
  ])('is read with %s', (_, text, message) => {
    expect(messagesOf(text)).toContainEqual(expect.stringContaining(`pages.yaml:${message}`));
  });

  test('is read as JSON', () => {
    expect(shotsOf('{"pages": ["/", {"url": "/a", "width": 500}]}').map(({ id }) => id)).toEqual(['index', 'a']);
  });

  test("may merge mappings, the page's own fields first", () => {
    const shots = shotsOf(
      'pages:\n  - &a { url: /a, width: 500, delay: 1 }\n  - { <<: *a, url: /b, delay: 2 }\n  - { <<: [*a], url: /c }\n',
    );
    expect(shots.map(({ id, fields }) => [id, fields])).toEqual([
      ['a', { width: 500, delay: 1 }],
      ['b', { width: 500, delay: 2 }],
      ['c', { width: 500, delay: 1 }],
    ]);
  });

  test('may keep anchored values in keys that begin with x-', () => {
    const shots = shotsOf(
      [
        'x-site: &site https://a.test',
        'x-shop: &shop { delay: 1, threshold: 0.5 }',
        'x-unset: ${NOWHERE}',
        'baseURL: *site',
        'x-pages:\n  - &start { url: /, tags: [smoke] }',
        'defaults: { <<: *shop, delay: 2 }',
        'pages:\n  - *start\n  - { <<: [*shop, *start], url: /b }\n',
      ].join('\n'),
    );
    expect(shots.map(({ url, fields }) => [url, fields])).toEqual([
      ['/', { delay: 2, threshold: 0.5, tags: ['smoke'] }],
      ['/b', { delay: 1, threshold: 0.5, tags: ['smoke'] }],
    ]);
  });

  test.each(['__proto__', 'constructor', 'toString'])('has no field %s', (key) => {
    expect(messagesOf(`pages:\n  - url: /\n    ${key}: { a: 1 }\n`)).toEqual([
      expect.stringContaining(`pages.yaml:3:5: unknown key "${key}" in a page. Allowed: `),
    ]);
  });
});
