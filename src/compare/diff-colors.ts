import type { Color } from '../image/encode-indexed-png.js';
import { kernels, SLACK, scratch } from '../image/kernels.js';

/** How many shades each picture in the diff image has: few, which compress well. */
const SHADE_BITS = 5;
const SHADES = 2 ** SHADE_BITS;

/**
 * Places in {@link DIFF_PALETTE}. For readers of every colour vision: what changed, what was inserted and what was removed
 * also differ in lightness, and what did not change has no colour.
 */
export const PLACE = {
  transparent: 0,
  /** Magenta. */
  changed: 1,
  /** Pale violet: differs by anti-aliasing only. */
  smoothed: 2,
  hatchLine: 3,
  hatchGround: 4,
  ink: 5,
  paper: 6,
  /** Where rows were removed for which there is no room. */
  removedBar: 7,
  /** The first of SHADES greys, from dark to light. */
  faint: 8,
  /** The first of SHADES shades of orange. */
  removed: 8 + SHADES,
  /** The first of SHADES shades of blue. */
  inserted: 8 + 2 * SHADES,
} as const;

/** The colours of the diff image. */
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
 * Gives the places of pixels of RGBA, laid on white, as shades of grey, orange or blue: Rec. 601 luma.
 *
 * @param first - the place of the darkest
 * @returns in the scratch memory: to be taken out at once
 */
export function shadePixels(data: Uint8Array, first: number): Uint8Array {
  const pixels = data.length / 4;
  const memory = scratch(data.length + pixels + SLACK);
  memory.set(data);
  kernels().shadePixels(0, data.length, pixels, first, SHADE_BITS);
  return memory.subarray(data.length, data.length + pixels);
}

function shadesOf(dark: Color, light: Color): Color[] {
  return Array.from({ length: SHADES }, (_, shade) => {
    const channel = (index: 0 | 1 | 2) =>
      Math.round(dark[index] + ((light[index] - dark[index]) * shade) / (SHADES - 1));
    return [channel(0), channel(1), channel(2)] as const;
  });
}
