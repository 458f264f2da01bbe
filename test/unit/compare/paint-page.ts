import type { Pixels } from '../../../src/model/image.js';
import { createRandom, fill, type Hex, sheet } from '../image/paint.js';

/** What a page is painted of, from the top. */
export type Part =
  | { readonly kind: 'space'; readonly height: number }
  | { readonly kind: 'bar'; readonly height: number; readonly color: Hex }
  /** A paragraph: the same seed, the same letters. */
  | { readonly kind: 'text'; readonly lines: number; readonly seed: number };

export const space = (height: number): Part => ({ kind: 'space', height });
export const bar = (height: number, color: Hex): Part => ({ kind: 'bar', height, color });
export const text = (seed: number, lines = 3): Part => ({ kind: 'text', lines, seed });

/** Lines of a paragraph are that far from one another. */
export const LINE = 24;

/** Paints a page of a width: white, its text as small boxes in words. */
export function paintPage(width: number, parts: readonly Part[]): Pixels {
  const pixels = sheet(
    width,
    parts.reduce((sum, part) => sum + heightOf(part), 0),
  );
  let y = 0;
  for (const part of parts) {
    if (part.kind === 'bar')
      put(pixels, fill(sheet(width, part.height), { x: 0, y: 0, width, height: part.height }, part.color), y);
    if (part.kind === 'text') put(pixels, paintText(width, part), y);
    y += heightOf(part);
  }
  return pixels;
}

export function heightOf(part: Part): number {
  return part.kind === 'text' ? part.lines * LINE : part.height;
}

/** Puts an image into another, at the left. */
export function put(pixels: Pixels, part: Pixels, y: number, x = 0): Pixels {
  for (let row = 0; row < part.height; row++) {
    const from = row * part.width * 4;
    pixels.data.set(part.data.subarray(from, from + part.width * 4), ((y + row) * pixels.width + x) * 4);
  }
  return pixels;
}

function paintText(width: number, { lines, seed }: Extract<Part, { kind: 'text' }>): Pixels {
  const random = createRandom(seed);
  const block = sheet(width, lines * LINE);
  for (let line = 0; line < lines; line++) {
    for (let x = 8; x < width - 20; x += 7 + (random() < 0.2 ? 8 : 0)) {
      for (let dot = 0; dot < 60; dot++) {
        const [column, row] = [x + (dot % 5), line * LINE + 6 + Math.floor(dot / 5)];
        if (random() < 0.7) block.data.set([40, 40, 40], (row * width + column) * 4);
      }
    }
  }
  return block;
}
