import type { Pixels } from '../model/image.js';

/** What the numbers of an image mean, where they do not mean sRGB. */
export interface ColourSpace {
  /** For red, green and blue, how bright each of the 256 values is, 0 to 1. */
  readonly curves: readonly [Curve, Curve, Curve];
  /** From bright red, green and blue to the same in sRGB, row by row. */
  readonly matrix: readonly number[];
}

/** How bright each value is. */
export type Curve = Float64Array;

/** The matrix of a space that has the primaries of sRGB. */
export const SRGB_PRIMARIES: readonly number[] = [1, 0, 0, 0, 1, 0, 0, 0, 1];

/** Makes a curve from how bright a value is, both 0 to 1. */
export function createCurve(brightness: (value: number) => number): Curve {
  return Float64Array.from({ length: 256 }, (_, value) => brightness(value / 255));
}

/**
 * Turns the colours of pixels into sRGB, in place: brightness by the curves, primaries by the matrix, what sRGB has no colour
 * for cut off. A space that moves no channel by more than 2 of 255 is sRGB as another program wrote it down: nothing is done.
 */
export function turnIntoSrgb({ data }: Pixels, space: ColourSpace): void {
  if (isNearSrgb(space)) return;
  for (let at = 0; at < data.length; at += 4) turnPixel(data, at, space);
}

const NEAR = 2;

function isNearSrgb(space: ColourSpace): boolean {
  const values = [0, 16, 64, 128, 192, 255];
  const sample = values.flatMap((red) => values.flatMap((green) => values.map((blue) => [red, green, blue])));
  return sample.every((colour) => {
    const turned = Uint8Array.from(colour);
    turnPixel(turned, 0, space);
    return turned.every((value, channel) => Math.abs(value - (colour[channel] ?? 0)) <= NEAR);
  });
}

function turnPixel(data: Uint8Array, at: number, { curves, matrix }: ColourSpace): void {
  const red = curves[0][data[at] ?? 0] ?? 0;
  const green = curves[1][data[at + 1] ?? 0] ?? 0;
  const blue = curves[2][data[at + 2] ?? 0] ?? 0;
  for (let channel = 0; channel < 3; channel++) {
    const row = channel * 3;
    const bright = (matrix[row] ?? 0) * red + (matrix[row + 1] ?? 0) * green + (matrix[row + 2] ?? 0) * blue;
    data[at + channel] = ENCODED[Math.round(Math.min(1, Math.max(0, bright)) * STEPS)] ?? 0;
  }
}

const STEPS = 1 << 14;

/** IEC 61966-2-1: from brightness to the value. */
const ENCODED = Uint8Array.from({ length: STEPS + 1 }, (_, step) => {
  const bright = step / STEPS;
  return Math.round(255 * (bright <= 0.0031308 ? 12.92 * bright : 1.055 * bright ** (1 / 2.4) - 0.055));
});
