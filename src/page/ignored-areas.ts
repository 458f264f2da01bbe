import type { Page } from '@playwright/test';
import { roundOut } from '../image/index.js';
import type { Exclusion, Ignore, Rectangle, Size } from '../model/index.js';
import { findMatches, type MatchedBox } from './masks.js';

/** The ignored areas of an image. */
export interface Ignored {
  /** The rectangles of each entry of `ignore`, in image pixels. */
  readonly exclusions: readonly Exclusion[];
  /** Selectors that match nothing in any frame, and rectangles that lie outside the image. */
  readonly unmatched: readonly string[];
}

/** The size and the coordinate mapping of an image. */
export interface CapturedImage {
  readonly size: Size;
  /** Image pixels per CSS pixel. */
  readonly scale: number;
  /** Maps a box in CSS pixels of the document to image pixels, rounded outward. */
  readonly place: (box: Rectangle) => Rectangle;
}

/**
 * Finds the ignored areas of a captured page: the visible parts of matched elements, including those in frames and open
 * shadow roots. Paints nothing.
 *
 * @throws ProofsheetError `page-selector` when a selector is not valid CSS.
 */
export async function findIgnored(page: Page, { selectors, areas }: Ignore, image: CapturedImage): Promise<Ignored> {
  const scaled = areas.map((area) => roundOut(area, image.scale));
  const absent = areas.filter((_, index) => !overlaps(scaled[index], image.size));
  const found = await findBoxes(page, selectors);
  return {
    exclusions: [
      ...groupBySelector(selectors, found.boxes, image.place),
      ...areas.map((area, index) => ({ selector: renderArea(area), rectangles: scaled.slice(index, index + 1) })),
    ],
    unmatched: [...found.unmatched, ...absent.map(renderArea)],
  };
}

/** Groups boxes by selector and maps them to image pixels. */
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

/** Returns the boxes in CSS pixels of the document. */
async function findBoxes(page: Page, selectors: readonly string[]) {
  if (selectors.length === 0) return { boxes: [], unmatched: [] };
  const { boxes, unmatched } = await findMatches(page, 'ignore', selectors);
  const scrolled = await page.evaluate(() => ({ x: scrollX, y: scrollY }));
  return { boxes: boxes.map((box) => ({ ...box, x: box.x + scrolled.x, y: box.y + scrolled.y })), unmatched };
}

function overlaps(area: Rectangle | undefined, { width, height }: Size): boolean {
  return area !== undefined && area.x < width && area.y < height;
}

function renderArea({ x, y, width, height }: Rectangle): string {
  return `{ x: ${x}, y: ${y}, width: ${width}, height: ${height} }`;
}
