/** Consecutive pixels of a row or of a column of an image, as 32-bit words. */
export interface Line {
  readonly words: Uint32Array;
  /** The index of the first pixel. */
  readonly start: number;
  /** The distance from one pixel to the next: 1 in a row, the width of the image in a column. */
  readonly step: number;
  readonly length: number;
}

/**
 * Checks whether rows or columns `[from, to)`, which are all equal, are empty space: they equal the line before or behind them, and are the
 * background of the content before or behind.
 *
 * @param isEqual - checks whether a line exists and equals them
 * @param lineAt - returns a line; null outside the image
 */
export function isEmptySpace(
  from: number,
  to: number,
  isEqual: (index: number) => boolean,
  lineAt: (index: number) => Line | null,
): boolean {
  let [first, end] = [from, to];
  while (isEqual(first - 1)) first--;
  while (isEqual(end)) end++;
  if (first === from && end === to) return false;
  return isBackground(lineAt(first), lineAt(first - 1)) || isBackground(lineAt(end - 1), lineAt(end));
}

/**
 * Checks whether a line at the edge of equal lines is the background of the line beside it: where the two differ, the line keeps the color
 * that it has next to there. The background of a text does. A bar, which begins and ends with its color, does not.
 */
function isBackground(line: Line | null, beside: Line | null): boolean {
  if (!line || !beside) return false;
  for (let from = 0; from < line.length; from++) {
    if (isEqualAt(line, beside, from)) continue;
    let to = from + 1;
    while (to < line.length && !isEqualAt(line, beside, to)) to++;
    const isKept = [from - 1, to].some((next) => next >= 0 && next < line.length && hasColorOf(line, next, from, to));
    if (!isKept) return false;
    from = to;
  }
  return true;
}

function isEqualAt(one: Line, other: Line, index: number): boolean {
  return one.words[one.start + index * one.step] === other.words[other.start + index * other.step];
}

function hasColorOf({ words, start, step }: Line, next: number, from: number, to: number): boolean {
  const color = words[start + next * step];
  for (let index = from; index < to; index++) if (words[start + index * step] !== color) return false;
  return true;
}
