import { describe, expect, test } from 'vitest';
import { CONSENT_TOOLS, CONSENT_WORDS } from '../../../../src/page/cookies/consent-words.js';

const { purposes, ...single } = CONSENT_WORDS;
const patterns = [
  ...Object.entries(single),
  ...purposes.map((source, index): [string, string] => [`purpose ${index + 1}`, source]),
];
const matches = (kind: keyof typeof single, text: string) => new RegExp(single[kind], 'u').test(text);

describe('the words of consent', () => {
  test.each(patterns)('%s is a pattern without an empty alternative, which would match everything', (_, source) => {
    expect(new RegExp(source, 'u').test('')).toBe(false);
    expect(source.split('|')).not.toContain('');
  });

  test.each(patterns)('%s is in lower case, like the text that it is matched with', (_, source) => {
    const letters = source.replace(/\\[pP]\{L\}/g, '');
    expect(letters).toBe(letters.toLowerCase());
  });

  test('reject labels that contain an accept word are recognized as reject labels', () => {
    for (const label of ['accept only necessary', 'continue without accepting', 'nicht zustimmen', 'sans accepter'])
      expect(matches('reject', label), label).toBe(true);
  });

  test('an acknowledge word matches a whole label, not a part of one', () => {
    expect(matches('acknowledge', 'ok')).toBe(true);
    expect(matches('acknowledge', 'got it')).toBe(true);
    expect(matches('acknowledge', 'book')).toBe(false);
    expect(matches('close', 'close the shop')).toBe(false);
  });

  test('the text of a bakery matches none of the banner words', () => {
    const offers = [
      'fresh oat cookies',
      '3 cookies were put into your basket',
      'cookies of the month: ginger and lemon',
    ];
    for (const offer of offers) {
      expect(matches('cookie', offer), offer).toBe(true);
      expect(matches('context', offer), offer).toBe(false);
    }
  });

  test('a statement that a site uses cookies is not one about baking them', () => {
    const statements = [
      'we use cookies.',
      'this site uses only essential cookies',
      'by visiting us you agree to the use of cookies',
      'wir verwenden cookies',
      'ce site utilise des cookies',
      'questo sito usa i cookie',
      '当サイトではクッキーを使用しています',
      '本网站使用 cookie',
    ];
    for (const statement of statements) expect(matches('use', statement), statement).toBe(true);
    const offers = [
      'we use belgian chocolate in each of our cookies',
      'buy cookies & use the code sweet',
      'for you to use. cookies of the month',
      'we accept orders for cookies on this site',
    ];
    for (const offer of offers) expect(matches('use', offer), offer).toBe(false);
  });

  test('an error about cookies is a failure, a condition of a banner is not', () => {
    const errors = [
      'cookies are blocked. sign-in failed. enable third-party cookies in your browser to sign in.',
      'third-party cookies are currently disabled',
      'cookies have been turned off in your browser',
      'cookies must be enabled. please enable cookies to continue',
      'cookies sind in ihrem browser deaktiviert',
      'cookies sind deaktiviert',
      'les cookies sont désactivés',
      'las cookies están bloqueadas',
      'i cookie sono disabilitati',
      'clique aqui: os cookies estão desativados',
      'cookies zijn uitgeschakeld',
      'クッキーが無効になっています',
      'your session could not be restored: reading the cookie failed',
    ];
    for (const error of errors) expect(matches('failure', error), error).toBe(true);
    const conditions = [
      'we use cookies. you can block cookies in your browser.',
      'if cookies are blocked, some parts of this site do not work',
      'if third-party cookies are disabled, videos are not shown',
      'non-essential cookies are blocked until you agree',
      'marketing cookies are disabled by default',
      'cookies enable us to improve this website',
      'we enable cookies to give you the best experience',
      'we set creative cookies to measure our adverts',
      'cookies help us to deliver our services',
      'wenn cookies deaktiviert sind, fehlen funktionen',
      'you can change your browser settings',
    ];
    for (const condition of conditions) expect(matches('failure', condition), condition).toBe(false);
  });

  test('"all" matches a whole word: "allow" is not "all"', () => {
    for (const label of ['accept all', 'alle akzeptieren', 'tout accepter', 'すべて許可', 'принять все'])
      expect(matches('all', label), label).toBe(true);
    for (const label of ['allow', 'installer', 'totally', 'taller']) expect(matches('all', label), label).toBe(false);
  });

  test('a class of a bakery is not the name of a banner', () => {
    for (const name of ['cookie-card', 'cookie-shop', 'cookies', 'cookie-offer'])
      expect(matches('name', name), name).toBe(false);
    for (const name of ['cookie-banner', 'CookieNotice', 'js-cookie-consent', 'gdpr-bar', 'cmp', 'accept-cookies'])
      expect(matches('name', name.toLowerCase()), name).toBe(true);
  });
});

describe('the marks of consent tools', () => {
  const selectors = CONSENT_TOOLS.flatMap(([, selectors]) => selectors.split(', '));

  test('no selector occurs twice', () => {
    expect(selectors.filter((one, index) => selectors.indexOf(one) !== index)).toEqual([]);
  });

  test('each selector has an id, a class or an attribute: a bare element could be content', () => {
    expect(selectors.filter((one) => !/[#.[]/.test(one))).toEqual([]);
  });
});
