import type { Page } from '@playwright/test';
import { type CaptureSettings, messageOf, ProofsheetError } from '../model/index.js';
import { evaluateInFrames, framesOf, ROOTS } from './in-page/frames.js';
import type { Root } from './in-page/tools.js';

export type PageStyles = ReturnType<typeof createPageStyles>;

/** Whether each selector matches an element in one frame; null if it is not valid CSS. */
export type Matches = readonly (boolean | null)[];

/** Combines the `hide` and `remove` rules of a list with the style of the stabilizers. A content security policy cannot block it. */
export function createPageStyles(css: string, { hide, remove }: Pick<CaptureSettings, 'hide' | 'remove'>) {
  const entries = [
    ...hide.map((selector) => ({ field: 'hide', selector })),
    ...remove.map((selector) => ({ field: 'remove', selector })),
  ];
  const hiding = hide.map((selector) => `${selector}, :is(${selector}) * { visibility: hidden !important; }`);
  const removing = remove.map((selector) => `${selector} { display: none !important; }`);
  const style = { css: [css, ...hiding, ...removing].join('\n'), selectors: [...hide, ...remove] };
  const applySource = `(${String(applyStyle)})(roots, ${JSON.stringify(style)})`;
  return {
    /** Source text of an expression that applies the style to `roots`, as far as they do not have it. Its value is {@link Matches}. */
    applySource,
    unmatched: (frames: readonly Matches[]) =>
      entries.filter((_, index) => !frames.some((matches) => matches[index] === true)),
    /** Applies the style in every frame of a page. @throws ProofsheetError `page-selector` if a selector is not valid CSS */
    async apply(page: Page): Promise<void> {
      const frames = await evaluateInFrames<Matches>(page, `((roots) => ${applySource})(${ROOTS})`);
      const invalid = entries.find((_, index) => frames.some((matches) => matches[index] === null));
      if (invalid) throw invalidSelector(page.url(), invalid.field, invalid.selector);
    },
  };
}

export async function removeStyle(page: Page): Promise<void> {
  await Promise.all(framesOf(page).map((frame) => frame.evaluate(discardStyle).catch(messageOf)));
}

export function invalidSelector(url: string, field: string, selector: string): ProofsheetError {
  return new ProofsheetError({
    code: 'page-selector',
    where: url,
    found: `\`${field}\`: "${selector}" is not a valid CSS selector`,
    advice: 'Use a selector that document.querySelector() accepts.',
  });
}

/** Runs in the page. */
function applyStyle(
  roots: readonly Root[],
  { css, selectors }: { css: string; selectors: readonly string[] },
): Matches {
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
