import {
  type Alias,
  Document,
  type ErrorCode,
  isAlias,
  isMap,
  isNode,
  isPair,
  isScalar,
  isSeq,
  LineCounter,
  parseDocument,
  visit,
  type YAMLError,
} from 'yaml';
import { messageOf, type Position, ProofsheetError, withoutCredentials } from '../model/index.js';
import { hasLiteralSecret, isSecret, mentionsSecret } from './env.js';
import { DASH_SPACE, type ListIssue, type Locate, type Path, renderPosition } from './issue.js';

/** Maximum alias count (`maxAliasCount` of yaml): enough for any list, and stops a file that expands to gigabytes. */
const MAX_ALIASES = 10_000;

const OPTIONS = {
  merge: true,
  // A page list has strings, numbers, booleans, lists and mappings. Tags such as !!binary are errors.
  resolveKnownTags: false,
  stringKeys: true,
  prettyErrors: false,
};

/** A parsed YAML file with the positions of its values. */
export type Source = ReturnType<typeof parseSource>;

/** Parses the text of a YAML file. Does not throw: `errors` contains all problems. */
export function parseSource(text: string, file: string) {
  const lines = new LineCounter();
  const { document, value, faults } = readValue(text, lines);
  const locate: Locate = (path, at = 'value') => positionAt(offsetAt(document, path, at));
  const positionAt = (offset: number): Position => {
    const { line, col } = lines.linePos(offset);
    return { file, line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  const errorAt = (position: Position, { code, found, advice }: Pick<ListIssue, 'code' | 'found' | 'advice'>) =>
    new ProofsheetError({ code, where: renderPosition(position), found, advice }, position);
  const syntax = [...faults, ...readDuplicateKeys(document, text)];
  return {
    /** The content of the file as plain values; undefined if it cannot be parsed. */
    value,
    /** YAML errors. If there is a `value`, these are duplicate keys only. */
    errors: syntax.map(({ offset, ...fault }) => errorAt(positionAt(offset), { code: 'list-invalid', ...fault })),
    isCodeFrameSafe: isCodeFrameSafe(text, value, syntax.length === 0),
    locate,
    errorOf: (issue: ListIssue) => errorAt(locate(issue.path, issue.at), issue),
  };
}

function readValue(text: string, lines: LineCounter): { document: Document; value?: unknown; faults: Fault[] } {
  let document = new Document();
  if (isTooNested(text)) return { document, faults: [TOO_NESTED] };
  try {
    document = parseDocument(text, { ...OPTIONS, lineCounter: lines });
    const faults = [...readFaults(document, text, lines), ...readAliasFaults(document)];
    if (faults.length > 0) return { document, faults };
    return { document, value: document.toJS({ maxAliasCount: MAX_ALIASES }), faults };
  } catch (cause) {
    return { document, faults: [/^Merge/.test(messageOf(cause)) ? unmergeable(text) : TOO_MANY_ALIASES] };
  }
}

/** Maximum levels of `[`, `{` and `- ` in a list: a thousand take the parser seconds, and some thousands end its process. */
const MAX_LEVELS = 200;

function isTooNested(text: string): boolean {
  let levels = 0;
  return Array.from(text.matchAll(/[[{\]}]|(?:- )+/g)).some(([mark]) => {
    if (mark.startsWith('-')) return levels + mark.length / 2 > MAX_LEVELS;
    levels += /[[{]/.test(mark) ? 1 : -1;
    return levels > MAX_LEVELS;
  });
}

const TOO_NESTED: Fault = {
  offset: 0,
  found: `values of the list are nested more than ${MAX_LEVELS} levels deep`,
  advice: 'Close every [ and {, and write each "- " on a line of its own.',
};

const TOO_MANY_ALIASES: Fault = {
  offset: 0,
  found: 'the aliases (*name) of the list repeat too many values',
  advice: 'Move fields that pages share to "defaults".',
};

/** The parser does not report the position of an invalid merge. */
function unmergeable(text: string): Fault {
  return {
    offset: Math.max(0, text.indexOf('<<')),
    found: '"<<" merges a value that is not a mapping',
    advice: 'Write <<: *name, where &name is the anchor of a mapping.',
  };
}

/**
 * Matches a secret in a comment, such as `# password: hunter2`: a commented-out line still contains its secret. The match starts at the
 * first `#` of a line: to try every one takes seconds in a long line.
 */
const COMMENTED_SECRET =
  /^[^#\n]*#.*\b(?:[\w-]*(?:cookie|header|credential|passw|secret|token|api-?key)[\w-]*|fill)["']?\s*:\s*\S/im;

/**
 * Checks whether Playwright may print lines of a list: no line contains a literal secret.
 *
 * The result applies to the whole file, because `error-context.md` and the HTML report print 100 lines on each side of
 * an error.
 *
 * @param value the parsed text, variables not filled in.
 * @param isWhole false if `value` does not contain the whole text.
 */
function isCodeFrameSafe(text: string, value: unknown, isWhole: boolean): boolean {
  if (!isWhole && mentionsSecret(text)) return false;
  if (COMMENTED_SECRET.test(text) || hasLiteralSecret(value)) return false;
  // A URL with a literal user name or password, in the text or written with escapes. Variables do not count.
  const literal = (text + JSON.stringify(value)).replace(/\$\{\w+\}/g, '').replace(/:\/\/:?@/g, '://');
  return withoutCredentials(literal) === literal;
}

/** Returns a fault for each alias (`*name`) without an anchor, or inside the value that it repeats. */
function readAliasFaults(document: Document): readonly Fault[] {
  const faults: Fault[] = [];
  visit(document, {
    Alias(_key, alias, ancestors) {
      const offset = alias.range?.[0] ?? 0;
      const repeated = alias.resolve(document);
      if (!repeated) faults.push({ offset, ...unresolved(alias, isSecret(ancestors.flatMap(keyOf))) });
      else if (ancestors.some((ancestor) => ancestor === repeated)) {
        const found = `YAML alias "*${alias.source}" is inside its own anchor "&${alias.source}"`;
        faults.push({ offset, found, advice: 'Remove it: a value cannot contain itself.' });
      }
    },
  });
  return faults;
}

function keyOf(node: unknown): string[] {
  return isPair(node) && isScalar(node.key) ? [String(node.key.value)] : [];
}

/** @param isHidden true if the alias name may be a secret: YAML reads a password that starts with * as an alias. */
function unresolved({ source }: Alias, isHidden: boolean) {
  const found = isHidden
    ? 'a YAML alias (name hidden) has no anchor above it'
    : `YAML alias "*${source}" has no anchor "&${source}" above it`;
  return { found, advice: 'To write a string that starts with *, put it in quotes.' };
}

/**
 * Returns the offset of the value (or the key) at a path in the text. Below an alias, it is that of the repeated value. If the
 * path does not exist, for example because a merge (`<<`) adds it, returns the offset of its nearest existing ancestor.
 */
function offsetAt(document: Document, path: Path, at: 'key' | 'value'): number {
  let node: unknown = document.contents;
  let offset = isNode(node) ? (node.range?.[0] ?? 0) : 0;
  for (const [depth, step] of path.entries()) {
    const parent = isAlias(node) ? node.resolve(document) : node;
    const pair = isMap(parent) ? parent.items.findLast(({ key }) => isScalar(key) && key.value === step) : undefined;
    const wanted = pair && at === 'key' && depth === path.length - 1 ? pair.key : pair?.value;
    node = pair ? (wanted ?? pair.key) : isSeq(parent) ? parent.items[Number(step)] : undefined;
    if (!isNode(node)) break;
    offset = node.range?.[0] ?? 0;
  }
  return offset;
}

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
