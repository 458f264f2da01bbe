import type { Page } from '@playwright/test';
import { decodeImage, encodePng } from '../../image/index.js';
import type { EncodedImage, Pixels, Rectangle, Size, Warning } from '../../model/index.js';
import type { PageClock } from '../page-clock.js';

/** Maximum number of positions that are looked at. */
const MAX_POSITIONS = 60;

/** How long a page lives at each position, in milliseconds of its time: what appears there has appeared. */
const LOOKED_MS = 800;

/** How long later missing content is looked at again, in milliseconds of the page's time, and which share of it may have moved. */
const MOVED_MS = 370;
const MOVING_SHARE = 0.1;

/** Share of the page beyond which a fixed element is its content, such as the root of an application. */
const MAX_FIXED_SHARE = 0.5;

/** Edge of the squares that are compared, in pixels. */
const CELL = 8;

/** Distance within which nothing is painted around missing content, in cells: content that only moved a little is not missing. */
const EMPTY_CELLS = 4;

/** Smallest content that counts, in cells: a short word. */
const MIN_CELLS = 8;

/** Maximum difference of one channel between two pixels of one color. */
const SAME_COLOR = 3;

/** Maximum number of areas that are named. */
const MAX_WARNINGS = 3;

/** An image whose missing content was filled in, or named. */
export interface Filled {
  readonly image: EncodedImage;
  readonly warnings: readonly Warning[];
}

/**
 * Scrolls down a page in the window that was asked for, and compares what a visitor sees with the image at the same place. Content that
 * was seen and is blank in the image is painted into it: a list may draw a fixed number of rows, however tall the window is. Elements that are
 * fixed or sticky are hidden meanwhile: the image has them elsewhere. Call it after the image.
 *
 * @param paints - paint what is missing. Otherwise, each area is a warning
 * @returns the same image if nothing is missing
 */
export async function fillMissing(
  page: Page,
  clock: PageClock,
  window: Size,
  image: EncodedImage,
  paints: boolean,
): Promise<Filled> {
  const whole = await decodeImage(image);
  const fixed = await page.evaluate(listFixed, MAX_FIXED_SHARE);
  const parts = new Map<string, string>();
  await page.evaluate(`window.__proofsheetPinned = (${String(createPinned)})()`);
  await clock.awaiting(page.setViewportSize(window));
  await clock.pass(LOOKED_MS, LOOKED_MS);
  const warnings: Warning[] = [];
  let isFilled = false;
  for (let count = 0; count < MAX_POSITIONS; count++) {
    const { view, scrolled, isEnd } = await page.evaluate(lookAt, count);
    await clock.pass(LOOKED_MS, LOOKED_MS / 4);
    const seen = await shootWindow(clock, window);
    for (const { name, text } of await page.evaluate<PinnedText[]>('window.__proofsheetPinned.list()'))
      if (!parts.has(name)) parts.set(name, `${name} shows "${text}" when the page is scrolled by ${scrolled} px`);
    const found = missingCells(seen, whole, view, scrolled).filter((cell) => !fixed.some((box) => isIn(cell, box)));
    const cells = found.length > 0 ? await withoutMoving(found, seen, scrolled, clock, window) : [];
    if (cells.length > 0 && paints) for (const cell of cells) paintCell(seen, whole, cell, scrolled);
    else if (cells.length > 0) warnings.push(await warnOfMissing(page, boxAround(cells), scrolled));
    isFilled ||= cells.length > 0 && paints;
    if (isEnd) break;
  }
  const filled = isFilled ? { ...image, bytes: encodePng(whole) } : image;
  // What is masked is not compared, and may be such a part.
  const pinned = paints ? Array.from(parts.values(), warnOfPinned) : [];
  return { image: filled, warnings: [...warnings.slice(0, MAX_WARNINGS), ...pinned.slice(0, MAX_WARNINGS)] };
}

function isIn({ x, y }: Cell, box: Rectangle): boolean {
  return x + CELL > box.x && x < box.x + box.width && y + CELL > box.y && y < box.y + box.height;
}

/** Runs in the page. Lists the boxes of elements that are fixed or sticky: they are hidden while the page is scrolled. */
function listFixed(maxShare: number): Rectangle[] {
  const { scrollWidth, scrollHeight } = document.documentElement;
  return Array.from(document.querySelectorAll('body *')).flatMap((element) => {
    if (!/fixed|sticky/.test(getComputedStyle(element).position)) return [];
    const { x, y, width, height } = element.getBoundingClientRect();
    return width * height > maxShare * scrollWidth * scrollHeight
      ? []
      : [{ x: x + scrollX, y: y + scrollY, width, height }];
  });
}

async function shootWindow(clock: PageClock, size: Size): Promise<Pixels> {
  return decodeImage({ bytes: await clock.shoot('png', 100), size, codec: 'png' });
}

/** Leaves out what moves: the image has it at another place. */
async function withoutMoving(
  cells: readonly Cell[],
  seen: Pixels,
  scrolled: number,
  clock: PageClock,
  window: Size,
): Promise<readonly Cell[]> {
  await clock.pass(MOVED_MS, MOVED_MS);
  const later = await shootWindow(clock, window);
  const still = cells.filter((cell) => isSameCell(seen, later, { x: cell.x, y: cell.y - scrolled }));
  return cells.length - still.length > MOVING_SHARE * cells.length ? [] : still;
}

function isSameCell(a: Pixels, b: Pixels, { x, y }: Cell): boolean {
  for (let row = y; row < y + CELL; row++) {
    const start = (row * a.width + x) * 4;
    if (Buffer.compare(a.data.subarray(start, start + CELL * 4), b.data.subarray(start, start + CELL * 4)) !== 0)
      return false;
  }
  return true;
}

/** The top left corner of a square, in pixels of the whole image. */
interface Cell {
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
  const at = (cell.y * pixels.width + cell.x) * 4;
  const [red = 0, green = 0, blue = 0] = pixels.data.subarray(at, at + 3);
  const color = (red << 16) | (green << 8) | blue;
  return isOfColor(pixels, cell, color) ? color : null;
}

function isOfColor({ data, width }: Pixels, { x, y }: Cell, color: number): boolean {
  const channels = [color >> 16, (color >> 8) & 255, color & 255];
  for (let row = y; row < y + CELL; row++)
    for (let column = x; column < x + CELL; column++)
      for (const [channel, value] of channels.entries())
        if (Math.abs((data[(row * width + column) * 4 + channel] ?? 0) - value) > SAME_COLOR) return false;
  return true;
}

function paintCell(seen: Pixels, whole: Pixels, { x, y }: Cell, scrolled: number): void {
  for (let row = y; row < y + CELL; row++) {
    const from = ((row - scrolled) * seen.width + x) * 4;
    whole.data.set(seen.data.subarray(from, from + CELL * 4), (row * whole.width + x) * 4);
  }
}

function boxAround(cells: readonly Cell[]): Rectangle {
  const [x, y] = [Math.min(...cells.map((cell) => cell.x)), Math.min(...cells.map((cell) => cell.y))];
  const right = Math.max(...cells.map((cell) => cell.x)) + CELL;
  const bottom = Math.max(...cells.map((cell) => cell.y)) + CELL;
  return { x, y, width: right - x, height: bottom - y };
}

async function warnOfMissing(page: Page, { x, y, width, height }: Rectangle, scrolled: number): Promise<Warning> {
  const element = await page.evaluate(nameAt, { x: x + width / 2, y: y + height / 2 - scrolled });
  const message = `the area of ${width}x${height} px at ${x}, ${y} (${element}) was seen when scrolled to, and is blank in the image`;
  return { code: 'content-missing', message };
}

function warnOfPinned(part: string): Warning {
  return { code: 'content-missing', message: `${part}, and the image shows another state of it` };
}

/** A text of an element that does not scroll with its page, and that the image does not show. */
interface PinnedText {
  readonly name: string;
  readonly text: string;
}

/** Finds what elements show that do not scroll with the page, and that was not there when it was created. */
interface Pinned {
  list(): PinnedText[];
}

declare global {
  interface Window {
    __proofsheetPinned?: Pinned;
  }
}

/**
 * Runs in the page, while its window shows all of it. Later it looks at what {@link lookAt} hid. So it does not matter whether `visibility`
 * hides a text.
 */
function createPinned(): Pinned {
  type Box = readonly [left: number, top: number, right: number, bottom: number];
  const cut = (a: Box, b: Box): Box => [
    Math.max(a[0], b[0]),
    Math.max(a[1], b[1]),
    Math.min(a[2], b[2]),
    Math.min(a[3], b[3]),
  ];
  const boxOf = (item: Element | Range): Box => {
    const { left, top, right, bottom } = item.getBoundingClientRect();
    return [left, top, right, bottom];
  };
  const minLength = 2;
  const textsIn = (start: Element) => {
    const clips = new Map<Element | null, Box>([[null, [0, 0, document.documentElement.scrollWidth, innerHeight]]]);
    const clipOf = (element: Element | null): Box => {
      const known = clips.get(element);
      if (known || !element) return known ?? [0, 0, 0, 0];
      const { overflowX, position } = getComputedStyle(element);
      const outer = clipOf(position === 'fixed' ? null : element.parentElement);
      const clip = overflowX === 'visible' || element === document.body ? outer : cut(outer, boxOf(element));
      clips.set(element, clip);
      return clip;
    };
    const texts = new Set<string>();
    const walker = document.createTreeWalker(start, NodeFilter.SHOW_TEXT);
    const range = document.createRange();
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const text = (node.textContent ?? '').trim().replace(/\s+/g, ' ');
      const parent = node.parentElement;
      if (text.length < minLength || !parent?.checkVisibility({ opacityProperty: true })) continue;
      range.selectNodeContents(node);
      const [left, top, right, bottom] = cut(clipOf(parent), boxOf(range));
      if (right - left > 1 && bottom - top > 1) texts.add(text);
    }
    return texts;
  };
  const shown = textsIn(document.body);
  return {
    list: () =>
      Array.from(document.querySelectorAll<HTMLElement>('body *')).flatMap((element) => {
        const isHidden = element.style.getPropertyPriority('visibility') === 'important';
        if (!isHidden || !/fixed|sticky/.test(getComputedStyle(element).position)) return [];
        const text = Array.from(textsIn(element)).find((one) => !shown.has(one));
        const name = element.tagName.toLowerCase();
        const label = element.id
          ? `${name}#${element.id}`
          : [name, ...Array.from(element.classList).slice(0, 2)].join('.');
        return text === undefined ? [] : [{ name: label, text: text.slice(0, 60) }];
      }),
  };
}

/** What a page shows at a position. */
interface Look {
  /** The part of the window that scrolls. */
  readonly view: Rectangle;
  /** CSS pixels by which it was scrolled. */
  readonly scrolled: number;
  readonly isEnd: boolean;
}

/**
 * Runs in the page. Scrolls the page, or the area within it that hides most, by a number of its heights. Hides what does not scroll with it.
 */
function lookAt(count: number): Look {
  const root = document.scrollingElement ?? document.documentElement;
  const hiddenIn = (element: Element) => element.scrollHeight - element.clientHeight;
  const areas = Array.from(document.querySelectorAll('body *')).filter((element) =>
    /auto|scroll/.test(getComputedStyle(element).overflowY),
  );
  const largest = areas.reduce((one, other) => (hiddenIn(other) > hiddenIn(one) ? other : one), root);
  const scroller = root.scrollHeight > innerHeight ? root : largest;
  const isPage = scroller === root;
  const height = isPage ? innerHeight : scroller.clientHeight;
  const moveTo = (top: number) => scroller.scrollTo({ top, left: 0, behavior: 'instant' });
  // The positions of an area that begins at its end, as by `column-reverse`, are negative.
  moveTo(-scroller.scrollHeight);
  const start = scroller.scrollTop;
  moveTo(start + count * height);
  const scrolled = Math.round(scroller.scrollTop - start);
  for (const element of document.querySelectorAll<HTMLElement>('body *'))
    if (/fixed|sticky/.test(getComputedStyle(element).position) && (isPage || !element.contains(scroller)))
      element.style.setProperty('visibility', 'hidden', 'important');
  const { left, top } = scroller.getBoundingClientRect();
  const place = isPage ? { x: 0, y: 0 } : { x: left + scroller.clientLeft, y: top + scroller.clientTop };
  return {
    view: { x: Math.ceil(place.x), y: Math.ceil(place.y), width: scroller.clientWidth, height },
    scrolled,
    isEnd: scrolled + height >= scroller.scrollHeight - 1 || scrolled < count * height,
  };
}

/** Runs in the page. Names the element at a point of the window. */
function nameAt({ x, y }: { x: number; y: number }): string {
  const element = document.elementFromPoint(x, y);
  if (!element) return 'no element';
  const name = element.tagName.toLowerCase();
  return element.id ? `${name}#${element.id}` : [name, ...Array.from(element.classList).slice(0, 2)].join('.');
}
