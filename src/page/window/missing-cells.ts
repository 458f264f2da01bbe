import type { Pixels, Rectangle } from '../../model/index.js';

/** Edge of the squares that are compared, in pixels. */
const CELL = 8;

/** Distance within which nothing is painted around missing content, in cells: content that only moved a little is not missing. */
const EMPTY_CELLS = 4;

/** Smallest content that counts, in cells: a short word. */
const MIN_CELLS = 8;

/** Share of the content of both images that must be equal. Otherwise, the window shows the page moved, and what was blank is not comparable. */
const MIN_EQUAL_SHARE = 0.5;

/** Maximum difference of one channel between two pixels of one color. */
const SAME_COLOR = 3;

/** The top left corner of a square, in pixels of the whole image. */
export interface Cell {
  readonly x: number;
  readonly y: number;
}

/**
 * Lists the squares of a window that show something, and that are blank in the image at the same place.
 *
 * @param seen - the image of the window
 * @param whole - the image of the whole page
 * @param view - the part of the window that scrolls
 * @param scrolled - by how much it was scrolled
 */
export function missingCells(seen: Pixels, whole: Pixels, view: Rectangle, scrolled: number): Cell[] {
  const columns = Math.floor(Math.min(view.x + view.width, seen.width, whole.width) / CELL);
  const rows = Math.floor(Math.min(view.y + view.height + scrolled, seen.height + scrolled, whole.height) / CELL);
  const first = { column: Math.ceil(view.x / CELL), row: Math.ceil((view.y + scrolled) / CELL) };
  const width = columns - first.column;
  const height = rows - first.row;
  if (width <= 0 || height <= 0) return [];
  const placeOf = (index: number): Cell => ({
    x: (first.column + (index % width)) * CELL,
    y: (first.row + Math.floor(index / width)) * CELL,
  });
  const indexes = Array.from({ length: width * height }, (_, index) => index);
  const colors = indexes.map((index) => colorOf(whole, placeOf(index)));
  const drawn = indexes.filter((index) => colors[index] === null).map(placeOf);
  const equal = drawn.filter(({ x, y }) => isSameCell(seen, whole, { x, y: y - scrolled }, scrolled));
  if (drawn.length >= MIN_CELLS && equal.length < MIN_EQUAL_SHARE * drawn.length) return [];
  const isMissing = indexes.map((index) => {
    const color = colors[index] ?? null;
    const { x, y } = placeOf(index);
    return color !== null && !isOfColor(seen, { x, y: y - scrolled }, color);
  });
  const isAlone = (index: number) =>
    around(index, width, height, EMPTY_CELLS).every((other) => colors[other] === colors[index]);
  const found = indexes.filter((index) => isMissing[index] && isAlone(index));
  if (found.length < MIN_CELLS) return [];
  // Next to content that is there, only what belongs to the missing one is painted.
  for (const index of found) isMissing[index] = false;
  for (const index of found)
    for (const other of around(index, width, height, EMPTY_CELLS)) {
      if (!isMissing[other]) continue;
      isMissing[other] = false;
      found.push(other);
    }
  return found.map(placeOf);
}

/** Lists the cells within a distance of a cell, and itself. */
function around(index: number, width: number, height: number, distance: number): number[] {
  const [column, row] = [index % width, Math.floor(index / width)];
  const cells: number[] = [];
  for (let y = Math.max(0, row - distance); y <= Math.min(height - 1, row + distance); y++)
    for (let x = Math.max(0, column - distance); x <= Math.min(width - 1, column + distance); x++)
      cells.push(y * width + x);
  return cells;
}

/** Returns the color of a cell as RGB; null if it has several. */
function colorOf(pixels: Pixels, cell: Cell): number | null {
  const { data } = pixels;
  const at = (cell.y * pixels.width + cell.x) * 4;
  const color = ((data[at] ?? 0) << 16) | ((data[at + 1] ?? 0) << 8) | (data[at + 2] ?? 0);
  return isOfColor(pixels, cell, color) ? color : null;
}

/** Runs for each cell of a page: with an array per pixel, it took six times as long. */
function isOfColor({ data, width }: Pixels, { x, y }: Cell, color: number): boolean {
  const [red, green, blue] = [color >> 16, (color >> 8) & 255, color & 255];
  const differs = (index: number, value: number) => Math.abs((data[index] ?? 0) - value) > SAME_COLOR;
  for (let row = y; row < y + CELL; row++) {
    const start = (row * width + x) * 4;
    for (let at = start; at < start + CELL * 4; at += 4)
      if (differs(at, red) || differs(at + 1, green) || differs(at + 2, blue)) return false;
  }
  return true;
}

/** Checks whether an image has the same cell as another one, which may have it further down. */
export function isSameCell(a: Pixels, b: Pixels, { x, y }: Cell, down = 0): boolean {
  for (let row = y; row < y + CELL; row++) {
    const [at, other] = [(row * a.width + x) * 4, ((row + down) * b.width + x) * 4];
    if (Buffer.compare(a.data.subarray(at, at + CELL * 4), b.data.subarray(other, other + CELL * 4)) !== 0)
      return false;
  }
  return true;
}

/** Checks whether a cell overlaps a box. */
export function overlaps({ x, y }: Cell, box: Rectangle): boolean {
  return x + CELL > box.x && x < box.x + box.width && y + CELL > box.y && y < box.y + box.height;
}

/** Paints a cell of a window into the whole image. */
export function paintCell(seen: Pixels, whole: Pixels, { x, y }: Cell, scrolled: number): void {
  for (let row = y; row < y + CELL; row++) {
    const from = ((row - scrolled) * seen.width + x) * 4;
    whole.data.set(seen.data.subarray(from, from + CELL * 4), (row * whole.width + x) * 4);
  }
}

/** Returns the box around cells. */
export function boxAround(cells: readonly Cell[]): Rectangle {
  const [x, y] = [Math.min(...cells.map((cell) => cell.x)), Math.min(...cells.map((cell) => cell.y))];
  const right = Math.max(...cells.map((cell) => cell.x)) + CELL;
  const bottom = Math.max(...cells.map((cell) => cell.y)) + CELL;
  return { x, y, width: right - x, height: bottom - y };
}
