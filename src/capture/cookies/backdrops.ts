import type { Changes, CookieState, Place, Tree } from './in-page.js';

/** Runs in the page. Hides the sheets that banners lay over the page, where they are not part of the banner. */
export function hideBackdrops(state: CookieState, tree: Tree, place: Place, changes: Changes): void {
  const NAME = /overlay|backdrop|modal|mask|cookie|consent|curtain|dim|shade|filter|gdpr|cmp|underlay|blocker|bg/i;

  const isBackdrop = (element: Element) => {
    if (!tree.isShown(element) || !place.coversViewport(element) || !place.isEmpty(element)) return false;
    const style = getComputedStyle(element);
    if (!/fixed|absolute/.test(style.position) || Number(style.zIndex) < 0) return false;
    const alpha = alphaOf(style.backgroundColor) * Number(style.opacity);
    const isNamed = NAME.test(`${element.id} ${element.getAttribute('class')}`);
    const isSheer = (alpha > 0 && alpha < 1) || style.backdropFilter !== 'none';
    if (isSheer) return isNamed || style.pointerEvents !== 'none';
    return alpha === 1 && isNamed && Number(style.zIndex) >= 100;
  };

  const alphaOf = (color: string) => {
    const parts = color.match(/[\d.]+%?/g) ?? [];
    const last = parts[3] ?? '1';
    return last.endsWith('%') ? Number.parseFloat(last) / 100 : Number(last);
  };

  const nearby = new Set<Element>([
    ...document.body.children,
    ...document.elementsFromPoint(innerWidth / 2, innerHeight / 2),
  ]);
  for (const element of state.hidden)
    for (let at = tree.parentOf(element); at; at = tree.parentOf(at))
      for (const child of tree.childrenOf(at)) nearby.add(child);
  for (const element of nearby)
    if (element instanceof HTMLElement && isBackdrop(element))
      changes.hide(element, `backdrop (${tree.describe(element)})`);

  // A backdrop may be drawn by the page itself, as what goes before or after its root or body.
  for (const element of [document.documentElement, document.body]) {
    for (const pseudo of ['::before', '::after']) {
      const { content, position, width, height, backgroundColor } = getComputedStyle(element, pseudo);
      if (content === 'none' || !/fixed|absolute/.test(position) || alphaOf(backgroundColor) % 1 === 0) continue;
      if (Number.parseFloat(width) < innerWidth - 20 || Number.parseFloat(height) < innerHeight - 1) continue;
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(`${element.localName}${pseudo} { display: none !important; }`);
      document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
      state.undo.push(() => {
        document.adoptedStyleSheets = document.adoptedStyleSheets.filter((other) => other !== sheet);
      });
      state.told.add(`backdrop (${element.localName}${pseudo})`);
    }
  }
}
