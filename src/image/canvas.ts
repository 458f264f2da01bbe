import type { Pixels, Rectangle, Size } from '../model/index.js';

/** Returns the smallest canvas that holds both images, aligned at their top left corners. */
export function unionOf(a: Size, b: Size): Size {
  return { width: Math.max(a.width, b.width), height: Math.max(a.height, b.height) };
}

/** Returns the part that both images cover. */
export function overlapOf(a: Size, b: Size): Size {
  return { width: Math.min(a.width, b.width), height: Math.min(a.height, b.height) };
}

/** Returns the number of pixels. */
export function areaOf({ width, height }: Size): number {
  return width * height;
}

/** Checks whether two sizes are the same. */
export function isSameSize(a: Size, b: Size): boolean {
  return a.width === b.width && a.height === b.height;
}

/** Checks whether a rectangle is inside another. */
export function isWithin(one: Rectangle, other: Rectangle): boolean {
  return (
    one.x >= other.x &&
    one.y >= other.y &&
    one.x + one.width <= other.x + other.width &&
    one.y + one.height <= other.y + other.height
  );
}

/** Crops an image to a rectangle. A crop of full width shares the memory of the image instead of copying it. */
export function cropPixels(pixels: Pixels, { x, y, width, height }: Rectangle): Pixels {
  const stride = pixels.width * 4;
  if (width === pixels.width) return { width, height, data: pixels.data.subarray(y * stride, (y + height) * stride) };
  const data = new Uint8Array(width * height * 4);
  for (let row = 0; row < height; row++) {
    const start = (y + row) * stride + x * 4;
    data.set(pixels.data.subarray(start, start + width * 4), row * width * 4);
  }
  return { width, height, data };
}

/** Checks whether all pixels are opaque. */
export function isOpaque({ data }: Pixels): boolean {
  for (let i = 3; i < data.length; i += 4) if (data[i] !== 255) return false;
  return true;
}

/** Blends an image onto a grey background, 0 to 255. The result is opaque. */
export function flattenPixels({ width, height, data }: Pixels, grey: number): Pixels {
  const flat = new Uint8Array(data.length);
  for (let i = 0; i < data.length; i += 4) {
    const alpha = data[i + 3] ?? 255;
    const behind = (255 - alpha) * grey;
    for (let channel = i; channel < i + 3; channel++) {
      flat[channel] = Math.round(((data[channel] ?? 0) * alpha + behind) / 255);
    }
    flat[i + 3] = 255;
  }
  return { width, height, data: flat };
}

/** Downscales an image. Each pixel is the mean of its source pixels, weighted by their alpha. */
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

/** Returns the range of source pixels along a side that a target pixel covers. It has at least one pixel. */
function spanOf(index: number, size: number, oldSize: number): Span {
  const from = Math.floor((index * oldSize) / size);
  return { from, to: Math.max(from + 1, Math.floor(((index + 1) * oldSize) / size)) };
}

function putMean({ width, data }: Pixels, columns: Span, rows: Span, target: Uint8Array, offset: number): void {
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
  target[offset] = Math.round(red / alpha);
  target[offset + 1] = Math.round(green / alpha);
  target[offset + 2] = Math.round(blue / alpha);
  target[offset + 3] = Math.round(alpha / ((rows.to - rows.from) * (columns.to - columns.from)));
}
