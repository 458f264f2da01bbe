import type { Frame, Locator, Page } from '@playwright/test';
import type { Warning } from '../../model/index.js';
import { callIn, callInFrames, callOn, framesOf, inEachFrame } from '../in-page/frames.js';
import type { Tools } from '../in-page/tools.js';
import type { PageClock } from '../page-clock.js';

/**
 * Shows all of an element, and nothing over it: areas around it that scroll become as tall as their content, and elements that are fixed
 * or sticky are hidden.
 */
export async function isolateElement(locator: Locator): Promise<void> {
  await callOn(locator, expandAreas);
  await callOn(locator, hideOverlays);
}

/** Hides what does not scroll with the page, except what contains an element or is in it. */
function hideOverlays({ memory, findAll, isPinned, isInside }: Tools, element: Element): void {
  for (const other of findAll<HTMLElement>('*')) {
    if (!isPinned(other) || isInside(element, other) || isInside(other, element)) continue;
    // A child may set its own `visibility`.
    memory.override(other, { transition: 'none', opacity: '0' });
  }
}

/**
 * Makes areas that scroll as large as their content, and everything around them that would cut them off.
 *
 * @returns a warning for each selector that matches nothing.
 */
export async function expandNamed(page: Page, selectors: readonly string[]): Promise<Warning[]> {
  const matches = await callInFrames(page, expandMatches, selectors, expandAreas);
  return selectors.flatMap((selector, index) =>
    matches.some((frame) => frame[index])
      ? []
      : [{ code: 'expand-no-match', message: `\`expand\`: no element matches "${selector}"` }],
  );
}

function expandMatches(tools: Tools, selectors: readonly string[], expand: typeof expandAreas): boolean[] {
  tools.memory.namedAreas.clear();
  return selectors.map((selector) => {
    const areas = tools.findAll(selector);
    for (const area of areas) {
      expand(tools, area);
      tools.memory.namedAreas.add(area);
    }
    return areas.length > 0;
  });
}

/**
 * Makes an element, and everything around it that would cut it off, as large as its content. What is around that grows, too: it would be
 * painted over what follows.
 */
export function expandAreas({ memory, parentOf }: Tools, area: Element, hasGrown = false): void {
  const grow = (element: HTMLElement, isTall: boolean) => {
    const style = getComputedStyle(element);
    const sizes = () =>
      isTall
        ? ([element.scrollHeight, element.clientHeight] as const)
        : ([element.scrollWidth, element.clientWidth] as const);
    let [content, shown] = sizes();
    // `content-visibility: auto` cuts off, too: https://drafts.csswg.org/css-contain-2/#content-visibility
    const isContained = /paint|strict|content/.test(style.contain) || style.contentVisibility === 'auto';
    const isCut = isContained || (isTall ? style.overflowY : style.overflowX) !== 'visible';
    if (!(isCut || (hasGrown && isTall)) || content <= shown + 1) return;
    hasGrown = true;
    memory.expanded.add(element);
    const rows = style.gridTemplateRows;
    if (isTall && element !== area && rows.includes('px')) {
      // Otherwise, a row that takes the room that is left would take all of it. Rows grow only if the height is not fixed.
      memory.override(element, {
        height: 'max-content',
        'grid-template-rows': rows.replace(/[\d.]+px/g, 'minmax($&, auto)'),
      });
      [content, shown] = sizes();
    }
    const { top } = element.getBoundingClientRect();
    const px = (...names: string[]) =>
      names.reduce((sum, name) => sum + Number.parseFloat(style.getPropertyValue(name)), 0);
    const [start, end, length] = isTall ? ['top', 'bottom', 'height'] : ['left', 'right', 'width'];
    const size =
      style.boxSizing === 'border-box'
        ? content + px(`border-${start}-width`, `border-${end}-width`)
        : content - px(`padding-${start}`, `padding-${end}`);
    // A flex item has no use for its height.
    const lengths = { [length]: `${size}px`, [`min-${length}`]: `${size}px`, [`max-${length}`]: 'none' };
    memory.override(element, { ...lengths, transition: 'none' });
    if (isTall && /absolute|fixed/.test(style.position)) keepTop(element, style, top);
  };
  /** What is placed at the middle or at the end of the window would grow out of the page. */
  const keepTop = (element: HTMLElement, style: CSSStyleDeclaration, top: number) => {
    if (Math.abs(element.getBoundingClientRect().top - top) < 1) return;
    memory.override(element, { 'margin-top': '0', 'margin-bottom': '0' });
    memory.override(element, { top: style.top, bottom: 'auto' });
    memory.override(element, {
      top: `${Number.parseFloat(style.top) + top - element.getBoundingClientRect().top}px`,
    });
  };
  // The body may cut off what is in it, where the root element has an overflow of its own.
  for (let node: Node | null = area; node && node !== document.documentElement; ) {
    if (node instanceof HTMLElement) {
      // A box that becomes wider may become less tall.
      grow(node, false);
      grow(node, true);
    }
    node = parentOf(node);
  }
}

/** How long a document may take to lay itself out in another size, in milliseconds of the page's time. */
export const LAYOUT_MS = 100;

/** What a frame or a panel may hide in one direction and is still shown, in CSS pixels. An endless feed is cut at this height. */
export const MAX_GROWN_PX = 20_000;

/**
 * Makes each frame that a visitor can scroll as tall as its document, inner frames first. A frame whose document follows its height stays as it
 * was.
 *
 * @param following - receives the frames that stay as they were, and has those of earlier calls
 */
export async function expandFrames(page: Page, clock: PageClock, following: Set<Frame>): Promise<void> {
  for (const frame of framesOf(page).reverse()) {
    if (following.has(frame) || frame === page.mainFrame()) continue;
    const hidden = await hiddenInFrame(frame);
    if (hidden === 0 || hidden > MAX_GROWN_PX) continue;
    const owner = await frame.frameElement();
    const before = await callOn(owner, growFrame, hidden);
    await clock.pass(LAYOUT_MS, LAYOUT_MS);
    if ((await hiddenInFrame(frame)) < hidden) await callOn(owner, expandAreas, true);
    else {
      following.add(frame);
      await callOn(owner, (_, element, style: string) => element.setAttribute('style', style), before);
    }
    await owner.dispose();
  }
}

/** Returns by how much a frame hides its document, in CSS pixels. A frame that was removed hides nothing. */
async function hiddenInFrame(frame: Frame): Promise<number> {
  return (await canScroll(frame)) ? callIn(frame, measureFrame, SMALLEST_AREA).catch(() => 0) : 0;
}

/** Checks whether a visitor can scroll a frame. That of the page is shown as a whole. */
async function canScroll(frame: Frame): Promise<boolean> {
  if (!frame.parentFrame()) return false;
  const scrolling = await frame.frameElement().then(
    (owner) => owner.getAttribute('scrolling'),
    () => 'no',
  );
  return scrolling?.toLowerCase() !== 'no';
}

/** Returns by how much a frame hides its document. One that a visitor cannot scroll may have a panel that grew. */
function measureFrame({ memory }: Tools, { width, height, hidden }: typeof SMALLEST_AREA): number {
  const root = document.scrollingElement;
  if (!root || innerWidth < width || innerHeight < height) return 0;
  const isLocked = memory.panels.grown.length === 0 && /hidden|clip/.test(getComputedStyle(root).overflowY);
  const more = root.scrollHeight - root.clientHeight;
  return isLocked || more < hidden ? 0 : more;
}

/** Returns the style that the frame had. */
function growFrame({ memory }: Tools, owner: HTMLElement, by: number): string {
  const before = owner.style.cssText;
  memory.expanded.add(owner);
  const height = `${Number.parseFloat(getComputedStyle(owner).height) + by}px`;
  // One that is a flexible item has the height that is left.
  memory.override(owner, { height, 'min-height': height, 'max-height': 'none', transition: 'none' });
  return before;
}

/** Smallest area whose hidden content matters, and how much of it must be hidden, in CSS pixels. A narrow one may be the scroll bar of another one. */
export const SMALLEST_AREA = { width: 8, height: 40, hidden: 8 };

/**
 * Checks whether a script scrolls a box that shows no scroll bar of the browser: it listens to the scrolling of the box, and what is cut off
 * flows in it. What a map or a carousel cuts off is positioned.
 */
export function isScrolledByScript({ memory }: Tools, box: Element): boolean {
  if (!memory.scrollListeners.has(box)) return false;
  const { bottom, right } = box.getBoundingClientRect();
  return Array.from(box.children).some((child) => {
    const end = child.getBoundingClientRect();
    return getComputedStyle(child).position === 'static' && (end.bottom > bottom || end.right > right);
  });
}

/** How much of the end of an area may be empty, in CSS pixels. */
const MAX_EMPTY_PX = 200;

/**
 * Returns a warning for each area of a page or its frames that scrolls, in either direction, and so hides a part of its content, and for each frame
 * that the browser does not draw.
 */
export async function warnOfHiding(page: Page): Promise<Warning[]> {
  const frames = await inEachFrame(page, async (frame) => {
    const smallest = { ...SMALLEST_AREA, mostEmpty: MAX_EMPTY_PX, isScrolled: await canScroll(frame) };
    return callIn(frame, findHidingAreas, smallest, isScrolledByScript);
  });
  return frames.flat().map((message) => ({ code: 'content-hidden', message }));
}

/**
 * The document of a frame is an area, too, if a visitor can scroll it. In a page that does not scroll, a script may move what an area cuts off
 * with the mouse wheel.
 */
function findHidingAreas(
  tools: Tools,
  options: typeof SMALLEST_AREA & { readonly mostEmpty: number; readonly isScrolled: boolean },
  isScrolledBy: typeof isScrolledByScript,
): string[] {
  const { memory, findAll, findLeaves, nameOf, parentOf, isInside, isInPinned } = tools;
  const { width, height, hidden, mostEmpty, isScrolled } = options;
  const frame = /^https?:/.test(location.protocol)
    ? `${location.origin}${location.pathname}`
    : location.href.replace(/^blob:.*/s, 'blob:');
  const place = window.parent === window ? '' : ` in the frame ${frame}`;
  const top = [document.documentElement, document.body];
  const isCut = (element: Element, property = 'overflow-y') =>
    /hidden|clip/.test(getComputedStyle(element).getPropertyValue(property));
  const isWheeled = memory.wheelListeners.size && top.some((element) => isCut(element));
  const isMoved = ({ clientHeight, scrollHeight }: Element) =>
    isWheeled && 2 * clientHeight >= innerHeight && 2 * scrollHeight >= 3 * clientHeight;
  // Chromium draws those of other sites in the window only.
  const isUndrawn = (element: Element) => {
    if (!(element instanceof HTMLIFrameElement) || element.contentDocument) return false;
    const { left } = element.getBoundingClientRect();
    return left >= innerWidth && left + scrollX < document.documentElement.scrollWidth;
  };
  // A script may give what is around a panel its size again, or leave what follows at its place, over the panel.
  const cutOff = (panel: Element) => {
    const { bottom, left, width } = panel.getBoundingClientRect();
    const ends: number[] = [];
    for (let node = parentOf(panel); node instanceof Element; node = parentOf(node))
      if (isCut(node) && !top.some((root) => root === node)) ends.push(node.getBoundingClientRect().bottom);
    const end = Math.min(bottom, ...ends);
    const last = document.elementFromPoint(left + width / 2, end - 2);
    const isOver = last && !isInside(last, panel) && !isInside(panel, last) && !isInPinned(last);
    return Math.round(bottom - (isOver ? Math.min(end, last.getBoundingClientRect().top) : end));
  };
  return findAll('*').flatMap((element) => {
    if (element.clientWidth < width || element.clientHeight < height) return [];
    if (memory.namedAreas.has(element)) {
      const { bottom } = element.getBoundingClientRect();
      const inner = findLeaves().filter((part) => isInside(part, element));
      const end = inner.reduce((most, part) => Math.max(most, part.getBoundingClientRect().bottom), 0);
      const empty = Math.round(bottom - end);
      if (inner.length > 0 && empty > mostEmpty)
        return [
          `the last ${empty} px of the area ${nameOf(element)}${place} are empty: a script may draw what is in view only`,
        ];
    }
    if (isUndrawn(element))
      return [`the frame ${nameOf(element)}${place} of another site lies beside the window: it is not drawn`];
    const isDocument = element === document.scrollingElement;
    if (isDocument ? !isScrolled && memory.namedAreas.size === 0 : top.some((root) => root === element) && !isWheeled)
      return [];
    const sides = [
      [
        element.scrollHeight - element.clientHeight + (memory.panels.complete.has(element) ? cutOff(element) : 0),
        'overflow-y',
      ],
      [element.scrollWidth - element.clientWidth, 'overflow-x'],
    ] as const;
    const side = sides.find(([more, property]) => {
      if (more < hidden) return false;
      if (isCut(element, property))
        return (property === 'overflow-y' && isMoved(element)) || isScrolledBy(tools, element);
      return isDocument || /auto|scroll/.test(getComputedStyle(element).getPropertyValue(property));
    });
    return side && element.checkVisibility({ visibilityProperty: true })
      ? [`the area ${nameOf(element)}${place} scrolls, and ${side[0]} px of its content are not in the image`]
      : [];
  });
}
