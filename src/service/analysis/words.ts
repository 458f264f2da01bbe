/** Words in the order in which they stand, in lower case, by the rules of Unicode; of one sentence or phrase each list. */
export function splitWords(text: string, language: string): string[] {
  const segments = new Intl.Segmenter(localeOf(language), { granularity: 'word' }).segment(text);
  return Array.from(segments, ({ segment, isWordLike }) => (isWordLike ? segment.toLowerCase() : '')).filter(
    (word) => word !== '',
  );
}

/** Sentences of a text. A line of its own, such as a heading or an entry of a menu, is one whatever it ends with. */
export function splitSentences(text: string, language: string): string[] {
  const segmenter = new Intl.Segmenter(localeOf(language), { granularity: 'sentence' });
  return text
    .split(/\n+/)
    .flatMap((line) => Array.from(segmenter.segment(line), ({ segment }) => segment.trim()))
    .filter((sentence) => sentence !== '');
}

/** Returns the language that a document says it is in, by its two or three letters; English where it says nothing of use. */
export function languageOf(lang: string | null): string {
  const [primary = ''] = (lang ?? '').trim().toLowerCase().split(/[-_]/);
  return /^[a-z]{2,3}$/.test(primary) ? primary : 'en';
}

function localeOf(language: string): string {
  return Intl.Segmenter.supportedLocalesOf([language])[0] ?? 'en';
}
