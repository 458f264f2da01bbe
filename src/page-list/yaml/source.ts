import { Document, LineCounter } from 'yaml';
import { type Position, ProofsheetError } from '../../model/errors.js';
import { withoutCredentials } from '../../model/words.js';
import { isMapping, type ListIssue, type Locate, renderPosition } from '../issue.js';
import { mentionsSecret, secretPathsOf } from '../secrets.js';
import { offsetAt, readAnchors } from './anchors.js';
import { type Fault, parseText, readDuplicateKeys, readFaults, TOO_DEEP } from './syntax.js';

/** How much of a file may be repeated by aliases: enough for any list, too little for one that unfolds to gigabytes. */
const MOST_ALIASES = 10_000;

const OPTIONS = {
  merge: true,
  // A page list has texts, numbers, switches, lists and mappings; !!binary and the like are errors.
  resolveKnownTags: false,
  stringKeys: true,
  prettyErrors: false,
};

/** A YAML file that was parsed, and where everything in it stands. */
export interface Source {
  /** What the file says, as plain values; undefined where it cannot be told. */
  readonly value: unknown;
  /** What is wrong with it as YAML. Where there is a `value`, these are only keys that stand twice. */
  readonly errors: readonly ProofsheetError[];
  readonly locate: Locate;
  /** Playwright may print lines of the file: it holds no literal secret. */
  readonly isCodeFrameSafe: boolean;
  /** Makes an error of an issue, at its position. */
  readonly errorOf: (issue: ListIssue) => ProofsheetError;
}

/** Parses the text of a YAML file. Throws nothing: what is wrong with the text is in `errors`. */
export function parseSource(text: string, file: string): Source {
  const lines = new LineCounter();
  const parsed = parseText(text, lines, OPTIONS);
  const document = parsed ?? new Document();
  const { targets, faults } = readAnchors(document);
  const positionOf = (offset: number): Position => {
    const { line, col } = lines.linePos(offset);
    return { file, line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  const { value, fault } = readValue(document, [
    ...(parsed === null ? [TOO_DEEP] : []),
    ...readFaults(document, text, lines),
    ...faults,
  ]);
  const syntax = [...fault, ...readDuplicateKeys(document, text)];
  return {
    value,
    errors: syntax.map(({ offset, found, advice }) =>
      errorAt(positionOf(offset), { code: 'list-invalid', found, advice }),
    ),
    isCodeFrameSafe: isCodeFrameSafe(text, value, syntax.length === 0),
    locate: (path, at = 'value') => positionOf(offsetAt(document, targets, path, at)),
    errorOf: (issue) => errorAt(positionOf(offsetAt(document, targets, issue.path, issue.at)), issue),
  };
}

function readValue(document: Document, faults: readonly Fault[]): { value: unknown; fault: readonly Fault[] } {
  if (faults.length > 0) return { value: undefined, fault: faults };
  try {
    return { value: document.toJS({ maxAliasCount: MOST_ALIASES }), fault: [] };
  } catch {
    // Cycles and aliases of nothing are found before; what is left is a file that unfolds without end.
    const found = 'its aliases (*name) repeat more than can be read';
    return { value: undefined, fault: [{ offset: 0, found, advice: 'Write what pages share under "defaults".' }] };
  }
}

function errorAt(position: Position, { code, found, advice }: Pick<ListIssue, 'code' | 'found' | 'advice'>) {
  return new ProofsheetError({ code, where: renderPosition(position), found, advice }, position);
}

/** A comment such as `# password: hunter2`: a line that was switched off still holds its secret. */
const COMMENTED_SECRET =
  /#.*\b(?:[\w-]*(?:cookie|header|credential|passw|secret|token|api-?key)[\w-]*|fill)["']?\s*:\s*\S/i;

/**
 * Checks whether Playwright may print lines of a list: no line holds a literal secret.
 *
 * It is all or nothing, since `error-context.md` and the HTML report print 100 lines on each side of an error.
 *
 * @param value what the text says, variables not filled in.
 * @param isWhole false where a part of the text is not in `value`.
 */
export function isCodeFrameSafe(text: string, value: unknown, isWhole: boolean): boolean {
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
