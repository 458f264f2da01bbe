import type { Pixels, Size } from '../model/image.js';

/** Makes an image smaller: each pixel is the mean of those it stands for, weighed by how much it lets through. */
export function shrinkPixels(pixels: Pixels, { width, height }: Size): Pixels {
  const data = new Uint8Array(width * height * 4);
  for (let y = 0; y < height; y++) {
    const rows = spanOf(y, height, pixels.height);
    for (let x = 0; x < width; x++) putMean(pixels, spanOf(x, width, pixels.width), rows, data, (y * width + x) * 4);
  }
  return { width, height, data };
}

interface Span {
  readonly from: number;
  readonly to: number;
}

/** Which of the old pixels along a side a new one stands for, one at least. */
function spanOf(index: number, size: number, oldSize: number): Span {
  const from = Math.floor((index * oldSize) / size);
  return { from, to: Math.max(from + 1, Math.floor(((index + 1) * oldSize) / size)) };
}

function putMean({ width, data }: Pixels, columns: Span, rows: Span, target: Uint8Array, place: number): void {
  let [red, green, blue, alpha] = [0, 0, 0, 0];
  for (let y = rows.from; y < rows.to; y++) {
    for (let i = (y * width + columns.from) * 4; i < (y * width + columns.to) * 4; i += 4) {
      const weight = data[i + 3] ?? 0;
      red += (data[i] ?? 0) * weight;
      green += (data[i + 1] ?? 0) * weight;
      blue += (data[i + 2] ?? 0) * weight;
      alpha += weight;
    }
  }
  if (alpha === 0) return;
  target[place] = Math.round(red / alpha);
  target[place + 1] = Math.round(green / alpha);
  target[place + 2] = Math.round(blue / alpha);
  target[place + 3] = Math.round(alpha / ((rows.to - rows.from) * (columns.to - columns.from)));
}
