import type { Banner, Changes, CookieState, FrameFindings, Reader, Tree } from './in-page.js';

/** The parts that the page's own code is put together from. */
export interface HideParts {
  readonly state: CookieState;
  readonly tree: Tree;
  readonly reader: Reader;
  readonly changes: Changes;
  readonly find: () => Banner[];
  readonly findSuspects: () => void;
  readonly hideBackdrops: () => void;
  readonly unlock: () => void;
}

/** Runs in the page. Hides what asks for consent in this frame. */
export function hideInFrame(parts: HideParts): FrameFindings {
  const { state, tree, reader, changes } = parts;
  if (!document.body) return { told: [], isBanner: false, suspects: 0 };
  const isBanner = self !== top && reader.asksConsent(document.body);
  for (const { element, name } of parts.find())
    if (element instanceof HTMLElement) changes.hide(element, `${name} (${tree.describe(element)})`);
  for (const element of state.hidden)
    if (getComputedStyle(element).display !== 'none') element.style.setProperty('display', 'none', 'important');
  if (state.hidden.size > 0) {
    parts.hideBackdrops();
    parts.unlock();
  }
  if (self === top) parts.findSuspects();
  return { told: [...state.told], isBanner, suspects: state.suspects.length };
}
