import { expect, test } from 'vitest';
import { CONSENT_TOOLS, CONSENT_WORDS } from '../../../../src/page/cookies/consent-words.js';

const { purposes, ...single } = CONSENT_WORDS;

test.each(Object.values(single).concat(purposes))('%#: words are in lower case, and none is empty', (source) => {
  expect(new RegExp(source, 'u').test('')).toBe(false);
  expect(source.split('|')).not.toContain('');
  const letters = source.replace(/\\[pP]\{L\}/g, '');
  expect(letters).toBe(letters.toLowerCase());
});

test.each<[kind: keyof typeof single, what: string, matching: string[], other: string[]]>([
  [
    'reject',
    'also a label that contains a word of acceptance',
    ['accept only necessary', 'continue without accepting', 'nicht zustimmen', 'sans accepter'],
    ['accept all'],
  ],
  ['acknowledge', 'a whole label', ['ok', 'got it'], ['book']],
  ['close', 'a whole label', ['close'], ['close the shop']],
  ['all', 'a whole word', ['accept all', 'tout accepter', 'すべて許可', 'принять все'], ['allow', 'totally', 'taller']],
  [
    'name',
    'not the classes of a bakery',
    ['cookie-banner', 'cookienotice', 'js-cookie-consent', 'gdpr-bar', 'cmp', 'accept-cookies'],
    ['cookie-card', 'cookie-shop', 'cookies', 'cookie-offer'],
  ],
  [
    'context',
    'not the text of a bakery',
    ['this website uses cookies'],
    ['fresh oat cookies', '3 cookies were put into your basket', 'cookies of the month: ginger and lemon'],
  ],
  [
    'use',
    'not a statement about baking',
    [
      'we use cookies.',
      'this site uses only essential cookies',
      'wir verwenden cookies',
      'questo sito usa i cookie',
      '当サイトではクッキーを使用しています',
      '本网站使用 cookie',
    ],
    [
      'we use belgian chocolate in each of our cookies',
      'for you to use. cookies of the month',
      'we accept orders for cookies on this site',
    ],
  ],
  [
    'failure',
    'not a condition in a banner',
    [
      'cookies are blocked. sign-in failed. enable third-party cookies in your browser to sign in.',
      'third-party cookies are currently disabled',
      'cookies must be enabled. please enable cookies to continue',
      'cookies sind in ihrem browser deaktiviert',
      'clique aqui: os cookies estão desativados',
      'クッキーが無効になっています',
      'your session could not be restored: reading the cookie failed',
    ],
    [
      'we use cookies. you can block cookies in your browser.',
      'if third-party cookies are disabled, videos are not shown',
      'non-essential cookies are blocked until you agree',
      'cookies enable us to improve this website',
      'we set creative cookies to measure our adverts',
      'wenn cookies deaktiviert sind, fehlen funktionen',
    ],
  ],
])('%s matches %s', (kind, _, matching, other) => {
  const matches = (text: string) => new RegExp(single[kind], 'u').test(text);
  expect(matching.filter((text) => !matches(text))).toEqual([]);
  expect(other.filter(matches)).toEqual([]);
});

test('a selector of a consent tool occurs once, and has an id, a class or an attribute: a bare element could be content', () => {
  const selectors = CONSENT_TOOLS.flatMap(([, selectors]) => selectors.split(', '));
  expect(selectors.filter((one, index) => selectors.indexOf(one) !== index || !/[#.[]/.test(one))).toEqual([]);
});
