import type { Page } from '@playwright/test';
import type { Warning } from '../model/capture.js';
import { messageOf, ProofsheetError } from '../model/errors.js';

/**
 * Puts a style in force in every frame of the page, and checks the selectors it hides.
 *
 * A constructed style sheet does it, since a content security policy cannot refuse one.
 * @returns a warning for each selector that matches nothing in any frame.
 * @throws ProofsheetError `page-selector` when a selector is not valid CSS.
 */
export async function applyStyle(page: Page, css: string, hide: readonly string[]): Promise<Warning[]> {
  const text = [css, ...hide.map((selector) => `${selector}, :is(${selector}) * { visibility: hidden !important; }`)];
  const matches = await Promise.all(page.frames().map((frame) => frame.evaluate(adopt, { css: text, hide })));
  const invalid = matches.flatMap((frame) => frame.invalid)[0];
  if (invalid !== undefined) throw invalidSelector(page.url(), invalid);
  return hide
    .filter((_, index) => matches.every((frame) => !frame.found[index]))
    .map((selector) => ({ code: 'hide-no-match', message: `\`hide\`: ${selector} matches nothing on the page` }));
}

/** Takes the style away again. */
export async function removeStyle(page: Page): Promise<void> {
  await Promise.all(page.frames().map((frame) => frame.evaluate(discard).catch(messageOf)));
}

/** Runs in the page. */
function adopt({ css, hide }: { css: string[]; hide: readonly string[] }): { found: boolean[]; invalid: string[] } {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css.join('\n'));
  Object.assign(globalThis, { __proofsheetStyle: sheet });
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  const invalid: string[] = [];
  const found = hide.map((selector) => {
    try {
      return document.querySelector(selector) !== null;
    } catch {
      invalid.push(selector);
      return false;
    }
  });
  return { found, invalid };
}

/** Runs in the page. */
function discard(): void {
  const sheet = (globalThis as { __proofsheetStyle?: CSSStyleSheet }).__proofsheetStyle;
  document.adoptedStyleSheets = document.adoptedStyleSheets.filter((other) => other !== sheet);
}

function invalidSelector(url: string, selector: string): ProofsheetError {
  return new ProofsheetError({
    code: 'page-selector',
    where: url,
    found: `\`hide\` has "${selector}", which is not a CSS selector`,
    advice: 'Write it as document.querySelector would take it.',
  });
}
