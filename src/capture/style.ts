import type { Page } from '@playwright/test';
import type { Warning } from '../model/capture.js';
import { messageOf, ProofsheetError } from '../model/errors.js';
import type { CaptureSettings } from '../model/plan.js';
import { framesOf } from './frames.js';

/** What a list takes out of sight. */
export type Unseen = Pick<CaptureSettings, 'hide' | 'remove'>;

/**
 * Puts a style in force in every frame of the page and every open shadow root, and checks the selectors it hides.
 *
 * A constructed style sheet does it, since a content security policy cannot refuse one. Called again, it reaches what has
 * come since.
 * @returns a warning for each selector that matches nothing in any frame.
 * @throws ProofsheetError `page-selector` when a selector is not valid CSS.
 */
export async function applyStyle(page: Page, css: string, { hide, remove }: Unseen): Promise<Warning[]> {
  const style = {
    css: [
      css,
      ...hide.map((selector) => `${selector}, :is(${selector}) * { visibility: hidden !important; }`),
      ...remove.map((selector) => `${selector} { display: none !important; }`),
    ].join('\n'),
    selectors: [...hide, ...remove],
  };
  const frames = await Promise.all(framesOf(page).map((frame) => frame.evaluate(adopt, style)));
  const invalid = style.selectors.findIndex((_, index) => frames.some((matches) => matches[index] === null));
  if (invalid >= 0) throw invalidSelector(page.url(), fieldAt(invalid, hide), style.selectors[invalid] ?? '');
  return style.selectors.flatMap((selector, index) => {
    if (frames.some((matches) => matches[index])) return [];
    const field = fieldAt(index, hide);
    return [{ code: `${field}-no-match`, message: `\`${field}\`: ${selector} matches nothing on the page` }];
  });
}

/** Takes the style away again. */
export async function removeStyle(page: Page): Promise<void> {
  await Promise.all(framesOf(page).map((frame) => frame.evaluate(discard).catch(messageOf)));
}

/** Gives the error of a selector that a browser does not understand. */
export function invalidSelector(url: string, field: string, selector: string): ProofsheetError {
  return new ProofsheetError({
    code: 'page-selector',
    where: url,
    found: `\`${field}\` has "${selector}", which is not a CSS selector`,
    advice: 'Write it as document.querySelector would take it.',
  });
}

function fieldAt(index: number, hide: readonly string[]): 'hide' | 'remove' {
  return index < hide.length ? 'hide' : 'remove';
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
