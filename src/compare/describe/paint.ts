import type { Color, IndexedPixels } from '../../image/index.js';
import type { Rectangle } from '../../model/index.js';
import { clipAreas, spansOf } from '../areas.js';

/** Fills a rectangle, as far as it is within the diff image. */
export function fillArea(diffPixels: IndexedPixels, area: Rectangle, color: number): void {
  for (const inside of clipAreas([area], diffPixels)) {
    for (const [from, to] of spansOf(inside, diffPixels.width)) diffPixels.data.fill(color, from, to);
  }
}

/** Draws a frame around each area. A frame never covers a changed pixel. */
export function frameAreas(diffPixels: IndexedPixels, areas: readonly Rectangle[]): void {
  for (const area of areas) {
    frame(diffPixels, area, GAP + 1, PALETTE_INDEX.paper);
    frame(diffPixels, area, GAP, PALETTE_INDEX.ink);
  }
}

const GAP = 2;

function frame({ data, width, height }: IndexedPixels, area: Rectangle, gap: number, color: number): void {
  const [left, top] = [Math.max(0, area.x - gap), Math.max(0, area.y - gap)];
  const right = Math.min(width, area.x + area.width + gap);
  const bottom = Math.min(height, area.y + area.height + gap);
  const marks: readonly unknown[] = [PALETTE_INDEX.changed, PALETTE_INDEX.antialiased];
  for (let y = top; y < bottom; y++) {
    const step = y === top || y === bottom - 1 ? 1 : Math.max(1, right - left - 1);
    for (let at = y * width + left; at < y * width + right; at += step) if (!marks.includes(data[at])) data[at] = color;
  }
}

/** The number of bits per shade. A low number of shades compresses well. */
const SHADE_BITS = 5;
const SHADES = 2 ** SHADE_BITS;

/** Indexes into {@link DIFF_PALETTE}; 0 is transparent. The colors also differ in lightness, for every color vision. */
export const PALETTE_INDEX = {
  /** Magenta. */
  changed: 1,
  /** Pale violet: differs by anti-aliasing only. */
  antialiased: 2,
  hatchLine: 3,
  hatchGround: 4,
  ink: 5,
  paper: 6,
  /** Orange: the position of removed content without room. */
  removedBar: 7,
  /** The first of SHADES greys, from dark to light. */
  faint: 8,
  /** The first of SHADES shades of orange. */
  removed: 8 + SHADES,
  /** The first of SHADES shades of blue. */
  inserted: 8 + 2 * SHADES,
} as const;

export const DIFF_PALETTE: readonly Color[] = [
  [0, 0, 0],
  [214, 0, 147],
  [205, 180, 235],
  [196, 196, 196],
  [232, 232, 232],
  [24, 24, 24],
  [255, 255, 255],
  [196, 98, 0],
  ...shadesOf([178, 178, 178], [255, 255, 255]),
  ...shadesOf([150, 75, 0], [255, 214, 153]),
  ...shadesOf([0, 60, 130], [173, 216, 255]),
];

/**
 * Writes the palette indexes of RGBA pixels, composited onto white, as shades by Rec. 601 luma.
 *
 * @param words - one word per pixel, red in the lowest byte
 * @param first - the palette index of the darkest shade
 * @param target - receives one byte per pixel
 */
export function shadePixels(words: Uint32Array, first: number, target: Uint8Array): void {
  let last = words[0] ?? 0;
  let shade = shadeOf(last);
  for (let i = 0; i < words.length; i++) {
    const word = words[i] ?? 0;
    // Most pixels of a page repeat the pixel to their left.
    if (word !== last) shade = shadeOf(word);
    last = word;
    target[i] = first + shade;
  }
}

function shadeOf(word: number): number {
  const luma = ((word & 0xff) * RED + ((word >>> 8) & 0xff) * GREEN + ((word >>> 16) & 0xff) * BLUE) >> 8;
  const onWhite = 255 - Math.round(((255 - luma) * (word >>> 24)) / 255);
  return onWhite >> (8 - SHADE_BITS);
}

/** Weights of Rec. 601 luma. Their sum is 256. */
const [RED, GREEN, BLUE] = [77, 150, 29];

function shadesOf(dark: Color, light: Color): Color[] {
  return Array.from({ length: SHADES }, (_, shade) => {
    const channel = (index: 0 | 1 | 2) =>
      Math.round(dark[index] + ((light[index] - dark[index]) * shade) / (SHADES - 1));
    return [channel(0), channel(1), channel(2)] as const;
  });
}
