import type { Mask } from '../model/comparison.js';

/** Walks the rows of a mask in which any pixel is marked, from the top: most rows of most masks are empty. */
export function* markedRows({ width, height, data }: Mask, from = 0, to = height): Generator<number> {
  const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  const empty = Buffer.alloc(width);
  for (let y = from; y < Math.min(to, height); y++) {
    if (bytes.compare(empty, 0, width, y * width, (y + 1) * width) !== 0) yield y;
  }
}
