import type { Frame, Page } from '@playwright/test';
import { messageOf } from '../model/errors.js';
import type { Rectangle } from '../model/image.js';
import { framesOf, openRoots, type Root } from './in-page/frames.js';
import { invalidSelector } from './page-styles.js';

/** The color of a mask; Playwright uses the same. */
const COLOR = '#ff00ff';

/** The box of an element that a selector matches. */
export interface MatchedBox extends Rectangle {
  /** The index of the selector. */
  readonly of: number;
}

/** The painted masks. */
export interface PaintedMasks {
  /** The boxes that were painted, in CSS pixels of the document. */
  readonly boxes: readonly MatchedBox[];
  /** Selectors that match nothing in any frame. */
  readonly unmatched: readonly string[];
}

/**
 * Paints a box over the visible part of every element that the selectors match, including elements in frames and open
 * shadow roots. A second call replaces the boxes of the first.
 *
 * @throws ProofsheetError `page-selector` when a selector is not valid CSS.
 */
export async function paintMasks(page: Page, selectors: readonly string[]): Promise<PaintedMasks> {
  if (selectors.length === 0) return { boxes: [], unmatched: [] };
  const { boxes, unmatched } = await findMatches(page, 'mask', selectors);
  return { boxes: await page.evaluate(paint, { boxes, color: COLOR }), unmatched };
}

/**
 * Finds every element that the selectors of a field match, in the same way as {@link paintMasks}.
 *
 * @returns the boxes, in CSS pixels relative to the viewport; may be fractional.
 * @throws ProofsheetError `page-selector` when a selector is not valid CSS.
 */
export async function findMatches(page: Page, field: string, selectors: readonly string[]): Promise<PaintedMasks> {
  const found = await Promise.all(framesOf(page).map((frame) => findInFrame(frame, selectors)));
  const invalid = selectors.find((_, index) => found.some(({ matches }) => matches[index] === null));
  if (invalid !== undefined) throw invalidSelector(page.url(), field, invalid);
  const placed = await Promise.all(found.map(placeInPage));
  return {
    boxes: placed.flat(),
    unmatched: selectors.filter((_, index) => found.every(({ matches }) => !matches[index])),
  };
}

/** Removes the painted boxes. */
export async function removeMasks(page: Page): Promise<void> {
  await page.evaluate(() => document.querySelector('proofsheet-masks')?.remove());
  await Promise.all(framesOf(page).map((frame) => frame.evaluate(deleteVisibleBox).catch(messageOf)));
}

/** A box in CSS pixels relative to the viewport of a frame; may be fractional. */
type Box = MatchedBox;

interface Found {
  readonly boxes: readonly Box[];
  /** Whether each selector matches an element; null if it is not valid CSS. */
  readonly matches: readonly (boolean | null)[];
}

interface FoundInFrame extends Found {
  readonly frame: Frame;
}

async function findInFrame(frame: Frame, selectors: readonly string[]): Promise<FoundInFrame> {
  const roots = `(${String(openRoots)})()`;
  const source = `(${String(findBoxes)})(${JSON.stringify(selectors)}, ${roots}, ${String(visibleBox)})`;
  // The page may have removed the frame.
  const nothing = { boxes: [], matches: selectors.map(() => false) };
  return { frame, ...(await frame.evaluate<Found>(source).catch(() => nothing)) };
}

/** Returns the boxes of a frame in CSS pixels relative to the page's viewport. */
async function placeInPage({ frame, boxes }: FoundInFrame): Promise<readonly Box[]> {
  let placed = boxes;
  for (let inner = frame; placed.length > 0; ) {
    const parent = inner.parentFrame();
    if (!parent) break;
    const owner = await inner.frameElement();
    placed = await owner.evaluate(placeInParent, placed);
    inner = parent;
  }
  return placed;
}

declare global {
  interface Window {
    /**
     * Stores {@link visibleBox} between two calls: a function that is evaluated on a handle cannot reference another
     * function.
     */
    __proofsheetVisibleBox?: typeof visibleBox;
  }
}

/** Runs in the page. */
function findBoxes(selectors: readonly string[], roots: readonly Root[], getVisibleBox: typeof visibleBox): Found {
  window.__proofsheetVisibleBox = getVisibleBox;
  const boxes: Box[] = [];
  const matches = selectors.map((selector, of) => {
    try {
      const elements = roots.flatMap((root) => [...root.querySelectorAll(selector)]);
      for (const element of elements) {
        const box = getVisibleBox(element);
        if (box) boxes.push({ ...box, of });
      }
      return elements.length > 0;
    } catch {
      return null;
    }
  });
  return { boxes, matches };
}

/**
 * Runs in the page. Returns the visible part of an element, which may lie outside the viewport; null if nothing is
 * visible.
 *
 * A container with `overflow` clips an element only if it is in the element's containing block chain:
 * https://drafts.csswg.org/css-position-3/#def-cb
 */
function visibleBox(element: Element): Rectangle | null {
  if (!element.checkVisibility({ visibilityProperty: true })) return null;
  if (element === document.documentElement) {
    // The root background covers the whole scrollable area: https://drafts.csswg.org/css-backgrounds/#root-background
    const { scrollWidth, scrollHeight } = document.scrollingElement ?? element;
    return { x: -scrollX, y: -scrollY, width: scrollWidth, height: scrollHeight };
  }
  let { left, top, right, bottom } = element.getBoundingClientRect();
  let { position } = getComputedStyle(element);
  for (let node: Node | null = element; ; ) {
    const parent: Node | null = (node instanceof Element && node.assignedSlot) || node.parentNode;
    node = parent instanceof ShadowRoot ? parent.host : parent;
    if (!(node instanceof HTMLElement) || node === document.documentElement || node === document.body) break;
    const style = getComputedStyle(node);
    const containsFixed =
      [style.transform, style.filter, style.perspective, style.backdropFilter].some(
        (value) => value && value !== 'none',
      ) ||
      /paint|layout|strict|content/.test(style.contain) ||
      /transform|filter|perspective/.test(style.willChange);
    const containsAbsolute = containsFixed || style.position !== 'static';
    if (position === 'fixed' ? !containsFixed : position === 'absolute' && !containsAbsolute) continue;
    position = style.position;
    if (style.display === 'inline' || style.display === 'contents') continue;
    const clip = node.getBoundingClientRect();
    const [scaleX, scaleY] = [clip.width / (node.offsetWidth || 1), clip.height / (node.offsetHeight || 1)];
    const [x, y] = [clip.left + node.clientLeft * scaleX, clip.top + node.clientTop * scaleY];
    if (style.overflowX !== 'visible')
      [left, right] = [Math.max(left, x), Math.min(right, x + node.clientWidth * scaleX)];
    if (style.overflowY !== 'visible')
      [top, bottom] = [Math.max(top, y), Math.min(bottom, y + node.clientHeight * scaleY)];
  }
  return right > left && bottom > top ? { x: left, y: top, width: right - left, height: bottom - top } : null;
}

/** Runs in the parent of a frame, on the frame element. Clips the boxes to the visible part of the frame. */
function placeInParent(owner: Element, boxes: readonly Box[]): Box[] {
  const visible = window.__proofsheetVisibleBox?.(owner);
  if (!visible || !(owner instanceof HTMLElement)) return [];
  const outer = owner.getBoundingClientRect();
  const [scaleX, scaleY] = [outer.width / owner.offsetWidth, outer.height / owner.offsetHeight];
  const { paddingLeft, paddingTop, paddingRight, paddingBottom } = getComputedStyle(owner);
  const inner = {
    left: outer.left + (owner.clientLeft + Number.parseFloat(paddingLeft)) * scaleX,
    top: outer.top + (owner.clientTop + Number.parseFloat(paddingTop)) * scaleY,
    right: outer.left + (owner.clientLeft + owner.clientWidth - Number.parseFloat(paddingRight)) * scaleX,
    bottom: outer.top + (owner.clientTop + owner.clientHeight - Number.parseFloat(paddingBottom)) * scaleY,
  };
  return boxes.flatMap((box) => {
    const left = inner.left + box.x * scaleX;
    const top = inner.top + box.y * scaleY;
    const x = Math.max(left, inner.left, visible.x);
    const y = Math.max(top, inner.top, visible.y);
    const width = Math.min(left + box.width * scaleX, inner.right, visible.x + visible.width) - x;
    const height = Math.min(top + box.height * scaleY, inner.bottom, visible.y + visible.height) - y;
    return width > 0 && height > 0 ? [{ ...box, x, y, width, height }] : [];
  });
}

/**
 * Runs in the page. Paints in the top layer, so that no dialog and no z-index covers the masks. Returns the boxes in
 * CSS pixels of the document, rounded outward to whole pixels.
 */
function paint({ boxes, color }: { boxes: readonly Box[]; color: string }): Box[] {
  document.querySelector('proofsheet-masks')?.remove();
  const host = document.createElement('proofsheet-masks');
  const set = (element: HTMLElement, style: Record<string, string>) => {
    for (const [name, value] of Object.entries(style)) element.style.setProperty(name, value, 'important');
  };
  const place = { all: 'initial', position: 'absolute', display: 'block', margin: '0', border: '0', padding: '0' };
  set(host, { ...place, left: '0', top: '0', width: '0', height: '0', overflow: 'visible', 'pointer-events': 'none' });
  host.popover = 'manual';
  const painted = boxes.map((box) => {
    const x = Math.floor(box.x + scrollX);
    const y = Math.floor(box.y + scrollY);
    return {
      ...box,
      x,
      y,
      width: Math.ceil(box.x + scrollX + box.width) - x,
      height: Math.ceil(box.y + scrollY + box.height) - y,
    };
  });
  for (const { x, y, width, height } of painted) {
    const box = document.createElement('div');
    set(box, {
      ...place,
      left: `${x}px`,
      top: `${y}px`,
      width: `${width}px`,
      height: `${height}px`,
      background: color,
    });
    host.append(box);
  }
  document.documentElement.append(host);
  host.showPopover();
  return painted;
}

/** Runs in the page. */
function deleteVisibleBox(): void {
  delete window.__proofsheetVisibleBox;
}
