import {
  Document,
  type ErrorCode,
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  LineCounter,
  parseDocument,
  visit,
  type YAMLError,
} from 'yaml';
import { type Position, ProofsheetError, withoutCredentials } from '../model/index.js';
import { hasLiteralSecret, mentionsSecret } from './env.js';
import { type ListIssue, type Locate, type Path, renderPosition } from './issue.js';

/** Maximum alias count (`maxAliasCount` of yaml): enough for any list, and stops a file that expands to gigabytes. */
const MAX_ALIASES = 10_000;

const OPTIONS = {
  merge: true,
  // A page list has strings, numbers, booleans, lists and mappings. Tags such as !!binary are errors.
  resolveKnownTags: false,
  stringKeys: true,
  prettyErrors: false,
};

/** Parses the text of a YAML file. Does not throw: `errors` contains all problems. */
export function parseSource(text: string, file: string) {
  const lines = new LineCounter();
  const { document, value, faults } = readValue(text, lines);
  const positionAt = (offset: number): Position => {
    const { line, col } = lines.linePos(offset);
    return { file, line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  const locate: Locate = (path, at = 'value') => positionAt(offsetAt(document, path, at));
  const errorAt = (position: Position, { code, found, advice }: Pick<ListIssue, 'code' | 'found' | 'advice'>) =>
    new ProofsheetError({ code, where: renderPosition(position), found, advice }, position);
  return {
    /** The content of the file as plain values; undefined if it cannot be parsed. */
    value,
    /** YAML errors. If there is a `value`, these are duplicate keys only. */
    errors: faults.map(({ offset, ...fault }) => errorAt(positionAt(offset), { code: 'list-invalid', ...fault })),
    isCodeFrameSafe: isCodeFrameSafe(text, value, faults.length === 0),
    locate,
    errorOf: (issue: ListIssue) => errorAt(locate(issue.path, issue.at), issue),
  };
}

/** A YAML problem and its offset in the text. None quotes the text, which may be a part of a secret. */
interface Fault extends Pick<ListIssue, 'found' | 'advice'> {
  readonly offset: number;
}

function readValue(text: string, lines: LineCounter): { document: Document; value?: unknown; faults: Fault[] } {
  let document = new Document();
  try {
    document = parseDocument(text, { ...OPTIONS, lineCounter: lines });
    const duplicates = readDuplicateKeys(document);
    const faults = [...readErrors(document, lines), ...readAliasFaults(document)];
    if (faults.length > 0) return { document, faults: [...faults, ...duplicates] };
    return { document, value: document.toJS({ maxAliasCount: MAX_ALIASES }), faults: duplicates };
  } catch {
    const found = 'the values of the list are nested too deep, or a merge (<<) or an alias (*name) is not valid';
    return { document, faults: [{ offset: 0, found, advice: 'Move fields that pages share to "defaults".' }] };
  }
}

/**
 * Matches a secret in a comment, such as `# password: hunter2`: a commented-out line still contains its secret. The match starts at the
 * first `#` of a line: to try every one takes seconds in a long line.
 */
const COMMENTED_SECRET =
  /^[^#\n]*#.*\b(?:[\w-]*(?:cookie|header|credential|passw|secret|token|api-?key)[\w-]*|fill)["']?\s*:\s*\S/im;

/**
 * Checks whether Playwright may print lines of a list: none has a literal secret, because it prints 100 lines on each side of an error.
 *
 * @param value - the parsed text, variables not filled in
 * @param isWhole - `value` contains the whole text
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
      const repeated = alias.resolve(document);
      if (repeated && !ancestors.some((ancestor) => ancestor === repeated)) return;
      const found = 'a YAML alias (*name) has no anchor (&name) before it, or is inside of its anchor';
      const advice = 'To write a string that starts with *, put it in quotes.';
      faults.push({ offset: alias.range?.[0] ?? 0, found, advice });
    },
  });
  return faults;
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

const ADVICE: Partial<Record<ErrorCode, string>> = {
  BAD_INDENT: 'Check the indentation. Close every [ and {, and write a space after each "-".',
  BAD_SCALAR_START: 'Put the value in quotes.',
  BLOCK_AS_IMPLICIT_KEY: 'Check the indentation. Put a string that contains ": " in quotes.',
  MISSING_CHAR: `Close every quote, [ and {. Write a space after each ":", and put \${NAME} in quotes.`,
  MULTIPLE_DOCS: 'Write one list per file: remove the line "---".',
  NON_STRING_KEY: 'Use a plain word as the key.',
  TAB_AS_INDENT: 'Indent with spaces.',
  TAG_RESOLVE_FAILED: 'To write a string that starts with !, put it in quotes.',
  UNEXPECTED_TOKEN: `Inside [ ] and { }, put a string that contains \${NAME} in quotes.`,
};

/** Returns the errors of a document, the first of each line: later ones on a line are mostly consequences of it. */
function readErrors({ errors, warnings }: Document, lines: LineCounter): Fault[] {
  const faults = [...errors, ...warnings].filter(({ code }) => code !== 'DUPLICATE_KEY').map(faultOf);
  const byLine = new Map(faults.toReversed().map((fault) => [lines.linePos(fault.offset).line, fault]));
  return [...byLine.values()].toSorted((a, b) => a.offset - b.offset);
}

/** A message of the parser quotes the text after a colon. */
function faultOf({ code, message, pos: [offset] }: YAMLError): Fault {
  const advice = ADVICE[code] ?? 'Correct it first: the rest of the list was not checked.';
  return { offset, found: `invalid YAML (${message.replace(/[:;] .*/s, '')})`, advice };
}

/** Returns the duplicate keys of mappings. The rest of the document can still be checked. */
function readDuplicateKeys({ errors }: Document): Fault[] {
  const duplicates = errors.filter(({ code }) => code === 'DUPLICATE_KEY');
  return duplicates.map(({ pos: [offset] }) => {
    return { offset, found: 'the mapping has this key twice', advice: 'Remove one of the two.' };
  });
}
