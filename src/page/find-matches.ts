import type { Page } from '@playwright/test';
import { ProofsheetError } from '../model/index.js';

export interface Match {
  /** Unique among the matches, such as `pro-plan`, or `2`. */
  readonly name: string;
  /** Its index among all elements that the selector matches. */
  readonly index: number;
}

const MAX_MATCHES = 200;

/**
 * Finds the visible elements that a selector matches, with a name for each.
 *
 * @param byIndex - names them by their position instead of their text
 * @throws ProofsheetError `page-selector` if there are none or more than 200
 */
export async function findMatches(page: Page, selector: string, byIndex: boolean): Promise<Match[]> {
  const texts = await page.locator(selector).evaluateAll(readTexts);
  const count = texts.filter((text) => text !== null).length;
  if (count > 0 && count <= MAX_MATCHES) return nameMatches(byIndex ? texts.map((text) => text && '') : texts);
  throw new ProofsheetError({
    code: 'page-selector',
    where: page.url(),
    found: `\`element\` "${selector}" matches ${count === 0 ? 'no visible element' : `${count} visible elements`}`,
    advice: `Use a selector that matches 1 to ${MAX_MATCHES} elements, or add a \`waitFor\` for it.`,
  });
}

/** Runs in the page. Returns the text that identifies each element: its label, its first heading or all of it; null if it is not visible. */
function readTexts(elements: readonly Element[]): (string | null)[] {
  const headings = 'h1, h2, h3, h4, h5, h6, [role=heading], legend, caption, figcaption, summary, dt';
  return elements.map((element) => {
    if (!element.checkVisibility()) return null;
    const titled = element.querySelector(headings) ?? element;
    return element.getAttribute('aria-label') ?? titled.textContent ?? '';
  });
}

const MAX_NAME_LENGTH = 40;

/** Names elements by the first words of their texts. An element without a text has its position as its name. */
export function nameMatches(texts: readonly (string | null)[]): Match[] {
  const names = new Set<string>();
  return texts.flatMap((text, index) => {
    if (text === null) return [];
    const words = text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
    const all = words.join('-');
    const short = all.length > MAX_NAME_LENGTH ? all.slice(0, MAX_NAME_LENGTH + 1).replace(/-[^-]*$/, '') : all;
    const base = short || String(names.size + 1);
    let name = base;
    for (let count = 2; names.has(name); count++) name = `${base}-${count}`;
    names.add(name);
    return [{ name, index }];
  });
}
