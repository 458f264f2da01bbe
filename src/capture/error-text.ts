import type { Warning } from '../model/capture.js';

/** Status codes that error pages contain. */
const STATUS = '(?:40[0-9]|410|429|50[0-4])';

const SEPARATOR = '[-\u2013\u2014:|\u00b7\u2022,.!]';

/**
 * A bare number may be a price or a house number. It counts at the start or end of the text, or next to an error word.
 */
const PATTERNS: readonly RegExp[] = [
  new RegExp(`^${STATUS}(?:\\s*$|\\s*${SEPARATOR}|\\s+error\\b)`, 'i'),
  new RegExp(`${SEPARATOR}\\s*${STATUS}$`, 'i'),
  new RegExp(`\\b(?:http|error|status)\\s+(?:code\\s+)?${STATUS}\\b`, 'i'),
  /^error$/i,
  /\b(?:not found|(?:could not|couldn['\u2019]t|cannot|can['\u2019]t) be (?:found|reached)|(?:page|site) (?:does not|doesn['\u2019]t) exist)\b/i,
  /\b(?:internal server error|server error|bad gateway|service unavailable|gateway time-?out|application error)\b/i,
  /\b(?:access denied|forbidden|unauthorized|too many requests|something went wrong|an (?:unexpected )?error (?:has )?occurred)\b/i,
  /\b(?:nicht gefunden|introuvable|no encontrad[ao]|non trovata|n\u00e3o encontrada|niet gevonden)\b/i,
];

/** The title and the first visible heading of a page. */
export interface PageNames {
  readonly title: string;
  readonly heading: string;
}

/** Returns a warning if the title or heading looks like an error message. Such a page may have status 200 and match its baseline. */
export function warnOfErrorText({ title, heading }: PageNames): Warning[] {
  for (const [what, text] of [
    ['title', title],
    ['heading', heading],
  ] as const) {
    const plain = text.replace(/\s+/g, ' ').trim();
    if (!PATTERNS.some((pattern) => pattern.test(plain))) continue;
    const message = `the ${what} of the page looks like an error message: "${plain}"; set \`strict: false\` to allow it`;
    return [{ code: 'page-error-text', message }];
  }
  return [];
}

/** Runs in the page. Returns at most 200 characters of each text. */
export function readPageNames(): PageNames {
  const maxLength = 200;
  const heading = Array.from(document.querySelectorAll('h1')).find((element) => element.checkVisibility());
  // A page can shadow these properties with values of any type.
  const text = (value: unknown) => (typeof value === 'string' ? value.slice(0, maxLength) : '');
  return { title: text(document.title), heading: text(heading?.textContent) };
}
