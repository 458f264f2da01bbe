import { expect, test } from 'vitest';
import { shrinkPixels } from '../../../../src/image/canvas.js';
import { decodeImage } from '../../../../src/image/decode.js';
import { inspectImage } from '../../../../src/image/inspect.js';
import { encodePng } from '../../../../src/image/png/write.js';
import type { Pixels } from '../../../../src/model/image.js';
import { showImage } from '../../../../src/service/mcp/answer.js';
import { png, sheet } from '../../image/paint.js';

async function pixelsOf(bytes: Buffer): Promise<Pixels> {
  const found = inspectImage(bytes);
  if (found.kind !== 'image') throw new Error(found.kind);
  return decodeImage(found.image);
}

/** What no encoder makes small: the same noise on every machine. */
function noise(width: number, height: number): Pixels {
  const data = new Uint8Array(width * height * 4);
  let state = 1;
  for (let i = 0; i < data.length; i++) {
    state = (state * 48_271) % 2_147_483_647;
    data[i] = i % 4 === 3 ? 255 : state & 255;
  }
  return { width, height, data };
}

test('an image that an assistant takes is shown as it is', async () => {
  const { bytes } = png(sheet(100, 50, '#ff0000'));
  expect(await showImage(bytes)).toEqual({ kind: 'shown', bytes, type: 'image/png', note: null });
});

test('one with too long a side, or of too many bytes, is shown smaller, and that is said', async () => {
  const tall = await showImage(png(sheet(10, 9_000, '#ff0000')).bytes);
  expect(tall).toMatchObject({
    kind: 'shown',
    note: expect.stringMatching(/scaled down from 10x9000 px.* to 8x7900 px/),
  });
  const heavy = await showImage(encodePng(noise(900, 900)));
  if (heavy.kind !== 'shown') throw new Error(heavy.note);
  expect(heavy.bytes.length).toBeLessThanOrEqual(1024 * 1024);
  const { width, height } = await pixelsOf(heavy.bytes);
  expect([width, height]).toEqual([width, width]);
  expect(heavy.note).toContain(` to ${width}x${height} px`);
});

test('a file that is no image, damaged or far too large is omitted with a message', async () => {
  const { bytes } = png(sheet(10, 9_000, '#ff0000'));
  const damaged = Buffer.from(bytes);
  damaged.fill(7, 60, 90);
  for (const given of [
    Buffer.from('hello'),
    Buffer.alloc(0),
    Buffer.from('%PDF-1.4'),
    bytes.subarray(0, 100),
    damaged,
  ]) {
    expect(await showImage(given)).toMatchObject({ kind: 'omitted' });
  }
  const vast = Buffer.from(bytes);
  vast.writeUInt32BE(17_500, 16);
  vast.writeUInt32BE(17_500, 20);
  expect(await showImage(vast)).toMatchObject({ kind: 'omitted', note: expect.stringContaining('too large') });
});

test('a smaller image has the mean of its pixels, and transparent pixels add no color', () => {
  const data = new Uint8Array([255, 0, 0, 255, 0, 0, 255, 255, 255, 0, 0, 255, 0, 255, 0, 0]);
  const shrunk = shrinkPixels({ width: 2, height: 2, data }, { width: 1, height: 2 });
  expect([...shrunk.data]).toEqual([128, 0, 128, 255, 255, 0, 0, 128]);
});
