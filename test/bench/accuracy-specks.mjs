import { inspectImage } from '../../.build/image/inspect.js';
import { storePng } from '../../.build/image/png/write.js';
import { createRandom } from './sample.mjs';

/** How many specks are put on a page, each by itself. */
export const SPECKS = 1221;

const SIDE = 4;
/** How far each channel of a speck lies from the pixel below it, at least. */
const CONTRAST = 24;

/** Puts a speck of at most 4x4 pixels of one color on an image. The same number gives the same speck. */
export function putSpeck({ pixels: { width, height, data } }, number) {
  const random = createRandom(number + 1);
  const whole = (below) => Math.floor(random() * below);
  const [columns, rows] = [1 + whole(SIDE), 1 + whole(SIDE)];
  const [left, top] = [whole(width - columns), whole(height - rows)];
  const changed = data.slice();
  const corner = (top * width + left) * 4;
  const color = [0, 1, 2].map((channel) => farFrom(data[corner + channel], whole(256)));
  for (let y = top; y < top + rows; y++) {
    for (let x = left; x < left + columns; x++) changed.set(color, (y * width + x) * 4);
  }
  const speckled = { width, height, data: changed };
  const { image } = inspectImage(storePng(speckled));
  return { image, pixels: speckled };
}

function farFrom(channel, wanted) {
  if (Math.abs(wanted - channel) >= CONTRAST) return wanted;
  return channel < 128 ? channel + CONTRAST : channel - CONTRAST;
}
