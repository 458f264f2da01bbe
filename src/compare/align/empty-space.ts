/** Parallel lines of pixels: the rows or the columns of a part of an image. */
export interface Lines {
  readonly words: Uint32Array;
  /** The index of the first pixel of the first line. */
  readonly start: number;
  readonly count: number;
  /** The number of words from one line to the next, and from one pixel of a line to the next. */
  readonly lineStep: number;
  readonly pixelStep: number;
  /** The pixels `[from, to)` of a line. The image may have one more on both sides: from -1, to length + 1. */
  readonly length: number;
  readonly margin: readonly [from: number, to: number];
}

/**
 * Checks whether lines `[from, to)` are empty space: they are all equal, equal the line before or behind them, and are the background of
 * the content before or behind.
 */
export function isEmptySpace(lines: Lines, from: number, to: number): boolean {
  const isEqual = (line: number) => line >= 0 && line < lines.count && areEqual(lines, from, line);
  for (let line = from + 1; line < to; line++) if (!isEqual(line)) return false;
  let [first, end] = [from, to];
  while (isEqual(first - 1)) first--;
  while (isEqual(end)) end++;
  if (from === to || (first === from && end === to)) return false;
  return isBackground(lines, first, first - 1) || isBackground(lines, end - 1, end);
}

/**
 * Checks whether a line at the edge of equal lines is the background of the line beside it: where the two differ, the line keeps the color
 * that it has next to there. The background of a text does. A bar, which begins and ends with its color, does not.
 */
function isBackground(lines: Lines, line: number, beside: number): boolean {
  const { words, start, count, lineStep, pixelStep } = lines;
  if (beside < 0 || beside >= count) return false;
  const [first, end] = lines.margin;
  const colorAt = (index: number) => words[start + line * lineStep + index * pixelStep];
  const isSame = (index: number) => colorAt(index) === words[start + beside * lineStep + index * pixelStep];
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

function areEqual({ words, start, lineStep, pixelStep, length }: Lines, one: number, other: number): boolean {
  let [at, otherAt] = [start + one * lineStep, start + other * lineStep];
  for (let index = 0; index < length; index++, at += pixelStep, otherAt += pixelStep)
    if (words[at] !== words[otherAt]) return false;
  return true;
}
