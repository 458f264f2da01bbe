import { describe, expect, test } from 'vitest';
import { parseUrl, withoutCredentials } from '../../../src/model/text.js';

describe('what is told of a URL', () => {
  test.each([
    ['a name and a password', 'https://user:secret@example.test/a', 'https://***@example.test/a'],
    ['a name alone', 'https://secret@example.test/a', 'https://***@example.test/a'],
    ['a password alone', 'https://:secret@example.test/a', 'https://***@example.test/a'],
    ['a port', 'http://user:secret@127.0.0.1:4173/', 'http://***@127.0.0.1:4173/'],
    ['an IPv6 host', 'http://user:secret@[::1]:4173/', 'http://***@[::1]:4173/'],
    ['encoded signs', 'https://us%40er:se%2Fcr%3Aet@example.test/', 'https://***@example.test/'],
    ['more colons', 'https://user:se:cr:et@example.test/', 'https://***@example.test/'],
    ['other signs', "https://us-er:s$e+c!r'et*(~)@example.test/", 'https://***@example.test/'],
    ['capitals', 'HTTPS://user:secret@EXAMPLE.test/', 'HTTPS://***@EXAMPLE.test/'],
    ['another scheme', 'wss+v1.2-x://user:secret@example.test', 'wss+v1.2-x://***@example.test'],
    ['no path', 'https://user:secret@example.test', 'https://***@example.test'],
    // A browser takes the last @ before the path for the end of the password.
    ['an @ in the password', 'https://user:se@secret@example.test/a', 'https://***@example.test/a'],
  ])('has no credentials: with %s', (_, url, told) => {
    expect(withoutCredentials(url)).toBe(told);
    expect(withoutCredentials(told)).toBe(told);
    if (URL.canParse(url)) expect(new URL(told).host).toBe(new URL(url).host);
  });

  test.each([
    'https://example.test/',
    'https://example.test/@user/post',
    'https://example.test/?mail=a@b.test',
    'https://example.test?mail=a@b.test',
    'https://example.test#a@b.test',
    'http://127.0.0.1:4173/a:b@c',
    '/docs/@scope/name',
    'mailto:a@b.test',
    'write to a@b.test, or see https://example.test and ask c@d.test',
    'git@example.test:a/b.git',
    '',
  ])('other text is unchanged: %s', (text) => {
    expect(withoutCredentials(text)).toBe(text);
  });
});

test('all URLs in a text are redacted, and the text around them is unchanged', () => {
  const text = 'ended at "https://a:b@one.test/x?y=1", expected (http://c:d@two.test/)\nhttps://e@three.test';
  expect(withoutCredentials(text)).toBe(
    'ended at "https://***@one.test/x?y=1", expected (http://***@two.test/)\nhttps://***@three.test',
  );
});

test('a URL with Latin-1 characters is parsed however often it is asked for', () => {
  const parsed = Array.from({ length: 50_000 }, () => parseUrl('http://münchen.test/')?.hostname);
  expect(new Set(parsed)).toEqual(new Set(['xn--mnchen-3ya.test']));
  expect(parseUrl('not a url')).toBeNull();
  expect(parseUrl('/a', 'http://b.test/')?.href).toBe('http://b.test/a');
});
