import type { CookieState, Tree } from './in-page.js';

/**
 * Runs in the page. Looks for what may be drawn by a closed shadow root: at points of the viewport, an element is hit that
 * has nothing in it, or lies elsewhere itself.
 */
export function findSuspects(state: CookieState, tree: Tree): void {
  const HOSTS = /-|^(article|aside|blockquote|body|div|footer|h[1-6]|header|main|nav|p|section|span)$/;

  const hitAt = (x: number, y: number): Element | null => {
    let hit = document.elementFromPoint(x, y);
    while (hit) {
      const root = tree.rootsWithin(hit).find((one) => one.host === hit);
      const inner: Element | null = root?.elementFromPoint(x, y) ?? null;
      if (!inner || inner === hit) return hit;
      hit = inner;
    }
    return null;
  };

  const maySuspect = (element: Element, x: number, y: number) => {
    if (element === document.body || element === document.documentElement) return false;
    if (tree.roots.some((root) => root instanceof ShadowRoot && root.host === element)) return false;
    if (!HOSTS.test(element.localName)) return false;
    const isBlank = (element.textContent ?? '').trim() === '' && element.childElementCount === 0;
    const rects = [...element.getClientRects()];
    const isElsewhere = !rects.some(
      ({ left, right, top, bottom }) => x >= left && x <= right && y >= top && y <= bottom,
    );
    const isCustom = element.localName.includes('-');
    const isTopmost = /fixed|sticky|absolute/.test(getComputedStyle(element).position);
    const isChild = element.parentElement === document.body;
    return isBlank ? isElsewhere || isCustom || isTopmost || isChild : isCustom && isElsewhere;
  };

  for (const x of [24, innerWidth / 2, innerWidth - 24]) {
    for (const y of [12, innerHeight / 2, innerHeight - 12]) {
      const hit = hitAt(x, y);
      if (!hit || state.judged.has(hit) || state.suspects.includes(hit) || !maySuspect(hit, x, y)) continue;
      state.suspects.push(hit);
    }
  }
}
