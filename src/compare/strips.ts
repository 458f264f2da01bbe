import type { Pixels } from '../model/image.js';

/** Rows `[from, to)`. */
export interface Strip {
  readonly from: number;
  readonly to: number;
}

/**
 * Walks the rows in which two images of one size differ by any byte, from the top, as strips of neighbouring ones: of at
 * most {@link MOST_ROWS}, so that what is made for each stays small, however tall the images are.
 */
export function* findStrips(before: Pixels, after: Pixels): Generator<Strip> {
  const { width, height } = before;
  const stride = width * 4;
  const [left, right] = [viewOf(before), viewOf(after)];
  const differs = (y: number) => left.compare(right, y * stride, (y + 1) * stride, y * stride, (y + 1) * stride) !== 0;
  let from = -1;
  for (let y = 0; y <= height; y++) {
    const isIn = y < height && differs(y);
    if (from >= 0 && (!isIn || y - from === MOST_ROWS)) {
      yield { from, to: y };
      from = -1;
    }
    if (isIn && from < 0) from = y;
  }
}

const MOST_ROWS = 256;

function viewOf({ data }: Pixels): Buffer {
  return Buffer.from(data.buffer, data.byteOffset, data.byteLength);
}
