import { flesch } from 'flesch';
import { syllable } from 'syllable';
import type { Measured, PageContent, PageFindings, Quality } from '../protocol/analyze.js';
import { languageOf, splitSentences, splitWords } from './topics.js';

/** The inputs of a quality report. */
export interface Examined {
  readonly findings: PageFindings;
  /** Whether the image has a single color; null if there is no image. */
  readonly isSolid: boolean | null;
  /** Null if links were not checked. */
  readonly links: Measured['links'];
}

/** Returns the quality report of a page: measurements, and notes about problems. */
export function judgeQuality({ findings, isSolid, links }: Examined): Quality {
  const { content, captchas, consoleErrors, weight, timings, violations, httpStatus } = findings;
  const language = languageOf(content?.metadata.language ?? null);
  const readability = measureReadability(content?.text ?? '', language);
  const measured: Measured = {
    readability: readability.counts,
    captchas: [...captchas],
    consoleErrors: { total: consoleErrors.total, first: [...consoleErrors.first] },
    brokenImages: content?.images.broken ?? null,
    links,
    accessibility: violations && [...violations],
    weight: { ...weight },
    timings,
  };
  const isBlank = isSolid ?? isEmpty(content);
  return {
    isBlank,
    hasCaptcha: captchas.length > 0,
    httpStatus,
    readabilityScore: readability.score ?? 0,
    notes: [
      ...(isBlank ? ['the page is blank'] : []),
      ...(httpStatus >= 200 && httpStatus <= 299 ? [] : [`the page responded with ${httpStatus || 'no status'}`]),
      ...(captchas.length > 0 ? [`the page has a captcha: ${captchas.join(', ')}`] : []),
      ...noteReadability(readability.score, language),
      ...(content ? noteContent(content) : []),
      ...noteMeasured(measured),
      ...findings.unmeasured.map(({ what, why }) => `${what} could not be measured: ${why}`),
    ],
    measured,
  };
}

/** Checks for text and media. Used if there is no image. */
function isEmpty(content: PageContent | null): boolean {
  return content !== null && content.text.trim() === '' && content.media === 0;
}

function noteReadability(score: number | null, language: string): string[] {
  if (score === null) return ['too little text to measure readability: readabilityScore is 0'];
  return language === 'en'
    ? []
    : [`readabilityScore uses a formula for English, but the language of the page is "${language}"`];
}

function noteContent({ metadata, headings, images }: PageContent): string[] {
  const missing = [
    ...(metadata.title === null ? ['title'] : []),
    ...(metadata.description === null ? ['description'] : []),
    ...(metadata.language === null ? ['language (`lang`)'] : []),
    ...(metadata.viewport === null ? ['viewport (`<meta name="viewport">`)'] : []),
    ...(headings.h1.length === 0 ? ['h1'] : []),
  ];
  return [
    ...(missing.length > 0 ? [`the page has no ${missing.join(', ')}`] : []),
    ...(headings.h1.length > 1 ? [`the page has ${headings.h1.length} h1 elements`] : []),
    ...(/\bnoindex\b/i.test(metadata.robots ?? '') ? ['the page is excluded from search engines (noindex)'] : []),
    ...noteCount(images.broken.length, 'image', `of ${images.total} did not load`, images.broken),
  ];
}

function noteMeasured({ links, consoleErrors, accessibility }: Measured): string[] {
  const broken = links?.broken.map(({ url, why }) => `${url} (${why})`) ?? [];
  const rules = accessibility?.map(({ rule, impact }) => `${rule}${impact ? ` (${impact})` : ''}`) ?? [];
  const unchecked = links ? links.found - links.checked : 0;
  return [
    ...noteCount(broken.length, 'link', `of ${links?.checked} checked is broken`, broken),
    ...(unchecked > 0 ? [`${unchecked} of ${links?.found} links were not checked`] : []),
    ...noteCount(consoleErrors.total, 'console error', '', consoleErrors.first),
    ...noteCount(rules.length, 'accessibility rule', 'is violated', rules),
  ];
}

/** Formats a count with its first 3 names, each cut to 120 characters. */
function noteCount(count: number, noun: string, what: string, named: readonly string[]): string[] {
  if (count === 0) return [];
  const shown = named.slice(0, 3).map((name) => (name.length > 120 ? `${name.slice(0, 117)}...` : name));
  const rest = count > shown.length ? ` and ${count - shown.length} more` : '';
  const verb = count === 1 ? what : what.replace(/\bis (?=broken$|violated$)/, 'are ');
  return [
    `${[`${count} ${noun}${count === 1 ? '' : 's'}`, ...(verb ? [verb] : [])].join(' ')}: ${shown.join(', ')}${rest}`,
  ];
}

/** Minimum number of words for a readability score. */
const MIN_WORDS = 20;

/** The readability of a text and the counts behind it. */
export interface Readability {
  /** 0 (hard) to 100 (easy), one decimal; null if the text has fewer than 20 words. */
  readonly score: number | null;
  readonly counts: Measured['readability'];
}

/**
 * Computes the reading ease of Rudolf Flesch (1948): 206.835 - 1.015 * words per sentence - 84.6 * syllables per word. The
 * formula is made for English.
 */
export function measureReadability(text: string, language: string): Readability {
  // Ignore short lines: each entry of a menu would count as a sentence of one word.
  const sentences = splitSentences(text, language)
    .map((sentence) => splitWords(sentence, language))
    .filter((words) => words.length > 3);
  const words = sentences.flat();
  const counts = {
    formula: 'Flesch reading ease' as const,
    sentences: sentences.length,
    words: words.length,
    syllables: words.reduce((sum, word) => sum + syllable(word), 0),
  };
  if (words.length < MIN_WORDS) return { score: null, counts };
  const ease = flesch({ sentence: counts.sentences, word: counts.words, syllable: counts.syllables });
  return { score: Math.round(Math.min(100, Math.max(0, ease)) * 10) / 10, counts };
}
