import { constants, deflateSync } from 'node:zlib';
import type { Pixels, Size } from '../model/image.js';
import { isOpaque } from './canvas.js';
import { indexColors } from './palette.js';
import { makePngChunk, PNG_SIGNATURE } from './png-chunks.js';

/**
 * Encodes a PNG; the same pixels give the same bytes on every machine. It has a palette where 256 colours are enough
 * (every diff image), else it is RGB, or RGBA where anything is transparent.
 */
export function encodePng(pixels: Pixels): Buffer {
  const indexed = indexColors(pixels);
  if (indexed) {
    const { colors, indices } = indexed;
    return assemble(pixels, PALETTE, paletteChunks(colors), compressRuns(plainRows(indices, pixels.width)));
  }
  const channels = isOpaque(pixels) ? 3 : 4;
  return assemble(pixels, channels === 3 ? RGB : RGBA, [], compressRuns(subtractedRows(pixels, channels)));
}

/** Wraps pixels as a PNG without compressing them: as large as they are, and quick, for a program on this machine. */
export function storePng(pixels: Pixels): Buffer {
  const rows = plainRows(pixels.data, pixels.width * 4);
  return assemble(pixels, RGBA, [], deflateSync(rows, { level: 0, chunkSize: rows.length + 65_536 }));
}

const RGB = 2;
const PALETTE = 3;
const RGBA = 6;

function assemble({ width, height }: Size, colorType: number, extra: readonly Buffer[], compressed: Buffer): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.writeUInt8(8, 8);
  header.writeUInt8(colorType, 9);
  const chunks = [makePngChunk('IHDR', header), ...extra, makePngChunk('IDAT', compressed)];
  return Buffer.concat([PNG_SIGNATURE, ...chunks, makePngChunk('IEND', Buffer.alloc(0))]);
}

function paletteChunks(colors: readonly (readonly [number, number, number, number])[]): Buffer[] {
  const alphas = colors.map(([, , , alpha]) => alpha);
  const palette = makePngChunk('PLTE', Buffer.from(colors.flatMap((color) => color.slice(0, 3))));
  return alphas.every((alpha) => alpha === 255) ? [palette] : [palette, makePngChunk('tRNS', Buffer.from(alphas))];
}

// Runs only: the longer matches that zlib looks for by hashes may differ between CPUs and between its builds.
function compressRuns(rows: Buffer): Buffer {
  return deflateSync(rows, { strategy: constants.Z_RLE, chunkSize: 1 << 20 });
}

/** Puts the filter byte 0, "none", before each row. */
function plainRows(data: Uint8Array, stride: number): Buffer {
  const height = data.length / stride;
  const rows = Buffer.alloc(data.length + height);
  for (let y = 0; y < height; y++) rows.set(data.subarray(y * stride, (y + 1) * stride), y * (stride + 1) + 1);
  return rows;
}

/** Filters each row by 1, "sub": every pixel less its left neighbour, which makes a run of each flat surface. */
function subtractedRows({ width, height, data }: Pixels, channels: 3 | 4): Buffer {
  const rows = Buffer.allocUnsafe((width * channels + 1) * height);
  let to = 0;
  for (let y = 0; y < height; y++) {
    rows[to++] = 1;
    const start = y * width * 4;
    for (let from = start; from < start + width * 4; from += 4) {
      const left = from === start ? -1 : from - 4;
      for (let channel = 0; channel < channels; channel++) {
        rows[to++] = (data[from + channel] ?? 0) - (left < 0 ? 0 : (data[left + channel] ?? 0));
      }
    }
  }
  return rows;
}
