import { actionSchema, waitFieldsSchema } from '../../model/list/fields.js';
import { describeValue, invalid, isMapping, type ListIssue, type Path, valueAt, valueNameOf } from '../issue.js';
import { splitSelectors } from '../resolve/resolve-capture.js';
import { fieldScopesOf, type RawMapping, type ReadableList, rawFieldScopesOf } from '../schema/readable-list.js';

/** A mapping that must have exactly one of several keys. */
interface Choice {
  readonly keys: readonly string[];
  readonly advice: string;
}

const ACTION: Choice = {
  keys: Object.keys(actionSchema.shape),
  advice: 'Write each action as a separate list item, in the order in which they run.',
};
const WAIT: Choice = {
  keys: Object.keys(waitFieldsSchema.shape),
  advice: 'Write each condition as a separate list item. The test waits for all of them.',
};

/** Finds actions and waits with no key or several keys, invalid `scrollTo` targets, and empty selectors. */
export function checkSteps(filled: unknown, written: unknown): ListIssue[] {
  return rawFieldScopesOf(filled).flatMap((scope) => [
    ...itemsOf(scope, 'waitFor').flatMap(([path, wait]) => checkWait(path, wait, written)),
    ...itemsOf(scope, 'actions').flatMap(([path, action]) => checkAction(path, action, written)),
  ]);
}

function itemsOf({ path, fields }: RawMapping, field: string): [Path, unknown][] {
  const value = fields[field];
  if (!Array.isArray(value)) return [[[...path, field], value]];
  return value.map((item, index) => [[...path, field, index], item]);
}

function checkWait(path: Path, wait: unknown, written: unknown): ListIssue[] {
  if (!isMapping(wait)) return checkSelector(path, wait, written);
  return [...checkKeys(path, wait, WAIT), ...checkSelector([...path, 'selector'], wait.selector, written)];
}

function checkAction(path: Path, action: unknown, written: unknown): ListIssue[] {
  if (!isMapping(action) || Array.isArray(action)) return [];
  const { click, hover, fill, press, scrollTo, wait } = action;
  const selectors = Object.entries({ click, hover, scrollTo });
  return [
    ...checkKeys(path, action, ACTION),
    ...selectors.flatMap(([key, selector]) => checkSelector([...path, key], selector, written)),
    ...Object.entries({ fill, press }).flatMap(([key, inner]) =>
      isMapping(inner) ? checkSelector([...path, key, 'selector'], inner.selector, written) : [],
    ),
    ...(scrollTo === 'bottom' ? [invalidScrollTarget([...path, 'scrollTo'])] : []),
    ...checkWait([...path, 'wait'], wait, written),
  ];
}

/** Ignores mappings with an unknown key: `findProblems` reports it, with a suggestion. */
function checkKeys(path: Path, step: object, { keys, advice }: Choice): ListIssue[] {
  const found = Object.keys(step);
  if (Array.isArray(step) || found.length === 1 || found.some((key) => !keys.includes(key))) return [];
  const name = valueNameOf(path);
  if (found.length === 0)
    return [invalid(path, `${name} is empty, expected 1 key`, `Write one of ${keys.join(', ')}.`)];
  return [invalid(path, `${name} has ${found.length} keys (${found.join(', ')}), expected 1`, advice)];
}

function invalidScrollTarget(path: Path): ListIssue {
  const advice = 'Use the selector of the last element, such as "footer".';
  return invalid(path, '"scrollTo" must be a selector, "top" or a number, not "bottom"', advice);
}

/**
 * Finds empty selectors. The usual cause is an unquoted `#id`, which YAML reads as a comment. Also finds selectors that
 * are not valid CSS, except in `element`, which is a Playwright locator.
 */
export function checkSelectors(list: ReadableList, written: unknown): ListIssue[] {
  return fieldScopesOf(list).flatMap(({ path, own }) => [
    ...(['element', 'expand', 'hide', 'remove', 'mask', 'ignore'] as const).flatMap((field) =>
      checkSelector([...path, field], own[field], written),
    ),
    ...(['expand', 'hide', 'remove', 'mask', 'ignore'] as const).flatMap((field) =>
      checkSyntax([...path, field], own[field], written),
    ),
  ]);
}

/** Finds empty selectors in a string with one or several selectors, or in a list of such strings. */
export function checkSelector(path: Path, selectors: unknown, written: unknown): ListIssue[] {
  if (Array.isArray(selectors))
    return selectors.flatMap((text, index) => checkSelector([...path, index], text, written));
  if (typeof selectors !== 'string' || selectors === '' || !splitSelectors(selectors).includes('')) return [];
  return [
    invalid(
      path,
      `${valueNameOf(path)} has an empty selector in ${describeValue(valueAt(written, path))}`,
      'Remove the extra comma. If an #id follows it, use quotes: in YAML, # starts a comment.',
    ),
  ];
}

function checkSyntax(path: Path, selectors: unknown, written: unknown): ListIssue[] {
  if (Array.isArray(selectors)) return selectors.flatMap((text, index) => checkSyntax([...path, index], text, written));
  if (typeof selectors !== 'string') return [];
  // Shows the value as written, because a variable may contain a secret.
  const shown = describeValue(valueAt(written, path));
  return splitSelectors(selectors).flatMap((selector) => {
    const fault = selector === '' ? null : selectorFault(selector);
    const found = `${valueNameOf(path)} is not a valid CSS selector: ${shown} (${fault})`;
    return fault === null ? [] : [invalid(path, found, 'Use a selector that document.querySelector accepts.')];
  });
}

/** Pseudo-classes of jQuery or Playwright that do not exist in CSS. */
const NON_CSS_PSEUDO_CLASS =
  /^(?:contains|eq|even|first|gt|has-text|hidden|last|lt|nth-match|odd|text|text-is|text-matches|visible)$/;

/** Matches a CSS identifier, or the beginning of an incomplete one at the end of the text. */
const IDENT =
  /(?:--|-?(?:[A-Za-z_\0]|[^\0-\x7f]|\\[\da-f]{1,6}\s?|\\[^\n\r\f]|\\$))(?:[\w\0-]|[^\0-\x7f]|\\[\da-f]{1,6}\s?|\\[^\n\r\f]|\\$)*/iuy;

/**
 * Returns why a text is not a CSS selector, or null if it may be one.
 *
 * Rejects only syntax that every browser rejects. Unknown pseudo-classes are allowed, because a newer browser may support
 * them. An unclosed bracket or quote is valid: CSS closes it at the end.
 */
export function selectorFault(selector: string): string | null {
  const text = selector.trim().replace(/\/\*[\s\S]*?(?:\*\/|$)/g, ' ');
  let at = 0;
  let compound = false;
  let combinator = false;
  while (at < text.length) {
    const character = text.charAt(at);
    const name = identAt(text, '.#:'.includes(character) ? at + (text.startsWith('::', at) ? 2 : 1) : at);
    if (/\s/.test(character)) at++;
    else if ('>+~'.includes(character)) {
      if (!compound || combinator) return `no selector before "${character}"`;
      combinator = true;
      at++;
    } else if (character === ',') {
      if (!compound || combinator) return 'no selector before ","';
      compound = false;
      at++;
    } else {
      if ('.#:'.includes(character)) {
        if (name === '') return `no name after "${character}"`;
        if (character === ':' && NON_CSS_PSEUDO_CLASS.test(name)) return `":${name}" is not a CSS pseudo-class`;
        at += name.length + (text.startsWith('::', at) ? 2 : 1);
        if (character === ':' && text[at] === '(') at = skipBlock(text, at);
      } else if (name !== '') at += name.length;
      else if (character === '[') at = skipBlock(text, at);
      else if ('*|&'.includes(character)) at++;
      else return `unexpected "${character}"`;
      compound = true;
      combinator = false;
    }
  }
  return combinator ? 'no selector after the last combinator' : null;
}

function identAt(text: string, at: number): string {
  IDENT.lastIndex = at;
  return IDENT.exec(text)?.[0] ?? '';
}

/** Returns the index after the bracket that closes the one at `start`, or the length of the text. */
function skipBlock(text: string, start: number): number {
  let depth = 0;
  let quote = '';
  for (let at = start; at < text.length; at++) {
    const character = text.charAt(at);
    if (character === '\\') at++;
    else if (quote) quote = character === quote ? '' : quote;
    else if (character === '"' || character === "'") quote = character;
    else if (character === '(' || character === '[') depth++;
    else if ((character === ')' || character === ']') && --depth === 0) return at + 1;
  }
  return text.length;
}
