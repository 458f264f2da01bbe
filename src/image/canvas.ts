import type { Pixels, Rectangle, Size } from '../model/image.js';

/** Gives the smallest canvas that holds both images, laid on one another at their top left corners. */
export function unionOf(a: Size, b: Size): Size {
  return { width: Math.max(a.width, b.width), height: Math.max(a.height, b.height) };
}

/** Gives the part that both images cover. */
export function overlapOf(a: Size, b: Size): Size {
  return { width: Math.min(a.width, b.width), height: Math.min(a.height, b.height) };
}

/** Gives the number of pixels. */
export function areaOf({ width, height }: Size): number {
  return width * height;
}

/** Tells whether two sizes are the same. */
export function isSameSize(a: Size, b: Size): boolean {
  return a.width === b.width && a.height === b.height;
}

/** Tells whether a rectangle lies in another. */
export function isWithin(one: Rectangle, other: Rectangle): boolean {
  return (
    one.x >= other.x &&
    one.y >= other.y &&
    one.x + one.width <= other.x + other.width &&
    one.y + one.height <= other.y + other.height
  );
}

/** Cuts a rectangle out. Whole rows are shared with the image they come from, not copied. */
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

/** Tells whether no pixel lets anything behind it through. */
export function isOpaque({ data }: Pixels): boolean {
  for (let i = 3; i < data.length; i += 4) if (data[i] !== 255) return false;
  return true;
}

/** Lays an image on a background of one grey, 0 to 255, so that it is opaque. */
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
