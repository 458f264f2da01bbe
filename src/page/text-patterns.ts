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

/** The words of a text are those of times, or join them. What is left without times that are known by their form must have a number. */
function isTime(text: string): boolean {
  const rest = text.replace(TIME, ' ');
  const words = wordsOf(rest).filter((word) => !JOIN.test(word));
  if (rest !== text && words.length === 0 && !/\p{Nd}/u.test(rest)) return true;
  return /\p{Nd}/u.test(text) && wordsOf(text).some(isTimeWord) && words.every(isTimeWord);
}

function isTimeWord(word: string): boolean {
  timeWords ??= listTimeWords();
  return timeWords.has(word.toLowerCase());
}

function wordsOf(text: string): string[] {
  return text.match(/[\p{L}\p{M}]+/gu) ?? [];
}

let timeWords: ReadonlySet<string> | null = null;

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
const AMOUNTS = [-5, -2, -1, 1, 2, 5];

/** Lists the words in dates, times and durations of many languages. */
function listTimeWords(): ReadonlySet<string> {
  // Each month, each day of the week, and each half of a day.
  const days = Array.from({ length: 24 }, (_, at) => Date.UTC(2023, at, 1 + 5 * at, at));
  const texts = LANGUAGES.split(' ').flatMap((language) => {
    const dates = FORMS.map((form) => new Intl.DateTimeFormat(language, { ...form, timeZone: 'UTC' }));
    const durations = new Intl.RelativeTimeFormat(language);
    return [
      ...dates.flatMap((format) => days.map((day) => format.format(day))),
      ...UNITS.flatMap((unit) => AMOUNTS.map((amount) => durations.format(amount, unit))),
    ];
  });
  return new Set(texts.flatMap((text) => wordsOf(text.toLowerCase())));
}
