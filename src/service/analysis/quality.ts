import { flesch } from 'flesch';
import PQueue from 'p-queue';
import { syllable } from 'syllable';
import { listSome, messageOf, ProofsheetError, renderCountOf } from '../../model/index.js';
import type { Egress } from '../egress/egress.js';
import type { Measured, PageContent, Quality } from '../protocol/responses.js';
import type { PageFindings } from './inspect-page.js';

/** Returns the quality report of a page: measurements, and notes about problems. */
export function judgeQuality(findings: PageFindings, isBlank: boolean, links: Measured['links']): Quality {
  const { content, captchas, consoleErrors, weight, violations, httpStatus } = findings;
  const { score, counts } = measureReadability(content?.text ?? '');
  const rules = (violations ?? []).map(({ rule, impact }) => `${rule}${impact ? ` (${impact})` : ''}`);
  const broken = links.broken.map(({ url, why }) => `${url} (${why})`);
  const notes = [
    isBlank && 'the page is blank',
    (httpStatus < 200 || httpStatus > 299) && `the page responded with ${httpStatus || 'no status'}`,
    captchas.length > 0 && `the page has a captcha: ${captchas.join(', ')}`,
    score === null && 'too little text to measure readability: readabilityScore is 0',
    ...(content ? noteContent(content) : []),
    noteNamed(`${renderCountOf(broken.length, 'broken link')} of ${links.checked} checked`, broken),
    links.found > links.checked && `${links.found - links.checked} of ${links.found} links were not checked`,
    noteNamed(renderCountOf(consoleErrors.total, 'console error'), consoleErrors.first, consoleErrors.total),
    noteNamed(renderCountOf(rules.length, 'violated accessibility rule'), rules),
    ...findings.unmeasured,
  ];
  return {
    isBlank,
    hasCaptcha: captchas.length > 0,
    httpStatus,
    readabilityScore: score ?? 0,
    notes: notes.filter((note) => note !== false),
    measured: {
      ...{ readability: counts, captchas, consoleErrors, links, weight },
      brokenImages: content?.images.broken ?? null,
      accessibility: violations,
    },
  };
}

function noteContent({ metadata, headings, images }: PageContent): (string | false)[] {
  const { title, description, language, viewport, robots } = metadata;
  const parts = { title, description, 'language (`lang`)': language, 'viewport (`<meta name="viewport">`)': viewport };
  const missing = Object.entries(parts).flatMap(([name, value]) => (value === null ? [name] : []));
  if (headings.h1.length === 0) missing.push('h1');
  return [
    language !== null &&
      !/^en\b/i.test(language) &&
      `readabilityScore uses a formula for English, but the language of the page is "${language}"`,
    missing.length > 0 && `the page has no ${missing.join(', ')}`,
    headings.h1.length > 1 && `the page has ${headings.h1.length} h1 elements`,
    /\bnoindex\b/i.test(robots ?? '') && 'the page is excluded from search engines (noindex)',
    noteNamed(`${renderCountOf(images.broken.length, 'image')} of ${images.total} did not load`, images.broken),
  ];
}

/** Adds the first 3 names to a text, each cut to 120 characters. Returns false if there are none. */
function noteNamed(text: string, names: readonly string[], count = names.length): string | false {
  return count > 0 && `${text}: ${listSome(names, 3, 120, count)}`;
}

const MIN_WORDS = 20;

/**
 * Computes the reading ease of Rudolf Flesch (1948). The words and sentences are those of Unicode; a line ends a sentence.
 *
 * @returns the counts and a score: 0 (hard) to 100 (easy), one decimal; null if the text has fewer than 20 words.
 */
export function measureReadability(text: string) {
  // A line of few words is the entry of a menu, not a sentence.
  const sentences = segmentsOf(text, 'sentence')
    .map(({ segment }) => segmentsOf(segment, 'word').filter(({ isWordLike }) => isWordLike))
    .filter((words) => words.length > 3);
  const words = sentences.flat();
  const syllables = words.reduce((sum, { segment }) => sum + syllable(segment), 0);
  const formula = 'Flesch reading ease' as const;
  const counts = { formula, sentences: sentences.length, words: words.length, syllables };
  if (words.length < MIN_WORDS) return { score: null, counts };
  const ease = flesch({ sentence: sentences.length, word: words.length, syllable: syllables });
  return { score: Math.round(Math.min(100, Math.max(0, ease)) * 10) / 10, counts };
}

function segmentsOf(text: string, granularity: 'sentence' | 'word'): Intl.SegmentData[] {
  return [...new Intl.Segmenter('en', { granularity }).segment(text)];
}

const LIMITS = { links: 50, atOnce: 6, eachMs: 8_000, allMs: 15_000 };

/**
 * Requests the first links of a page and returns the broken ones, in the order of the page. Does not follow redirects: they count
 * as working. Links that the address policy refuses, and links that time out, count as unchecked.
 */
export async function checkLinks(
  { total, first }: PageContent['links'],
  fetchPage: Egress['fetch'],
  signal: AbortSignal,
  limits = LIMITS,
): Promise<Measured['links']> {
  // Held here: Node collects a timeout that only AbortSignal.any() references (https://github.com/nodejs/node/issues/57736).
  const timeout = AbortSignal.timeout(limits.allMs);
  const queue = new PQueue({ concurrency: limits.atOnce });
  const results = await queue.addAll(
    first.slice(0, limits.links).map((url) => async () => {
      const signals = [signal, timeout, AbortSignal.timeout(limits.eachMs)];
      if (signals.some(({ aborted }) => aborted)) return [];
      try {
        const answer = await fetchPage(url, AbortSignal.any(signals));
        const { statusCode: status = 0 } = answer.destroy();
        // Other statuses mean that a link needs a login, another method, or fewer requests.
        const isBroken = status === 404 || status === 410 || status >= 500;
        return [{ url, why: isBroken ? String(status) : null }];
      } catch (error) {
        const isRefused = error instanceof ProofsheetError && error.code !== 'page-unreachable';
        if (isRefused || signals.some(({ aborted }) => aborted)) return [];
        return [{ url, why: error instanceof ProofsheetError ? error.problem.found : messageOf(error) }];
      }
    }),
  );
  const checked = results.flat();
  const broken = checked.flatMap(({ url, why }) => (why === null ? [] : [{ url, why }]));
  return { found: total, checked: checked.length, broken };
}
