import { withoutCredentials } from '../model/url.js';
import { isMapping } from './finding.js';
import { mentionsSecret, secretPathsOf } from './secrets.js';

/** A comment such as `# password: hunter2`: a line that was switched off still holds its secret. */
const COMMENTED_SECRET =
  /#.*\b(?:[\w-]*(?:cookie|header|credential|passw|secret|token|api-?key)[\w-]*|fill)["']?\s*:\s*\S/i;

/**
 * Tells whether Playwright may print lines of a list: no line holds a literal secret.
 *
 * It is all or nothing, since `error-context.md` and the HTML report print 100 lines on each side of an error.
 *
 * @param value what the text says, variables not filled in.
 * @param isWhole false where a part of the text is not in `value`.
 */
export function isQuotable(text: string, value: unknown, isWhole: boolean): boolean {
  if (!isWhole && mentionsSecret(text)) return false;
  if (COMMENTED_SECRET.test(text) || secretPathsOf(value).length > 0) return false;
  return !hasCredentials(text) && !someText(value, hasCredentials);
}

/** Is there a URL with a user name or a password that is written out? Variables hold no value. */
function hasCredentials(text: string): boolean {
  const literal = text.replace(/\$\{\w+\}/g, '').replace(/:\/\/:?@/g, '://');
  return withoutCredentials(literal) !== literal;
}

function someText(value: unknown, test: (text: string) => boolean): boolean {
  const seen = new Set<unknown>();
  const left = [value];
  for (const item of left) {
    if (typeof item === 'string' && test(item)) return true;
    if (!isMapping(item) || seen.has(item)) continue;
    seen.add(item);
    left.push(...Object.keys(item), ...Object.values(item));
  }
  return false;
}
