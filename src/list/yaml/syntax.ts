import { type Document, type ErrorCode, type LineCounter, visit, type YAMLError } from 'yaml';
import { DASH_SPACE } from '../issue.js';
import { mentionsSecret } from '../secrets.js';

/** A YAML problem and its offset in the text. */
export interface Fault {
  readonly offset: number;
  readonly found: string;
  readonly advice: string;
}

const ADVICE: Partial<Record<ErrorCode, string>> = {
  BAD_INDENT: 'Check the indentation. Close every [ and {, and put an #id in quotes.',
  BAD_SCALAR_START: 'Put the value in quotes.',
  BLOCK_AS_IMPLICIT_KEY: 'Check the indentation. Put a string that contains ": " in quotes.',
  MISSING_CHAR: 'Close every quote, [ and {. Write a space after each ":".',
  MULTIPLE_DOCS: 'Write one list per file: remove the line "---".',
  NON_STRING_KEY: 'Use a plain word as the key.',
  TAB_AS_INDENT: 'Indent with spaces.',
  TAG_RESOLVE_FAILED: 'To write a string that starts with !, put it in quotes.',
};

/** Returns the faults of a document, the first of each line: later ones on a line are mostly consequences of it. */
export function readFaults(document: Document, text: string, lines: LineCounter): Fault[] {
  const fatal = [...document.errors, ...document.warnings].filter(({ code }) => code !== 'DUPLICATE_KEY');
  const faults = fatal.map((error) => unclosedOf(error, document, text) ?? faultOf(error, text));
  const byLine = new Map(faults.toReversed().map((fault) => [lines.linePos(fault.offset).line, fault]));
  return [...byLine.values()].toSorted((a, b) => a.offset - b.offset);
}

/** Returns the fault of a bracket that is not closed, at the bracket. The parser reports the place where it gave up. */
function unclosedOf({ message, pos: [end] }: YAMLError, document: Document, text: string): Fault | null {
  const close = /^Flow \w+ .*end with a ([\]}])$/.exec(message)?.[1];
  if (close === undefined || isInVariable(text, end)) return null;
  const open = close === ']' ? '[' : '{';
  let offset = -1;
  visit(document, {
    Collection(_key, { range }) {
      // The innermost bracket is visited last.
      if (range?.[1] === end && text[range[0]] === open) offset = range[0];
    },
  });
  const advice = `Write "${close}" after the last item, and indent each line up to it.`;
  return offset === -1 ? null : { offset, found: `"${open}" is not closed by "${close}"`, advice };
}

/** Returns the duplicate keys of mappings. The rest of the document can still be checked. */
export function readDuplicateKeys({ errors }: Document, text: string): Fault[] {
  return errors
    .filter(({ code }) => code === 'DUPLICATE_KEY')
    .map(({ pos: [offset] }) => {
      const key = /^["']?([^\s:"']*)/.exec(text.slice(offset, offset + 60))?.[1] ?? '';
      return { offset, found: `duplicate key "${key}" in one mapping`, advice: 'Remove one of the two.' };
    });
}

function faultOf({ code, message, pos: [offset] }: YAMLError, text: string): Fault {
  const dash = dashWithoutSpace(text, offset);
  if (dash !== null) return { offset: dash, found: 'a list item has no space after its "-"', advice: DASH_SPACE };
  const shown = mentionsSecret(text) ? withoutQuotes(code, message) : message;
  return {
    offset,
    found: `invalid YAML (${code === 'MULTIPLE_DOCS' ? 'a second document starts here' : shown})`,
    advice: isInVariable(text, offset)
      ? `Inside [ ] and { }, put a string that contains \${NAME} in quotes.`
      : (ADVICE[code] ?? 'Correct it first: the rest of the list was not checked.'),
  };
}

function isInVariable(text: string, offset: number): boolean {
  return /\$\{[^}\n]*$/.test(text.slice(Math.max(0, offset - 100), offset + 1));
}

/** Returns the offset of the dash of `-/` or `-name:` if the line of the offset starts with it, otherwise null. */
function dashWithoutSpace(text: string, offset: number): number | null {
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  const line = text.slice(start, start + 200);
  return /^ *-(\/|\w+:)/.test(line) ? start + line.indexOf('-') : null;
}

/** Removes quoted text from a parser message. The messages end with the text found, which may be part of a secret. */
function withoutQuotes(code: ErrorCode, message: string): string {
  return code === 'TAG_RESOLVE_FAILED' ? 'unsupported tag' : message.replace(/: .*/s, '');
}
