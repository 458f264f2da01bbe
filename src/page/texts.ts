import type { Page } from '@playwright/test';
import type { ShownTexts, TextPattern, Warning, WrongText } from '../model/index.js';
import type { CaptureContext } from './capture-context.js';
import { REACTION_MS } from './frames/grow-window.js';
import { openRoots } from './in-page/frames.js';
import { listFew } from './network.js';
import { allowsText, withoutMarks } from './text-patterns.js';

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
 * Decides what the image shows. An allowed text is replaced by the first expected one that is allowed, too. A wrong text stays, or is replaced
 * by an expected one that is wrong as well: the loads of a page then show the same.
 *
 * @param found - what the page has of each entry
 * @param expected - what to show instead, the best first: the texts of an earlier image or load, and those of the baseline
 */
export function decideTexts(
  patterns: readonly TextPattern[],
  found: readonly (readonly string[][])[],
  expected: readonly (readonly ShownTexts[])[],
): CheckedTexts {
  const checked = patterns.map(({ selector, pattern }, index) => {
    const elements = found[index] ?? [];
    const textOf = (parts: readonly string[]) => withoutMarks(parts.join(''));
    const isAllowed = (parts: readonly string[]) => allowsText(pattern, textOf(parts));
    const known = expected.map((texts) => texts.find((one) => one.selector === selector)?.elements ?? []);
    const shown = elements.map((own, at) => {
      const replaces = (other: readonly string[] | undefined) =>
        other?.length === own.length && isAllowed(other) === isAllowed(own);
      return known.map((texts) => texts[at]).find(replaces) ?? own;
    });
    const wrong = elements.filter((parts) => !isAllowed(parts)).map(textOf);
    return { selector, elements, shown, wrong: wrong.map((text) => ({ selector, pattern, text })) };
  });
  return {
    own: checked.map(({ selector, elements }) => ({ selector, elements: [...elements] })),
    shown: checked.map(({ selector, shown }) => ({ selector, elements: shown })),
    wrong: checked.flatMap(({ wrong }) => wrong),
    unmatched: checked.flatMap(({ selector, elements }) => (elements.length > 0 ? [] : [selector])),
  };
}

/**
 * Replaces the texts of a page before an image. Their width, and the layout around them, is then that of the expected image. Scripts may write a
 * text again, so each image needs it.
 */
export async function checkTexts({ page, settings, texts }: CaptureContext): Promise<CheckedTexts> {
  if (settings.texts.length === 0) return { own: [], shown: [], wrong: [], unmatched: [] };
  const read = settings.texts.map(({ selector }) => ({ selector, elements: [] }));
  const checked = decideTexts(settings.texts, await exchange(page, read), texts.expected);
  await exchange(page, checked.shown);
  texts.own ??= checked.own;
  texts.expected = [checked.shown, ...texts.expected];
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
  return [{ code: 'texts-wrong', message: `\`texts\`: the pattern does not allow ${listFew(names)}` }];
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
