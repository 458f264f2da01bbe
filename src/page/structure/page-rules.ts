import type { JSHandle } from '@playwright/test';
import { LAYOUT_SIZE, type StyleAnswer, type StyleQuestion, withoutGenerated } from '../../model/index.js';
import { MAX_READ, MAX_SELECTOR } from './find-rules.js';
import { readCascade, type WinningDeclaration } from './page-cascade.js';
import type { ReadPage } from './page-snapshot.js';

/**
 * Looks up the declarations that win the cascade, as `findRules` does, in browsers that have no protocol for it.
 *
 * @param nodes - the `backendNodeId` of each element of the structure
 */
export async function findPageRules(
  read: JSHandle<ReadPage>,
  nodes: readonly number[],
  asked: readonly StyleQuestion[],
  cleanUrl: (url: string) => string,
): Promise<StyleAnswer[]> {
  const elements = [...new Set(asked.map(({ element }) => element))].slice(0, MAX_READ);
  const questions = asked.filter(({ element }) => elements.includes(element));
  if (questions.length === 0) return [];
  const inPage = questions.map(({ element, property }) => ({ element: (nodes[element] ?? 0) - 1, property }));
  const { winners, sheets } = await read.evaluate(readCascade, inPage);
  return questions.flatMap((question, index): StyleAnswer[] => {
    const winner = winners[index] ?? null;
    const isSize = question.property === 'width' || question.property === 'height';
    if (winner === 'unknown' || (isSize && (winner === null || LAYOUT_SIZE.test(winner.value)))) return [];
    if (winner === null) return [{ ...question, source: null, value: null }];
    const sheet = sheets[winner.sheet];
    const line = sheet?.text ? findLine(sheet.text, winner, question.property) : null;
    // A rule that is not in the text of its element: a script inserted it. In which line of the document an element begins is not known.
    const file = sheet && !(sheet.isInline && line === null) ? cleanUrl(sheet.url) : null;
    const selector = winner.selector.replace(/#(?:\\.|[\w-])+/g, withoutGenerated).slice(0, MAX_SELECTOR);
    return [{ ...question, value: winner.value, source: { selector, file, line: sheet?.isInline ? null : line } }];
  });
}

/** Finds the line of a declaration in the text of its style sheet, from 1. Returns null if the text has other rules than the browser. */
export function findLine(
  text: string,
  { selectorText, turn, turns }: Pick<WinningDeclaration, 'selectorText' | 'turn' | 'turns'>,
  property: string,
): number | null {
  const plain = text
    .replace(/\/\*[\s\S]*?\*\//g, (comment) => comment.replace(/[^\n]/g, ' '))
    .replace(/"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'/g, (string) => string.replace(/[{};]/g, ' '));
  const wanted = bare(selectorText);
  const rules = [...plain.matchAll(/([^{};]*)\{(?=([^{}]*))/g)].filter(([, prelude = '']) => bare(prelude) === wanted);
  const rule = rules.length === turns ? rules[turn] : undefined;
  if (!rule) return null;
  const words = property.split('-');
  const names = words.map((_, index) => words.slice(0, index + 1).join('-'));
  // Such as `border-radius` and `border-color`.
  names.push(property.replace(/-(top|right|bottom|left)(-(left|right))?/, ''));
  const [, prelude = '', block = ''] = rule;
  const declared = [...block.matchAll(/(?<![\w-])([\w-]+)\s*:/g)].findLast(([, name = '']) => names.includes(name));
  const start = rule.index + prelude.length + 1 + (declared?.index ?? 0);
  return plain.slice(0, start).split('\n').length;
}

/** Removes what browsers write in another way than a style sheet. */
function bare(selectors: string): string {
  return selectors
    .replace(/[\s"'*]/g, '')
    .replace(/::/g, ':')
    .toLowerCase();
}
