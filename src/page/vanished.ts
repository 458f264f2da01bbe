import type { Page } from '@playwright/test';
import { listFew, type Warning } from '../model/index.js';
import { callIn } from './in-page/frames.js';
import type { Tools } from './in-page/tools.js';

/** Smallest element that counts, in CSS pixels, and how long it must be seen, in milliseconds of the page. */
const SEEN = { width: 40, height: 20, ms: 1_000 };

/** Notes the elements of a page that appear from now on, such as messages that close themselves. Call it before an interaction. */
export async function watchVanishing(page: Page): Promise<void> {
  await callIn(page, noteShown, SEEN);
}

/** Returns a warning for the elements that appeared after an interaction, and that are no longer seen. Call it before the image. */
export async function warnOfVanished(page: Page): Promise<Warning[]> {
  const names = await callIn(page, ({ memory }) => memory.listVanished?.() ?? []);
  if (names.length === 0) return [];
  const message = `not in the image, because it appeared after an interaction and vanished again: ${listFew(names)}`;
  return [{ code: 'content-vanished', message }];
}

/** What loads is shown for no time of the page, so it does not count. */
function noteShown({ memory, nameOf }: Tools, { width, height, ms }: typeof SEEN): void {
  if (memory.listVanished) return;
  // `clock` does not change this time.
  const now = () => Number(document.timeline.currentTime);
  /** Of an element that fades, the opacity at the end counts. */
  const isOpaque = (element: Element) => {
    const fade = element
      .getAnimations()
      .find((animation) => animation instanceof CSSTransition && animation.transitionProperty === 'opacity');
    const end = fade?.effect instanceof KeyframeEffect ? fade.effect.getKeyframes().at(-1) : undefined;
    return end ? Number(end.opacity) > 0 : element.checkVisibility({ opacityProperty: true });
  };
  const isSeen = (element: Element) => {
    if (!element.isConnected || !element.checkVisibility({ visibilityProperty: true }) || !isOpaque(element))
      return false;
    const box = element.getBoundingClientRect();
    return box.width >= width && box.height >= height;
  };
  const before = new WeakSet(Array.from(document.querySelectorAll('*')).filter(isSeen));
  const shown = new Map<Element, { readonly from: number; to: number | null }>();
  const note = (element: Element) => {
    const known = shown.get(element);
    if (isSeen(element)) {
      if (!known && !before.has(element)) shown.set(element, { from: now(), to: null });
      else if (known) known.to = null;
    } else if (known) known.to ??= now();
  };
  const observer = new MutationObserver((records) => {
    for (const { target, addedNodes, removedNodes } of records) {
      for (const node of [target, ...addedNodes, ...removedNodes]) if (node instanceof Element) note(node);
    }
  });
  const attributeFilter = ['class', 'style', 'hidden', 'open'];
  observer.observe(document, { childList: true, subtree: true, attributeFilter });
  // An animation changes no attribute.
  document.addEventListener('animationend', ({ target }) => target instanceof Element && note(target), true);
  memory.listVanished = () => {
    observer.disconnect();
    for (const element of shown.keys()) note(element);
    const isGone = (element: Element | null) => {
      const { from = 0, to = null } = (element && shown.get(element)) ?? {};
      return to !== null && to - from >= ms;
    };
    return Array.from(shown.keys())
      .filter((element) => isGone(element) && !isGone(element.parentElement))
      .map(nameOf);
  };
}
