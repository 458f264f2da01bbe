import type { Page } from '@playwright/test';
import { type CaptureSettings, messageOf, ProofsheetError, type Warning } from '../model/index.js';
import { evaluateInFrames, framesOf, openRoots, type Root } from './in-page/frames.js';

/** The style sheet of a capture, and the functions that apply it. */
export type PageStyles = ReturnType<typeof createPageStyles>;

/** Whether each selector matches an element in one frame; null if it is not valid CSS. */
export type Matches = readonly (boolean | null)[];

/**
 * Combines the `hide` and `remove` rules of a list with the style of the stabilizers.
 *
 * Uses a constructed style sheet, because a content security policy cannot block one.
 */
export function createPageStyles(css: string, { hide, remove }: Pick<CaptureSettings, 'hide' | 'remove'>) {
  const selectors = [...hide, ...remove];
  const rules = [
    css,
    ...hide.map((selector) => `${selector}, :is(${selector}) * { visibility: hidden !important; }`),
    ...remove.map((selector) => `${selector} { display: none !important; }`),
  ];
  const applySource = `(${String(applyStyle)})(roots, ${JSON.stringify({ css: rules.join('\n'), selectors })})`;
  const fieldAt = (index: number) => (index < hide.length ? 'hide' : 'remove');
  return {
    /**
     * Source text of an expression that applies the style to `roots`, the document and its open shadow roots. A second
     * evaluation also covers shadow roots that were added later. Its value contains for each selector whether it matches;
     * null if it is not valid CSS.
     */
    applySource,
    /** Returns a warning for each selector that matches nothing in any frame. */
    unmatched: (frames: readonly Matches[]): Warning[] =>
      selectors.flatMap((selector, index) => {
        const field = fieldAt(index);
        if (frames.some((matches) => matches[index])) return [];
        return [{ code: `${field}-no-match`, message: `\`${field}\`: no element matches "${selector}"` }];
      }),
    /**
     * Applies the style in every frame of a page.
     *
     * @throws ProofsheetError `page-selector` when a selector is not valid CSS.
     */
    async apply(page: Page): Promise<void> {
      const source = `((roots) => ${applySource})((${String(openRoots)})())`;
      const frames = await evaluateInFrames<Matches>(page, source);
      const invalid = selectors.findIndex((_, index) => frames.some((matches) => matches[index] === null));
      if (invalid >= 0) throw invalidSelector(page.url(), fieldAt(invalid), selectors[invalid] ?? '');
    },
  };
}

/** Removes the style from every frame of a page. */
export async function removeStyle(page: Page): Promise<void> {
  await Promise.all(framesOf(page).map((frame) => frame.evaluate(discardStyle).catch(messageOf)));
}

/** Returns the `page-selector` error for a selector that is not valid CSS. */
export function invalidSelector(url: string, field: string, selector: string): ProofsheetError {
  return new ProofsheetError({
    code: 'page-selector',
    where: url,
    found: `\`${field}\`: "${selector}" is not a valid CSS selector`,
    advice: 'Use a selector that document.querySelector() accepts.',
  });
}

/** Runs in the page. Returns for each selector whether it matches an element; null if it is not valid CSS. */
function applyStyle(
  roots: readonly Root[],
  { css, selectors }: { css: string; selectors: readonly string[] },
): (boolean | null)[] {
  window.__proofsheet ??= {};
  const memory = window.__proofsheet;
  memory.styled ??= [];
  for (const root of roots) {
    if (memory.styled.some((styled) => styled.root === root)) continue;
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(css);
    root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
    memory.styled.push({ root, sheet });
  }
  return selectors.map((selector) => {
    try {
      return roots.some((root) => root.querySelector(selector) !== null);
    } catch {
      return null;
    }
  });
}

/** Runs in the page. */
function discardStyle(): void {
  for (const { root, sheet } of window.__proofsheet?.styled ?? [])
    root.adoptedStyleSheets = root.adoptedStyleSheets.filter((other) => other !== sheet);
  if (window.__proofsheet) delete window.__proofsheet.styled;
}
