// biome-ignore-all lint/suspicious/noTemplateCurlyInString: that is what a list has in it
import { describe, expect, test } from 'vitest';
import { cssFault, readClock, splitSelectors } from '../../../../src/model/rules.js';
import { messagesOf, shotOf } from '../../list/list-file.js';

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
        `3:12: "clock" is not an existing date or time: "${text}". Use one such as 2024-05-01T09:30:00Z.`,
      ]);
    },
  );

  test.each(['noon', '09:30', '01.05.2024', '2024-5-1', '2024-05-01 09', 'now'])('cannot be %s', (text) => {
    expect(messagesOfField(`clock: ${text}`)).toEqual([
      `3:12: "clock" must be a date such as 2024-05-01, or a date and time such as 2024-05-01T09:30:00Z, not "${text}". Fixed date and time of the page, such as 2024-05-01T09:30:00Z; in UTC if it has no time zone. Default: the current time.`,
    ]);
  });

  test('cannot be a number', () => {
    expect(messagesOfField('clock: 1714554000000')).toEqual([
      '3:12: "clock" must be a string, not 1714554000000. Fixed date and time of the page, such as 2024-05-01T09:30:00Z; in UTC if it has no time zone. Default: the current time.',
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
    ['+02:00', 'Use an IANA time zone, such as Europe/Berlin or UTC.'],
    ['Mars', 'Use an IANA time zone, such as Europe/Berlin or UTC.'],
  ])('is not accepted: %s', (zone, advice) => {
    expect(messagesOfField(`timezone: "${zone}"`)).toEqual([`3:15: unknown time zone "${zone}". ${advice}`]);
  });
});

describe('a field about how a page is seen and captured', () => {
  test.each([
    ['colorScheme: drak', '3:18: "colorScheme" must be light, dark or no-preference, not "drak". Did you mean "dark"?'],
    [
      'userAgent: "a\\nb"',
      `3:16: "userAgent" must be one line of ASCII characters, not "a\\nb". Value of the User-Agent header and of navigator.userAgent. Default: the value of the Playwright project.`,
    ],
    ['settle: { fnts: false }', '3:15: unknown key "fnts" in "settle". Did you mean "fonts"?'],
    [
      'settle: { late: true }',
      '3:21: "late" must be a number above 0, up to 60, not true. Seconds of its own time that the page lives before its image, if more than 5. Default: 0.',
    ],
    [
      'settle: false',
      '3:13: "settle" must be a mapping, not false. Disables stabilization steps, such as { motion: false }, or waits for late changes, such as { late: 3 }. Default: all steps.',
    ],
    [
      'element: #x',
      '3:14: "element" must be a string, not an empty value. Write a value. In YAML, # starts a comment: put a string such as "#id" in quotes.',
    ],
  ])('is reported with the allowed values: %s', (line, message) => {
    expect(messagesOfField(line)).toEqual([message]);
  });
});

describe('a list that is wrong in many of its fields', () => {
  test('reports all of them at once', () => {
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
      '3:15: unknown time zone "Berlin"',
      '4:12: "clock" is not an existing date or time: "2024-02-30"',
      '5:15: unknown key "x" in "settle"',
      '6:19: "X" must be a string, not a number (hidden)',
      '6:22: "headers" cannot set "host"',
      '7:30: unknown time zone "Mars"',
      '7:43: "width" must be a whole number from 100 to 8000, not 5',
      '8:14: "element" has an empty selector in ".a,"',
      '9:11: "mask" must be a string or a list, not 5',
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
        `3:15: invalid language tag ${JSON.stringify(language.replaceAll('"', ''))}. Use a BCP 47 tag, such as de or de-CH.`,
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

  test('with a syntax error is reported with its line, and does not run', () => {
    expect(messagesOfField('javascriptCode: "process.exit(3); if ("')).toEqual([
      '3:21: "javascriptCode" has a syntax error (Unexpected token \'}\'). Correct it: the browser cannot run the script.',
    ]);
    expect(
      messagesOf('pages:\n  - url: /\n    javascriptCode: |\n      a()\n      b(\n      c)(}\n      d()\n'),
    ).toEqual([
      'pages.yaml:3:21: "javascriptCode" has a syntax error in line 3 (Unexpected token \'}\'). Correct it: the browser cannot run the script.',
    ]);
  });

  test('with a variable in it is not quoted', () => {
    const messages = messagesOf('pages:\n  - url: /\n    javascriptCode: "f(${V})"\n', { V: 'planted planted' });
    expect(messages).toEqual([
      'pages.yaml:3:21: "javascriptCode" has a syntax error. Correct it: the browser cannot run the script.',
    ]);
  });
});

describe('a selector', () => {
  test.each(['hide', 'remove', 'mask', 'ignore'])('of `%s` has to be CSS', (field) => {
    const column = 5 + field.length + 2;
    expect(messagesOfField(`${field}: [.ok, "text=Sign in"]`)).toEqual([
      `3:${column + 6}: item 2 of "${field}" is not a valid CSS selector: "text=Sign in" (it is a selector of Playwright). Use a selector that document.querySelector accepts.`,
    ]);
    expect(messagesOfField(`${field}: ".ok, ..bad"`)).toEqual([
      `3:${column}: "${field}" is not a valid CSS selector: ".ok, ..bad" (a name is missing). Use a selector that document.querySelector accepts.`,
    ]);
  });

  test('of what takes a locator may be of another engine', () => {
    const { fields } = shotOf(
      'pages:\n  - { url: /, element: "text=a", waitFor: "xpath=//b", actions: [{ click: "text=c" }] }\n',
    );
    expect(fields).toMatchObject({ element: 'text=a', waitFor: 'xpath=//b', actions: [{ click: 'text=c' }] });
  });
});

describe('a text with selectors', () => {
  test.each([
    ['.a', ['.a']],
    ['.a, #b ,c', ['.a', '#b', 'c']],
    [':is(.a, .b), .c', [':is(.a, .b)', '.c']],
    [':is(.a, :not(.b, .c)) .d, e', [':is(.a, :not(.b, .c)) .d', 'e']],
    ['[title="a, b"], [x=")"], .c', ['[title="a, b"]', '[x=")"]', '.c']],
    ["[title='a\", b'], .c", ["[title='a\", b']", '.c']],
    ['[title="a\\", b"], .c', ['[title="a\\", b"]', '.c']],
    ['.a\\,b, .c', ['.a\\,b', '.c']],
    ['.a,', ['.a', '']],
    ['), .a', [')', '.a']],
  ])('%s is split where a comma separates them', (text, selectors) => {
    expect(splitSelectors(text)).toEqual(selectors);
  });
});

describe('the syntax of a selector', () => {
  test.each([
    ['.chat'],
    ['#ticker, .a > b + c ~ d e'],
    ['a[href^="x>y"]:not(.b, #c):nth-child(2n + 1 of .x)::before'],
    ['*'],
    ['*|a, |a'],
    ['& > .a'],
    ['--x, -a, _b, .é, .\\31 0, #a\\:b'],
    ['.a:has(> img)'],
    ['a:is(:hover, :focus-visible)'],
    ['[data-a="1" i], [a|=b]'],
    ['div:some-new-thing(1 / 2)'],
    ['a/* b */.c'],
    ['[open'],
    ['a:not(.b'],
    ['a:not(:is(.b, :nth-child(2 of :has(> c)))) + d'],
    ['::part(x):hover'],
  ])('%s may be a CSS selector', (selector) => {
    expect(cssFault(selector)).toBe(null);
  });

  test.each([
    ['..a', 'a name is missing'],
    ['# a', 'a name is missing'],
    ['a:', 'a name is missing'],
    ['> a', 'a selector is missing beside a combinator'],
    ['a > > b', 'a selector is missing beside a combinator'],
    ['a >', 'a selector is missing beside a combinator'],
    ['a)', 'a character is not allowed there'],
    ['1a', 'a character is not allowed there'],
    ['a { color: red }', 'a character is not allowed there'],
    ['Europe/Berlin', 'a character is not allowed there'],
    ['text=Sign in', 'it is a selector of Playwright'],
    ['//div', 'it is a selector of Playwright'],
    ['a:contains("x")', '":contains" is not a CSS pseudo-class'],
    ['button:visible', '":visible" is not a CSS pseudo-class'],
  ])('of %s: %s', (selector, why) => {
    expect(cssFault(selector)?.detail).toBe(why);
  });
});
