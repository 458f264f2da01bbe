import type { Page } from '@playwright/test';
import { nameElement } from '../in-page/frames.js';

/** What an element shows that does not scroll with its page, and that the image does not show. */
interface PinnedLook {
  readonly name: string;
  /** The text that the image does not have; null if it has another look only, such as a color. */
  readonly text: string | null;
}

/** Finds what elements show that do not scroll with the page, and that was not there when it was created. */
interface PinnedParts {
  list(): PinnedLook[];
}

declare global {
  interface Window {
    __proofsheetPinned?: PinnedParts;
  }
}

/** Notes what the window shows, while it shows all of the page as the image does. */
export async function notePinned(page: Page): Promise<void> {
  await page.evaluate(`window.__proofsheetPinned = (${String(createPinned)})(${String(nameElement)})`);
}

/** Lists what is pinned in the window and looks different than in the image, at most one text for each part. */
export function listPinned(page: Page): Promise<PinnedLook[]> {
  return page.evaluate<PinnedLook[]>('window.__proofsheetPinned.list()');
}

/**
 * Runs in the page. It does not matter whether `visibility` hides a part: pinned parts are hidden while the page is scrolled. What an animation
 * of the page moves does not count.
 */
function createPinned(nameOf: (element: Element) => string): PinnedParts {
  const properties = [
    'color',
    'background-color',
    'background-image',
    'opacity',
    'box-shadow',
    'transform',
    'translate',
  ];
  const textOf = (element: Element) =>
    Array.from(element.childNodes, (node) => (node instanceof Text ? node.data.trim().replace(/\s+/g, ' ') : '')).join(
      '',
    );
  /** Null if the element is not seen, or moves by itself. */
  const lookOf = (element: Element) => {
    const moves = element.getAnimations().some(({ timeline }) => timeline === document.timeline);
    if (moves || !element.checkVisibility({ opacityProperty: true })) return null;
    const style = getComputedStyle(element);
    return [textOf(element), ...properties.map((name) => style.getPropertyValue(name))].join('\n');
  };
  const elements = Array.from(document.querySelectorAll('body *'));
  const looks = new Map(elements.map((element) => [element, lookOf(element)]));
  const known = new Set(looks.values());
  const texts = new Set(elements.flatMap((element) => (looks.get(element) ? textOf(element) : [])));
  return {
    list: () =>
      Array.from(document.querySelectorAll<HTMLElement>('body *')).flatMap((part) => {
        const isHidden = part.style.getPropertyPriority('visibility') === 'important';
        if (!isHidden || !/fixed|sticky/.test(getComputedStyle(part).position)) return [];
        const changed = [part, ...part.querySelectorAll('*')].filter((element) => {
          const look = lookOf(element);
          // A script may write the same again.
          return looks.has(element) ? look !== null && look !== looks.get(element) : !known.has(look);
        });
        if (changed.length === 0) return [];
        const text = changed.map(textOf).find((one) => one.length > 1 && !texts.has(one));
        return [{ name: nameOf(part), text: text?.slice(0, 60) ?? null }];
      }),
  };
}
