import type { ReadPage, StyledElement } from './page-snapshot.js';

/** A declaration that wins the cascade. */
export interface WinningDeclaration {
  readonly value: string;
  /** The selector that matches; `style` for the attribute of the element. */
  readonly selector: string;
  /** Index of its style sheet in {@link FoundDeclarations}; -1: the attribute. */
  readonly sheet: number;
  /** All selectors of its rule as the browser writes them, and how many rules of the style sheet have these: before it, and in all. */
  readonly selectorText: string;
  readonly turn: number;
  readonly turns: number;
}

/** The declarations that were found in the page, and their style sheets. */
export interface FoundDeclarations {
  /** One for each question. Null: no rule declares it. `unknown`: a style sheet of another origin may declare it. */
  readonly winners: readonly (WinningDeclaration | 'unknown' | null)[];
  /** Without text: the page cannot read it without a request. */
  readonly sheets: readonly { readonly url: string; readonly isInline: boolean; readonly text: string | null }[];
}

/**
 * Runs in the page, in browsers that have no protocol for the rules of an element. Finds the declarations that win the cascade.
 *
 * Rules in `@container` and `@scope` count as if they had no condition, and rules with `::slotted()` do not count.
 */
export async function readCascade(
  { elements }: ReadPage,
  questions: readonly { readonly element: number; readonly property: string }[],
): Promise<FoundDeclarations> {
  /** A rule of a style sheet, as far as it counts. */
  interface Listed extends Pick<CSSStyleRule, 'style' | 'selectorText' | 'parentStyleSheet'> {
    /** With those of the rules around it. */
    readonly selectors: readonly string[];
    readonly isNested: boolean;
    readonly layer: number;
    readonly isActive: boolean;
  }
  /** A declaration that matches. */
  interface Candidate extends Pick<Listed, 'style' | 'selectorText' | 'parentStyleSheet'> {
    readonly value: string;
    readonly selector: string;
    /** The higher one wins, compared number by number. */
    readonly rank: readonly number[];
  }
  type AnyRule = Partial<CSSStyleRule & CSSMediaRule & CSSImportRule & CSSLayerBlockRule & CSSLayerStatementRule>;
  const IN_PARENTHESES = String.raw`\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)`;
  const SELECTOR = new RegExp(String.raw`(?:\\.|${IN_PARENTHESES}|\[[^\]]*\]|[^,])+`, 'g');
  const WHERE = new RegExp(`:where${IN_PARENTHESES}`, 'g');
  const CLASSES = new RegExp(String.raw`[.:](?:\\.|[\w-])+(?:${IN_PARENTHESES})?`, 'g');
  const UNLAYERED = 1e6;
  const isRoot = (node: Node | null): node is Document | ShadowRoot => node !== null && 'styleSheets' in node;

  let isComplete = true;
  const rulesOf = (sheet: CSSStyleSheet): CSSRuleList | null => {
    try {
      return sheet.cssRules;
    } catch {
      isComplete = false;
      return null;
    }
  };

  const layers = new Map<string, number>();
  const orderOf = (layer: string): number => {
    const order = layer === '' ? UNLAYERED : (layers.get(layer) ?? layers.size);
    if (layer !== '') layers.set(layer, order);
    return order;
  };

  const listRules = (root: Document | ShadowRoot): Listed[] => {
    const listed: Listed[] = [];
    const view = (isRoot(root.ownerDocument) ? root.ownerDocument : document).defaultView ?? window;
    const holds = (media: MediaList | undefined) => !media?.mediaText || view.matchMedia(media.mediaText).matches;
    const visit = (rules: CSSRuleList, parents: string, layer: string, isActive: boolean): void => {
      for (const rule of rules) {
        const { selectorText, style, media, conditionText, name, layerName, styleSheet, cssRules }: AnyRule = rule;
        const { nameList = [] }: AnyRule = rule;
        const kind = rule.constructor.name;
        const pathOf = (inner: string | null | undefined) => (inner == null ? layer : `${layer}.${inner}`);
        for (const inner of nameList) orderOf(pathOf(inner));
        let selectors = parents;
        if (selectorText !== undefined && style) {
          const outer = `:is(${parents})`;
          const inner = selectorText.includes('&') ? selectorText.replaceAll('&', outer) : `${outer} ${selectorText}`;
          selectors = parents === '' ? selectorText : inner;
          const { parentStyleSheet } = rule;
          const all = (selectors.match(SELECTOR) ?? []).map((selector) => selector.trim());
          const isNested = parents !== '';
          listed.push({
            style,
            selectorText,
            parentStyleSheet,
            selectors: all,
            isNested,
            layer: orderOf(layer),
            isActive,
          });
        }
        const isSupported = kind !== 'CSSSupportsRule' || CSS.supports(conditionText ?? '');
        const path = pathOf(kind === 'CSSLayerBlockRule' ? name : layerName);
        const nested = styleSheet ? rulesOf(styleSheet) : cssRules;
        if (nested) visit(nested, selectors, path, isActive && isSupported && holds(media));
      }
    };
    for (const sheet of [...root.styleSheets, ...(root.adoptedStyleSheets ?? [])]) {
      const rules = rulesOf(sheet);
      if (rules) visit(rules, '', '', !sheet.disabled && holds(sheet.media));
    }
    return listed;
  };
  const lists = new Map<Document | ShadowRoot, Listed[]>();
  const rulesIn = (root: Document | ShadowRoot): Listed[] => {
    const rules = lists.get(root) ?? listRules(root);
    lists.set(root, rules);
    return rules;
  };

  const specificityOf = (selector: string): number => {
    // What counts of some pseudo-classes are the selectors in their parentheses.
    let rest = selector.replace(WHERE, '').replace(/:(is|not|has|host)(?=\()/g, ' ');
    const take = (pattern: RegExp): number => {
      const count = rest.match(pattern)?.length ?? 0;
      rest = rest.replace(pattern, ' ');
      return count;
    };
    const [attributes, pseudo] = [take(/\[[^\]]*\]/g), take(/::[\w-]+/g)];
    const [ids, classes] = [take(/#(?:\\.|[\w-])+/g), take(CLASSES)];
    return ids * 1e6 + (attributes + classes) * 1e3 + pseudo + take(/[a-z][\w-]*/gi);
  };
  const matches = (element: Element, selector: string): boolean => {
    try {
      return element.matches(selector);
    } catch {
      return false;
    }
  };

  const matchedRules = ({ element, pseudo }: StyledElement): (Listed & { selector: string; rank: number[] })[] => {
    const selects = (selector: string, isHost: boolean): boolean => {
      if (!selector.endsWith(pseudo)) return false;
      const subject = selector.slice(0, selector.length - pseudo.length) || '*';
      if (!isHost) return matches(element, subject);
      const inner = /^:host(?:\((.*)\))?$/.exec(subject);
      return inner !== null && matches(element, inner[1] ?? '*');
    };
    const matchIn = (root: Node | null, isHost: boolean) =>
      (isRoot(root) ? rulesIn(root) : []).flatMap((rule, order) => {
        const selecting = rule.isActive ? rule.selectors.filter((selector) => selects(selector, isHost)) : [];
        const [selector] = selecting.toSorted((a, b) => specificityOf(b) - specificityOf(a));
        // The rules of the page win over those of `:host`.
        const written = rule.isNested ? rule.selectorText : selector;
        return selector && written
          ? [{ ...rule, selector: written, rank: [isHost ? 0 : 1, specificityOf(selector), order] }]
          : [];
      });
    return [...matchIn(element.shadowRoot, true), ...matchIn(element.getRootNode(), false)];
  };
  const matchedBy = new Map<number, ReturnType<typeof matchedRules>>();

  const declaredIn = (style: CSSStyleDeclaration, property: string): string => {
    const value = style.getPropertyValue(property);
    if (value !== '' || !Array.from(style).includes(property)) return value;
    // A shorthand with a variable.
    const words = property.split('-');
    const shorthands = words.map((_, count) => words.slice(0, count).join('-')).reverse();
    return shorthands.map((name) => style.getPropertyValue(name)).find((text) => text !== '') ?? '';
  };

  const winnerOf = (element: StyledElement, index: number, property: string): Candidate | undefined => {
    const rules = matchedBy.get(index) ?? matchedRules(element);
    matchedBy.set(index, rules);
    const candidates = rules.map(({ layer, rank, ...rule }): Candidate => {
      const { style } = rule;
      const isImportant = style.getPropertyPriority(property) === 'important';
      const ranks = [isImportant ? 1 : 0, 0, isImportant ? -layer : layer, ...rank];
      return { ...rule, value: declaredIn(style, property), rank: ranks };
    });
    const { style }: Partial<HTMLElement> = element.element;
    if (style && element.pseudo === '') {
      const rank = [style.getPropertyPriority(property) === 'important' ? 1 : 0, 1];
      const source = { style, selector: 'style', selectorText: '', parentStyleSheet: null };
      candidates.push({ ...source, value: declaredIn(style, property), rank });
    }
    const compare = (a: Candidate, b: Candidate) => {
      const at = a.rank.findIndex((rank, place) => rank !== b.rank[place]);
      return (b.rank[at] ?? 0) - (a.rank[at] ?? 0);
    };
    return candidates.filter(({ value }) => value !== '').toSorted(compare)[0];
  };

  const sheets: CSSStyleSheet[] = [];
  const winners = questions.map(({ element: index, property }): WinningDeclaration | 'unknown' | null => {
    const element = elements[index];
    const winner = element && winnerOf(element, index, property);
    if (!element || !winner) return isComplete ? null : 'unknown';
    const { value, style, selector, selectorText, parentStyleSheet: sheet } = winner;
    if (!sheet) return { value, selector, selectorText, sheet: -1, turn: 0, turns: 0 };
    const same = [...lists.values()]
      .flat()
      .filter((rule) => rule.parentStyleSheet === sheet && rule.selectorText === selectorText);
    const turn = same.findIndex((rule) => rule.style === style);
    if (!sheets.includes(sheet)) sheets.push(sheet);
    return { value, selector, selectorText, sheet: sheets.indexOf(sheet), turn, turns: same.length };
  });

  const readText = async ({ href, ownerNode }: CSSStyleSheet): Promise<string | null> => {
    if (!href) return ownerNode?.textContent ?? null;
    // Answered by the cache of the browser: the server gets no request.
    const response = await fetch(href, { cache: 'only-if-cached', mode: 'same-origin' }).catch(() => null);
    return response?.ok ? response.text() : null;
  };
  const read = sheets.map(async (sheet) => {
    const { href, ownerNode } = sheet;
    return { url: href ?? ownerNode?.baseURI ?? '', isInline: !href, text: await readText(sheet) };
  });
  return { winners, sheets: await Promise.all(read) };
}
