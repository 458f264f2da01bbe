import { constants, deflateSync, inflateSync, type ZlibOptions } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { decodePng } from '../../../../src/image/png/read.js';
import { joinChunks } from '../craft-png.js';

/** The same numbers on every run. */
function createNoise(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state >>> 24;
  };
}

const noise = createNoise(1);
const width = 300;
const stride = 1 + width * 3;

/** More rows than are unpacked at once, each with a filter byte of 0 to 4. */
const PICTURES: [string, Buffer][] = (
  [
    ['flat', () => 7],
    ['stripes that repeat at all distances', (i: number) => (i * i) >> 9],
    ['noise', () => noise()],
    ['noise of few values', () => noise() & 3],
  ] as const
).map(([name, byteAt]) => {
  const rows = Buffer.alloc(stride * 400);
  for (let i = 0; i < rows.length; i++) rows[i] = i % stride === 0 ? (i / stride) % 5 : byteAt(i);
  return [name, rows];
});

const WAYS: [string, ZlibOptions][] = [
  ['stored', { level: 0 }],
  ['fast', { level: 1 }],
  ['small', { level: 9 }],
  ['by fixed codes', { strategy: constants.Z_FIXED }],
  ['without repeats', { strategy: constants.Z_HUFFMAN_ONLY }],
  ['in runs', { strategy: constants.Z_RLE }],
  ['in many blocks', { memLevel: 1 }],
];

function pngOf(packed: Buffer, height: number): Buffer {
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 2, 0, 0, 0]);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // As browsers write it: in many chunks.
  const parts = Array.from({ length: Math.ceil(packed.length / 4096) }, (_, i) =>
    packed.subarray(i * 4096, (i + 1) * 4096),
  );
  return joinChunks([['IHDR', header], ...parts.map((part) => ['IDAT', part] as const), ['IEND', Buffer.alloc(0)]]);
}

async function decode(packed: Buffer, height: number): Promise<Buffer> {
  const { data } = await decodePng(pngOf(packed, height));
  return Buffer.from(data);
}

/** https://www.w3.org/TR/png-3/#9Filter-types, word by word. */
function unfilter(rows: Buffer): Buffer {
  const raw = Buffer.from(rows);
  const at = (i: number, isThere: boolean) => (isThere ? (raw[i] ?? 0) : 0);
  for (let i = 0; i < raw.length; i++) {
    const [row, x] = [Math.floor(i / stride), (i % stride) - 1];
    if (x < 0) continue;
    const [a, b, c] = [at(i - 3, x >= 3), at(i - stride, row > 0), at(i - stride - 3, row > 0 && x >= 3)];
    const [pa, pb, pc] = [Math.abs(b - c), Math.abs(a - c), Math.abs(a + b - 2 * c)];
    const paeth = pa <= pb && pa <= pc ? a : pb <= pc ? b : c;
    raw[i] = (raw[i] ?? 0) + ([0, a, b, (a + b) >> 1, paeth][raw[row * stride] ?? 0] ?? 0);
  }
  const pixels = Buffer.alloc((rows.length / stride) * width * 4, 255);
  for (let pixel = 0; pixel < pixels.length / 4; pixel++) {
    const from = Math.floor(pixel / width) * stride + 1 + (pixel % width) * 3;
    raw.copy(pixels, pixel * 4, from, from + 3);
  }
  return pixels;
}

describe.each(PICTURES)('%s', (_, rows) => {
  const expected = unfilter(rows);

  test.each(WAYS)('packed %s, comes out as it was', async (_way, options) => {
    expect((await decode(deflateSync(rows, options), 400)).equals(expected)).toBe(true);
  });
});

test('names the error of the compressed data: truncated, too short, too long', async () => {
  const [, rows = Buffer.alloc(0)] = PICTURES[1] ?? [];
  const packed = deflateSync(rows);
  await expect(decode(packed.subarray(0, packed.length >> 1), 400)).rejects.toThrow('unexpected end of file');
  await expect(decode(packed, 401)).rejects.toThrow('the PNG has fewer rows than its header states');
  await expect(decode(packed, 399)).rejects.toThrow('the PNG has more rows than its header states');
  // A byte more than the rows, which is no row.
  await expect(decode(deflateSync(Buffer.concat([rows, Buffer.of(0)])), 400)).rejects.toThrow('has more rows');
});

test('reports damage exactly when zlib does', async () => {
  const rows = (PICTURES[3]?.[1] ?? Buffer.alloc(0)).subarray(0, stride * 6);
  let [good, bad] = [0, 0];
  for (const [, options] of WAYS) {
    const packed = deflateSync(rows, options);
    for (let turn = 0; turn < 300; turn++) {
      const damaged = Buffer.from(packed);
      // Most of the tries hit the head, with its tables of codes.
      const reach = turn % 3 === 0 ? packed.length : Math.min(packed.length, 80);
      if (turn % 10 !== 1) damaged[((noise() << 8) | noise()) % reach] = noise();
      const cut = turn % 5 === 0 ? damaged.subarray(0, packed.length - (noise() % 20)) : damaged;
      const unpacked = attempt(() => inflateSync(cut));
      const isWhole = unpacked?.length === rows.length && rowsHaveFilters(unpacked);
      const decoded = await decode(cut, 6).catch(() => null);
      expect(decoded !== null, `${options.strategy}, turn ${turn}`).toBe(isWhole);
      if (decoded && unpacked) expect(decoded.equals(unfilter(unpacked))).toBe(true);
      if (decoded) good++;
      else bad++;
    }
  }
  expect(good).toBeGreaterThan(200);
  expect(bad).toBeGreaterThan(500);
});

function attempt<T>(work: () => T): T | null {
  try {
    return work();
  } catch {
    return null;
  }
}

function rowsHaveFilters(rows: Buffer): boolean {
  for (let at = 0; at < rows.length; at += stride) if ((rows[at] ?? 0) > 4) return false;
  return true;
}
