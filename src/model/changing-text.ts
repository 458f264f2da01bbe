/** A UUID, a hash, a long number, or a mix of letters and digits. */
export const GENERATED =
  /\b(?:[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}|(?=[a-f]*\d)(?=\d*[a-f])[\da-f]{7,}|\d{9,}|(?=\w*\d)(?=\w*[a-z])(?=\w*[A-Z])\w{10,})\b/g;

const MONTH = '(?:jan|feb|mar|mär|apr|may|mai|jun|jul|aug|sep|oct|okt|nov|dec|dez)\\p{L}*\\.?';
const UNIT =
  '(?:ms|s|secs?|seconds?|mins?|minutes?|h|hrs?|hours?|days?|weeks?|months?|years?|sekunden?|minuten?|stunden?|tage?n?|wochen?|monate?n?|jahre?n?|secondes?|heures?|jours?|segundos?|minutos?|horas?|días?)';

/** A date, a time of day, a duration, or a day as one says it. A number alone is none of them. */
export const TIME = new RegExp(
  `(?<![\\p{L}\\d])(?:${[
    '\\d{4}-\\d{2}-\\d{2}(?:[T ]\\d{2}:\\d{2}(?::\\d{2})?(?:\\.\\d+)?(?:Z|[+-]\\d{2}:?\\d{2})?)?',
    '\\d{1,2}[./]\\d{1,2}[./]\\d{2,4}',
    `${MONTH} \\d{1,2}(?:st|nd|rd|th)?(?:,? \\d{4})?`,
    `\\d{1,2}\\.? ${MONTH}(?:,? \\d{4})?`,
    '(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?',
    '\\d{1,3}:\\d{2}(?::\\d{2})?(?:\\.\\d+)?(?: ?[ap]\\.?m\\.?)?',
    `(?:vor |il y a |hace )?(?:\\d+(?:[.,]\\d+)?|an?|a few) ?${UNIT}(?: ago)?`,
    '\\d+[smhdw] ago',
    'just now|now|today|yesterday|tomorrow|heute|gestern|morgen|gerade eben',
  ].join('|')})(?![\\p{L}\\d])`,
  'giu',
);

/** The words that join dates and times, such as `at`, and punctuation. */
const JOINS = /^(?:[^\p{L}\d]|(?<!\p{L})\p{L}{1,3}(?!\p{L}))*$/u;

const NUMBER = String.raw`[+\-\u2212]?\d+(?:[.,'\u2019\u00a0\u202f ]\d+)*`;
const CURRENCY = String.raw`(?:\p{Sc}|\p{Lu}{3}|kr\.?|z\u0142)`;

/** The patterns of `texts` that have a name. `date` and `time` are equal: a text is often both. */
const NAMED: Readonly<Record<string, (text: string) => boolean>> = {
  any: () => true,
  date: isTime,
  time: isTime,
  number: (text) => new RegExp(`^${NUMBER} ?%?$`, 'u').test(text),
  money: (text) => new RegExp(`^(?:${CURRENCY} ?${NUMBER}|${NUMBER} ?${CURRENCY})$`, 'u').test(text),
};

/**
 * Checks whether a text is one that a pattern of `texts` allows: `any`, `date`, `time`, `number`, `money`, or a regular expression that must
 * match the whole text.
 */
export function allowsText(pattern: string, text: string): boolean {
  return NAMED[pattern]?.(text) ?? new RegExp(`^(?:${pattern})$`, 'u').test(text);
}

function isTime(text: string): boolean {
  return text.replace(TIME, '') !== text && JOINS.test(text.replace(TIME, ''));
}
