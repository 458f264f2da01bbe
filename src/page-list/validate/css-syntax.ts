/** Names of pseudo-classes that jQuery or Playwright has and CSS does not. */
const FOREIGN =
  /^(?:contains|eq|even|first|gt|has-text|hidden|last|lt|nth-match|odd|text|text-is|text-matches|visible)$/;

/** An identifier, or as much of it as tells that one begins here. */
const IDENT =
  /(?:--|-?(?:[A-Za-z_\0]|[^\0-\x7f]|\\[\da-f]{1,6}\s?|\\[^\n\r\f]|\\$))(?:[\w\0-]|[^\0-\x7f]|\\[\da-f]{1,6}\s?|\\[^\n\r\f]|\\$)*/iuy;

/**
 * Tells why a text cannot be a CSS selector; null where it may be one.
 *
 * It refuses only what every browser refuses, and knows no list of pseudo-classes: a browser newer than this check decides
 * the rest. A bracket or a quote that is never closed is valid: CSS closes it at the end.
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
        if (character === ':' && FOREIGN.test(name)) return `":${name}" is not CSS`;
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

/** Returns where the brackets that open here are closed, or the end. */
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
