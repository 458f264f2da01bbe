import * as lists from 'stopword';
import { splitSentences, splitWords } from './words.js';

/** So many are told. */
const MOST_TOPICS = 10;
/** A longer run of words is a list or a code, and no phrase. */
const LONGEST_PHRASE = 4;
/** As much of a text as its topics are found in. */
const MOST_TEXT = 50_000;

/**
 * Finds what a text speaks of, the weightiest first: phrases between stop words, weighed by RAKE (Rose, Engel, Cramer and
 * Cowley: Automatic keyword extraction from individual documents, 2010). A word counts degree / frequency, a phrase the sum
 * of its words; here times the logarithm of how often it comes, so that no slip of a long phrase outweighs what is said again
 * and again.
 */
export function findTopics(text: string, language: string): string[] {
  const phrases = splitSentences(text.slice(0, MOST_TEXT), language).flatMap((line) => phrasesOf(line, language));
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
    .slice(0, MOST_TOPICS)
    .map(([name]) => name);
}

/** Runs of words between stop words, numbers and punctuation. */
function phrasesOf(sentence: string, language: string): string[][] {
  const stops = stopWordsOf(language);
  const phrases: string[][] = [];
  for (const part of sentence.split(/[^\p{L}\p{M}\p{N}\s'’-]+/u)) {
    let phrase: string[] = [];
    for (const word of [...splitWords(part, language), '']) {
      if (word !== '' && !stops.has(word) && /^\p{L}[\p{L}\p{M}'’-]+$/u.test(word)) phrase.push(word);
      else phrase = close(phrase, phrases);
    }
  }
  return phrases;
}

function close(phrase: string[], phrases: string[][]): string[] {
  if (phrase.length > 0 && phrase.length <= LONGEST_PHRASE) phrases.push(phrase);
  return [];
}

function weighWords(phrases: readonly string[][]): Map<string, number> {
  const seen = new Map<string, { frequency: number; degree: number }>();
  for (const word of phrases.flatMap((phrase) => phrase.map((name) => ({ name, beside: phrase.length })))) {
    const { frequency, degree } = seen.get(word.name) ?? { frequency: 0, degree: 0 };
    seen.set(word.name, { frequency: frequency + 1, degree: degree + word.beside });
  }
  return new Map(Array.from(seen, ([word, { frequency, degree }]) => [word, degree / frequency]));
}

/** The lists by the two letters of their language, as pages name it. */
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

/** Returns the words of a language that name nothing; none of a language whose list is not known. */
export function stopWordsOf(language: string): ReadonlySet<string> {
  const list = Object.hasOwn(BY_LANGUAGE, language) ? (BY_LANGUAGE[language] ?? []) : [];
  const words = sets.get(language) ?? new Set(list);
  if (list.length > 0) sets.set(language, words);
  return words;
}
