import { borrowZeros } from '../image/lent-bytes.js';
import type { Pixels, Rectangle } from '../model/image.js';
import { spansOf } from './areas.js';

/** One image as one number a pixel, opaque ones. */
export interface View {
  readonly words: Uint32Array;
}

/** Two opaque images of one size, to be looked at around single pixels, and what was found out about their pixels so far. */
export interface Pair {
  readonly width: number;
  readonly height: number;
  readonly before: View;
  readonly after: View;
  /** 1 where nothing may be looked at; null: nowhere. */
  readonly holes: Uint8Array | null;
  /** What is known of the shape that a pixel belongs to; 0: nothing yet. */
  readonly shapes: Uint8Array;
}

/** Makes a pair. @param areas - the holes, within the images */
export function createPair(before: Pixels, after: Pixels, areas: readonly Rectangle[]): Pair {
  const { width, height } = before;
  const holes = areas.length === 0 ? null : new Uint8Array(width * height);
  for (const area of areas) for (const [from, to] of spansOf(area, width)) holes?.fill(1, from, to);
  const shapes = borrowZeros(width * height);
  return { width, height, before: viewOf(before), after: viewOf(after), holes, shapes };
}

/** Tells whether a pixel differs and may be looked at. */
export function isDifferent({ before, after, holes }: Pair, at: number): boolean {
  return before.words[at] !== after.words[at] && !holes?.[at];
}

/** Gives the offset of a neighbour; beyond the image or in a hole, the pixel itself: nothing is known there. */
export function besideOf({ width, height, holes }: Pair, at: number, dx: number, dy: number): number {
  const x = (at % width) + dx;
  const y = Math.floor(at / width) + dy;
  if (x < 0 || y < 0 || x >= width || y >= height) return at;
  const beside = y * width + x;
  return holes?.[beside] ? at : beside;
}

/** Gives the brightness of a pixel, 0 to 255,000: Rec. 601 luma, as a whole number. */
export function lumaAt({ words }: View, at: number): number {
  return lumaOf(words[at] ?? 0);
}

/** Gives the brightness of a pixel as one number, the lowest byte red. */
export function lumaOf(word: number): number {
  return 299 * (word & 255) + 587 * ((word >> 8) & 255) + 114 * ((word >> 16) & 255);
}

function viewOf({ data }: Pixels): View {
  return { words: new Uint32Array(data.buffer, data.byteOffset, data.byteLength / 4) };
}
