import type { Frame, Page } from '@playwright/test';
import type { Rectangle } from '../model/index.js';
import { callIn, callOn, framesOf, ignoreDetached } from './in-page/frames.js';
import type { Tools } from './in-page/tools.js';
import { invalidSelector } from './page-styles.js';

/** The color of a mask; Playwright uses the same. */
const COLOR = '#ff00ff';

export interface MatchedBox extends Rectangle {
  /** The index of the selector. */
  readonly of: number;
}

export interface MatchedBoxes {
  /** In CSS pixels of the document. */
  readonly boxes: readonly MatchedBox[];
  readonly unmatched: readonly string[];
}

/**
 * Paints a box over the visible part of every element that the selectors match, also in frames and shadow roots. A second call replaces the boxes of
 * the first.
 *
 * @throws ProofsheetError `page-selector` if a selector is not valid CSS
 */
export async function paintMasks(page: Page, selectors: readonly string[]): Promise<MatchedBoxes> {
  const { boxes, unmatched } = await findVisibleBoxes(page, 'mask', selectors);
  return { boxes: selectors.length > 0 ? await page.evaluate(paint, { boxes, color: COLOR }) : [], unmatched };
}

/** Finds every element that the selectors of a field match, as {@link paintMasks} does. The boxes may be fractional. */
export async function findVisibleBoxes(
  page: Page,
  field: 'mask' | 'ignore',
  selectors: readonly string[],
): Promise<MatchedBoxes> {
  if (selectors.length === 0) return { boxes: [], unmatched: [] };
  const parts = { isTight: field === 'ignore', createBoxFinder, clipPathBox };
  // The page may have removed the frame.
  const nothing = { boxes: [], matches: selectors.map(() => false), scrolled: { x: 0, y: 0 } };
  const find = (frame: Frame): Promise<Found> => callIn(frame, findBoxes, selectors, parts).catch(() => nothing);
  const found = await Promise.all(framesOf(page).map(async (frame) => ({ frame, ...(await find(frame)) })));
  const invalid = selectors.find((_, index) => found.some(({ matches }) => matches[index] === null));
  if (invalid !== undefined) throw invalidSelector(page.url(), field, invalid);
  const placed = (await Promise.all(found.map((one) => placeInPage(one, parts)))).flat();
  const { x: left, y: top } = found.find(({ frame }) => frame === page.mainFrame())?.scrolled ?? nothing.scrolled;
  return {
    boxes: placed.map((box) => ({ ...box, x: box.x + left, y: box.y + top })),
    unmatched: selectors.filter((_, index) => found.every(({ matches }) => !matches[index])),
  };
}

export async function removeMasks(page: Page): Promise<void> {
  await page.evaluate(() => document.querySelector('proofsheet-masks')?.remove());
}

interface Found {
  /** In CSS pixels relative to the viewport of the frame. */
  readonly boxes: readonly MatchedBox[];
  /** Whether each selector matches an element; null if it is not valid CSS. */
  readonly matches: readonly (boolean | null)[];
  readonly scrolled: { readonly x: number; readonly y: number };
}

/** Returns the boxes of a frame in CSS pixels relative to the page's viewport. */
async function placeInPage(
  { frame, boxes }: Found & { frame: Frame },
  parts: FinderParts,
): Promise<readonly MatchedBox[]> {
  let placed = boxes;
  for (let inner: Frame | null = frame; inner?.parentFrame() && placed.length > 0; inner = inner.parentFrame()) {
    const owner = await inner.frameElement().catch(ignoreDetached);
    placed = owner ? await callOn(owner, placeInParent, placed, parts) : [];
  }
  return placed;
}

/** In CSS pixels of the viewport. */
interface Edges {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** An element whose page may be zoomed, and which may be scaled. */
interface Measured {
  /** The size of its border box in its own CSS pixels. */
  readonly width: number;
  readonly height: number;
  /** CSS pixels of the viewport for each of its own. */
  readonly scaleX: number;
  readonly scaleY: number;
  /** The box within its border, and the one within its padding. */
  readonly inner: Edges;
  readonly content: Edges;
}

interface FinderParts {
  readonly isTight: boolean;
  readonly createBoxFinder: typeof createBoxFinder;
  readonly clipPathBox: typeof clipPathBox;
}

function findBoxes(
  { findAll, parentOf }: Tools,
  selectors: readonly string[],
  { isTight, createBoxFinder: createFinder, clipPathBox: boxOfClipPath }: FinderParts,
): Found {
  const finder = createFinder(isTight, parentOf, boxOfClipPath);
  const boxes: MatchedBox[] = [];
  const matches = selectors.map((selector, of) => {
    try {
      const elements = findAll(selector);
      for (const element of elements) boxes.push(...finder.visibleBoxes(element).map((box) => ({ ...box, of })));
      return elements.length > 0;
    } catch {
      return null;
    }
  });
  return { boxes, matches, scrolled: { x: scrollX, y: scrollY } };
}

/**
 * Runs in the page. Where the visible part of a node is not known exactly, its box is too large, never too small: what a mask leaves out
 * can be read.
 *
 * A container with `overflow` clips an element only if it is in the element's containing block chain:
 * https://drafts.csswg.org/css-position-3/#def-cb
 *
 * @param isTight - leaves out what is transparent or cut off by `clip-path`, too
 */
function createBoxFinder(isTight: boolean, parentOf: Tools['parentOf'], boxOfClipPath: typeof clipPathBox) {
  /** Checks whether an element is neither rotated, skewed nor mirrored: its edges are those of its bounding box. */
  const isUpright = (element: Element): boolean => {
    for (let node: Node | null = element; node instanceof Element; node = parentOf(node)) {
      const { transform, rotate = 'none', scale = 'none', offsetPath = 'none' } = getComputedStyle(node);
      if (rotate !== 'none' || scale.includes('-') || offsetPath !== 'none') return false;
      const { is2D, a, b, c, d } = new DOMMatrixReadOnly(transform);
      if (!is2D || a <= 0 || b !== 0 || c !== 0 || d <= 0) return false;
    }
    return true;
  };
  const isVisible = (element: Element): boolean => {
    // Such an element has no box, but its content has.
    const { display, visibility } = getComputedStyle(element);
    if (display === 'contents') {
      const parent = parentOf(element);
      return visibility === 'visible' && (!(parent instanceof Element) || isVisible(parent));
    }
    return element.checkVisibility({ visibilityProperty: true, opacityProperty: isTight });
  };
  /** Measures an element that is upright, without rounded properties such as `clientLeft`: at a zoom factor, they are off by a pixel. */
  const measure = (element: HTMLElement): Measured => {
    const { left, top, right, bottom, width, height } = element.getBoundingClientRect();
    const style = getComputedStyle(element);
    const px = (...names: readonly string[]) =>
      names.reduce((sum, name) => sum + Number.parseFloat(style.getPropertyValue(name)), 0);
    const sizeOf = (name: 'width' | 'height', [start, end]: readonly [string, string], rounded: number) => {
      const edges = [`padding-${start}`, `padding-${end}`, `border-${start}-width`, `border-${end}-width`];
      const exact = px(name, ...(style.boxSizing === 'border-box' ? [] : edges));
      // The two differ by a scroll bar.
      return Math.abs(exact - rounded) < 1 ? exact : rounded || 1;
    };
    const own = {
      width: sizeOf('width', ['left', 'right'], element.offsetWidth),
      height: sizeOf('height', ['top', 'bottom'], element.offsetHeight),
    };
    const [scaleX, scaleY] = [width / own.width, height / own.height];
    const within = (edges: Edges, kind: string): Edges => ({
      left: edges.left + px(kind.replace('*', 'left')) * scaleX,
      top: edges.top + px(kind.replace('*', 'top')) * scaleY,
      right: edges.right - px(kind.replace('*', 'right')) * scaleX,
      bottom: edges.bottom - px(kind.replace('*', 'bottom')) * scaleY,
    });
    const inner = within({ left, top, right, bottom }, 'border-*-width');
    return { ...own, scaleX, scaleY, inner, content: within(inner, 'padding-*') };
  };
  const rectangleOf = (node: Element | Text): DOMRect => {
    if (node instanceof Element) return node.getBoundingClientRect();
    const range = document.createRange();
    range.selectNode(node);
    return range.getBoundingClientRect();
  };
  /** The root background covers the whole scrollable area: https://drafts.csswg.org/css-backgrounds/#root-background */
  const boxOfRoot = (root: Element): Rectangle => {
    const { scrollWidth, scrollHeight, clientWidth } = document.scrollingElement ?? root;
    const isRtl = getComputedStyle(document.body ?? root).direction === 'rtl';
    const left = isRtl ? clientWidth - scrollWidth : 0;
    return { x: left - scrollX, y: -scrollY, width: scrollWidth, height: scrollHeight };
  };
  /** Returns the visible part of a node, which may lie outside the viewport; null if nothing is visible. */
  const visibleBox = (start: Element | Text): Rectangle | null => {
    const parent = start instanceof Element ? start : parentOf(start);
    if (!(parent instanceof Element) || !isVisible(parent)) return null;
    if (start === document.documentElement) return boxOfRoot(parent);
    let { left, top, right, bottom } = rectangleOf(start);
    const clip = (edges: Edges, clipsX = true, clipsY = true) => {
      if (clipsX) [left, right] = [Math.max(left, edges.left), Math.min(right, edges.right)];
      if (clipsY) [top, bottom] = [Math.max(top, edges.top), Math.min(bottom, edges.bottom)];
    };
    const clipToPath = (element: Element, clipPath: string) => {
      if (!isTight || clipPath === 'none' || !(element instanceof HTMLElement) || !isUpright(element)) return;
      const edges = boxOfClipPath(element, clipPath, measure(element));
      if (edges) clip(edges);
    };
    let position = 'static';
    if (start instanceof Element) {
      const style = getComputedStyle(start);
      position = style.position;
      clipToPath(start, style.clipPath);
    }
    for (let node: Node | null = start; ; ) {
      // Nothing clips what is in the top layer.
      if (node instanceof Element && node.matches(':is(:modal, :popover-open, :fullscreen)')) break;
      node = parentOf(node);
      if (!(node instanceof HTMLElement) || node === document.documentElement || node === document.body) break;
      const style = getComputedStyle(node);
      clipToPath(node, style.clipPath);
      const { transform, translate, rotate, scale, filter, perspective, backdropFilter } = style;
      const effects = [transform, translate, rotate, scale, filter, perspective, backdropFilter];
      const containsFixed =
        effects.some((value) => value && value !== 'none') ||
        /paint|layout|strict|content/.test(style.contain) ||
        /transform|filter|perspective/.test(style.willChange);
      const containsAbsolute = containsFixed || style.position !== 'static';
      if (position === 'fixed' ? !containsFixed : position === 'absolute' && !containsAbsolute) continue;
      position = style.position;
      if (style.display === 'inline' || style.display === 'contents') continue;
      const [clipsX = false, clipsY = false] = [style.overflowX, style.overflowY].map(
        (overflow) => overflow !== 'visible' && (overflow !== 'clip' || style.overflowClipMargin === '0px'),
      );
      if (isUpright(node)) clip(measure(node).inner, clipsX, clipsY);
      else if (clipsX && clipsY) clip(node.getBoundingClientRect());
    }
    return right > left && bottom > top ? { x: left, y: top, width: right - left, height: bottom - top } : null;
  };
  /** Returns the visible parts of an element and of its content, which may overflow it. */
  const visibleBoxes = (element: Element): Rectangle[] => {
    const boxes: Rectangle[] = [];
    const covers = (box: Rectangle, { x, y, width, height }: Rectangle) =>
      box.x <= x && box.y <= y && box.x + box.width >= x + width && box.y + box.height >= y + height;
    const isCovered = (one: Rectangle) => boxes.some((box) => covers(box, one));
    const pending: Node[] = [element];
    for (const node of pending) {
      if (node instanceof Text ? !node.data.trim() : !(node instanceof Element)) continue;
      if (node instanceof Element) pending.push(...(node.shadowRoot?.childNodes ?? []), ...node.childNodes);
      if (!(node instanceof Text || node instanceof Element) || isCovered(rectangleOf(node))) continue;
      const box = visibleBox(node);
      if (box && !isCovered(box)) boxes.push(box);
    }
    return boxes;
  };
  return { visibleBox, visibleBoxes, measure, isUpright };
}

/** Runs in the page. Returns the bounds of a computed `clip-path`, relative to the viewport; null for a shape that is not measured. */
function clipPathBox(element: HTMLElement, clipPath: string, own: Measured): Edges | null {
  const [, shape, list = ''] = /^(inset|circle|ellipse|polygon)\((.*)\)$/.exec(clipPath) ?? [];
  if (!shape) return null;
  const { left, top } = element.getBoundingClientRect();
  /** Lengths are sums of pixels and percentages. */
  const measure = (text: string, whole: number) =>
    Array.from(text.matchAll(/([+-]?)\s*([\d.]+(?:e-?\d+)?)(px|%)/g)).reduce(
      (sum, [, sign, value, unit]) => sum + (sign === '-' ? -1 : 1) * Number(value) * (unit === '%' ? whole / 100 : 1),
      0,
    );
  const { width, height, scaleX, scaleY } = own;
  const wordsOf = (text: string) => text.trim().split(/\s+(?![^(]*\))/);
  const between = (x1: number, y1: number, x2: number, y2: number): Edges => {
    return { left: left + x1 * scaleX, top: top + y1 * scaleY, right: left + x2 * scaleX, bottom: top + y2 * scaleY };
  };
  if (shape === 'inset') {
    const [up = '', right = up, down = up, start = right] = wordsOf(list.split(' round ')[0] ?? '');
    const [endX, endY] = [width - measure(right, width), height - measure(down, height)];
    return between(measure(start, width), measure(up, height), endX, endY);
  }
  if (shape === 'polygon') {
    const points = list.replace(/^\w+,/, '').split(',').map(wordsOf);
    const xs = points.map(([x = '']) => measure(x, width));
    const ys = points.map(([, y = '']) => measure(y, height));
    return between(Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys));
  }
  const [radii = '', center = '50% 50%'] = list.split(/\s*\bat\s+/);
  const [radiusX = '', radiusY = radiusX] = wordsOf(radii);
  const [centerX = '', centerY = ''] = wordsOf(center);
  const [x, y] = [measure(centerX, width), measure(centerY, height)];
  const [sidesX, sidesY] = [[x, width - x].map(Math.abs), [y, height - y].map(Math.abs)];
  const radiusOf = (text: string, whole: number, sides: readonly number[]) => {
    if (/px|%/.test(text)) return measure(text, whole);
    return text === 'farthest-side' ? Math.max(...sides) : Math.min(...sides);
  };
  const circle = radiusOf(radiusX, Math.hypot(width, height) / Math.SQRT2, [...sidesX, ...sidesY]);
  const rx = shape === 'circle' ? circle : radiusOf(radiusX, width, sidesX);
  const ry = shape === 'circle' ? circle : radiusOf(radiusY, height, sidesY);
  return between(x - rx, y - ry, x + rx, y + ry);
}

/** Clips the boxes of a frame to the visible part of its element. */
function placeInParent(
  { parentOf }: Tools,
  owner: HTMLElement,
  boxes: readonly MatchedBox[],
  { isTight, createBoxFinder: createFinder, clipPathBox: boxOfClipPath }: FinderParts,
): MatchedBox[] {
  const finder = createFinder(isTight, parentOf, boxOfClipPath);
  const visible = finder.visibleBox(owner);
  if (!visible || !(owner instanceof HTMLElement)) return [];
  // Where a box of a rotated frame lies is not known.
  if (!finder.isUpright(owner)) return Array.from(new Set(boxes.map(({ of }) => of)), (of) => ({ ...visible, of }));
  const { scaleX, scaleY, content: inner } = finder.measure(owner);
  return boxes.flatMap((box) => {
    // The content of a frame is painted at a whole pixel: the one before its place or the one after it.
    const left = Math.floor(inner.left) + box.x * scaleX;
    const top = Math.floor(inner.top) + box.y * scaleY;
    const right = Math.ceil(inner.left) + (box.x + box.width) * scaleX;
    const bottom = Math.ceil(inner.top) + (box.y + box.height) * scaleY;
    const x = Math.max(left, inner.left, visible.x);
    const y = Math.max(top, inner.top, visible.y);
    const width = Math.min(right, inner.right, visible.x + visible.width) - x;
    const height = Math.min(bottom, inner.bottom, visible.y + visible.height) - y;
    return width > 0 && height > 0 ? [{ ...box, x, y, width, height }] : [];
  });
}

/** Runs in the page. Paints in the top layer, above dialogs. Returns the boxes in whole CSS pixels of the document, rounded outward. */
function paint({ boxes, color }: { boxes: readonly MatchedBox[]; color: string }): MatchedBox[] {
  document.querySelector('proofsheet-masks')?.remove();
  const SIZE = 100;
  const create = (name: string, style: Record<string, string>) => {
    const element = document.createElement(name);
    const own = Object.entries({ all: 'initial', position: 'absolute', display: 'block', ...style });
    for (const [property, value] of own) element.style.setProperty(property, value, 'important');
    return element;
  };
  const host = create('proofsheet-masks', {
    ...{ left: '0', top: '0', width: `${SIZE}px`, height: `${SIZE}px` },
    ...{ overflow: 'visible', 'pointer-events': 'none' },
  });
  host.popover = 'manual';
  document.documentElement.append(host);
  host.showPopover();
  // The page may be zoomed: where the host was painted, and how large, is measured.
  const origin = host.getBoundingClientRect();
  const scale = SIZE / origin.width;
  const painted = boxes.map(({ x, y, width, height, of }) => {
    const [left, top] = [Math.floor(x), Math.floor(y)];
    return { of, x: left, y: top, width: Math.ceil(x + width) - left, height: Math.ceil(y + height) - top };
  });
  for (const { x, y, width, height } of painted)
    host.append(
      create('div', {
        left: `${(x - scrollX - origin.x) * scale}px`,
        top: `${(y - scrollY - origin.y) * scale}px`,
        width: `${width * scale}px`,
        height: `${height * scale}px`,
        background: color,
      }),
    );
  return painted;
}
