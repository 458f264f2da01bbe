import type { Page } from '@playwright/test';
import type { Warning } from '../model/capture.js';
import { messageOf, ProofsheetError } from '../model/errors.js';
import type { CaptureSettings } from '../model/shot.js';
import { framesOf } from './in-page/frames.js';

/** What a list takes out of sight. */
export type HiddenSelectors = Pick<CaptureSettings, 'hide' | 'remove'>;

/** The style of a capture, and how it is put in force. */
export interface PageStyles {
  /**
   * Source text of an expression that puts the style in force in a document and every open shadow root of it. Evaluated
   * again, it reaches what has come since. Its value tells for each selector whether it matches something; null: it is not
   * valid.
   */
  readonly source: string;
  /** Returns a warning for each selector that matched nothing in any frame, by the values that the frames gave. */
  unmatched(frames: readonly Matches[]): Warning[];
  /**
   * Puts the style in force in every frame of a page.
   *
   * @throws ProofsheetError `page-selector` when a selector is not valid CSS.
   */
  apply(page: Page): Promise<void>;
}

/** Whether each selector of a list matches something in one frame; null: it is not valid. */
export type Matches = readonly (boolean | null)[];

/**
 * Puts together what a list takes out of sight and the style of the stabilizers.
 *
 * A constructed style sheet does it, since a content security policy cannot refuse one.
 */
export function createPageStyles(css: string, { hide, remove }: HiddenSelectors): PageStyles {
  const selectors = [...hide, ...remove];
  const rules = [
    css,
    ...hide.map((selector) => `${selector}, :is(${selector}) * { visibility: hidden !important; }`),
    ...remove.map((selector) => `${selector} { display: none !important; }`),
  ];
  const source = `(${String(adopt)})(${JSON.stringify({ css: rules.join('\n'), selectors })})`;
  const fieldAt = (index: number) => (index < hide.length ? 'hide' : 'remove');
  return {
    source,
    unmatched(frames) {
      const missing = selectors.map((selector, index) => ({ selector, field: fieldAt(index), index }));
      return missing
        .filter(({ index }) => !frames.some((matches) => matches[index]))
        .map(({ selector, field }) => ({
          code: `${field}-no-match`,
          message: `\`${field}\`: ${selector} matches nothing on the page`,
        }));
    },
    async apply(page) {
      const frames = await Promise.all(framesOf(page).map((frame) => frame.evaluate<Matches>(source)));
      const invalid = selectors.findIndex((_, index) => frames.some((matches) => matches[index] === null));
      if (invalid >= 0) throw invalidSelector(page.url(), fieldAt(invalid), selectors[invalid] ?? '');
    },
  };
}

/** Takes the style away again. */
export async function removeStyle(page: Page): Promise<void> {
  await Promise.all(framesOf(page).map((frame) => frame.evaluate(discard).catch(messageOf)));
}

/** Returns the error of a selector that a browser does not understand. */
export function invalidSelector(url: string, field: string, selector: string): ProofsheetError {
  return new ProofsheetError({
    code: 'page-selector',
    where: url,
    found: `\`${field}\` has "${selector}", which is not a CSS selector`,
    advice: 'Write it as document.querySelector would take it.',
  });
}

/** Runs in the page. Tells for each selector whether it matches something; null: it is not valid. */
function adopt({ css, selectors }: { css: string; selectors: readonly string[] }): (boolean | null)[] {
  window.__proofsheet ??= {};
  const memory = window.__proofsheet;
  memory.styled ??= [];
  const roots: (Document | ShadowRoot)[] = [document];
  for (const root of roots) {
    for (const element of root.querySelectorAll('*')) if (element.shadowRoot) roots.push(element.shadowRoot);
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
function discard(): void {
  for (const { root, sheet } of window.__proofsheet?.styled ?? [])
    root.adoptedStyleSheets = root.adoptedStyleSheets.filter((other) => other !== sheet);
  if (window.__proofsheet) delete window.__proofsheet.styled;
}
