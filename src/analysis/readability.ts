import { flesch } from 'flesch';
import { syllable } from 'syllable';
import type { Measured } from '../model/analyze-response.js';
import { splitSentences, splitWords } from './words.js';

/** Fewer words say nothing of how a text reads. */
const LEAST_WORDS = 20;

/** How a text reads, and what that was counted from. */
export interface Readability {
  /** 0 (hard) to 100 (easy), one decimal; null: too little text. */
  readonly score: number | null;
  readonly counts: Measured['readability'];
}

/**
 * Measures how a text reads, by the reading ease of Rudolf Flesch (1948): 206.835 - 1.015 * words per sentence - 84.6 *
 * syllables per word. It was made for English.
 */
export function measureReadability(text: string, language: string): Readability {
  // Of a menu, each entry would be a sentence of one word.
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
  if (words.length < LEAST_WORDS) return { score: null, counts };
  const ease = flesch({ sentence: counts.sentences, word: counts.words, syllable: counts.syllables });
  return { score: Math.round(Math.min(100, Math.max(0, ease)) * 10) / 10, counts };
}
