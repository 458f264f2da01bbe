import type { Pixels } from '../model/image.js';

/** An image as numbers of colours. */
export interface Indexed {
  /** Red, green, blue and alpha, in the order in which they first appear. */
  readonly colors: readonly (readonly [number, number, number, number])[];
  /** One byte a pixel. */
  readonly indices: Uint8Array;
}

/** Numbers the colours of an image; null when it has more than 256. */
export function indexColors({ width, height, data }: Pixels): Indexed | null {
  const indices = new Uint8Array(width * height);
  const known = new Map<number, number>();
  let last = -1;
  let index = 0;
  for (let i = 0, at = 0; i < indices.length; i++, at += 4) {
    const color =
      ((data[at] ?? 0) << 24) | ((data[at + 1] ?? 0) << 16) | ((data[at + 2] ?? 0) << 8) | (data[at + 3] ?? 0);
    if (color !== last || i === 0) {
      index = known.get(color) ?? known.size;
      if (index === 256) return null;
      if (index === known.size) known.set(color, index);
      last = color;
    }
    indices[i] = index;
  }
  return { colors: [...known.keys()].map(splitColor), indices };
}

function splitColor(color: number) {
  return [color >>> 24, (color >>> 16) & 255, (color >>> 8) & 255, color & 255] as const;
}
