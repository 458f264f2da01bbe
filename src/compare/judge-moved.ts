import type { Mask } from '../model/comparison.js';
import type { Pixels, Rectangle } from '../model/image.js';
import type { Columns, Segment } from './align.js';
import { clipAreas } from './areas.js';
import { createMask, type Finding, REACH } from './finding.js';

/** Compares two images of one size, but for what is masked. */
export type ComparePixels = (before: Pixels, after: Pixels, masked: readonly Rectangle[]) => Promise<Finding>;

/** Two images and how their rows are laid on one another. */
interface Laid {
  readonly before: Pixels;
  readonly after: Pixels;
  readonly segments: readonly Segment[];
  readonly columns: Columns;
  /** What changed where each pixel is held against the one at its place. */
  readonly mask: Mask;
  readonly masked: readonly Rectangle[];
}

/**
 * Gives what changed in paired rows, by the rows of after. Of rows that stayed it is known; of those that moved, the ones
 * that are not the same to the byte are compared, all at once, with as much around them as anti-aliasing is told by.
 */
export async function judgeMoved(laid: Laid, compare: ComparePixels): Promise<Mask> {
  const { before, after, segments, columns, mask } = laid;
  const judged = createMask({ width: mask.width, height: after.height });
  for (const segment of segments) keepMask(judged, mask, segment, columns);
  const strips = segments.flatMap((segment) => stripsOf(segment, before, after, columns));
  const height = strips.reduce((sum, strip) => sum + strip.height, 0);
  if (height === 0) return judged;
  const [one, other] = [
    stack(before, strips, 'before', columns, height),
    stack(after, strips, 'after', columns, height),
  ];
  const found = await compare(one, other, maskStack(strips, laid));
  if (found.mask) pasteStack(judged, found.mask, strips, columns);
  return judged;
}

/** Rows of both images that are to be compared, and where they are in the stack of all of them. */
interface Strip {
  readonly before: number;
  readonly after: number;
  readonly height: number;
}

/** Rows that stayed keep what was found; beside the columns that moved, all rows do. */
function keepMask(judged: Mask, mask: Mask, { kind, before, after, height }: Segment, [from, to]: Columns): void {
  const { width } = mask;
  const stayed = kind === 'paired' && before === after;
  for (let y = after; y < Math.min(after + (kind === 'removed' || kind === 'left' ? 0 : height), mask.height); y++) {
    judged.data.set(mask.data.subarray(y * width, (y + 1) * width), y * width);
    if (!stayed) judged.data.fill(0, y * width + from, y * width + to);
  }
}

/** Finds the rows of a moved segment that are not the same in both, with their surroundings. */
function stripsOf({ kind, before, after, height }: Segment, one: Pixels, other: Pixels, columns: Columns): Strip[] {
  if (kind !== 'paired' || before === after) return [];
  const strips: { top: number; bottom: number }[] = [];
  for (let row = 0; row < height; row++) {
    if (isSameRow(one, before + row, other, after + row, columns)) continue;
    const [top, bottom] = [Math.max(0, row - REACH), Math.min(height, row + REACH + 1)];
    const last = strips.at(-1);
    if (last && last.bottom >= top) last.bottom = bottom;
    else strips.push({ top, bottom });
  }
  return strips.map(({ top, bottom }) => ({ before: before + top, after: after + top, height: bottom - top }));
}

function isSameRow(one: Pixels, row: number, other: Pixels, otherRow: number, [from, to]: Columns): boolean {
  const start = (row * one.width + from) * 4;
  const otherStart = (otherRow * other.width + from) * 4;
  const length = (to - from) * 4;
  return view(one).compare(view(other), otherStart, otherStart + length, start, start + length) === 0;
}

function view({ data }: Pixels): Buffer {
  return Buffer.from(data.buffer, data.byteOffset, data.byteLength);
}

function stack(image: Pixels, strips: readonly Strip[], side: 'before' | 'after', [from, to]: Columns, height: number) {
  const width = to - from;
  const data = new Uint8Array(width * height * 4);
  let at = 0;
  for (const strip of strips) {
    for (let row = strip[side]; row < strip[side] + strip.height; row++, at += width * 4) {
      const start = (row * image.width + from) * 4;
      data.set(image.data.subarray(start, start + width * 4), at);
    }
  }
  return { width, height, data };
}

/** What is masked in either image is so in the stack. */
function maskStack(strips: readonly Strip[], { masked, columns: [from, to] }: Laid): Rectangle[] {
  let y = 0;
  return strips.flatMap((strip) => {
    const inside = [strip.before, strip.after].flatMap((top) => {
      const moved = masked.map((area) => ({ ...area, x: area.x - from, y: area.y - top }));
      return clipAreas(moved, { width: to - from, height: strip.height });
    });
    const areas = inside.map((area) => ({ ...area, y: area.y + y }));
    y += strip.height;
    return areas;
  });
}

function pasteStack(judged: Mask, found: Mask, strips: readonly Strip[], [from]: Columns): void {
  let at = 0;
  for (const { after, height } of strips) {
    for (let row = after; row < after + height; row++, at += found.width) {
      judged.data.set(found.data.subarray(at, at + found.width), row * judged.width + from);
    }
  }
}
