import { TIME } from '../model/index.js';

/** A number in the digits of any script, with the separators of any locale, and in short forms such as `1.2K`. */
const NUMBER = String.raw`[+\-\u2212]?\p{Nd}+(?:[.,'\u2019\u066b\u066c ]\p{Nd}+)*(?: ?[kKMB])?`;
/** `US$`, `EUR`, `kr`. */
const CURRENCY = String.raw`(?:\p{L}{0,3}\p{Sc}|\p{Lu}{3}|kr\.?|z\u0142|K\u010d|Ft|lei|\u043b\u0432\.?|Fr\.?|R[msp]?\.?)`;

const IS_NUMBER = new RegExp(`^${NUMBER} ?[%\u066a]?$`, 'u');
const IS_MONEY = new RegExp(`^[+\\-\u2212]?(?:${CURRENCY} ?${NUMBER}|${NUMBER} ?${CURRENCY})$`, 'u');

/** A short word that joins dates and times, such as `at`. */
const JOIN = /^(?!NaN)\p{L}{1,3}$/u;

/** The patterns of `texts` that have a name. `date` and `time` are equal: a text is often both. */
const NAMED: Readonly<Record<string, (text: string) => boolean>> = {
  any: () => true,
  date: isTime,
  time: isTime,
  number: (text) => IS_NUMBER.test(text),
  money: (text) => IS_MONEY.test(text),
};

/**
 * Checks whether a text is one that a pattern of `texts` allows: `any`, `date`, `time`, `number`, `money`, or a regular expression that must
 * match the whole text.
 */
export function allowsText(pattern: string, text: string): boolean {
  return NAMED[pattern]?.(text) ?? new RegExp(`^(?:${pattern})$`, 'u').test(text);
}

/** Dates and times of numbers alone, in the digits of any script: `20. 5. 2024`, `2024/05/20`, `10.30`. */
const NUMERIC = /\p{Nd}{1,4}(?:[./-] ?\p{Nd}{1,4}){2}\.?|\p{Nd}{1,2}[.:]\p{Nd}{2}(?:[.:]\p{Nd}{2})?/gu;

/**
 * A text is a time if its numbers are times by their form, and its words join them; or if it has a number, and its words are those of times in
 * some language; or if it is a phrase such as `yesterday`.
 */
function isTime(text: string): boolean {
  const rest = text.replace(TIME, ' ').replace(NUMERIC, ' ');
  const words = wordsOf(rest).filter((word) => !JOIN.test(word));
  if (rest !== text && words.length === 0 && !/\p{Nd}/u.test(rest)) return true;
  known ??= listKnown();
  const isKnown = (word: string) => known?.words.has(word.toLowerCase()) === true;
  const hasNumber = /\p{Nd}/u.test(text);
  return hasNumber ? wordsOf(text).some(isKnown) && words.every(isKnown) : known.phrases.has(text.toLowerCase());
}

function wordsOf(text: string): string[] {
  return text.match(/[\p{L}\p{M}]+/gu) ?? [];
}

/** What dates, times and durations of many languages consist of, in lower case. */
interface KnownTimes {
  readonly words: ReadonlySet<string>;
  /** Durations without a number. */
  readonly phrases: ReadonlySet<string>;
}

let known: KnownTimes | null = null;

/** Languages with the forms of their dates that Node knows. */
const LANGUAGES =
  'ar bg bn ca cs da de el en es et fa fi fr he hi hr hu id it ja ko lt lv ms nb nl pl pt ro ru sk sl sr sv th tr uk vi zh';
const FORMS: readonly Intl.DateTimeFormatOptions[] = [
  { dateStyle: 'full', timeStyle: 'short' },
  { weekday: 'short', day: 'numeric', month: 'short', hour: 'numeric', hour12: true },
  { month: 'long', year: 'numeric' },
];
const UNITS = ['second', 'minute', 'hour', 'day', 'week', 'month', 'year'] as const;
/** Many languages have other forms for one, a few and many. */
const AMOUNTS = [-15, -5, -2, -1, 0, 1, 2, 5, 15];

function listKnown(): KnownTimes {
  // Each month, each day of the week, and each half of a day.
  const days = Array.from({ length: 24 }, (_, at) => Date.UTC(2023, at, 1 + 5 * at, at));
  const texts = LANGUAGES.split(' ').flatMap((language) => {
    const dates = FORMS.map((form) => new Intl.DateTimeFormat(language, { ...form, timeZone: 'UTC' }));
    const durations = (['always', 'auto'] as const).map(
      (numeric) => new Intl.RelativeTimeFormat(language, { numeric }),
    );
    return [
      ...dates.flatMap((format) => days.map((day) => format.format(day))),
      ...durations.flatMap((format) => UNITS.flatMap((unit) => AMOUNTS.map((amount) => format.format(amount, unit)))),
    ].map((text) => withoutMarks(text).toLowerCase());
  });
  return { words: new Set(texts.flatMap(wordsOf)), phrases: new Set(texts.filter((text) => !/\p{Nd}/u.test(text))) };
}

/** Removes what a reader does not see, such as marks of the direction of a text. */
export function withoutMarks(text: string): string {
  return text
    .replace(/\p{Cf}/gu, '')
    .replace(/\s+/g, ' ')
    .trim();
}
