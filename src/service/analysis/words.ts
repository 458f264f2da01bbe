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
