import type { Page } from '@playwright/test';
import type { ShownTexts, TextPattern, Warning, WrongText } from '../model/index.js';
import type { CaptureContext } from './capture-context.js';
import { REACTION_MS } from './frames/grow-window.js';
import { openRoots } from './in-page/frames.js';
import { listSome } from './network.js';
import { allowsText } from './text-patterns.js';

/** The texts of a page that may change. */
export interface CheckedTexts {
  /** What the page showed of them. */
  readonly own: readonly ShownTexts[];
  /** What the image shows of them. */
  readonly shown: readonly ShownTexts[];
  /** The texts that their pattern does not allow. They stay as they are. */
  readonly wrong: readonly WrongText[];
  /** Selectors that match nothing. */
  readonly unmatched: readonly string[];
}

/**
 * Replaces the texts that `texts` names by those of the expected image, if their pattern allows them. Their width, and the layout around them, is
 * then that of the expected image. Scripts may write a text again, so each image needs it.
 *
 * @param expected - the texts of the baseline, or of an earlier load or image of the page; null: there is none
 */
export async function replaceTexts(
  page: Page,
  patterns: readonly TextPattern[],
  expected: readonly ShownTexts[] | null,
): Promise<CheckedTexts> {
  if (patterns.length === 0) return { own: [], shown: [], wrong: [], unmatched: [] };
  const found = await exchange(
    page,
    patterns.map(({ selector }) => ({ selector, elements: [] })),
  );
  const checked = patterns.map(({ selector, pattern }, index) => {
    const elements = found[index] ?? [];
    const known = expected?.find((one) => one.selector === selector)?.elements ?? [];
    const texts = elements.map((nodes) =>
      nodes
        .join('')
        .replace(/\p{Cf}/gu, '')
        .replace(/\s+/g, ' ')
        .trim(),
    );
    const isAllowed = texts.map((text) => allowsText(pattern, text));
    const shown = elements.map((nodes, at) =>
      isAllowed[at] && known[at]?.length === nodes.length ? known[at] : nodes,
    );
    const wrong = texts.filter((_, at) => !isAllowed[at]).map((text) => ({ selector, pattern, text }));
    return { shown: { selector, elements: shown }, wrong };
  });
  const shown = checked.map((one) => one.shown);
  await exchange(page, shown);
  return {
    own: patterns.map(({ selector }, index) => ({ selector, elements: found[index] ?? [] })),
    shown,
    wrong: checked.flatMap(({ wrong }) => wrong),
    unmatched: patterns.flatMap(({ selector }, index) => (found[index]?.length ? [] : [selector])),
  };
}

/** Replaces the texts of a capture, by those of its last image if there was one. */
export async function checkTexts({ page, settings, texts }: CaptureContext): Promise<CheckedTexts> {
  const checked = await replaceTexts(page, settings.texts, texts.expected);
  texts.own ??= checked.own;
  texts.expected = checked.shown;
  return checked;
}

/**
 * Replaces the texts of a page before it grows. Scripts may have placed elements by the size of other texts, so the page is told that its size
 * changed, and gets time. Fonts of the texts load meanwhile.
 */
export async function settleTexts(context: CaptureContext): Promise<void> {
  const { page, clock, settings } = context;
  if (settings.texts.length === 0) return;
  await checkTexts(context);
  await page.evaluate(() => void dispatchEvent(new Event('resize')));
  await clock.pass(REACTION_MS);
  await checkTexts(context);
}

/** Gives a page that stays open its own texts again. */
export async function restoreTexts({ page, texts }: CaptureContext): Promise<void> {
  if (texts.own && texts.own.length > 0) await exchange(page, texts.own);
}

/** Returns a warning about the texts that their pattern does not allow. */
export function warnOfTexts({ wrong }: CheckedTexts): Warning[] {
  if (wrong.length === 0) return [];
  const names = wrong.map(({ selector, pattern, text }) => `${JSON.stringify(text)} of ${selector} (${pattern})`);
  return [{ code: 'texts-wrong', message: `\`texts\`: the pattern does not allow ${listSome(names)}` }];
}

/** Returns the texts of each element that a selector matches, as they were, and writes those that are given. */
function exchange(page: Page, texts: readonly ShownTexts[]): Promise<string[][][]> {
  return page.evaluate<string[][][]>(`(${String(exchangeInPage)})(${JSON.stringify(texts)}, (${String(openRoots)})())`);
}

/**
 * Runs in the page. A text is what is between two tags: scripts may write it in any number of nodes. The content of scripts and style sheets is
 * no text.
 */
function exchangeInPage(
  texts: readonly { selector: string; elements: readonly (readonly string[])[] }[],
  roots: readonly (Document | ShadowRoot)[],
): string[][][] {
  const textsOf = (element: Element) => {
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
    const all: Node[][] = [];
    let last: Node | null = null;
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const isText = node.nodeType === Node.TEXT_NODE && !/^(script|style)$/i.test(node.parentNode?.nodeName ?? '');
      if (isText && last?.nodeType === Node.TEXT_NODE && last.parentNode === node.parentNode) all.at(-1)?.push(node);
      else if (isText) all.push([node]);
      last = node;
    }
    return all;
  };
  const read = (nodes: readonly Node[]) => nodes.map((node) => node.nodeValue ?? '').join('');
  const write = (nodes: readonly Node[], text: string) => {
    for (const [index, node] of nodes.entries()) node.nodeValue = index === 0 ? text : '';
  };
  return texts.map(({ selector, elements }) =>
    roots
      .flatMap((root) => Array.from(root.querySelectorAll(selector)))
      .map((element, index) =>
        textsOf(element).map((nodes, at) => {
          const text = read(nodes);
          const given = elements[index]?.[at];
          if (given !== undefined && given !== text) write(nodes, given);
          return text;
        }),
      ),
  );
}
