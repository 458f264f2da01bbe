import type { CDPSession } from '@playwright/test';
import type { RuleSource, StyleAnswer, StyleQuestion } from '../../model/structure.js';

/** A style sheet of the page. */
interface Sheet {
  readonly styleSheetId: string;
  readonly sourceURL: string;
  readonly isInline: boolean;
  readonly startLine: number;
}

type MatchedStyles = Awaited<ReturnType<typeof readMatched>>;
type Style = NonNullable<MatchedStyles['inlineStyle']>;

/**
 * Looks up the declarations that win the cascade: of rules and of the attribute `style`, with `!important`.
 *
 * @param nodes - the CDP node of each element of the structure
 */
export async function findRules(
  session: CDPSession,
  nodes: readonly number[],
  questions: readonly StyleQuestion[],
  cleanUrl: (url: string) => string,
): Promise<StyleAnswer[]> {
  if (questions.length === 0) return [];
  const sheets = new Map<string, Sheet>();
  const add = ({ header }: { header: Sheet }) => void sheets.set(header.styleSheetId, header);
  session.on('CSS.styleSheetAdded', add);
  try {
    await session.send('DOM.enable');
    await session.send('CSS.enable');
    await session.send('DOM.getDocument', { depth: 0 });
    const elements = [...new Set(questions.map(({ element }) => element))];
    const backendNodeIds = elements.map((element) => nodes[element] ?? 0);
    const { nodeIds } = await session.send('DOM.pushNodesByBackendIdsToFrontend', { backendNodeIds });
    const matched = await Promise.all(nodeIds.map((nodeId) => readMatched(session, nodeId).catch(() => null)));
    const found = new Map(elements.map((element, index) => [element, matched[index] ?? null]));
    return questions.flatMap(({ element, property }): StyleAnswer[] => {
      const styles = found.get(element);
      return styles ? [{ element, property, ...answerOf(styles, property, sheets, cleanUrl) }] : [];
    });
  } finally {
    session.off('CSS.styleSheetAdded', add);
    await session.send('CSS.disable');
    await session.send('DOM.disable');
  }
}

function readMatched(session: CDPSession, nodeId: number) {
  return session.send('CSS.getMatchedStylesForNode', { nodeId });
}

interface Declaration {
  readonly value: string;
  readonly isImportant: boolean;
  readonly line: number | null;
}

/** Rules come in the order of the cascade, so the last one wins. The attribute wins over them, and `!important` over both. */
function answerOf(
  { inlineStyle, matchedCSSRules = [] }: MatchedStyles,
  property: string,
  sheets: ReadonlyMap<string, Sheet>,
  cleanUrl: (url: string) => string,
): Pick<StyleAnswer, 'source' | 'value'> {
  const ofRules = matchedCSSRules.flatMap(({ rule, matchingSelectors }) => {
    const declared = rule.origin === 'regular' ? findDeclaration(rule.style, property) : null;
    if (!declared) return [];
    const sheet = sheets.get(rule.styleSheetId ?? rule.style.styleSheetId ?? '');
    const { selectors, text } = rule.selectorList;
    const selector = selectors[matchingSelectors[0] ?? -1]?.text ?? text;
    return [{ declared, source: sourceOf(selector.slice(0, MAX_SELECTOR), declared, sheet, cleanUrl) }];
  });
  const inline = inlineStyle ? findDeclaration(inlineStyle, property) : null;
  const ofElement = inline ? [{ declared: inline, source: { selector: 'style', file: null, line: null } }] : [];
  const all = [...ofRules, ...ofElement];
  const winner = all.findLast(({ declared }) => declared.isImportant) ?? all.at(-1);
  return { source: winner?.source ?? null, value: winner?.declared.value ?? null };
}

/** Maximum number of characters of a selector. */
const MAX_SELECTOR = 120;

function findDeclaration({ cssProperties }: Style, property: string): Declaration | null {
  const declared = cssProperties.findLast(
    ({ name, longhandProperties = [], disabled, parsedOk, range }) =>
      range !== undefined &&
      !disabled &&
      parsedOk !== false &&
      (name === property || longhandProperties.some((long) => long.name === property)),
  );
  if (!declared) return null;
  const longhand = declared.longhandProperties?.find(({ name }) => name === property);
  const { value, important, range } = declared;
  return {
    value: (longhand?.value ?? value).replace(/\s*!important$/, ''),
    isImportant: important ?? false,
    line: range?.startLine ?? null,
  };
}

function sourceOf(
  selector: string,
  { line }: Declaration,
  sheet: Sheet | undefined,
  cleanUrl: (url: string) => string,
): RuleSource {
  if (!sheet || sheet.sourceURL === '') return { selector, file: null, line: null };
  const start = sheet.isInline ? sheet.startLine : 0;
  return { selector, file: cleanUrl(sheet.sourceURL), line: line === null ? null : start + line + 1 };
}
