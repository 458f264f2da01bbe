import { readFileSync } from 'node:fs';
import { inspectImage } from '../../../src/image/inspect.js';
import { encodePng } from '../../../src/image/png/write.js';
import type { EncodedImage, Pixels, Rectangle } from '../../../src/model/image.js';

/** `#rrggbb` or `#rrggbbaa`. */
export type Hex = `#${string}`;

export function sheet(width: number, height: number, color: Hex = '#ffffff'): Pixels {
  return fill({ width, height, data: new Uint8Array(width * height * 4) }, { x: 0, y: 0, width, height }, color);
}

/** Gives a copy with a rectangle painted over. */
export function fill(pixels: Pixels, { x, y, width, height }: Rectangle, color: Hex): Pixels {
  const data = pixels.data.slice();
  const paint = Buffer.from(color.slice(1).padEnd(8, 'f'), 'hex');
  for (let row = y; row < y + height; row++) {
    for (let column = x; column < x + width; column++) data.set(paint, (row * pixels.width + column) * 4);
  }
  return { ...pixels, data };
}

/** Paints each pixel as a function says: red, green, blue and, where it is not 255, alpha. */
export function plot(width: number, height: number, colorAt: (x: number, y: number) => readonly number[]): Pixels {
  const data = new Uint8Array(width * height * 4).fill(255);
  for (let i = 0; i < width * height; i++) data.set(colorAt(i % width, Math.floor(i / width)), i * 4);
  return { width, height, data };
}

export function png(pixels: Pixels): EncodedImage {
  return imageOf(encodePng(pixels));
}

export function specimen(name: string): Buffer {
  return readFileSync(new URL(`../../../fixtures/images/${name}`, import.meta.url));
}

export function imageOf(bytes: Buffer): EncodedImage {
  const inspection = inspectImage(bytes);
  if (inspection.kind !== 'image') throw new Error(`not an image: ${inspection.kind}`);
  return inspection.image;
}

/** Gives the same sequence of numbers from 0 to below 1 for the same seed. */
export function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    // https://en.wikipedia.org/wiki/Linear_congruential_generator, the constants of Numerical Recipes
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}
