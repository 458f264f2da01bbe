import type { Page } from '@playwright/test';
import type { Exclusion } from '../model/environment.js';
import type { Rectangle, Size } from '../model/image.js';
import type { Ignore } from '../model/shot.js';
import { findMatches, type MatchedBox } from './masks.js';

/** What the things to be ignored came to. */
export interface Ignored {
  /** Where each of them lies. */
  readonly exclusions: readonly Exclusion[];
  /** Selectors that match nothing in any frame, and rectangles of which nothing lies in the image. */
  readonly unmatched: readonly string[];
}

/** The image in which things are to be found. */
export interface Picture {
  readonly size: Size;
  /** Image pixels per CSS pixel. */
  readonly scale: number;
  /** Returns every pixel of the image that a box touches; the box in CSS pixels of the document. */
  readonly place: (box: Rectangle) => Rectangle;
}

/**
 * Finds what is to be ignored of a page as it was captured: matches in frames and open shadow roots too, as much of them as
 * can be seen. Nothing is painted.
 *
 * @throws ProofsheetError `page-selector` when a selector is not valid CSS.
 */
export async function findIgnored(page: Page, { selectors, areas }: Ignore, picture: Picture): Promise<Ignored> {
  const scaled = areas.map((area) => scaleArea(area, picture.scale));
  const absent = areas.filter((_, index) => !isWithin(scaled[index], picture.size));
  const found = await findBoxes(page, selectors);
  return {
    exclusions: [
      ...groupBySelector(selectors, found.boxes, picture.place),
      ...areas.map((area, index) => ({ selector: renderArea(area), rectangles: scaled.slice(index, index + 1) })),
    ],
    unmatched: [...found.unmatched, ...absent.map(renderArea)],
  };
}

/** Returns what each selector matched, as it lies in the image. */
export function groupBySelector(
  selectors: readonly string[],
  boxes: readonly MatchedBox[],
  place: (box: Rectangle) => Rectangle,
): Exclusion[] {
  return selectors.map((selector, index) => ({
    selector,
    rectangles: boxes.filter(({ of }) => of === index).map(place),
  }));
}

/** Returns the boxes in the document. */
async function findBoxes(page: Page, selectors: readonly string[]) {
  if (selectors.length === 0) return { boxes: [], unmatched: [] };
  const { boxes, unmatched } = await findMatches(page, 'ignore', selectors);
  const scrolled = await page.evaluate(() => ({ x: scrollX, y: scrollY }));
  return { boxes: boxes.map((box) => ({ ...box, x: box.x + scrolled.x, y: box.y + scrolled.y })), unmatched };
}

/** Every pixel that the area touches. */
function scaleArea({ x, y, width, height }: Rectangle, scale: number): Rectangle {
  const [left, top] = [Math.floor(x * scale), Math.floor(y * scale)];
  return {
    x: left,
    y: top,
    width: Math.ceil((x + width) * scale) - left,
    height: Math.ceil((y + height) * scale) - top,
  };
}

function isWithin(area: Rectangle | undefined, { width, height }: Size): boolean {
  return area !== undefined && area.x < width && area.y < height;
}

function renderArea({ x, y, width, height }: Rectangle): string {
  return `{ x: ${x}, y: ${y}, width: ${width}, height: ${height} }`;
}
