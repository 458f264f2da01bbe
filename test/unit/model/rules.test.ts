// biome-ignore-all lint/suspicious/noTemplateCurlyInString: that is what a list has in it
import { describe, expect, test } from 'vitest';
import { cssFault, readClock, splitSelectors } from '../../../src/model/rules.js';
import { messagesOf, shotOf } from '../list/list-file.js';

describe('the clock', () => {
  test.each([
    ['2024-05-01', '2024-05-01T00:00:00.000Z'],
    ['2024-05-01T09:30', '2024-05-01T09:30:00.000Z'],
    ['2024-05-01T09:30:15.25Z', '2024-05-01T09:30:15.250Z'],
    ['2024-05-01 09:30 +02:00', '2024-05-01T07:30:00.000Z'],
    ['2024-05-01T00:30:00-09:30', '2024-05-01T10:00:00.000Z'],
    ['2024-02-29', '2024-02-29T00:00:00.000Z'],
  ])('reads %s, in UTC where no zone is written', (text, iso) => {
    const { clock = '' } = shotOf(`pages:\n  - url: /\n    clock: ${text}\n`).fields;
    expect(clock).toBe(text);
    expect(new Date(readClock(clock) ?? Number.NaN).toISOString()).toBe(iso);
  });
});

test.each([
  ...['Europe/Berlin', 'UTC', 'America/Argentina/Buenos_Aires', 'US/Pacific'].map(
    (value) => ['timezone', value] as const,
  ),
  ...['de', 'de_DE', 'DE', 'eng', 'es-419', 'zh-Hans-CN', 'xx'].map((value) => ['language', value] as const),
])('a %s may be %s', (field, value) => {
  expect(shotOf(`pages:\n  - { url: /, ${field}: ${value} }\n`).fields).toMatchObject({ [field]: value });
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

  test('with a variable in it is not quoted', () => {
    const messages = messagesOf('pages:\n  - url: /\n    javascriptCode: "f(${V})"\n', { V: 'planted planted' });
    expect(messages).toEqual([
      'pages.yaml:3:21: "javascriptCode" has a syntax error. Correct it: the browser cannot run the script.',
    ]);
  });
});

describe('a text with selectors', () => {
  test.each([
    ['.a, #b ,c', ['.a', '#b', 'c']],
    [':is(.a, :not(.b, .c)) .d, e', [':is(.a, :not(.b, .c)) .d', 'e']],
    ['[title="a, b"], [x=")"], .c', ['[title="a, b"]', '[x=")"]', '.c']],
    ['[title="a\\", b"], .c', ['[title="a\\", b"]', '.c']],
    ['.a\\,b, .c', ['.a\\,b', '.c']],
    ['.a,', ['.a', '']],
    ['), .a', [')', '.a']],
  ])('%s is split where a comma separates them', (text, selectors) => {
    expect(splitSelectors(text)).toEqual(selectors);
  });
});

describe('the syntax of a selector', () => {
  test.each(['#ticker, .a > b + c ~ d e', '*|a, |a', '[data-a="1" i], [a|=b]', 'a/* b */.c', 'a:not(.b'])(
    '%s may be a CSS selector',
    (selector) => {
      expect(cssFault(selector)).toBe(null);
    },
  );

  test.each(['text=Sign in', '.a, //div'])('%s is a selector of Playwright', (selector) => {
    expect(cssFault(selector)?.detail).toBe('it is a selector of Playwright');
  });
});
