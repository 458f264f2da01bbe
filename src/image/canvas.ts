import {
  type FileCodec,
  failure,
  type Pixels,
  type Rectangle,
  renderCount,
  renderSize,
  type Size,
} from '../model/index.js';

/** Returns the smallest canvas that holds both images, aligned at their top left corners. */
export function unionOf(a: Size, b: Size): Size {
  return { width: Math.max(a.width, b.width), height: Math.max(a.height, b.height) };
}

/** Returns the part that both images cover. */
export function overlapOf(a: Size, b: Size): Size {
  return { width: Math.min(a.width, b.width), height: Math.min(a.height, b.height) };
}

export function areaOf({ width, height }: Size): number {
  return width * height;
}

export function hasArea({ width, height }: Size): boolean {
  return width > 0 && height > 0;
}

export function isSameSize(a: Size, b: Size): boolean {
  return a.width === b.width && a.height === b.height;
}

/** Scales a rectangle and rounds it outward, as Playwright rounds the box of an element. */
export function roundOut({ x, y, width, height }: Rectangle, scale = 1): Rectangle {
  const [left, top] = [Math.floor(x * scale), Math.floor(y * scale)];
  return {
    x: left,
    y: top,
    width: Math.ceil((x + width) * scale) - left,
    height: Math.ceil((y + height) * scale) - top,
  };
}

export function isWithin(one: Rectangle, other: Rectangle): boolean {
  return (
    one.x >= other.x &&
    one.y >= other.y &&
    one.x + one.width <= other.x + other.width &&
    one.y + one.height <= other.y + other.height
  );
}

/** Maximum number of pixels of an image: 320 million, 1.28 GB decoded. Captured pages have at most 8000x40000. */
export const MAX_PIXELS = 8000 * 40_000;

/**
 * Returns the maximum number of pixels of a file. A JPEG or WebP is decoded inside WebAssembly memory and then copied. A WebP of one
 * color can have 268 million pixels in 100 bytes.
 */
export function maxPixelsOf(codec: FileCodec): number {
  return codec === 'jpeg' || codec === 'webp' ? 150_000_000 : MAX_PIXELS;
}

/** Checks that a size is within the pixel limit of a codec. @throws ProofsheetError `image-too-large` */
export function assertWithinLimit(size: Size, where: string, codec: FileCodec = 'png'): void {
  const most = maxPixelsOf(codec);
  if (areaOf(size) <= most) return;
  const found = `the image is ${renderSize(size)} px; the maximum is ${renderPixelCount(most)}`;
  const advice = 'Capture a smaller part of the page, or lower the device scale factor.';
  throw failure('image-too-large', where, found, advice);
}

/** Formats a number of pixels: `1,200 pixels`, `1.5 million pixels`. */
export function renderPixelCount(count: number): string {
  return count >= 1e6 ? `${Number((count / 1e6).toFixed(1))} million pixels` : `${renderCount(count)} pixels`;
}

/** Returns the pixels of an image as 32-bit words, red in the lowest byte. Copies no pixels. */
export function wordsOf({ data, width, height }: Pixels): Uint32Array {
  return new Uint32Array(data.buffer, data.byteOffset, width * height);
}

/** Returns bytes as a Buffer. Copies no bytes. */
export function toBuffer({ buffer, byteOffset, byteLength }: Uint8Array | Float64Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
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

export function isOpaque(pixels: Pixels): boolean {
  const words = wordsOf(pixels);
  for (let i = 0; i < words.length; i++) if ((words[i] ?? 0) < OPAQUE) return false;
  return true;
}

/** The smallest word of an opaque pixel. */
const OPAQUE = 0xff000000;

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
    const rows = sourceOf(y, height, pixels.height);
    for (let x = 0; x < width; x++) putMean(pixels, sourceOf(x, width, pixels.width), rows, data, (y * width + x) * 4);
  }
  return { width, height, data };
}

type Span = readonly [from: number, to: number];

function sourceOf(index: number, size: number, oldSize: number): Span {
  const from = Math.floor((index * oldSize) / size);
  return [from, Math.max(from + 1, Math.floor(((index + 1) * oldSize) / size))];
}

function putMean({ width, data }: Pixels, [left, right]: Span, [top, bottom]: Span, target: Uint8Array, at: number) {
  let [red, green, blue, alpha] = [0, 0, 0, 0];
  for (let y = top; y < bottom; y++) {
    for (let i = (y * width + left) * 4; i < (y * width + right) * 4; i += 4) {
      const weight = data[i + 3] ?? 0;
      red += (data[i] ?? 0) * weight;
      green += (data[i + 1] ?? 0) * weight;
      blue += (data[i + 2] ?? 0) * weight;
      alpha += weight;
    }
  }
  if (alpha === 0) return;
  const opacity = alpha / ((bottom - top) * (right - left));
  target.set([red / alpha, green / alpha, blue / alpha, opacity].map(Math.round), at);
}
