import type { CookieState } from '../in-page/memory.js';
import type { Changes } from './changes.js';
import type { Reader } from './reader.js';
import type { Place, Tree } from './tree.js';

/** Runs in the page. Removes the effects of banners on the page behind them: scroll locks, offsets, blur and `inert`. */
export function unlockPage(state: CookieState, tree: Tree, reader: Reader, changes: Changes): void {
  const BOX = ['top', 'left', 'right', 'bottom', 'width', 'height', 'max-height', 'padding-right', 'margin-right'];
  const LOCK_NAME =
    /lock|no-?scroll|modal|popup|dialog|overlay|overflow|open|fixed|frozen|freeze|blur|active|visible|shown?\b/i;
  const rootElements = [document.documentElement, document.body];

  const isLocked = (element: Element) => {
    const { overflowY, position, pointerEvents, touchAction } = getComputedStyle(element);
    return /hidden|clip/.test(overflowY) || position === 'fixed' || pointerEvents === 'none' || touchAction === 'none';
  };
  const stylesOf = (element: Element) => {
    const { paddingTop, paddingBottom, marginTop, marginBottom, top, filter, overflowY, position } =
      getComputedStyle(element);
    return [paddingTop, paddingBottom, marginTop, marginBottom, top, filter, overflowY, position].join();
  };
  const isTall = () => (document.scrollingElement?.scrollHeight ?? 0) > innerHeight + 1;

  const unlockInline = (element: HTMLElement) => {
    const { overflow, overflowX, overflowY, position, pointerEvents, touchAction, top } = element.style;
    const isFixed = position === 'fixed';
    const locked = [
      ...(/hidden|clip/.test(overflow + overflowX + overflowY) || isFixed ? ['overflow-x', 'overflow-y'] : []),
      ...(isFixed ? ['position'] : []),
      ...(pointerEvents === 'none' ? ['pointer-events'] : []),
      ...(touchAction === 'none' ? ['touch-action'] : []),
    ];
    if (locked.length === 0) return;
    changes.unset(element, [...locked, ...BOX]);
    // A page that is locked by `position: fixed` stores its scroll position in `top`.
    const scrolled = isFixed ? -Number.parseFloat(top) : 0;
    if (scrolled > 0) scrollTo({ top: scrolled, behavior: 'instant' });
  };

  /** Removes the classes and data attributes that lock the element, as found on trial. Any other lock belongs to the design of the page. */
  const unlockNamed = (element: HTMLElement) => {
    const candidates = [
      ...[...element.classList].map((name) => ({ name, isClass: true })),
      ...element.getAttributeNames().flatMap((name) => (name.startsWith('data-') ? [{ name, isClass: false }] : [])),
    ];
    for (const { name, isClass } of candidates) {
      const wasLocked = isLocked(element);
      if (!isClass && !wasLocked) continue;
      const before = stylesOf(element);
      const value = element.getAttribute(isClass ? 'class' : name) ?? '';
      if (isClass) element.classList.remove(name);
      else element.removeAttribute(name);
      const isFree = wasLocked && !isLocked(element) && (isTall() || LOCK_NAME.test(name));
      const isConsent = reader.isName(name) && stylesOf(element) !== before;
      element.setAttribute(isClass ? 'class' : name, value);
      if (!isFree && !isConsent) continue;
      if (isClass) changes.dropClass(element, name);
      else changes.dropAttribute(element, name);
    }
    if (!isLocked(element)) return;
    const lockClasses = [...element.classList].filter((name) => LOCK_NAME.test(name) || reader.isName(name));
    const value = element.className;
    element.classList.remove(...lockClasses);
    const isFree = !isLocked(element) && isTall();
    element.className = value;
    if (isFree) for (const name of lockClasses) changes.dropClass(element, name);
  };

  /** Overrides locks of `:has()` rules. They depend on other elements, so no class or attribute can be removed. */
  const unlockRules = (element: HTMLElement) => {
    const { overflowY } = getComputedStyle(element);
    if (!/hidden|clip/.test(overflowY)) return;
    const locks = (rule: CSSRule): boolean => {
      if (rule instanceof CSSGroupingRule && !(rule instanceof CSSStyleRule)) return [...rule.cssRules].some(locks);
      if (!(rule instanceof CSSStyleRule) || !rule.selectorText.includes(':has(')) return false;
      return /hidden|clip/.test(rule.style.overflowY) && element.matches(rule.selectorText);
    };
    const sheets = [...document.styleSheets, ...document.adoptedStyleSheets];
    if (!sheets.some((sheet) => rulesOf(sheet).some(locks))) return;
    changes.override(element, 'overflow-x', 'visible');
    changes.override(element, 'overflow-y', 'visible');
  };

  const rulesOf = (sheet: CSSStyleSheet): CSSRule[] => {
    try {
      return [...sheet.cssRules];
    } catch {
      // A cross-origin style sheet does not allow access to its rules.
      return [];
    }
  };

  /** Removes the space that the page reserves for a banner. It has the height of the banner. */
  const removeReservedSpace = (element: HTMLElement) => {
    const isHeight = (value: string) => {
      const pixels = value.match(/^(?:translate(?:Y|3d)?\((?:0(?:px)?, ?)?)?(-?[\d.]+)px/)?.[1];
      const found = Math.abs(Number(pixels));
      return found > 20 && state.heights.some((height) => Math.abs(height - found) < 1.5);
    };
    const spacing = ['padding-top', 'margin-top', 'top', 'padding-bottom', 'margin-bottom', 'bottom', 'transform'];
    const reserved = spacing.filter((property) => isHeight(element.style.getPropertyValue(property)));
    const named = [...element.style].filter((property) => property.startsWith('--') && reader.isName(property));
    changes.unset(element, [...reserved, ...named]);
  };

  const removeEffects = (element: HTMLElement) => {
    const { filter } = getComputedStyle(element);
    const { width, height } = element.getBoundingClientRect();
    if (width * height < 0.4 * innerWidth * innerHeight) return;
    if (element.inert) changes.dropAttribute(element, 'inert');
    if (element.getAttribute('aria-hidden') === 'true') changes.dropAttribute(element, 'aria-hidden');
    if (!filter.includes('blur(')) return;
    changes.override(element, 'filter', 'none');
    changes.override(element, 'transition', 'none');
  };

  for (const element of state.hidden)
    for (const style of tree.find(element, 'style'))
      if (style instanceof HTMLStyleElement && style.sheet) changes.disable(style.sheet);
  const near = tree.childrenOf(document.body).slice(0, 100);
  const others = [...near, ...near.flatMap((element) => tree.childrenOf(element).slice(0, 50))];
  const shown = others.filter((one): one is HTMLElement => one instanceof HTMLElement && !state.hidden.has(one));
  for (const element of rootElements) {
    // A transition would animate the removal of reserved space.
    const transition = element.style.transition;
    element.style.transition = 'none';
    unlockInline(element);
    unlockNamed(element);
    unlockRules(element);
    getComputedStyle(element).paddingTop;
    element.style.transition = transition;
    if (element.getAttribute('style') === '') element.removeAttribute('style');
  }
  for (const element of [...rootElements, ...shown]) removeReservedSpace(element);
  for (const element of [document.body, ...shown]) removeEffects(element);
}

/** Runs in the page. Hides the backdrops of banners that are not part of the banner element. */
export function hideBackdrops(state: CookieState, tree: Tree, place: Place, changes: Changes): void {
  const NAME = /overlay|backdrop|modal|mask|cookie|consent|curtain|dim|shade|filter|gdpr|cmp|underlay|blocker|bg/i;

  const isBackdrop = (element: Element) => {
    if (!tree.isRendered(element) || !place.coversViewport(element) || !place.isEmpty(element)) return false;
    const style = getComputedStyle(element);
    if (!/fixed|absolute/.test(style.position) || Number(style.zIndex) < 0) return false;
    const alpha = alphaOf(style.backgroundColor) * Number(style.opacity);
    const isNamed = NAME.test(`${element.id} ${element.getAttribute('class')}`);
    const isTranslucent = (alpha > 0 && alpha < 1) || style.backdropFilter !== 'none';
    if (isTranslucent) return isNamed || style.pointerEvents !== 'none';
    return alpha === 1 && isNamed && Number(style.zIndex) >= 100;
  };

  const alphaOf = (color: string) => {
    const parts = color.match(/[\d.]+%?/g) ?? [];
    const last = parts[3] ?? '1';
    return last.endsWith('%') ? Number.parseFloat(last) / 100 : Number(last);
  };

  const inMiddle = document.elementsFromPoint(innerWidth / 2, innerHeight / 2);
  const nearby = new Set<Element>([...document.body.children, ...inMiddle]);
  for (const element of state.hidden)
    for (let at = tree.parentOf(element); at; at = tree.parentOf(at))
      for (const child of tree.childrenOf(at)) nearby.add(child);
  for (const element of nearby)
    if (element instanceof HTMLElement && isBackdrop(element))
      changes.hide(element, `backdrop (${tree.describe(element)})`, '');

  // A backdrop may be a ::before or ::after pseudo-element of the root element or of the body.
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
      state.removed.push({ element: `backdrop (${element.localName}${pseudo})`, text: '' });
    }
  }
}
