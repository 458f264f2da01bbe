// biome-ignore-all lint/suspicious/noTemplateCurlyInString: that is what a list has in it
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { messagesOf, refusalOf, shotsOf, writeList } from '../list-file.js';

const QUOTES = 'Put the value in quotes.';

describe('a file that is not YAML', () => {
  test.each([
    ['a tab', 'pages:\n\t- /\n', ['2:1: invalid YAML (Tabs are not allowed as indentation). Indent with spaces.']],
    [
      'two documents',
      'pages: [/]\n---\npages: [/a]\n',
      ['2:1: invalid YAML (a second document starts here). Write one list per file: remove the line "---".'],
    ],
    [
      'a list without its end',
      'pages: [/, /a\nviewports:\n  wide: { width: 1600 }\n',
      ['1:8: "[" is not closed by "]". Write "]" after the last item, and indent each line up to it.'],
    ],
    [
      'a list without its end, many lines above the next key',
      'defaults:\n  hide: [\n    .a,\n    .b\npages:\n  - /\n',
      ['2:9: "[" is not closed by "]". Write "]" after the last item, and indent each line up to it.'],
    ],
    [
      'a mapping without its end, which has a whole list',
      'pages:\n  - { url: /a, hide: [.x]\n  - /b\n',
      ['2:5: "{" is not closed by "}". Write "}" after the last item, and indent each line up to it.'],
    ],
    [
      'a list in a mapping without its end',
      'pages:\n  - { url: /, hide: [.a, .b }\n  - /x\n',
      ['2:21: "[" is not closed by "]". Write "]" after the last item, and indent each line up to it.'],
    ],
    [
      'a dash without a space',
      'pages:\n  - /\n  -/b\n',
      ['3:3: a list item has no space after its "-". Write a space after each "-", such as "- /".'],
    ],
    [
      'a variable in a flow list',
      'pages: [{ url: ${A}/x }]\n',
      [
        '1:17: invalid YAML (Unexpected flow-map-start at node end). Inside [ ] and { }, put a string that contains ${NAME} in quotes.',
      ],
    ],
    [
      'a colon in a name',
      'pages:\n  - name: a: b\n    url: /\n',
      [
        '2:11: invalid YAML (Nested mappings are not allowed in compact mappings). Check the indentation. Put a string that contains ": " in quotes.',
      ],
    ],
    [
      'a name that starts with @',
      'pages:\n  - name: @a\n',
      [`2:11: invalid YAML (Plain value cannot start with reserved character @). ${QUOTES}`],
    ],
    [
      'a text that starts with !',
      'pages:\n  - !important\n',
      ['2:5: invalid YAML (Unresolved tag: !important). To write a string that starts with !, put it in quotes.'],
    ],
    [
      'a binary value',
      'pages:\n  - !!binary aGVsbG8=\n',
      [
        '2:5: invalid YAML (Unresolved tag: tag:yaml.org,2002:binary). To write a string that starts with !, put it in quotes.',
      ],
    ],
    [
      'a list as key',
      '? [a]\n: b\npages: [/]',
      ['1:3: invalid YAML (With stringKeys, all keys must be strings). Use a plain word as the key.'],
    ],
    [
      'an alias for nothing',
      'pages:\n  - url: /\n    hide: *chat\n',
      [
        '3:11: YAML alias "*chat" has no anchor "&chat" above it. To write a string that starts with *, put it in quotes.',
      ],
    ],
    [
      'a list in itself',
      'pages: &all\n  - /\n  - *all\n',
      ['3:5: YAML alias "*all" is inside its own anchor "&all". Remove it: a value cannot contain itself.'],
    ],
    [
      'a merge of a number',
      'pages:\n  - <<: 5\n    url: /\n',
      ['2:5: "<<" merges a value that is not a mapping. Write <<: *name, where &name is the anchor of a mapping.'],
    ],
    [
      'brackets without end',
      '['.repeat(100_000),
      ['1:1: the nesting is too deep. Check that it is a page list, and that every [ and { is closed.'],
    ],
    [
      'mappings without end',
      Array.from({ length: 3000 }, (_, depth) => `${' '.repeat(depth)}a:`).join('\n'),
      ['1:1: the nesting is too deep. Check that it is a page list, and that every [ and { is closed.'],
    ],
    [
      'lists without end',
      '- '.repeat(50_000),
      ['1:1: the nesting is too deep. Check that it is a page list, and that every [ and { is closed.'],
    ],
    [
      'aliases that unfold to gigabytes',
      `a0: &a0 [x]\n${Array.from({ length: 12 }, (_, at) => `a${at + 1}: &a${at + 1} [${Array(9).fill(`*a${at}`).join()}]`).join('\n')}`,
      ['1:1: the aliases (*name) of the list repeat too many values. Move fields that pages share to "defaults".'],
    ],
  ])('says so: %s', (_, text, messages) => {
    expect(messagesOf(text)).toEqual(messages.map((message) => `pages.yaml:${message}`));
  });

  test('is reported with one message for each invalid line', () => {
    expect(messagesOf('pages:\n\t- /\n\t- /a: b: c\n  - "x\n').length).toBeGreaterThan(1);
    expect(messagesOf('pages: [ ${A} ${B} ${C} ]\n')).toHaveLength(1);
  });

  test('is reported in limited time and size', () => {
    const noise = Uint8Array.from({ length: 300_000 }, (_, at) => 32 + ((at * at * 7919 + at * 31) % 95));
    for (const text of [
      noise,
      'x'.repeat(1_000_000),
      '- '.repeat(2000),
      '{"a":'.repeat(900),
      '\0\u0001\u0002: \u0003',
    ]) {
      const messages = messagesOf(text);
      expect(messages.length).toBeGreaterThan(0);
      expect(messages.every((message) => /^pages\.yaml:\d+:\d+: .{10,500}$/.test(message))).toBe(true);
    }
  });
});

describe('a file that is YAML, but no list of pages', () => {
  test.each([
    ['a list', '- /\n- /a\n', '1:1: the page list must be a mapping with pages, not the list ["/","/a"]. Correct it.'],
    ['a text', 'hello\n', '1:1: the page list must be a mapping with pages, not "hello". Correct it.'],
    ['a number', '5', '1:1: the page list must be a mapping with pages, not 5. Correct it.'],
    [
      'a mapping of nothing',
      '{}',
      '1:1: missing key "pages" in the page list; expected a list. Add at least one page, such as `pages: [/]`.',
    ],
    [
      'pages of nothing',
      'pages:\n',
      '1:7: "pages" must be a list, not an empty value. Write a value, or remove the line.',
    ],
    [
      'no pages',
      'pages: []\n',
      '1:8: "pages" must be a list, not an empty list. Add at least one page, such as `pages: [/]`.',
    ],
    ['one page', 'pages: /\n', '1:8: "pages" must be a list, not "/". Write a list: ["/"].'],
    [
      'an empty page',
      'pages:\n  -\n',
      '2:4: a page must be a string or a mapping with url, not an empty value. Write a value. In YAML, # starts a comment: put a string such as "#id" in quotes.',
    ],
  ])('says so: %s', (_, text, message) => {
    expect(messagesOf(text)).toEqual([`pages.yaml:${message}`]);
  });
});

describe('a file that cannot be read', () => {
  const refused = (file: string) => refusalOf(file).errors.map(({ code, message, loc }) => ({ code, message, loc }));

  test.each([
    ['empty', ''],
    ['only comments', '# pages:\n#  - /\n\n'],
    ['only a document', '---\n'],
    ['null', 'null'],
  ])('says so: %s', (_, text) => {
    const file = writeList(text);
    const message = `${file}: the page list is empty. Add at least one page: "pages: [/]".`;
    expect(refused(file)).toEqual([{ code: 'list-unreadable', message, loc: { file, line: 1, column: 1 } }]);
  });

  test('says so: not there', () => {
    const file = join(writeList(''), '..', 'nowhere.yaml');
    expect(refused(file)).toEqual([
      {
        code: 'list-unreadable',
        message: `${file}: the page list does not exist. Correct the path, which is relative to the spec, or create the file.`,
        loc: { file, line: 1, column: 1 },
      },
    ]);
  });

  test('says so: a folder', () => {
    const folder = join(writeList(''), '..');
    expect(refused(folder)[0]?.message).toBe(
      `${folder}: expected a page list, found a folder. Use the path of a YAML file.`,
    );
  });

  test('says so: an image', () => {
    const file = writeList(Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0xff));
    expect(refused(file)[0]?.message).toBe(
      `${file}: the page list is not valid UTF-8. Check that it is a page list, and save it as UTF-8.`,
    );
  });

  test("says so in the list's own words when something unforeseen is in the way", () => {
    expect(refused('nul\0byte.yaml')[0]?.message).toMatch(
      /: the page list cannot be read \(.+\)\. Check the path and the permissions of the file\.$/,
    );
  });
});

describe('YAML that a list may use', () => {
  test('is read with a byte order mark, and its columns are those of an editor', () => {
    expect(messagesOf('\uFEFFpagez: [/]\n')).toEqual([
      'pages.yaml:1:1: unknown key "pagez" in the page list. Did you mean "pages"?',
    ]);
  });

  test('is read with the line ends of Windows', () => {
    expect(messagesOf('pages:\r\n  - /\r\n  - url: 5\r\n')).toEqual([
      'pages.yaml:3:10: "url" must be a string, not 5. Put it in quotes: "5".',
    ]);
  });

  test('is read as JSON', () => {
    expect(shotsOf('{"pages": ["/", {"url": "/a", "width": 500}]}').map(({ id }) => id)).toEqual(['index', 'a']);
  });

  test('may repeat an anchored list on hundreds of pages', () => {
    const pages = Array.from({ length: 500 }, (_, at) => `  - { url: /${at}, tags: *tags }\n`).join('');
    expect(shotsOf(`defaults:\n  tags: &tags [a, b]\npages:\n${pages}`)).toHaveLength(500);
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

  test('is reported once, at its own position, if an alias repeats it', () => {
    const list =
      'defaults:\n  waitFor: &w { txt: Hi }\npages:\n  - { url: /a, waitFor: *w }\n  - { url: /b, waitFor: [*w] }\n';
    expect(messagesOf(list)).toEqual([
      expect.stringMatching(/^pages\.yaml:2:17: unknown key "txt" in "waitFor"/),
      expect.stringMatching(/^pages\.yaml:2:17: unknown key "txt" in item 1 of "waitFor"/),
    ]);
  });

  test('is reported at the mapping that merges it', () => {
    const list = 'pages:\n  - &a { url: /a, width: 5 }\n  - <<: *a\n    url: /b\n  - <<: [*a]\n    url: /c\n';
    const found = '"width" must be a whole number from 100 to 8000, not 5.';
    expect(messagesOf(list)).toEqual([
      expect.stringContaining(`pages.yaml:2:26: ${found}`),
      expect.stringContaining(`pages.yaml:3:5: ${found}`),
      expect.stringContaining(`pages.yaml:5:5: ${found}`),
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

  test('has no such keys below its top, and is checked where an alias repeats them', () => {
    expect(messagesOf('x-a: &a { widht: 5 }\npages:\n  - { url: /, states: { s: *a } }\n')).toEqual([
      'pages.yaml:1:11: unknown key "widht" in state "s". Did you mean "width"?',
    ]);
    expect(messagesOf('x-a: 1\npages: [{ url: /, x-note: 1 }]\n')).toEqual([
      expect.stringContaining('pages.yaml:2:19: unknown key "x-note" in a page.'),
    ]);
    expect(messagesOf('x-a: 1\n')).toEqual([expect.stringContaining('missing key "pages" in the page list')]);
  });

  test('is still checked if a key is duplicated', () => {
    expect(messagesOf('pages:\n  - url: /\n    hide: .a\n    hide: 5\n    widht: 5\npages: [/]\n')).toEqual([
      'pages.yaml:4:5: duplicate key "hide" in one mapping. Remove one of the two.',
      'pages.yaml:6:1: duplicate key "pages" in one mapping. Remove one of the two.',
    ]);
    expect(messagesOf('pages:\n  - url: /\n    hide: .a\n    hide: 5\n    widht: 5\n')).toEqual([
      'pages.yaml:4:5: duplicate key "hide" in one mapping. Remove one of the two.',
      'pages.yaml:4:11: "hide" must be a string or a list, not 5. CSS selectors of elements to hide with visibility: hidden, which keeps the layout. Default: none.',
      'pages.yaml:5:5: unknown key "widht" in a page. Did you mean "width"?',
    ]);
  });

  test.each(['__proto__', 'constructor', 'toString'])('has no field %s', (key) => {
    expect(messagesOf(`pages:\n  - url: /\n    ${key}: { a: 1 }\n`)).toEqual([
      expect.stringContaining(`pages.yaml:3:5: unknown key "${key}" in a page. Allowed: `),
    ]);
  });
});

test('items that all lack the space after their dash are explained', () => {
  expect(messagesOf('pages:\n  -/\n  -/pricing\n')).toEqual([
    expect.stringMatching(
      /^pages\.yaml:2:3: "pages" must be .*, not "-\/ -\/pricing"\. Write a space after each "-", such as "- \/"\.$/,
    ),
  ]);
});
