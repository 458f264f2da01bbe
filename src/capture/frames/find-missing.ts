import type { Page } from '@playwright/test';
import { decodeImage } from '../../image/decode.js';
import type { Warning } from '../../model/capture.js';
import type { EncodedImage, Pixels, Rectangle, Size } from '../../model/image.js';
import type { PageClock } from '../clock/page-clock.js';

/** Maximum number of windows of a page that are looked at. */
const MAX_WINDOWS = 30;

/** How long a page lives at each position, in milliseconds of its time: what appears there has appeared. */
const LOOKED_MS = 800;

/** Edge of the squares that are compared, in pixels. Smaller differences of place do not matter. */
const CELL = 16;

/** Smallest area that counts, in cells, and the share of its box that must be missing: texts that moved a little are no area. */
const MISSING = { cells: 12, share: 0.5 };

/** Maximum difference of one channel between two pixels of one color. */
const SAME_COLOR = 3;

/** An area of the page that was seen when it was scrolled to, and that is blank in the image. */
export interface MissingArea extends Rectangle {
  /** The element in its middle. */
  readonly element: string;
}

/**
 * Scrolls down a page in the window that was asked for, and compares what a visitor sees with the image at the same place, coarsely.
 * Elements that are fixed or sticky are hidden meanwhile: the image has them elsewhere. Call it after the image.
 *
 * @returns a warning for each area that a visitor sees, and that is blank in the image.
 */
export async function findMissing(page: Page, clock: PageClock, window: Size, image: EncodedImage): Promise<Warning[]> {
  const whole = await decodeImage(image);
  await clock.awaiting(page.setViewportSize(window));
  const missing: MissingArea[] = [];
  for (let count = 0; count < MAX_WINDOWS && count * window.height < whole.height; count++) {
    const y = await page.evaluate(lookAt, count * window.height);
    await clock.pass(LOOKED_MS, LOOKED_MS / 4);
    const bytes = await clock.shoot('png', 100);
    const seen = await decodeImage({ bytes, size: window, codec: 'png' });
    for (const area of missingAreas(seen, whole, y)) {
      const middle = { x: area.x + area.width / 2, y: area.y - y + area.height / 2 };
      missing.push({ ...area, element: await page.evaluate(nameAt, middle) });
    }
  }
  return missing.slice(0, MAX_WARNINGS).map(({ x, y, width, height, element }) => ({
    code: 'content-missing',
    message: `the area of ${width}x${height} px at ${x}, ${y} (${element}) was seen when scrolled to, and is blank in the image`,
  }));
}

const MAX_WARNINGS = 3;

/** Lists the areas of a window that have content, and that are blank in the image at the same place. @param top - of the window */
export function missingAreas(seen: Pixels, whole: Pixels, top: number): Rectangle[] {
  const columns = Math.floor(Math.min(seen.width, whole.width) / CELL);
  const rows = Math.floor(Math.min(seen.height, whole.height - top) / CELL);
  const isMissing = Array.from(
    { length: columns * rows },
    (_, index) =>
      isBlank(whole, index % columns, Math.floor(index / columns) * CELL + top) &&
      !isBlank(seen, index % columns, Math.floor(index / columns) * CELL),
  );
  const areas: Rectangle[] = [];
  for (const start of isMissing.keys()) {
    if (!isMissing[start]) continue;
    const cells = [start];
    isMissing[start] = false;
    for (const cell of cells) {
      for (const next of neighbors(cell, columns, rows)) {
        if (!isMissing[next]) continue;
        isMissing[next] = false;
        cells.push(next);
      }
    }
    const [xs, ys] = [cells.map((cell) => cell % columns), cells.map((cell) => Math.floor(cell / columns))];
    const [x, y] = [Math.min(...xs), Math.min(...ys)];
    const [width, height] = [Math.max(...xs) - x + 1, Math.max(...ys) - y + 1];
    if (cells.length < MISSING.cells || cells.length < MISSING.share * width * height) continue;
    areas.push({ x: x * CELL, y: y * CELL + top, width: width * CELL, height: height * CELL });
  }
  return areas;
}

function neighbors(cell: number, columns: number, rows: number): number[] {
  const [x, y] = [cell % columns, Math.floor(cell / columns)];
  return [
    ...(x > 0 ? [cell - 1] : []),
    ...(x + 1 < columns ? [cell + 1] : []),
    ...(y > 0 ? [cell - columns] : []),
    ...(y + 1 < rows ? [cell + columns] : []),
  ];
}

/** Checks whether a cell has one color. */
function isBlank({ data, width }: Pixels, column: number, top: number): boolean {
  const first = (top * width + column * CELL) * 4;
  for (let y = 0; y < CELL; y++) {
    const row = ((top + y) * width + column * CELL) * 4;
    for (let at = row; at < row + CELL * 4; at++)
      if (Math.abs((data[at] ?? 0) - (data[first + ((at - row) % 4)] ?? 0)) > SAME_COLOR) return false;
  }
  return true;
}

/** Runs in the page. Scrolls to a position, and hides what does not scroll. Returns the position that was reached. */
function lookAt(top: number): number {
  scrollTo({ top, left: 0, behavior: 'instant' });
  for (const element of document.querySelectorAll<HTMLElement>('body *'))
    if (/fixed|sticky/.test(getComputedStyle(element).position))
      element.style.setProperty('visibility', 'hidden', 'important');
  return Math.round(scrollY);
}

/** Runs in the page. Names the element at a point of the window. */
function nameAt({ x, y }: { x: number; y: number }): string {
  const element = document.elementFromPoint(x, y);
  if (!element) return 'no element';
  const name = element.tagName.toLowerCase();
  return element.id ? `${name}#${element.id}` : [name, ...Array.from(element.classList).slice(0, 2)].join('.');
}
