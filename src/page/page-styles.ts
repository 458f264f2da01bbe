import type { Page } from '@playwright/test';
import { type CaptureSettings, messageOf, ProofsheetError } from '../model/index.js';
import { callIn, callInFrames, framesOf } from './in-page/frames.js';
import type { Tools } from './in-page/tools.js';

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
  return {
    style,
    unmatched: (frames: readonly Matches[]) =>
      entries.filter((_, index) => !frames.some((matches) => matches[index] === true)),
    /** Applies the style in every frame of a page. @throws ProofsheetError `page-selector` if a selector is not valid CSS */
    async apply(page: Page): Promise<void> {
      const frames = await callInFrames(page, applyStyle, style);
      const invalid = entries.find((_, index) => frames.some((matches) => matches[index] === null));
      if (invalid) throw invalidSelector(page.url(), invalid.field, invalid.selector);
    },
  };
}

export async function removeStyle(page: Page): Promise<void> {
  await Promise.all(framesOf(page).map((frame) => callIn(frame, discardStyle).catch(messageOf)));
}

export function invalidSelector(url: string, field: string, selector: string): ProofsheetError {
  return new ProofsheetError({
    code: 'page-selector',
    where: url,
    found: `\`${field}\`: "${selector}" is not a valid CSS selector`,
    advice: 'Use a selector that document.querySelector() accepts.',
  });
}

/** Applies the style to a document and its shadow roots, as far as they do not have it. */
export function applyStyle({ memory, listRoots }: Tools, { css, selectors }: PageStyles['style']): Matches {
  for (const root of listRoots()) {
    if (memory.styled.some((styled) => styled.root === root)) continue;
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(css);
    root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
    memory.styled.push({ root, sheet });
  }
  return selectors.map((selector) => {
    try {
      return listRoots().some((root) => root.querySelector(selector) !== null);
    } catch {
      return null;
    }
  });
}

function discardStyle({ memory }: Tools): void {
  for (const { root, sheet } of memory.styled.splice(0))
    root.adoptedStyleSheets = root.adoptedStyleSheets.filter((other) => other !== sheet);
}
