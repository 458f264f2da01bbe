import type { CDPSession, Page } from '@playwright/test';
import {
  LAYOUT_SIZE,
  type RuleSource,
  type StyleAnswer,
  type StyleQuestion,
  withoutGenerated,
} from '../../model/index.js';
import { downloadBy, locateSource, type MappedSheet, type ServedPosition, type SourceMaps } from './source-maps.js';

interface Sheet extends MappedSheet {
  readonly styleSheetId: string;
  readonly isInline: boolean;
  readonly startLine: number;
}

type MatchedStyles = Awaited<ReturnType<typeof readMatched>>;
type Style = NonNullable<MatchedStyles['inlineStyle']>;

/** Maximum number of elements whose rules are read. Those of one element take 2 to 10 ms, and up to 300 kB. */
export const MAX_READ = 30;

/** Number of elements whose rules are read at the same time: one answer is parsed while the browser writes the next one. */
const BATCH = 4;

/** Maximum time to read rules, in milliseconds: less than the time after which all answers are given up. */
const READ_MS = 700;

/**
 * Looks up the declarations that win the cascade. The last questions may stay without an answer.
 *
 * @param nodes - the CDP node of each element of the structure
 */
export async function findRules(
  session: CDPSession,
  nodes: readonly number[],
  asked: readonly StyleQuestion[],
  cleanUrl: (url: string) => string,
): Promise<FoundRule[]> {
  if (asked.length === 0) return [];
  const sheets = new Map<string, Sheet>();
  const add = ({ header }: { header: Sheet }) => void sheets.set(header.styleSheetId, header);
  session.on('CSS.styleSheetAdded', add);
  try {
    // The browser executes commands in the order in which they are sent.
    const [questions] = await Promise.all([
      leaveOutLayout(session, nodes, asked),
      session.send('DOM.enable'),
      session.send('CSS.enable'),
      session.send('DOM.getDocument', { depth: 0 }),
    ]);
    const elements = elementsOf(questions).slice(0, MAX_READ);
    const backendNodeIds = elements.map((element) => nodes[element] ?? 0);
    const { nodeIds } = await session.send('DOM.pushNodesByBackendIdsToFrontend', { backendNodeIds });
    const found = await readRules(session, elements, nodeIds);
    const answers = questions.map(async ({ element, property }): Promise<FoundRule[]> => {
      const styles = found.get(element);
      if (!styles) return [];
      const declared = styles.inlineStyle ? findDeclaration(styles.inlineStyle, property) : null;
      const inline = await readInline(session, nodes[element] ?? 0, declared, property);
      if (inline === 'content') return [];
      const answer =
        inline === 'frame'
          ? { value: declared?.value ?? null, source: null, position: null }
          : answerOf(styles, inline, property, sheets, cleanUrl);
      return [{ element, property, ...answer }];
    });
    return (await Promise.all(answers)).flat();
  } finally {
    session.off('CSS.styleSheetAdded', add);
    const release = session.send('Runtime.releaseObjectGroup', { objectGroup: OBJECT_GROUP });
    await Promise.all([session.send('CSS.disable'), session.send('DOM.disable'), release]);
  }
}

/** Reads the rules of elements in small batches: the browser cannot be interrupted while it answers what was sent. */
async function readRules(
  session: CDPSession,
  elements: readonly number[],
  nodeIds: readonly number[],
): Promise<Map<number, MatchedStyles | null>> {
  const found = new Map<number, MatchedStyles | null>();
  const end = performance.now() + READ_MS;
  for (let index = 0; index < elements.length && performance.now() < end; index += BATCH) {
    const batch = elements.slice(index, index + BATCH);
    const read = batch.map(async (element, offset) => {
      found.set(element, await readMatched(session, nodeIds[index + offset] ?? 0).catch(() => null));
    });
    await Promise.all(read);
  }
  return found;
}

export function elementsOf(questions: readonly StyleQuestion[]): number[] {
  return [...new Set(questions.map(({ element }) => element))];
}

/**
 * Leaves out sizes that the layout computes. Most sizes that differ follow from other changes, and reading the rules of an element costs
 * far more than its computed values.
 */
async function leaveOutLayout(
  session: CDPSession,
  nodes: readonly number[],
  questions: readonly StyleQuestion[],
): Promise<StyleQuestion[]> {
  const elements = elementsOf(questions.filter(({ property }) => property in SIZES));
  const sizes = await Promise.all(
    elements.map((element) => callOn(session, nodes[element] ?? 0, sizesOf).catch(() => SIZES)),
  );
  const computed = new Map(elements.map((element, index) => [element, sizes[index] ?? SIZES]));
  return questions.filter(({ element, property }) => {
    const size = property === 'width' || property === 'height' ? computed.get(element)?.[property] : undefined;
    return size === undefined || !LAYOUT_SIZE.test(size);
  });
}

/** Of an element that does not answer. */
const SIZES = { width: '', height: '' };

const OBJECT_GROUP = 'proofsheet-elements';

/** Calls a function on an element in the page. */
async function callOn<Target, Values extends readonly unknown[], Result>(
  session: CDPSession,
  backendNodeId: number,
  run: (this: Target, ...values: Values) => Result,
  ...values: Values
): Promise<Result> {
  const { object } = await session.send('DOM.resolveNode', { backendNodeId, objectGroup: OBJECT_GROUP });
  const { result } = await session.send('Runtime.callFunctionOn', {
    objectId: object.objectId ?? '',
    functionDeclaration: String(run),
    arguments: values.map((value) => ({ value })),
    returnByValue: true,
  });
  return result.value;
}

/** Runs in the page. Unlike `getComputedStyle`, the map has `auto` and percentages as declared. */
function sizesOf(this: Element): typeof SIZES {
  const styles = this.computedStyleMap();
  return { width: String(styles.get('width')), height: String(styles.get('height')) };
}

type Declaration = NonNullable<ReturnType<typeof findDeclaration>>;

/** What proofsheet set is the size of the content, which has its own causes; `frame`: it has none, because it is of another site. */
type SetSize = 'content' | 'frame';

/** Returns what the page declares in the attribute `style`. All that proofsheet sets is `!important`: the page is asked about such a declaration only. */
async function readInline(
  session: CDPSession,
  backendNodeId: number,
  declared: Declaration | null,
  property: string,
): Promise<Declaration | SetSize | null> {
  if (!declared?.isImportant) return declared;
  const ofPage = await callOn(session, backendNodeId, readOwnStyle, property).catch(() => null);
  if (!ofPage) return declared;
  if (typeof ofPage === 'string') return ofPage;
  return ofPage.value === '' ? null : { ...declared, ...ofPage };
}

/** Runs in the page. Returns what the page had declared before proofsheet set something; null if it set nothing. */
function readOwnStyle(
  this: HTMLElement & Partial<HTMLIFrameElement>,
  property: string,
): Pick<Declaration, 'value' | 'isImportant'> | SetSize | null {
  const own = this.ownerDocument.defaultView?.__proofsheet?.ownStyleOf(this, this.style, property) ?? this.style;
  if (own === this.style) return null;
  if (own === 'grown') return this.contentDocument === null ? 'frame' : 'content';
  return { value: own.getPropertyValue(property), isImportant: own.getPropertyPriority(property) !== '' };
}

/** A declaration, and where the server sent it; null: not in a file. */
export interface FoundRule extends StyleAnswer {
  readonly position: ServedPosition | null;
}

/** Names the source of each declaration whose style sheet has a source map. */
export async function locateRules(
  page: Page,
  maps: SourceMaps,
  found: readonly FoundRule[],
  cleanUrl: (url: string) => string,
): Promise<StyleAnswer[]> {
  const download = downloadBy(page);
  const located = found.map(async ({ position, ...answer }): Promise<StyleAnswer> => {
    const source = answer.source && position ? await locateSource(maps, position, download) : null;
    return source && answer.source
      ? { ...answer, source: { ...answer.source, file: cleanUrl(source.file), line: source.line } }
      : answer;
  });
  return Promise.all(located);
}

function readMatched(session: CDPSession, nodeId: number) {
  return session.send('CSS.getMatchedStylesForNode', { nodeId });
}

/** Rules come in the order of the cascade, so the last one wins. The attribute wins over them, and `!important` over both. */
function answerOf(
  { matchedCSSRules = [] }: MatchedStyles,
  inline: Declaration | null,
  property: string,
  sheets: ReadonlyMap<string, Sheet>,
  cleanUrl: (url: string) => string,
): Pick<FoundRule, 'source' | 'value' | 'position'> {
  const ofRules = matchedCSSRules.flatMap(({ rule, matchingSelectors: [matching = -1] }) => {
    const declared = rule.origin === 'regular' ? findDeclaration(rule.style, property) : null;
    if (!declared) return [];
    const { line, column } = declared;
    const sheet = sheets.get(rule.styleSheetId ?? rule.style.styleSheetId ?? '');
    const { selectors, text } = rule.selectorList;
    const selector = cleanSelector(selectors[matching]?.text ?? text);
    const place = sheet?.sourceURL
      ? { file: cleanUrl(sheet.sourceURL), line: (sheet.isInline ? sheet.startLine : 0) + line + 1 }
      : { file: null, line: null };
    return [{ declared, source: { selector, ...place }, position: sheet ? { sheet, line, column } : null }];
  });
  const source: RuleSource = { selector: 'style', file: null, line: null };
  const all = [...ofRules, ...(inline ? [{ declared: inline, source, position: null }] : [])];
  const winner = all.findLast(({ declared }) => declared.isImportant) ?? all.at(-1);
  return { source: winner?.source ?? null, value: winner?.declared.value ?? null, position: winner?.position ?? null };
}

/** Removes from a selector what differs between equal pages, and what is too long. */
export function cleanSelector(selector: string): string {
  return selector.replace(/#(?:\\.|[\w-])+/g, withoutGenerated).slice(0, 120);
}

/** Lines and columns start at 0. */
function findDeclaration({ cssProperties }: Style, property: string) {
  const declared = cssProperties.findLast(
    ({ name, longhandProperties = [], disabled, parsedOk, range }) =>
      range !== undefined &&
      !disabled &&
      parsedOk !== false &&
      (name === property || longhandProperties.some((long) => long.name === property)),
  );
  if (!declared?.range) return null;
  const longhand = declared.longhandProperties?.find(({ name }) => name === property);
  return {
    value: (longhand?.value ?? declared.value).replace(/\s*!important$/, ''),
    isImportant: declared.important ?? false,
    line: declared.range.startLine,
    column: declared.range.startColumn,
  };
}
