import { wordsOf } from '../../image/index.js';
import type { Pixels, Rectangle } from '../../model/index.js';

/** Parallel lines of pixels: the rows or the columns of a part of an image. One 32-bit word is one pixel. */
export interface Lines {
  readonly words: Uint32Array;
  /** The index of the first pixel of the first line. */
  readonly start: number;
  readonly lines: Axis;
  /** The pixels of a line. */
  readonly pixels: Axis;
}

interface Axis {
  readonly count: number;
  /** The number of words from one to the next. */
  readonly step: number;
  /** The range `[from, to)` with one more on both sides, as far as the image has one: from -1, to count + 1. */
  readonly margin: readonly [from: number, to: number];
}

/** Returns the rows of a part of an image. Copies no pixels. */
export function rowsOf(image: Pixels, { x, y, width, height }: Rectangle): Lines {
  const axisOf = (first: number, count: number, size: number, step: number): Axis => {
    return { count, step, margin: [first > 0 ? -1 : 0, first + count < size ? count + 1 : count] };
  };
  return {
    words: wordsOf(image),
    start: y * image.width + x,
    lines: axisOf(y, height, image.height, image.width),
    pixels: axisOf(x, width, image.width, 1),
  };
}

export function columnsOf({ lines, pixels, ...part }: Lines): Lines {
  return { ...part, lines: pixels, pixels: lines };
}

/** Returns at most `max` of `count` lines, at equal distances. */
export function sampleLines(count: number, max: number): number[] {
  const length = Math.min(count, max);
  return Array.from({ length }, (_, index) => Math.floor(((index + 0.5) * count) / length));
}

/** Checks whether lines `[from, to)` equal each other and the line before or behind them, as the background of the content beside them. */
export function isEmptySpace(part: Lines, from: number, to: number): boolean {
  const isEqual = (line: number) => line >= 0 && line < part.lines.count && isSameLine(part, from, part, line);
  for (let line = from + 1; line < to; line++) if (!isEqual(line)) return false;
  let [first, end] = [from, to];
  while (isEqual(first - 1)) first--;
  while (isEqual(end)) end++;
  if (from === to || (first === from && end === to)) return false;
  return isBackground(part, first, first - 1) || isBackground(part, end - 1, end);
}

/**
 * Checks whether a line is the background of the line beside it: where they differ, it keeps the color that it has next to there. A bar,
 * which begins and ends with its color, does not.
 */
function isBackground({ words, start, lines, pixels }: Lines, line: number, beside: number): boolean {
  if (beside < 0 || beside >= lines.count) return false;
  const [first, end] = pixels.margin;
  const colorAt = (index: number, of = line) => words[start + of * lines.step + index * pixels.step];
  const isSame = (index: number) => colorAt(index) === colorAt(index, beside);
  for (let from = first; from < end; from++) {
    if (isSame(from)) continue;
    let to = from + 1;
    while (to < end && !isSame(to)) to++;
    const hasColorOf = (next: number) => {
      if (next < first || next >= end) return false;
      for (let index = from; index < to; index++) if (colorAt(index) !== colorAt(next)) return false;
      return true;
    };
    if (!hasColorOf(from - 1) && !hasColorOf(to)) return false;
    from = to;
  }
  return true;
}

/** Checks whether a line of one part equals a line of another part with equally long lines. */
export function isSameLine(one: Lines, line: number, other: Lines, otherLine: number): boolean {
  let [at, otherAt] = [one.start + line * one.lines.step, other.start + otherLine * other.lines.step];
  for (let index = 0; index < one.pixels.count; index++, at += one.pixels.step, otherAt += other.pixels.step)
    if (one.words[at] !== other.words[otherAt]) return false;
  return true;
}
