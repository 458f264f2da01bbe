import {
  Composer,
  type CST,
  type Document,
  type DocumentOptions,
  type ErrorCode,
  Lexer,
  type LineCounter,
  type ParseOptions,
  Parser,
  type SchemaOptions,
  type YAMLError,
  YAMLParseError,
} from 'yaml';
import { mentionsSecret } from '../secrets.js';

/** Something wrong with a file as YAML, and where in its text. */
export interface Fault {
  readonly offset: number;
  readonly found: string;
  readonly advice: string;
}

/** What helps, for the errors that a list of pages is likely to have; the rest is told in the parser's own words. */
const ADVICE: Partial<Record<ErrorCode, string>> = {
  BAD_INDENT: 'Check the indentation, that every [ and { is closed, and that an #id is in quotes.',
  BAD_SCALAR_START: 'Put the value in quotes.',
  BLOCK_AS_IMPLICIT_KEY: 'Check the indentation; a text with ": " in it needs quotes.',
  MISSING_CHAR: 'Check that every quote, [ and { is closed, and that there is a space after each ":".',
  MULTIPLE_DOCS: 'Write one list per file; remove the line "---".',
  NON_STRING_KEY: 'Write a plain word as key.',
  TAB_AS_INDENT: 'Indent with spaces.',
  TAG_RESOLVE_FAILED: 'If it is a text that begins with !, put it in quotes.',
};

/** A list needs a tenth of it. */
const DEEPEST = 100;

/** What is told of a text that is nested too deeply. */
export const TOO_DEEP: Fault = {
  offset: 0,
  found: 'it is nested too deeply to be read',
  advice: 'Is it a page list? Check that every [ and { is closed.',
};

/**
 * Parses a text as one YAML document; null where it is nested more deeply than any list.
 *
 * Such a text must not be composed: that is recursive, and where the stack overflows while V8 compiles a regular
 * expression, no error is thrown but the whole process ends.
 */
export function parseText(
  text: string,
  lines: LineCounter,
  options: ParseOptions & DocumentOptions & SchemaOptions,
): Document.Parsed | null {
  const parser = new Parser(lines.addNewLine);
  lines.addNewLine(0);
  const tokens: CST.Token[] = [];
  for (const lexeme of new Lexer().lex(text)) {
    tokens.push(...parser.next(lexeme));
    if (parser.stack.length > DEEPEST) return null;
  }
  tokens.push(...parser.end());
  const [document, another] = new Composer(options).compose(tokens, true, text.length);
  const [start = 0, end = start] = another?.range ?? [];
  if (another) document?.errors.push(new YAMLParseError([start, end], 'MULTIPLE_DOCS', 'Another document'));
  return document ?? null;
}

/** Returns what is wrong with a document, one fault a line: what follows on the same line is mostly its echo. */
export function readFaults({ errors, warnings }: Document, text: string, lines: LineCounter): Fault[] {
  const fatal = [...errors, ...warnings].filter(({ code }) => code !== 'DUPLICATE_KEY');
  const byLine = new Map(fatal.toReversed().map((error) => [lines.linePos(error.pos[0]).line, error]));
  return [...byLine.values()].map((error) => faultOf(error, text));
}

/** Returns the keys that stand twice in one mapping. The rest of the document can be judged in spite of them. */
export function readDuplicateKeys({ errors }: Document, text: string): Fault[] {
  return errors
    .filter(({ code }) => code === 'DUPLICATE_KEY')
    .map(({ pos: [offset] }) => {
      const key = /^["']?([^\s:"']*)/.exec(text.slice(offset, offset + 60))?.[1] ?? '';
      return { offset, found: `"${key}" stands twice in one mapping`, advice: 'Remove one of them.' };
    });
}

function faultOf({ code, message, pos: [offset] }: YAMLError, text: string): Fault {
  const inVariable = /\$\{[^}\n]*$/.test(text.slice(Math.max(0, offset - 100), offset + 1));
  return {
    offset,
    found: `this is not YAML (${reword(code, mentionsSecret(text) ? discreet(code, message) : message)})`,
    advice: inVariable
      ? `Inside [ ] and { }, put a text with \${NAME} in quotes.`
      : (ADVICE[code] ?? 'Correct it; the rest of the list is read after that.'),
  };
}

/** The parser's messages end in what it found, which may be a piece of a secret. */
function discreet(code: ErrorCode, message: string): string {
  return code === 'TAG_RESOLVE_FAILED' ? 'a tag that no list has' : message.replace(/: .*/s, '');
}

function reword(code: ErrorCode, message: string): string {
  return code === 'MULTIPLE_DOCS' ? 'a second document begins here' : message;
}
