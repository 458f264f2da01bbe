import type { CookieState } from '../in-page/memory.js';
import type { Root } from '../in-page/tools.js';
import type { CONSENT_TOOLS } from './consent-words.js';
import type { Reader } from './reader.js';
import type { Place, Tree } from './tree.js';

/** Runs in the page. Finds visible banners with their names: first by the selectors of known consent tools, then by their text. */
export function findBanners(
  state: CookieState,
  tree: Tree,
  reader: Reader,
  place: Place,
  tools: typeof CONSENT_TOOLS,
): ReadonlyMap<Element, string> {
  const MAX_BAR_TEXT = 1_500;
  // As a share of the viewport height.
  const MAX_STRIP_SHARE = 0.25;
  const REGIONS = 'nav, main, [role="navigation"], [role="main"]';
  const banners = new Map<Element, string>();

  const hasBox = (element: Element) =>
    [element, ...tree.find(element, '*')].some((one) => place.hasArea(one) && tree.isRendered(one));

  const findTools = () => {
    const all = tools.flatMap(([, selectors]) => selectors.split(', '));
    // Queries for an id are fast. All other selectors are tested on every element, so one query combines them.
    const queries = [...all.filter((one) => one.startsWith('#')), all.filter((one) => !one.startsWith('#')).join(',')];
    for (const element of tree.roots.flatMap((root) => queries.flatMap((query) => [...root.querySelectorAll(query)]))) {
      const [name = ''] = tools.find(([, selectors]) => element.matches(selectors)) ?? [];
      if (tree.isRendered(element) && hasBox(element)) banners.set(element, name);
    }
  };

  const rejected = new Set<Element>();
  /** Returns the nearest ancestor that asks for consent. Stops at one with too much text: no further one is a banner. */
  const blockOf = (seed: Element): Element | null => {
    const path: Element[] = [];
    for (let at: Element | null = seed; at && at !== document.body; at = tree.parentOf(at)) {
      if (banners.has(at) || rejected.has(at) || (at.textContent ?? '').length > 20_000) break;
      if (reader.classify(at).asks) return at;
      path.push(at);
    }
    for (const element of path) rejected.add(element);
    return null;
  };

  const overlays = new Map<Element, Element | null>();
  const overlayOf = (element: Element): Element | null => {
    if (element === document.body) return null;
    const known = overlays.get(element);
    if (known !== undefined) return known;
    const above = tree.parentOf(element);
    const overlay = place.isOverlay(element) ? element : above ? overlayOf(above) : null;
    overlays.set(element, overlay);
    return overlay;
  };

  const hasRegions = (element: Element) =>
    element.matches(REGIONS) || tree.find(element, REGIONS).some(tree.isRendered);

  /** Ignores a `nav` around the buttons of the banner. */
  const hasOtherRegions = (box: Element, button: Element) =>
    tree.find(box, REGIONS).some((region) => tree.isRendered(region) && !tree.isWithin(button, region));

  const isMostly = (block: Element, overlay: Element) =>
    reader.classify(overlay).asks && tree.textOf(block).length >= 0.5 * tree.textOf(overlay).length;

  const isContent = (element: Element) => {
    for (let at: Element | null = element; at; at = tree.parentOf(at))
      if (at.matches('main, article, [role="main"]')) return true;
    return tree.find(element, 'h1, main, article').length > 0;
  };

  const isBar = (block: Element) => {
    if (!place.isEdgeBar(block) || isContent(block) || tree.textOf(block).length > MAX_BAR_TEXT) return false;
    return reader.classify(block).clearly || reader.isNamed(block) || isStrip(block);
  };

  /** Checks for a low bar that only says that the site uses cookies. */
  const isStrip = (block: Element) =>
    reader.classify(block).states &&
    !hasRegions(block) &&
    block.getBoundingClientRect().height <= MAX_STRIP_SHARE * innerHeight;

  const isBelowHeader = (block: Element) => {
    const previous = block.previousElementSibling;
    return isStrip(block) && previous !== null && (previous.matches('header, nav') || hasRegions(previous));
  };

  const isNotice = (block: Element) => reader.classify(block).clearly || reader.classify(block).states;

  /** Checks for a bar below the header of the page. Only its name or its height distinguishes it from content. */
  const isNamedBar = (block: Element) => {
    const { width, top, bottom } = block.getBoundingClientRect();
    const isHigh = top >= 0 && bottom <= innerHeight && width >= 0.8 * innerWidth;
    const isOwn = reader.isNamed(block) ? isNotice(block) : isBelowHeader(block);
    return isHigh && isOwn && !isContent(block);
  };

  const bannerOf = (block: Element): Element | null => {
    const widest = place.widen(block);
    const overlay = overlayOf(block);
    const isAll = overlay !== null && tree.isWithin(overlay, widest);
    if (overlay && !hasRegions(overlay) && (isAll || isMostly(block, overlay))) return place.widen(overlay);
    // If a child is the banner, such as in a sticky header, only the child is hidden.
    const inner = tree.childrenOf(block).find(isNotice);
    if (inner) return bannerOf(inner);
    return isAll || isBar(widest) || isBar(block) || isNamedBar(block) ? widest : null;
  };

  /** Returns the box around a button such as "accept all", if the box offers a choice about consent. */
  const choiceBoxOf = (button: Element): Element | null => {
    const overlay = overlayOf(button);
    if (overlay && !hasOtherRegions(overlay, button)) {
      const choice = reader.choiceOf(overlay);
      const isConsent = choice === 'consent' || (choice === 'settings' && banners.size === 0 && loadsConsentTool());
      if (isConsent) return place.widen(overlay);
    }
    let box: Element | null = null;
    for (let at: Element | null = button; at && at !== document.body; at = tree.parentOf(at)) {
      if ((at.textContent ?? '').length > 20_000) break;
      if (reader.choiceOf(at) === 'consent' && place.isEdgeBar(at) && !isContent(at) && !hasRegions(at)) box = at;
    }
    return box && place.widen(box);
  };

  /** Checks whether the page loads or stores something of a consent tool, or reports consent to an analytics tool. */
  const loadsConsentTool = () => {
    const page = globalThis as { dataLayer?: unknown };
    const globals = Object.keys(globalThis).filter((one) => one !== 'cookieStore');
    const loaded = [...document.querySelectorAll('script[src], link[href]')];
    const urls = loaded.map((one) => one.getAttribute('src') ?? one.getAttribute('href') ?? '');
    const layer = Array.isArray(page.dataLayer) ? page.dataLayer : [];
    const reports = layer.some((entry) => entry !== null && typeof entry === 'object' && entry[0] === 'consent');
    return reports || [...globals, ...urls, ...storedKeys()].some(reader.isConsentName);
  };

  const storedKeys = () => {
    try {
      return [...Object.keys(localStorage), ...document.cookie.split(';').map((one) => one.split('=')[0] ?? '')];
    } catch {
      // A page without an origin has no storage.
      return [];
    }
  };

  const reopenerOf = (seed: Element): Element | null => {
    const overlay = overlayOf(seed);
    if (!overlay) return null;
    const { width, height } = overlay.getBoundingClientRect();
    return width * height < 30_000 && reader.isReopener(overlay) ? overlay : null;
  };

  const height = document.documentElement.scrollHeight;
  /** Outside of overlays, only text about cookies in the first or last viewport height of the page is a seed. */
  const mayBeSeed = (element: Element, topic: 'cookie' | 'privacy') => {
    if (!tree.isRendered(element)) return false;
    if (overlayOf(element)) return true;
    const top = element.getBoundingClientRect().top + scrollY;
    return topic === 'cookie' && (top < innerHeight || top > height - innerHeight);
  };

  const choices = new Set<Element>();
  const seedsOf = (root: Root): Element[] => {
    const seeds = new Set<Element>();
    const walker = document.createTreeWalker(root, 4);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const text = node.nodeValue ?? '';
      // Longer text is not a sentence of a banner, but a script or data.
      if (text.length < 3 || text.length > 5_000 || !node.parentElement) continue;
      const topic = reader.topicOf(text);
      if (topic && mayBeSeed(node.parentElement, topic)) seeds.add(node.parentElement);
      if (reader.isAcceptAll(text) && mayBeSeed(node.parentElement, 'cookie')) choices.add(node.parentElement);
    }
    const labelled = '[aria-label*="cookie" i], [title*="cookie" i], [alt*="cookie" i], [aria-label*="consent" i]';
    for (const element of root.querySelectorAll(labelled)) if (mayBeSeed(element, 'privacy')) seeds.add(element);
    return [...seeds];
  };

  const classify = (seed: Element) => {
    const block = blockOf(seed);
    const banner = block && bannerOf(block);
    const found = banner ?? reopenerOf(seed);
    if (found) banners.set(found, banner ? 'banner' : 'settings button');
  };

  findTools();
  for (const root of tree.roots) for (const seed of seedsOf(root)) classify(seed);
  for (const button of choices) {
    if ([...banners.keys()].some((banner) => tree.isWithin(button, banner))) continue;
    const box = choiceBoxOf(button);
    if (box) banners.set(box, 'banner');
  }
  for (const frame of state.consentFrames) {
    if (!frame.isConnected || (frame instanceof HTMLElement && state.hidden.has(frame))) continue;
    const overlay = overlayOf(frame);
    const widest = place.widen(overlay ?? frame);
    if (overlay || place.isEdgeBar(widest)) banners.set(widest, 'banner in a frame');
  }
  return banners;
}
