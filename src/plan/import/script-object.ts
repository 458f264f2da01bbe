import { isScalar, parseDocument, visit } from 'yaml';

/**
 * Reads the object that a config in JavaScript or TypeScript exports, without running it: one that is written out with
 * plain values. Such an object is YAML once it has no comments and no tabs.
 *
 * @throws Error where there is none, or one with calls and variables in it
 */
export function readScriptObject(text: string): unknown {
  const plain = withoutComments(text);
  const [head = ''] = /(?:module\.exports\s*=|export\s+default|=)\s*(?:\w+\()?\s*(?=\{)/.exec(plain) ?? [];
  const start = head === '' ? -1 : plain.indexOf('{', plain.indexOf(head));
  const end = start < 0 ? -1 : endOf(plain, start);
  if (end < 0) throw new Error('no object is written out in it: save what it exports as JSON');
  return readPlain(plain.slice(start, end).replaceAll('\t', '  ').replaceAll('`', '"'));
}

/** A bare word would be a variable. */
function readPlain(object: string): unknown {
  const document = parseDocument(object);
  let isPlain = document.errors.length === 0;
  visit(document, {
    Scalar: (key, { type, value }) => {
      if (key !== 'key' && type === 'PLAIN' && typeof value === 'string') isPlain = false;
    },
    Alias: () => {
      isPlain = false;
    },
  });
  if (isPlain && !isScalar(document.contents)) return document.toJS();
  throw new Error('the object in it has more than plain values: save what it exports as JSON');
}

/** Texts come first in the choice: a // in one is no comment. */
const TEXT_OR_COMMENT = /("(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|`(?:\\.|[^`\\])*`)|\/\/[^\n]*|\/\*[\s\S]*?\*\//g;

function withoutComments(text: string): string {
  return text.replace(TEXT_OR_COMMENT, (_, quoted: string | undefined) => quoted ?? '');
}

/** Gives where the object that begins at a brace ends; -1 where it does not. */
function endOf(text: string, start: number): number {
  let depth = 0;
  const tokens = /"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|`(?:\\.|[^`\\])*`|[{}]/g;
  tokens.lastIndex = start;
  for (let token = tokens.exec(text); token; token = tokens.exec(text)) {
    if (token[0] === '{') depth++;
    if (token[0] === '}') depth--;
    if (depth === 0) return tokens.lastIndex;
  }
  return -1;
}
