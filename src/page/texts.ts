import { listFew, type ShownTexts, type TextPattern, TIME, type Warning, type WrongText } from '../model/index.js';
import type { CaptureContext } from './capture-context.js';
import { callIn } from './in-page/frames.js';
import type { Tools } from './in-page/tools.js';
import { REACTION_MS } from './page-clock.js';

export interface CheckedTexts {
  readonly own: readonly ShownTexts[];
  readonly shown: readonly ShownTexts[];
  /** The texts that their pattern does not allow. They stay as they are. */
  readonly wrong: readonly WrongText[];
  readonly unmatched: readonly string[];
}

/**
 * Decides what the image shows. An allowed text is replaced by the first expected one that is allowed, too. A wrong text stays, or is replaced
 * by an expected one that is wrong as well: the loads of a page then show the same.
 *
 * @param found - what the page has of each entry
 * @param expected - what to show instead, the best first: the texts of an earlier image or load, and those of the baseline
 */
export function decideTexts(
  patterns: readonly TextPattern[],
  found: readonly (readonly string[][])[],
  expected: readonly (readonly ShownTexts[])[],
): CheckedTexts {
  const checked = patterns.map(({ selector, pattern }, index) => {
    const elements = found[index] ?? [];
    const textOf = (parts: readonly string[]) => withoutMarks(parts.join(''));
    const isAllowed = (parts: readonly string[]) => allowsText(pattern, textOf(parts));
    const known = expected.map((texts) => texts.find((one) => one.selector === selector)?.elements ?? []);
    const shown = elements.map((own, at) => {
      const replaces = (other: readonly string[] | undefined) =>
        other?.length === own.length && isAllowed(other) === isAllowed(own);
      return known.map((texts) => texts[at]).find(replaces) ?? own;
    });
    const wrong = elements.filter((parts) => !isAllowed(parts)).map(textOf);
    return { selector, elements, shown, wrong: wrong.map((text) => ({ selector, pattern, text })) };
  });
  return {
    own: checked.map(({ selector, elements }) => ({ selector, elements: [...elements] })),
    shown: checked.map(({ selector, shown }) => ({ selector, elements: shown })),
    wrong: checked.flatMap(({ wrong }) => wrong),
    unmatched: checked.flatMap(({ selector, elements }) => (elements.length > 0 ? [] : [selector])),
  };
}

/** Replaces the texts of a page before an image, for its layout, too. Scripts may write a text again, so each image needs it. */
export async function checkTexts({ page, settings, texts }: CaptureContext): Promise<CheckedTexts> {
  if (settings.texts.length === 0) return { own: [], shown: [], wrong: [], unmatched: [] };
  const read = settings.texts.map(({ selector }) => ({ selector, elements: [] }));
  const checked = decideTexts(settings.texts, await callIn(page, exchange, read), texts.expected);
  await callIn(page, exchange, checked.shown);
  texts.own ??= checked.own;
  texts.expected = [checked.shown, ...texts.expected];
  return checked;
}

/**
 * Replaces the texts of a page before it grows. Scripts may have placed elements by the size of other texts, so the page is told that its size
 * changed, and gets time. Fonts of the texts load meanwhile.
 */
export async function settleTexts(context: CaptureContext): Promise<void> {
  const { page, clock, settings } = context;
  if (settings.texts.length === 0) return;
  await checkTexts(context);
  await page.evaluate(() => void dispatchEvent(new Event('resize')));
  await clock.pass(REACTION_MS);
  await checkTexts(context);
}

export async function restoreTexts({ page, texts }: CaptureContext): Promise<void> {
  if (texts.own && texts.own.length > 0) await callIn(page, exchange, texts.own);
}

export function warnOfTexts({ wrong }: CheckedTexts): Warning[] {
  if (wrong.length === 0) return [];
  const names = wrong.map(({ selector, pattern, text }) => `${JSON.stringify(text)} of ${selector} (${pattern})`);
  return [{ code: 'texts-wrong', message: `\`texts\`: the pattern does not allow ${listFew(names)}` }];
}

/**
 * Runs in the page. Returns the texts of each element that a selector matches, as they were, and writes those that are given. A text is what is
 * between two tags: scripts may write it in any number of nodes.
 */
function exchange({ findAll }: Tools, texts: readonly ShownTexts[]): string[][][] {
  const textsOf = (element: Element) => {
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
    const all: Node[][] = [];
    let last: Node | null = null;
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const isText = node.nodeType === Node.TEXT_NODE && !/^(script|style)$/i.test(node.parentNode?.nodeName ?? '');
      if (isText && last?.nodeType === Node.TEXT_NODE && last.parentNode === node.parentNode) all.at(-1)?.push(node);
      else if (isText) all.push([node]);
      last = node;
    }
    return all;
  };
  const read = (nodes: readonly Node[]) => nodes.map((node) => node.nodeValue ?? '').join('');
  const write = (nodes: readonly Node[], text: string) => {
    for (const [index, node] of nodes.entries()) node.nodeValue = index === 0 ? text : '';
  };
  return texts.map(({ selector, elements }) =>
    findAll(selector).map((element, index) =>
      textsOf(element).map((nodes, at) => {
        const text = read(nodes);
        const given = elements[index]?.[at];
        if (given !== undefined && given !== text) write(nodes, given);
        return text;
      }),
    ),
  );
}

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

/** Checks whether a pattern of `texts` allows a text: one that has a name, or a regular expression that must match the whole text. */
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

/** What dates, times and durations of many languages consist of, in lower case. `phrases`: durations without a number. */
let known: { readonly words: ReadonlySet<string>; readonly phrases: ReadonlySet<string> } | null = null;

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

function listKnown(): NonNullable<typeof known> {
  // Each month, each day of the week, and each half of a day.
  const days = Array.from({ length: 24 }, (_, at) => Date.UTC(2023, at, 1 + 5 * at, at));
  const texts = LANGUAGES.split(' ').flatMap((language) => {
    const dates = FORMS.map((form) => new Intl.DateTimeFormat(language, { ...form, timeZone: 'UTC' }));
    const kinds = ['always', 'auto'] as const;
    const durations = kinds.map((numeric) => new Intl.RelativeTimeFormat(language, { numeric }));
    return [
      ...dates.flatMap((format) => days.map((day) => format.format(day))),
      ...durations.flatMap((format) => UNITS.flatMap((unit) => AMOUNTS.map((amount) => format.format(amount, unit)))),
    ].map((text) => withoutMarks(text).toLowerCase());
  });
  return { words: new Set(texts.flatMap(wordsOf)), phrases: new Set(texts.filter((text) => !/\p{Nd}/u.test(text))) };
}

function withoutMarks(text: string): string {
  return text
    .replace(/\p{Cf}/gu, '')
    .replace(/\s+/g, ' ')
    .trim();
}
