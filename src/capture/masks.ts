import type { Frame, Page } from '@playwright/test';
import type { Rectangle } from '../model/image.js';
import { invalidSelector } from './style.js';

/** The colour of a masked box, Playwright's own. */
const COLOUR = '#ff00ff';

/** Where something lies on the page, in CSS pixels from the top left corner of the document; fractions are possible. */
type Box = Rectangle;

/** What painting masks came to. */
export interface PaintedMasks {
  /** The boxes that were painted, in CSS pixels of the document. */
  readonly boxes: readonly Rectangle[];
  /** Selectors that match nothing in any frame. */
  readonly unmatched: readonly string[];
}

/**
 * Paints a box over everything that the selectors match: in frames and open shadow roots too, wherever on the page, but
 * only as much of it as can be seen. Painting again replaces what was painted before.
 *
 * @throws ProofsheetError `page-selector` when a selector is not valid CSS.
 */
export async function paintMasks(page: Page, selectors: readonly string[]): Promise<PaintedMasks> {
  if (selectors.length === 0) return { boxes: [], unmatched: [] };
  const found = await Promise.all(page.frames().map((frame) => findInFrame(frame, selectors)));
  const invalid = selectors.find((_, index) => found.some((frame) => frame.matches[index] === null));
  if (invalid !== undefined) throw invalidSelector(page.url(), 'mask', invalid);
  const boxes = found.flatMap((frame) => frame.boxes).map(outward);
  await page.evaluate(paint, { boxes, colour: COLOUR });
  return { boxes, unmatched: selectors.filter((_, index) => found.every((frame) => !frame.matches[index])) };
}

/** Takes the boxes away again. */
export async function removeMasks(page: Page): Promise<void> {
  await page.evaluate(() => document.querySelector('proofsheet-masks')?.remove());
}

interface Found {
  readonly boxes: readonly Box[];
  /** For each selector whether it matches something; null: it is not valid. */
  readonly matches: readonly (boolean | null)[];
}

async function findInFrame(frame: Frame, selectors: readonly string[]): Promise<Found> {
  const found = await frame.evaluate(findBoxes, selectors).catch(() => ({ boxes: [], matches: selectors.map(() => false) }));
  let { boxes }: Found = found;
  for (let inner = frame; boxes.length > 0; ) {
    const parent = inner.parentFrame();
    if (!parent) break;
    const owner = await inner.frameElement();
    boxes = await owner.evaluate(placeInParent, boxes);
    inner = parent;
  }
  return { ...found, boxes };
}

/** Every pixel that it touches. */
function outward({ x, y, width, height }: Box): Rectangle {
  const left = Math.floor(x);
  const top = Math.floor(y);
  return { x: left, y: top, width: Math.ceil(x + width) - left, height: Math.ceil(y + height) - top };
}

/** Runs in the page. Gives what can be seen of every match, in the frame's document for the top frame, else in its viewport. */
function findBoxes(selectors: readonly string[]): Found {
  const roots: (Document | ShadowRoot)[] = [document];
  for (const root of roots)
    for (const element of root.querySelectorAll('*')) if (element.shadowRoot) roots.push(element.shadowRoot);
  const visible = (element: Element): DOMRect | null => {
    if (!element.checkVisibility({ visibilityProperty: true })) return null;
    let box = element.getBoundingClientRect();
    let anchored = getComputedStyle(element).position === 'fixed';
    for (let node: Node | null = element; ; ) {
      const parent: Node | null = node instanceof Element && node.assignedSlot ? node.assignedSlot : node.parentNode;
      node = parent instanceof ShadowRoot ? parent.host : parent;
      if (!(node instanceof Element) || node === document.documentElement || node === document.body) break;
      const style = getComputedStyle(node);
      // What a container clips is not seen; what is fixed is not clipped by what it lies in.
      if (!anchored && style.overflow !== 'visible') {
        const clip = node.getBoundingClientRect();
        const left = Math.max(box.left, clip.left);
        const top = Math.max(box.top, clip.top);
        box = new DOMRect(left, top, Math.min(box.right, clip.right) - left, Math.min(box.bottom, clip.bottom) - top);
      }
      anchored ||= style.position === 'fixed';
    }
    return box.width > 0 && box.height > 0 ? box : null;
  };
  const boxes: Box[] = [];
  const matches = selectors.map((selector) => {
    try {
      const elements = roots.flatMap((root) => [...root.querySelectorAll(selector)]);
      for (const element of elements) {
        const box = visible(element);
        const shift = window.parent === window ? { x: scrollX, y: scrollY } : { x: 0, y: 0 };
        if (box) boxes.push({ x: box.x + shift.x, y: box.y + shift.y, width: box.width, height: box.height });
      }
      return elements.length > 0;
    } catch {
      return null;
    }
  });
  return { boxes, matches };
}

/** Runs in the parent of a frame, on the frame's element. */
function placeInParent(owner: Element, boxes: readonly Box[]): Box[] {
  const outer = owner.getBoundingClientRect();
  const style = getComputedStyle(owner);
  const edge = (side: string) =>
    Number.parseFloat(style.getPropertyValue(`border-${side}-width`)) + Number.parseFloat(style.getPropertyValue(`padding-${side}`));
  const inner = {
    left: outer.left + edge('left'),
    top: outer.top + edge('top'),
    right: outer.right - edge('right'),
    bottom: outer.bottom - edge('bottom'),
  };
  const shift = window.parent === window ? { x: scrollX, y: scrollY } : { x: 0, y: 0 };
  return boxes.flatMap((box) => {
    const left = Math.max(inner.left, inner.left + box.x);
    const top = Math.max(inner.top, inner.top + box.y);
    const width = Math.min(inner.right, inner.left + box.x + box.width) - left;
    const height = Math.min(inner.bottom, inner.top + box.y + box.height) - top;
    return width > 0 && height > 0 ? [{ x: left + shift.x, y: top + shift.y, width, height }] : [];
  });
}

/** Runs in the page. In the top layer, so that no dialog and no z-index lies over it. */
function paint({ boxes, colour }: { boxes: readonly Box[]; colour: string }): void {
  document.querySelector('proofsheet-masks')?.remove();
  const host = document.createElement('proofsheet-masks');
  const set = (element: HTMLElement, style: Record<string, string>) => {
    for (const [name, value] of Object.entries(style)) element.style.setProperty(name, value, 'important');
  };
  const place = { all: 'initial', position: 'absolute', display: 'block', margin: '0', border: '0', padding: '0' };
  set(host, { ...place, left: '0', top: '0', width: '0', height: '0', overflow: 'visible', 'pointer-events': 'none' });
  host.popover = 'manual';
  for (const { x, y, width, height } of boxes) {
    const box = document.createElement('div');
    set(box, { ...place, left: `${x}px`, top: `${y}px`, width: `${width}px`, height: `${height}px`, background: colour });
    host.append(box);
  }
  document.documentElement.append(host);
  host.showPopover();
}
