import * as lists from 'stopword';

/** Maximum number of topics. */
const MAX_TOPICS = 10;
/** Maximum number of words of a phrase. Longer runs are usually lists or code. */
const MAX_PHRASE_WORDS = 4;
/** Maximum number of characters that are analyzed. */
const MAX_TEXT = 50_000;

/**
 * Returns the topics of a text, highest weight first. Topics are phrases between stop words, weighted by RAKE (Rose, Engel, Cramer
 * and Cowley: Automatic keyword extraction from individual documents, 2010). The weight of a word is degree / frequency. The weight
 * of a phrase is the sum of its words times log2(1 + occurrences). The logarithm is our addition: without it, a long phrase that
 * occurs once outweighs a frequent short one.
 */
export function findTopics(text: string, language: string): string[] {
  const phrases = splitSentences(text.slice(0, MAX_TEXT), language).flatMap((line) => phrasesOf(line, language));
  const weights = weighWords(phrases);
  const byName = new Map<string, { times: number; weight: number }>();
  for (const phrase of phrases) {
    const name = phrase.join(' ');
    const times = (byName.get(name)?.times ?? 0) + 1;
    const sum = phrase.reduce((total, word) => total + (weights.get(word) ?? 0), 0);
    byName.set(name, { times, weight: sum * Math.log2(1 + times) });
  }
  return [...byName]
    .sort(([a, x], [b, y]) => y.weight - x.weight || y.times - x.times || (a < b ? -1 : 1))
    .slice(0, MAX_TOPICS)
    .map(([name]) => name);
}

/** Splits a sentence at stop words, numbers and punctuation. */
function phrasesOf(sentence: string, language: string): string[][] {
  const stops = stopWordsOf(language);
  const phrases: string[][] = [];
  for (const part of sentence.split(/[^\p{L}\p{M}\p{N}\s'’-]+/u)) {
    let phrase: string[] = [];
    for (const word of [...splitWords(part, language), '']) {
      if (word !== '' && !stops.has(word) && /^\p{L}[\p{L}\p{M}'’-]+$/u.test(word)) phrase.push(word);
      else phrase = endPhrase(phrase, phrases);
    }
  }
  return phrases;
}

function endPhrase(phrase: string[], phrases: string[][]): string[] {
  if (phrase.length > 0 && phrase.length <= MAX_PHRASE_WORDS) phrases.push(phrase);
  return [];
}

function weighWords(phrases: readonly string[][]): Map<string, number> {
  const seen = new Map<string, { frequency: number; degree: number }>();
  for (const word of phrases.flatMap((phrase) => phrase.map((name) => ({ name, phraseWords: phrase.length })))) {
    const { frequency, degree } = seen.get(word.name) ?? { frequency: 0, degree: 0 };
    seen.set(word.name, { frequency: frequency + 1, degree: degree + word.phraseWords });
  }
  return new Map(Array.from(seen, ([word, { frequency, degree }]) => [word, degree / frequency]));
}

/** Stop word lists by ISO 639-1 code. */
const BY_LANGUAGE: Readonly<Record<string, readonly string[]>> = {
  ...{ af: lists.afr, ar: lists.ara, bg: lists.bul, bn: lists.ben, ca: lists.cat, cs: lists.ces, da: lists.dan },
  ...{ de: lists.deu, el: lists.ell, en: lists.eng, eo: lists.epo, es: lists.spa, et: lists.est, eu: lists.eus },
  ...{ fa: lists.fas, fi: lists.fin, fr: lists.fra, ga: lists.gle, gl: lists.glg, he: lists.heb, hi: lists.hin },
  ...{ hr: lists.hrv, hu: lists.hun, hy: lists.hye, id: lists.ind, it: lists.ita, ja: lists.jpn, ko: lists.kor },
  ...{ lt: lists.lit, lv: lists.lav, ms: lists.msa, nb: lists.nob, nl: lists.nld, no: lists.nob, pl: lists.pol },
  ...{ pt: lists.por, ro: lists.ron, ru: lists.rus, sk: lists.slk, sl: lists.slv, sv: lists.swe, tr: lists.tur },
  ...{ uk: lists.ukr, vi: lists.vie, zh: lists.zho },
};

const sets = new Map<string, ReadonlySet<string>>();

/** Returns the stop words of a language; an empty set for an unsupported language. */
export function stopWordsOf(language: string): ReadonlySet<string> {
  const list = Object.hasOwn(BY_LANGUAGE, language) ? (BY_LANGUAGE[language] ?? []) : [];
  const words = sets.get(language) ?? new Set(list);
  if (list.length > 0) sets.set(language, words);
  return words;
}

/** Splits a text into its words, in lower case and in order, by the Unicode word boundary rules. */
export function splitWords(text: string, language: string): string[] {
  const segments = new Intl.Segmenter(localeOf(language), { granularity: 'word' }).segment(text);
  return Array.from(segments, ({ segment, isWordLike }) => (isWordLike ? segment.toLowerCase() : '')).filter(
    (word) => word !== '',
  );
}

/** Splits a text into sentences. A line break always ends a sentence, for headings and menu entries without punctuation. */
export function splitSentences(text: string, language: string): string[] {
  const segmenter = new Intl.Segmenter(localeOf(language), { granularity: 'sentence' });
  return text
    .split(/\n+/)
    .flatMap((line) => Array.from(segmenter.segment(line), ({ segment }) => segment.trim()))
    .filter((sentence) => sentence !== '');
}

/** Returns the two- or three-letter language code of a `lang` attribute. @default `en` */
export function languageOf(lang: string | null): string {
  const [primary = ''] = (lang ?? '').trim().toLowerCase().split(/[-_]/);
  return /^[a-z]{2,3}$/.test(primary) ? primary : 'en';
}

function localeOf(language: string): string {
  return Intl.Segmenter.supportedLocalesOf([language])[0] ?? 'en';
}
