import { constants } from 'node:zlib';
import { PNG } from 'pngjs';
import type { Pixels } from '../model/image.js';
import { isOpaque } from './canvas.js';

const RGB = 2;
const RGBA = 6;
const FILTER_NONE = 0;
/** Every pixel less its left neighbour: each flat surface becomes a run. */
const FILTER_SUB = 1;

/** Encodes a PNG, RGB or, where anything is transparent, RGBA; the same pixels give the same bytes on every machine. */
export function encodePng(pixels: Pixels): Buffer {
  return PNG.sync.write(toPng(pixels), {
    colorType: isOpaque(pixels) ? RGB : RGBA,
    filterType: FILTER_SUB,
    // Runs only: the longer matches that zlib looks for by hashes may differ between CPUs and between its builds.
    deflateStrategy: constants.Z_RLE,
  });
}

/** Wraps pixels as a PNG without compressing them: as large as they are, and quick, for a program on this machine. */
export function storePng(pixels: Pixels): Buffer {
  return PNG.sync.write(toPng(pixels), { colorType: RGBA, filterType: FILTER_NONE, deflateLevel: 0 });
}

function toPng({ width, height, data }: Pixels): PNG {
  const png = new PNG({ width, height });
  png.data = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  return png;
}
