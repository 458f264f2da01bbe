import { describe, expect, test } from 'vitest';
import { CONSENT_TOOLS, CONSENT_WORDS } from '../../../src/capture/cookies/consent-words.js';

const patterns = Object.entries(CONSENT_WORDS);
const matches = (kind: keyof typeof CONSENT_WORDS, text: string) => new RegExp(CONSENT_WORDS[kind], 'u').test(text);

describe('the words of consent', () => {
  test.each(patterns)('%s is a pattern without an empty alternative, which would match everything', (_, source) => {
    expect(new RegExp(source, 'u').test('')).toBe(false);
    expect(source.split('|')).not.toContain('');
  });

  test.each(patterns)('%s is in lower case, like the text that it is matched with', (_, source) => {
    expect(source).toBe(source.toLowerCase());
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

  test('a class of a bakery is not the name of a banner', () => {
    for (const name of ['cookie-card', 'cookie-shop', 'cookies', 'cookie-offer'])
      expect(matches('name', name), name).toBe(false);
    for (const name of ['cookie-banner', 'CookieNotice', 'js-cookie-consent', 'gdpr-bar', 'cmp', 'accept-cookies'])
      expect(matches('name', name.toLowerCase()), name).toBe(true);
  });
});

describe('the marks of consent tools', () => {
  const selectors = CONSENT_TOOLS.flatMap((tool) => tool.selectors);

  test('no selector occurs twice', () => {
    expect(selectors.filter((one, index) => selectors.indexOf(one) !== index)).toEqual([]);
  });

  test('each selector has an id, a class or an attribute: a bare element could be content', () => {
    expect(selectors.filter((one) => !/[#.[]/.test(one))).toEqual([]);
  });
});
