// biome-ignore-all lint/suspicious/noTemplateCurlyInString: that is what a list has in it
import { describe, expect, test } from 'vitest';
import { readClock } from '../../../src/page-list/resolve/resolve-capture.js';
import { messagesOf, shotOf } from './list-file.js';

/** The messages for one line among the fields of a page: line 3, column 5. */
function messagesOfField(line: string): string[] {
  return messagesOf(`pages:\n  - url: /\n    ${line}\n`).map((message) => message.replace('pages.yaml:', ''));
}

describe('the clock', () => {
  test.each([
    ['2024-05-01', '2024-05-01T00:00:00.000Z'],
    ['2024-05-01T09:30', '2024-05-01T09:30:00.000Z'],
    ['2024-05-01 09:30:15', '2024-05-01T09:30:15.000Z'],
    ['2024-05-01T09:30:15.25Z', '2024-05-01T09:30:15.250Z'],
    ['2024-05-01 09:30 +02:00', '2024-05-01T07:30:00.000Z'],
    ['2024-05-01T00:30:00-09:30', '2024-05-01T10:00:00.000Z'],
    ['2024-02-29', '2024-02-29T00:00:00.000Z'],
    ['1969-12-31T23:59:59Z', '1969-12-31T23:59:59.000Z'],
  ])('reads %s, in UTC where no zone is written', (text, iso) => {
    const { clock = '' } = shotOf(`pages:\n  - url: /\n    clock: ${text}\n`).fields;
    expect(clock).toBe(text);
    expect(new Date(readClock(clock) ?? Number.NaN).toISOString()).toBe(iso);
  });

  test.each(['2024-02-30', '2023-02-29', '2024-13-01', '2024-05-01 25:00', '2024-05-01T09:60:00Z'])(
    'never shows %s',
    (text) => {
      expect(messagesOfField(`clock: ${text}`)).toEqual([
        `3:12: "clock" is "${text}", and there is no such time. Correct it.`,
      ]);
    },
  );

  test.each(['noon', '09:30', '01.05.2024', '2024-5-1', '2024-05-01 09', 'now'])('cannot be %s', (text) => {
    expect(messagesOfField(`clock: ${text}`)).toEqual([
      `3:12: "clock" must be a date such as 2024-05-01, or a date and time such as 2024-05-01T09:30:00Z, not "${text}". The time that the page is told, standing still; UTC where no zone is written.`,
    ]);
  });

  test('cannot be a number', () => {
    expect(messagesOfField('clock: 1714554000000')).toEqual([
      '3:12: "clock" must be text, not 1714554000000. Write a date and time, such as 2024-05-01T09:30:00Z.',
    ]);
  });
});

describe('a time zone', () => {
  test.each(['Europe/Berlin', 'UTC', 'America/Argentina/Buenos_Aires', 'US/Pacific', 'Asia/Calcutta'])(
    'may be %s',
    (zone) => {
      expect(shotOf(`pages:\n  - { url: /, timezone: ${zone} }\n`).fields.timezone).toBe(zone);
    },
  );

  test.each([
    ['Berlin', 'Did you mean "Europe/Berlin"?'],
    ['new york', 'Did you mean "America/New_York"?'],
    ['Europe/Berln', 'Did you mean "Europe/Berlin"?'],
    ['europe/berlin', 'Did you mean "Europe/Berlin"?'],
    ['utc', 'Did you mean "UTC"?'],
    ['+02:00', 'Write one such as Europe/Berlin or UTC.'],
    ['Mars', 'Write one such as Europe/Berlin or UTC.'],
  ])('is none: %s', (zone, advice) => {
    expect(messagesOfField(`timezone: "${zone}"`)).toEqual([`3:15: "${zone}" is not a time zone. ${advice}`]);
  });
});

describe('a field about how a page is seen and captured', () => {
  test.each([
    ['colorScheme: drak', '3:18: "colorScheme" must be light, dark or no-preference, not "drak". Did you mean "dark"?'],
    [
      'userAgent: "a\\nb"',
      `3:16: "userAgent" must be one line of ASCII letters, not "a\\nb". User-Agent and navigator.userAgent. Default: the project's.`,
    ],
    ['settle: { fnts: false }', '3:15: "fnts" is not a field of "settle". Did you mean "fonts"?'],
    [
      'settle: { late: true }',
      '3:21: "late" must be a number above 0, up to 60, not true. Seconds up to which timers, responses and sockets of the page are waited for. Default: responses only.',
    ],
    ['settle: { fonts: no }', '3:22: "fonts" must be true or false, not "no". Write true or false, without quotes.'],
    ['settle: { fonts: }', '3:22: "fonts" must be true or false, not nothing. Write a value, or remove the line.'],
    [
      'settle: false',
      '3:13: "settle" must be a mapping, not false. Switches off single causes of flake: { motion: false }; waits for late changes: { late: 3 }.',
    ],
    [
      'strictMasks: 1',
      '3:18: "strictMasks" must be true or false, not 1. A mask, or something ignored, that matches nothing is an error. Default false.',
    ],
    [
      'remove: #a',
      '3:13: "remove" must be text or a list, not nothing. In YAML a # begins a comment: put a selector such as "#id" in quotes.',
    ],
    ['mask: [.a, 5]', '3:16: item 2 of "mask" must be text, not 5. Put it in quotes: "5".'],
    [
      'mask: .a, #b',
      '3:11: "mask" has an empty selector in ".a,". Remove the comma; or, if an #id follows it, put all in quotes: a # begins a comment in YAML.',
    ],
    [
      'element: #x',
      '3:14: "element" must be text, not nothing. In YAML a # begins a comment: put a selector such as "#id" in quotes.',
    ],
    [
      'element: [.a]',
      '3:14: "element" must be text, not the list [".a"]. Captures this element alone, whole: a CSS selector.',
    ],
  ])('is told what it can be: %s', (line, message) => {
    expect(messagesOfField(line)).toEqual([message]);
  });
});

describe('a list that is wrong in many of its fields', () => {
  test('is told of all of them at once', () => {
    const list = `pages:
  - url: /
    timezone: Berlin
    clock: 2024-02-30
    settle: { x: 1 }
    headers: { X: 5, host: y }
    states: { a: { timezone: Mars, width: 5 } }
    element: ".a,"
    mask: 5
`;
    expect(messagesOf(list).map((message) => message.split('. ')[0]?.replace('pages.yaml:', ''))).toEqual([
      '3:15: "Berlin" is not a time zone',
      '4:12: "clock" is "2024-02-30", and there is no such time',
      '5:15: "x" is not a field of "settle"',
      '6:19: "X" must be text, not a number (not shown here)',
      '6:22: "headers" cannot set "host"',
      '7:30: "Mars" is not a time zone',
      '7:43: "width" must be a whole number from 100 to 8000, not 5',
      '8:14: "element" has an empty selector in ".a,"',
      '9:11: "mask" must be text or a list, not 5',
    ]);
  });
});

describe('a language', () => {
  test.each(['de', 'de-DE', 'de_DE', 'DE', 'eng', 'es-419', 'zh-Hans-CN', 'xx', 'de-XX', 'en-US-u-ca-buddhist'])(
    'may be %s',
    (language) => {
      expect(shotOf(`pages:\n  - url: /\n    language: ${language}\n`).fields.language).toBe(language);
    },
  );

  // The browser refuses all of these.
  test.each(['deutsch', 'english', 'de-deutschland', 'x-private', 'abcd', '"de, en"', 'de-DE;q=0.9'])(
    'cannot be %s',
    (language) => {
      expect(messagesOfField(`language: ${language}`)).toEqual([
        `3:15: ${JSON.stringify(language.replaceAll('"', ''))} is not a language tag. Write a BCP 47 tag: two or three letters, then perhaps a region, such as de or de-CH.`,
      ]);
    },
  );
});

describe('a script', () => {
  test.each([
    'return await fetch("/x")',
    'const a = 1; { b(a) }',
    "document.querySelector('details').open = true // all",
    'using x = y()',
    '/(?i:a)/.test("A")',
    'const { x } = await import("/x.js")',
  ])('may be %s', (code) => {
    expect(shotOf(`pages:\n  - url: /\n    javascriptCode: |\n      ${code}\n`).fields.javascriptCode).toContain(code);
  });

  test('that does not parse is told with its place, and does not run', () => {
    expect(messagesOfField('javascriptCode: "process.exit(3); if ("')).toEqual([
      '3:21: "javascriptCode" does not parse (Unexpected token \'}\'). Correct it: nothing of it can run.',
    ]);
    expect(
      messagesOf('pages:\n  - url: /\n    javascriptCode: |\n      a()\n      b(\n      c)(}\n      d()\n'),
    ).toEqual([
      'pages.yaml:3:21: "javascriptCode" does not parse in its line 3 (Unexpected token \'}\'). Correct it: nothing of it can run.',
    ]);
  });

  test('with a variable in it is not quoted', () => {
    const messages = messagesOf('pages:\n  - url: /\n    javascriptCode: "f(${V})"\n', { V: 'planted planted' });
    expect(messages).toEqual(['pages.yaml:3:21: "javascriptCode" does not parse. Correct it: nothing of it can run.']);
  });
});

describe('a selector', () => {
  test.each(['hide', 'remove', 'mask', 'ignore'])('of `%s` has to be CSS', (field) => {
    const column = 5 + field.length + 2;
    expect(messagesOfField(`${field}: [.ok, "text=Sign in"]`)).toEqual([
      `3:${column + 6}: item 2 of "${field}" is not a CSS selector: "text=Sign in" ("=" cannot stand here). Write it as document.querySelector takes it.`,
    ]);
    expect(messagesOfField(`${field}: ".ok, ..bad"`)).toEqual([
      `3:${column}: "${field}" is not a CSS selector: ".ok, ..bad" (no name after "."). Write it as document.querySelector takes it.`,
    ]);
  });

  test('of what takes a locator may be of another engine', () => {
    const { fields } = shotOf(
      'pages:\n  - { url: /, element: "text=a", waitFor: "xpath=//b", actions: [{ click: "text=c" }] }\n',
    );
    expect(fields).toMatchObject({ element: 'text=a', waitFor: 'xpath=//b', actions: [{ click: 'text=c' }] });
  });
});
