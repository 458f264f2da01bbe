import { createRandom } from '../sample.mjs';

/** Texts that a page has instead of a date, a price or a count when it is broken. No pattern allows one of them. */
const WRONG = ['NaN', 'undefined', 'null', '[object Object]', 'Invalid Date', '{{ value }}', '–', ''];
const SPANS_MS = [9e4, 4e6, 2e8, 9e8, 4e10];

/**
 * Makes values that differ with the seed, in length as well.
 *
 * @param {number} seed
 * @param {number | null} [wrongAt] the number of the value that is wrong
 */
export function createValues(seed, wrongAt = null) {
  const random = createRandom(seed);
  const range = (from, to) => from + Math.floor(random() * (to - from));
  const day = () => new Date(Date.UTC(range(1990, 2060), range(0, 12), range(1, 29), range(0, 24), range(0, 60)));
  const size = () => random() * 10 ** range(1, 6);
  let count = 0;
  const give = (text) => (count++ === wrongAt ? WRONG[wrongAt % WRONG.length] : text);
  const formatDay = (locale, options) => new Intl.DateTimeFormat(locale, { timeZone: 'UTC', ...options }).format(day());
  return {
    date: (locale = 'en-US', dateStyle = 'long') => give(formatDay(locale, { dateStyle })),
    moment: (locale = 'en-US', dateStyle = 'medium') => give(formatDay(locale, { dateStyle, timeStyle: 'short' })),
    time: (locale = 'en-US') => give(formatDay(locale, { timeStyle: 'short' })),
    iso: () => give(day().toISOString()),
    ago(locale = 'en') {
      const ms = SPANS_MS[range(0, SPANS_MS.length)] * (0.5 + random());
      const [unit, length] = [
        ['year', 3.2e10],
        ['day', 8.64e7],
        ['hour', 3.6e6],
        ['minute', 6e4],
        ['second', 1e3],
      ].find(([, length]) => ms >= length);
      return give(new Intl.RelativeTimeFormat(locale).format(-Math.round(ms / length), unit));
    },
    money: (currency = 'EUR', locale = 'en-US') =>
      give(new Intl.NumberFormat(locale, { style: 'currency', currency }).format(size())),
    /** A price in parts, such as `['1,234', '99']`. */
    price: () => [give(new Intl.NumberFormat('en-US').format(range(1, 10 ** range(1, 6)))), String(range(10, 99))],
    count: (locale = 'en-US') => give(new Intl.NumberFormat(locale).format(range(0, 10 ** range(1, 8)))),
    digits: () => give(String(range(0, 10 ** range(1, 7)))),
    percent: () => give(`${(random() * 100).toFixed(range(0, 3))}%`),
    range,
    small: () => give(String(range(1, 100))),
  };
}
