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
      if (!compound || combinator) return 'a selector is missing at a comma';
      compound = false;
      at++;
    } else {
      if ('.#:'.includes(character)) {
        if (name === '') return `no name after "${character}"`;
        if (character === ':' && NON_CSS_PSEUDO_CLASS.test(name)) return `":${name}" is not CSS`;
        at += name.length + (text.startsWith('::', at) ? 2 : 1);
        if (character === ':' && text[at] === '(') at = skipBlock(text, at);
      } else if (name !== '') at += name.length;
      else if (character === '[') at = skipBlock(text, at);
      else if ('*|&'.includes(character)) at++;
      else return `"${character}" cannot stand here`;
      compound = true;
      combinator = false;
    }
  }
  return combinator ? 'it ends in a combinator' : null;
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
