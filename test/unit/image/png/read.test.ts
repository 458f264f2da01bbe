import { deflateSync } from 'node:zlib';
import { PNG } from 'pngjs';
import { expect, test } from 'vitest';
import { decodePng } from '../../../../src/image/png/read.js';
import { joinChunks } from '../craft-png.js';
import { createRandom } from '../paint.js';

const width = 300;
const height = 400;
const stride = 1 + width * 3;

/** More rows than are unpacked at once, with filter bytes of 0 to 4. */
function rowsOf(byteAt: (index: number) => number): Buffer {
  const rows = Buffer.alloc(stride * height);
  for (let i = 0; i < rows.length; i++) rows[i] = i % stride === 0 ? (i / stride) % 5 : byteAt(i);
  return rows;
}

/** As browsers write it: in many chunks. */
function pngOf(packed: Buffer, rows: number): Buffer {
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 2, 0, 0, 0]);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(rows, 4);
  const parts = Array.from({ length: Math.ceil(packed.length / 4096) }, (_, i) =>
    packed.subarray(i * 4096, (i + 1) * 4096),
  );
  return joinChunks([['IHDR', header], ...parts.map((part) => ['IDAT', part] as const), ['IEND', Buffer.alloc(0)]]);
}

const random = createRandom(1);

test.each([
  ['flat', () => 7],
  ['stripes', (i: number) => (i * i) >> 9],
  ['noise', () => random() * 256],
  ['noise of few values', () => random() * 4],
] as const)('rows of all filters: %s', async (_, byteAt) => {
  const rows = rowsOf(byteAt);
  const bytes = pngOf(deflateSync(rows), height);
  const decoded = await Promise.all([1, 2].map(() => decodePng(bytes)));
  for (const { data } of decoded) expect(PNG.sync.read(bytes).data.equals(data)).toBe(true);
});

test('names the error of the compressed data: truncated, too short, too long', async () => {
  const rows = rowsOf((i) => (i * i) >> 9);
  const packed = deflateSync(rows);
  const decode = (bytes: Buffer, count = height) => decodePng(pngOf(bytes, count));
  await expect(decode(packed.subarray(0, packed.length >> 1))).rejects.toThrow('unexpected end of file');
  await expect(decode(packed, 401)).rejects.toThrow('the PNG has fewer rows than its header states');
  await expect(decode(packed, 399)).rejects.toThrow('the PNG has more rows than its header states');
  // A byte more than the rows, which is no row.
  await expect(decode(deflateSync(Buffer.concat([rows, Buffer.of(0)])))).rejects.toThrow('has more rows');
});
