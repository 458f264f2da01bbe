import { describe, expect, test } from 'vitest';
import { findCaptchas } from '../../../src/service/analysis/content.js';
import { judgeQuality, measureReadability } from '../../../src/service/analysis/quality.js';
import { findTopics, languageOf, splitSentences, splitWords } from '../../../src/service/analysis/topics.js';
import { pageContentSchema } from '../../../src/service/protocol/analyze.js';

const EASY =
  'The cat sat on the mat. The dog ran to the cat. The cat ran up a tree. The dog sat by the tree and slept.';
const HARD =
  'Notwithstanding considerable organisational heterogeneity, interdisciplinary collaborations characteristically ' +
  'necessitate extraordinarily comprehensive administrative responsibilities. Institutional accountability ' +
  'mechanisms simultaneously presuppose unambiguous methodological transparency.';

describe('how a text reads', () => {
  test('is the reading ease of Flesch, to the figure', () => {
    const { score, counts } = measureReadability(EASY, 'en');
    expect(counts).toEqual({ formula: 'Flesch reading ease', sentences: 4, words: 26, syllables: 26 });
    // 206.835 - 1.015 * 26 / 4 - 84.6 * 26 / 26 is 115.6: the scale ends at 100.
    expect(score).toBe(100);
  });

  test('rates a hard text lower than an easy one, within the scale', () => {
    expect(measureReadability(HARD, 'en').score).toBe(0);
    const middling = `${EASY} ${'Every experienced engineer considers alternatives before deciding. '.repeat(4)}`;
    const { score, counts } = measureReadability(middling, 'en');
    const exact = 206.835 - (1.015 * counts.words) / counts.sentences - (84.6 * counts.syllables) / counts.words;
    expect(score).toBeCloseTo(exact, 1);
    expect(score).toBeGreaterThan(0);
    expect(score).toBeLessThan(60);
  });

  test('is not computed for a few words or a menu', () => {
    expect(measureReadability('Hello there, good people.', 'en').score).toBe(null);
    expect(measureReadability('Home\nPricing\nDocs\n'.repeat(50), 'en').score).toBe(null);
    expect(measureReadability('', 'en')).toMatchObject({ score: null, counts: { words: 0, sentences: 0 } });
  });
});

describe('topics', () => {
  test('are the phrases that are said again and again, without stop words', () => {
    const text = `Visual regression tests compare screenshots. A visual regression is a change that nobody meant.
      With visual regression tests, a team sees each change. Screenshots are stored with the tests.`;
    const topics = findTopics(text, 'en');
    expect(topics.slice(0, 3)).toContain('visual regression tests');
    expect(topics.join(' ')).not.toMatch(/\b(the|with|that|each)\b/);
    expect(topics.length).toBeLessThanOrEqual(10);
  });

  test('are found by the stop words of the language that the page is in', () => {
    const text = 'Die Stadt baut eine neue Brücke. Die neue Brücke ist für die Stadt sehr wichtig.';
    expect(findTopics(text, 'de')).toEqual(['stadt baut', 'brücke', 'stadt', 'wichtig']);
    expect(findTopics(text, 'en')).not.toContain('brücke');
    expect(findTopics('新しい橋が街にできました。新しい橋は便利です。', 'ja').length).toBeGreaterThan(0);
  });

  test('of nothing there are none, and of a language that is not known there are some', () => {
    expect(findTopics('', 'en')).toEqual([]);
    expect(findTopics('1 2 3 ... !!! 4,5', 'en')).toEqual([]);
    expect(findTopics('qo buSwI qo buSwI', 'tlh').length).toBeGreaterThan(0);
    expect(findTopics('constructor prototype', 'qqq').length).toBeGreaterThan(0);
  });

  test('of a long text, or of one endless word, are at most ten', () => {
    expect(findTopics('a'.repeat(200_000), 'en').length).toBeLessThanOrEqual(10);
    expect(findTopics('lorem ipsum dolor sit amet '.repeat(8_000), 'en').length).toBeLessThanOrEqual(10);
  });
});

test('a language is two or three letters, and English where a page says nothing of use', () => {
  expect(['de-AT', 'EN_us', ' fr ', 'tlh'].map(languageOf)).toEqual(['de', 'en', 'fr', 'tlh']);
  expect([null, '', 'x', '<script>', 'english', '__proto__'].map(languageOf)).toEqual(Array(6).fill('en'));
});

test('words and sentences are split by the rules of Unicode, and a line is a sentence', () => {
  expect(splitWords("Don't panic, it's 42!", 'en')).toEqual(["don't", 'panic', "it's", '42']);
  expect(splitSentences('A heading\nOne. Two?\n\n', 'en')).toEqual(['A heading', 'One.', 'Two?']);
});

test('the parts that a page lacks are named without articles', () => {
  const none = {
    ...Object.fromEntries(Object.keys(pageContentSchema.shape.metadata.shape).map((name) => [name, null])),
  };
  const content = pageContentSchema.parse({
    text: EASY,
    headings: { h1: [], h2: [], h3: [] },
    metadata: { ...none, language: 'en', openGraph: {}, twitter: {}, alternates: {} },
    images: { total: 0, broken: [] },
    links: { total: 0, first: [] },
    media: 0,
  });
  const findings = {
    ...{ httpStatus: 200, content, captchas: [], consoleErrors: { total: 0, first: [] } },
    ...{ weight: { requests: 1, bytes: 1 }, timings: null, violations: [], unmeasured: [] },
  };
  expect(judgeQuality({ findings, isSolid: false, links: null }).notes).toEqual([
    'the page has no title, description, viewport (`<meta name="viewport">`), h1',
  ]);
});

test('a captcha is a frame of its vendor that a visitor sees', () => {
  const frames = [
    'https://www.google.com/recaptcha/api2/anchor?k=x&size=invisible',
    'https://newassets.hcaptcha.com/captcha/v1/abc/static/hcaptcha.html#frame=checkbox',
    'https://example.com/recaptcha/api2/anchor',
  ];
  expect(findCaptchas(frames)).toEqual(['hCaptcha']);
  expect(findCaptchas(['https://www.google.com/recaptcha/api2/anchor?k=x'])).toEqual(['reCAPTCHA']);
});
