import type { JSHandle } from '@playwright/test';
import { LAYOUT_SIZE, type StyleAnswer, type StyleQuestion } from '../../model/index.js';
import { cleanSelector, elementsOf, MAX_READ } from './find-rules.js';
import type { ReadPage } from './page-nodes.js';

/**
 * Looks up the declarations that win the cascade, as `findRules` does, in browsers that have no protocol for it.
 *
 * @param ids - those of the nodes of each element of the structure
 */
export async function findPageRules(
  read: JSHandle<ReadPage>,
  ids: readonly number[],
  asked: readonly StyleQuestion[],
  cleanUrl: (url: string) => string,
): Promise<StyleAnswer[]> {
  const elements = elementsOf(asked).slice(0, MAX_READ);
  const questions = asked.filter(({ element }) => elements.includes(element));
  if (questions.length === 0) return [];
  const inPage = questions.map(({ element, property }) => ({ element: (ids[element] ?? 0) - 1, property }));
  const winners = await read.evaluate(readCascade, inPage);
  return questions.flatMap((question, index): StyleAnswer[] => {
    const winner = winners[index] ?? null;
    const isSize = question.property === 'width' || question.property === 'height';
    if (winner === 'unknown' || (isSize && (winner === null || LAYOUT_SIZE.test(winner.value)))) return [];
    if (winner === null) return [{ ...question, source: null, value: null }];
    const file = winner.url === null ? null : cleanUrl(winner.url);
    const source = { selector: cleanSelector(winner.selector), file, line: winner.line };
    return [{ ...question, value: winner.value, source }];
  });
}

interface WinningDeclaration {
  readonly value: string;
  /** The selector that matches; `style` for the attribute of the element. */
  readonly selector: string;
  /** The URL of its style sheet or document; null: the attribute of the element, or a rule that a script inserted. */
  readonly url: string | null;
  /** From 1; null: not known. */
  readonly line: number | null;
}

/**
 * Runs in the page. Finds the declaration that wins the cascade, for each question. Null: no rule declares it. `unknown`: a style sheet of another
 * origin may declare it, or proofsheet made the element as large as its content. The browser decides which one wins: each rule that declares a
 * property gets a custom property for a moment, with the same priority and the number of the rule as its value.
 */
async function readCascade(
  { elements }: ReadPage,
  questions: readonly { readonly element: number; readonly property: string }[],
): Promise<(WinningDeclaration | 'unknown' | null)[]> {
  type Root = Document | ShadowRoot;
  // What belongs to another document is no instance of this window's classes.
  const isRoot = (node: Node | null | undefined): node is Root => node != null && 'styleSheets' in node;
  const isStyleRule = (rule: CSSRule): rule is CSSStyleRule => 'selectorText' in rule && 'style' in rule;

  let isComplete = true;
  const rulesOf = (sheet: CSSStyleSheet): CSSRule[] => {
    try {
      return [...sheet.cssRules];
    } catch {
      isComplete = false;
      return [];
    }
  };
  const withNested = (rule: CSSRule): CSSStyleRule[] => {
    const { styleSheet, cssRules }: Partial<CSSImportRule & CSSGroupingRule> = rule;
    const nested = styleSheet ? rulesOf(styleSheet) : [...(cssRules ?? [])];
    return [...(isStyleRule(rule) ? [rule] : []), ...nested.flatMap(withNested)];
  };
  const asked = new Set(questions.flatMap(({ element }) => elements[element]?.element ?? []));
  const roots = new Set([...asked].flatMap((element) => [element.getRootNode(), element.shadowRoot]).filter(isRoot));
  const sheetsIn = (root: Root) => [...root.styleSheets, ...(root.adoptedStyleSheets ?? [])];
  const rules = [...new Set([...roots].flatMap(sheetsIn))].flatMap(rulesOf).flatMap(withNested);

  const properties = [...new Set(questions.map(({ property }) => property))];
  const markOf = (property: string) => `--proofsheet-${property}`;
  const viewOf = (element: Element) => element.ownerDocument.defaultView ?? window;
  const registerMarks = (view: Window & typeof globalThis) => {
    for (const property of properties) {
      try {
        view.CSS.registerProperty({ name: markOf(property), syntax: '*', inherits: false });
      } catch {
        // An earlier call has registered it.
      }
    }
  };
  const declaredIn = (style: CSSStyleDeclaration, property: string): string => {
    const value = style.getPropertyValue(property);
    if (value !== '' || !Array.from(style).includes(property)) return value;
    // A shorthand with a variable.
    const words = property.split('-');
    const shorthands = words.map((_, count) => words.slice(0, count).join('-')).reverse();
    return shorthands.map((name) => style.getPropertyValue(name)).find((text) => text !== '') ?? '';
  };
  const mark = () => {
    for (const [index, { style }] of rules.entries()) {
      const declared = new Set(Array.from(style));
      for (const property of properties)
        if (declared.has(property) || style.getPropertyValue(property) !== '')
          style.setProperty(markOf(property), String(index), style.getPropertyPriority(property));
    }
  };
  const removeMarks = () => {
    for (const { style } of rules) for (const property of properties) style.removeProperty(markOf(property));
  };

  const SELECTOR = /(?:\\.|\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)|\[[^\]]*\]|[^,])+/g;
  const selectorOf = ({ selectorText }: CSSStyleRule, element: Element, pseudo: string): string => {
    const isMatch = (selector: string) => {
      try {
        return selector.endsWith(pseudo) && element.matches(selector.slice(0, selector.length - pseudo.length) || '*');
      } catch {
        return false;
      }
    };
    return Array.from(selectorText.match(SELECTOR) ?? [], (selector) => selector.trim()).find(isMatch) ?? selectorText;
  };

  const read = async ({ href, ownerNode }: CSSStyleSheet): Promise<string> => {
    if (!href) return ownerNode?.textContent ?? '';
    // Answered by the cache of the browser: the server gets no request.
    const response = await fetch(href, { cache: 'only-if-cached', mode: 'same-origin' }).catch(() => null);
    return response?.ok ? response.text() : '';
  };
  const texts = new Map<CSSStyleSheet, Promise<string>>();
  const textOf = (sheet: CSSStyleSheet): Promise<string> => {
    const text = texts.get(sheet) ?? read(sheet);
    texts.set(sheet, text);
    return text;
  };

  /** Removes what browsers write in another way than a style sheet. */
  const bare = (selectors: string) => selectors.toLowerCase().replace(/[\s"'*]|:(?=:)/g, '');

  /** Finds the line of a declaration in the text of its style sheet. Returns null if the text has other rules than the browser. */
  const findLine = (text: string, rule: CSSStyleRule, property: string): number | null => {
    const plain = text
      .replace(/\/\*[\s\S]*?\*\//g, (comment) => comment.replace(/[^\n]/g, ' '))
      .replace(/"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'/g, (string) => string.replace(/[{};]/g, ' '));
    const [wanted, sheet] = [bare(rule.selectorText), rule.parentStyleSheet];
    const same = rules.filter((one) => one.parentStyleSheet === sheet && one.selectorText === rule.selectorText);
    const written = [...plain.matchAll(/([^{};]*)\{(?=([^{}]*))/g)].filter(([, start = '']) => bare(start) === wanted);
    const found = written.length === same.length ? written[same.indexOf(rule)] : undefined;
    if (!found) return null;
    const words = property.split('-');
    const names = words.map((_, index) => words.slice(0, index + 1).join('-'));
    // Such as `border-radius` and `border-color`.
    names.push(property.replace(/-(top|right|bottom|left)(-(left|right))?/, ''));
    const [, prelude = '', block = ''] = found;
    const declared = [...block.matchAll(/(?<![\w-])([\w-]+)\s*:/g)].findLast(([, name = '']) => names.includes(name));
    const start = found.index + prelude.length + 1 + (declared?.index ?? 0);
    return plain.slice(0, start).split('\n').length;
  };

  interface Winner extends Pick<WinningDeclaration, 'value' | 'selector'> {
    readonly rule: CSSStyleRule | null;
  }

  const winnerOf = (index: number, property: string): Winner | 'unknown' | null => {
    const styled = elements[index];
    if (!styled) return null;
    const { element, pseudo } = styled;
    const computed = viewOf(element).getComputedStyle(element, pseudo || null);
    const number = computed.getPropertyValue(markOf(property));
    const rule = number === '' ? undefined : rules[Number(number)];
    const { style: now }: Partial<HTMLElement> = element;
    const style = now && (viewOf(element).__proofsheet?.ownStyleOf(element, now, property) ?? now);
    if (style === 'grown') return 'unknown';
    const isImportant = (declaration: CSSStyleDeclaration) => declaration.getPropertyPriority(property) === 'important';
    const inline = style && pseudo === '' ? declaredIn(style, property) : '';
    if (style && inline !== '' && (!rule || isImportant(style) || !isImportant(rule.style)))
      return { value: inline, selector: 'style', rule: null };
    if (!rule?.parentStyleSheet) return null;
    return { value: declaredIn(rule.style, property), selector: selectorOf(rule, element, pseudo), rule };
  };

  for (const view of new Set([...asked].map(viewOf))) registerMarks(view);
  mark();
  const winners = questions.map(({ element, property }) => ({ property, winner: winnerOf(element, property) }));
  removeMarks();
  const located = winners.map(async ({ property, winner }) => {
    if (winner === 'unknown') return 'unknown';
    if (!winner) return isComplete ? null : 'unknown';
    const { rule, ...found } = winner;
    const sheet = rule?.parentStyleSheet;
    if (!sheet) return { ...found, url: null, line: null };
    const line = findLine(await textOf(sheet), rule, property);
    if (sheet.href) return { ...found, url: sheet.href, line };
    // A rule that is not in the text of its element: a script inserted it. In which line of the document an element begins is not known.
    return { ...found, url: line === null ? null : (sheet.ownerNode?.baseURI ?? ''), line: null };
  });
  return Promise.all(located);
}
