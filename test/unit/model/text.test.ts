import { describe, expect, test } from 'vitest';
import {
  cutText,
  endSentence,
  listSome,
  parseUrl,
  quoteArgument,
  renderCountOf,
  renderDuration,
  renderJson,
  renderLog,
  renderPercentage,
  renderPlain,
  withoutCredentials,
} from '../../../src/model/text.js';
import { dangersIn, HOSTILE_TEXT, HOSTILE_TEXTS } from '../../hostile-texts.js';

describe.each(Object.entries(HOSTILE_TEXTS))('%s', (_, text) => {
  test('become one line of plain text', () => {
    expect(renderPlain(text)).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\ufffe\uffff]/u);
  });

  test('are no command in a log, also after a line break of our own', () => {
    expect(dangersIn(renderLog(`found:\n  ${text}\n${text}`))).toEqual([]);
  });

  test('are safe as JSON, and read as they were', () => {
    const json = renderJson({ text, list: [text] }, 2);
    expect(dangersIn(json)).toEqual([]);
    expect(JSON.parse(json)).toEqual({ text, list: [text] });
  });
});

test('a log keeps its lines, indentation and selectors', () => {
  const text = 'proofsheet: 1 change\n  changed  home  .a::before, .b::after: color #000 -> ##fff std::vector\n\n';
  expect(renderLog(text)).toBe(text);
});

test('200 KB of hostile text take less than 10 seconds: their time grows with their length, not with its square', () => {
  const start = performance.now();
  const texts = [...[' ', '::a ', '#', ':'].map((part) => part.repeat(2e5 / part.length)), HOSTILE_TEXT.repeat(100)];
  for (const text of texts) {
    renderLog(renderPlain(text));
    renderJson(text);
  }
  expect(performance.now() - start).toBeLessThan(10_000);
});

test('a count has its noun in the right number, and a text ends with one full stop', () => {
  const counts = [0, 1, 2, 10_240].map((count) => renderCountOf(count, 'more key'));
  expect(counts).toEqual(['0 more keys', '1 more key', '2 more keys', '10,240 more keys']);
  const ended = ['it failed', 'it failed.', 'it failed...', 'it failed. ', 'did it fail?'].map(endSentence);
  expect(ended).toEqual([...Array(4).fill('it failed.'), 'did it fail?']);
});

describe('what is told of a URL', () => {
  test.each([
    ['a name and a password', 'https://user:secret@example.test/a', 'https://***@example.test/a'],
    ['an IPv6 host', 'http://user:secret@[::1]:4173/', 'http://***@[::1]:4173/'],
    ['encoded signs', 'https://us%40er:se%2Fcr%3Aet@example.test/', 'https://***@example.test/'],
    ['other signs', "https://us-er:s$e+c!r'et*(~)@example.test/", 'https://***@example.test/'],
    ['another scheme', 'wss+v1.2-x://user:secret@example.test', 'wss+v1.2-x://***@example.test'],
    // A browser takes the last @ before the path for the end of the password.
    ['an @ in the password', 'https://user:se@secret@example.test/a', 'https://***@example.test/a'],
    [
      'text around',
      'ended at "https://a:b@one.test/x", expected (http://c:d@two.test/)\nhttps://e@three.test',
      'ended at "https://***@one.test/x", expected (http://***@two.test/)\nhttps://***@three.test',
    ],
  ])('has no credentials: with %s', (_, url, told) => {
    expect(withoutCredentials(url)).toBe(told);
    expect(withoutCredentials(told)).toBe(told);
    if (URL.canParse(url)) expect(new URL(told).host).toBe(new URL(url).host);
  });

  test.each([
    'https://example.test/@user/post',
    'https://example.test/?mail=a@b.test',
    'https://example.test#a@b.test',
    'http://127.0.0.1:4173/a:b@c',
    'write to a@b.test, or see https://example.test and ask c@d.test',
    'git@example.test:a/b.git',
  ])('other text is unchanged: %s', (text) => {
    expect(withoutCredentials(text)).toBe(text);
  });
});

test('a URL with Latin-1 characters is parsed however often it is asked for', () => {
  const parsed = Array.from({ length: 50_000 }, () => parseUrl('http://münchen.test/')?.hostname);
  expect(new Set(parsed)).toEqual(new Set(['xn--mnchen-3ya.test']));
  expect(parseUrl('not a url')).toBeNull();
  expect(parseUrl('/a', 'http://b.test/')?.href).toBe('http://b.test/a');
});

test.each([
  [0, '0 %'],
  [12.5, '12.50 %'],
  [1.2699, '1.27 %'],
  [1e-10, '0.00000000010 %'],
  [0.00999, '0.0100 %'],
  [99.999999, '99.99 %'],
  [100, '100 %'],
])('%d percent is 0 or 100 only if it is: %s', (percentage, text) => {
  expect(renderPercentage(percentage)).toBe(text);
});

test('a duration above zero is never formatted as zero', () => {
  const texts = [0, 0.2, 12, 999.6, 1200, 59_960, 125_000].map(renderDuration);
  expect(texts.join()).toBe('0 ms,1 ms,12 ms,1.0 s,1.2 s,1 min 0 s,2 min 5 s');
});

test('a cut text has no half of a character, and only the shown names of a list are cut', () => {
  expect(cutText('a😀b', 4)).toBe('a😀b');
  expect([1, 2, 3].map((length) => cutText('a😀b', length))).toEqual(['a…', 'a…', 'a😀…']);
  expect(listSome(['long name', 'b', 'c'], 2, 4)).toBe('long…, b and 1 more');
  expect(listSome(['a'], 3, 9, 2000)).toBe('a and 1,999 more');
});

test.each([
  ['pricing/desktop', 'pricing/desktop'],
  ['docs/intro?v=2', '"docs/intro?v=2"'],
  ['@scope/button', '"@scope/button"'],
  ["it's & you", '"it\'s & you"'],
  ["it's $(rm -rf ~) `x`", "'it'\\''s $(rm -rf ~) `x`'"],
  ['100 %', "'100 %'"],
  ['-x', '"-x"'],
  ['', '""'],
  // These cannot be typed.
  ...[HOSTILE_TEXT, 'a\nb', '\u202eabc'].map((text) => [text, null]),
])('the argument %j is quoted as %s', (text, quoted) => {
  expect(quoteArgument(text ?? '')).toBe(quoted);
});
