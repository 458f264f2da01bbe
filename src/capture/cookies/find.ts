import type { Banner, CookieState, Place, Reader, Tree } from './in-page.js';
import type { ConsentTool } from './tools.js';

/** Runs in the page. Finds the banners that can be seen, by the marks of well-known tools first, then by reading. */
export function findBanners(
  state: CookieState,
  tree: Tree,
  reader: Reader,
  place: Place,
  tools: readonly ConsentTool[],
): Banner[] {
  const LONGEST = 1_500;
  const REGIONS = 'header, nav, main, [role="banner"], [role="navigation"], [role="main"]';
  const banners = new Map<Element, string>();
  const isHidden = (element: Element) => element instanceof HTMLElement && state.hidden.has(element);

  const hasBox = (element: Element) => {
    return [element, ...tree.find(element, '*')].some((one) => {
      const { width, height } = one.getBoundingClientRect();
      return width > 1 && height > 1 && tree.isShown(one);
    });
  };

  const findTools = () => {
    const all = tools.flatMap(({ selectors }) => selectors).join(',');
    for (const root of tree.roots) {
      for (const element of root.querySelectorAll(all)) {
        const name = tools.find(({ selectors }) => element.matches(selectors.join(',')))?.name ?? '';
        if (tree.isShown(element) && hasBox(element)) banners.set(element, name);
      }
    }
  };

  /** What says too much is not read on: it is no banner, and neither is what holds it. */
  const blockOf = (seed: Element): Element | null => {
    for (let at: Element | null = seed; at && at !== document.body; at = tree.parentOf(at)) {
      if (banners.has(at) || (at.textContent ?? '').length > 20_000) return null;
      if (reader.asksConsent(at)) return innermost(at);
    }
    return null;
  };

  const innermost = (block: Element): Element => {
    const inner = tree.childrenOf(block).find((child) => reader.asksConsent(child));
    return inner ? innermost(inner) : block;
  };

  const overlayOf = (element: Element): Element | null => {
    for (let at: Element | null = element; at && at !== document.body; at = tree.parentOf(at))
      if (place.isOverlay(at)) return at;
    return null;
  };

  const isMostly = (block: Element, overlay: Element) =>
    !overlay.matches(REGIONS) &&
    !tree.find(overlay, REGIONS).some(tree.isShown) &&
    reader.asksConsent(overlay) &&
    tree.textOf(block).length >= 0.5 * tree.textOf(overlay).length;

  const isContent = (element: Element) => {
    for (let at: Element | null = element; at; at = tree.parentOf(at))
      if (at.matches('main, article, [role="main"]')) return true;
    return tree.find(element, 'h1, main, article').length > 0;
  };

  const isBar = (block: Element) => {
    if (!place.isEdgeBar(block) || isContent(block) || tree.textOf(block).length > LONGEST) return false;
    return reader.asksClearly(block) || reader.isNamed(block);
  };

  /** A bar below the page's head is told from content only by its name. */
  const isNamedBar = (block: Element) => {
    const { width, top, bottom } = block.getBoundingClientRect();
    const isHigh = top >= 0 && bottom <= innerHeight && width >= 0.8 * innerWidth;
    return isHigh && reader.isNamed(block) && reader.asksClearly(block) && !isContent(block);
  };

  const bannerOf = (block: Element): Element | null => {
    const widest = place.widen(block);
    const overlay = overlayOf(block);
    if (overlay && tree.isWithin(overlay, widest)) return widest;
    if (overlay && isMostly(block, overlay)) return place.widen(overlay);
    return isBar(widest) || isBar(block) || isNamedBar(block) ? widest : null;
  };

  const reopenerOf = (seed: Element): Element | null => {
    const overlay = overlayOf(seed);
    if (!overlay) return null;
    const { width, height } = overlay.getBoundingClientRect();
    return width * height < 30_000 && reader.isReopener(overlay) ? overlay : null;
  };

  const seedsOf = (root: Document | ShadowRoot): Element[] => {
    const seeds = new Set<Element>();
    const walker = document.createTreeWalker(root, 4);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const text = node.nodeValue ?? '';
      // Longer than any sentence of a banner: a script, or data.
      if (text.length < 3 || text.length > 5_000 || !node.parentElement || !reader.isTopic(text)) continue;
      if (tree.isShown(node.parentElement)) seeds.add(node.parentElement);
    }
    const labelled = '[aria-label*="cookie" i], [title*="cookie" i], [alt*="cookie" i], [aria-label*="consent" i]';
    for (const element of root.querySelectorAll(labelled)) if (tree.isShown(element)) seeds.add(element);
    return Array.from(seeds);
  };

  const read = (seed: Element) => {
    const block = blockOf(seed);
    const banner = block ? bannerOf(block) : null;
    const reopener = banner ? null : reopenerOf(seed);
    if (banner) banners.set(banner, 'banner');
    else if (reopener) banners.set(reopener, 'settings button');
  };

  findTools();
  for (const root of tree.roots) for (const seed of seedsOf(root)) read(seed);
  for (const frame of state.consentFrames) {
    if (!frame.isConnected || isHidden(frame)) continue;
    const overlay = overlayOf(frame);
    const widest = place.widen(overlay ?? frame);
    if (overlay || place.isEdgeBar(widest)) banners.set(widest, 'banner in a frame');
  }
  return Array.from(banners, ([element, name]) => ({ element, name }));
}
