import type { Pixels, Rectangle } from '../model/image.js';

/** A rectangle of an image as 32-bit words, one a pixel. */
export interface View {
  readonly words: Uint32Array;
  readonly width: number;
  readonly height: number;
  /** Words from one row to the one below it. */
  readonly stride: number;
  /** The word in its top left corner. */
  readonly start: number;
}

/** Gives a rectangle that lies within an image as words; nothing is copied. */
export function viewOf(image: Pixels, { x, y, width, height }: Rectangle): View {
  return { words: wordsOf(image), width, height, stride: image.width, start: y * image.width + x };
}

/** Gives an image as words. */
export function wordsOf({ data, width, height }: Pixels): Uint32Array {
  return new Uint32Array(data.buffer, data.byteOffset, width * height);
}

/** Tells whether some columns are nothing but the one beside them, to the left or to the right, over and over. */
export function isSpace(view: View, from: number, to: number): boolean {
  return [from - 1, to].some((beside) => beside >= 0 && beside < view.width && isAllLike(view, from, to, beside));
}

/** Tells whether a column of one view is that of another. */
export function isSameColumn(one: View, column: number, other: View, otherColumn: number): boolean {
  for (let row = 0; row < one.height; row++) {
    const word = one.words[one.start + row * one.stride + column];
    if (word !== other.words[other.start + row * other.stride + otherColumn]) return false;
  }
  return true;
}

function isAllLike({ words, stride, start, height }: View, from: number, to: number, beside: number): boolean {
  for (let row = start, end = start + height * stride; row < end; row += stride) {
    const own = words[row + beside];
    for (let at = row + from; at < row + to; at++) if (words[at] !== own) return false;
  }
  return true;
}
