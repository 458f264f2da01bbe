// @module-tag soak
import { setTimeout as sleep } from 'node:timers/promises';
import { deflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { serveBy } from '../../fixtures/serve.mjs';
import { joinChunks } from '../unit/image/craft-png.js';
import { startService } from '../unit/service/capture-service.js';

const SIDE = 5000;
const MB = 1024 * 1024;

/** A grey PNG of 25 million pixels, made row by row. */
function paint(grey: number): Buffer {
  const row = Buffer.alloc(1 + SIDE * 3, grey);
  row[0] = 0;
  const header = Buffer.alloc(13);
  header.writeUInt32BE(SIDE, 0);
  header.writeUInt32BE(SIDE, 4);
  header.set([8, 2], 8);
  const data = deflateSync(Buffer.concat(Array.from({ length: SIDE }, () => row)), { level: 1 });
  return joinChunks([
    ['IHDR', header],
    ['IDAT', data],
    ['IEND', Buffer.alloc(0)],
  ]);
}

test('the memory of large comparisons is given back when the service is idle', async () => {
  const images: Record<string, Buffer> = { '/a.png': paint(200), '/b.png': paint(240) };
  const site = await serveBy(({ url = '' }, response) => void response.end(images[url]));
  const service = await startService({ timeout: 300 });
  const sides = { before: { imageUrl: `${site.url}/a.png` }, after: { imageUrl: `${site.url}/b.png` } };
  const rssMb = () => Math.round(process.memoryUsage.rss() / MB);
  const compare = async () => {
    expect((await service.post('/api/v3/compare', sides)).status).toBe(200);
    return rssMb();
  };
  const before = rssMb();
  const used = Math.max(await compare(), await compare(), await compare());
  await sleep(15_000);
  const after = rssMb();
  await service.close();
  await site.close();
  process.stdout.write(`RSS in MB: ${before} before, ${used} after three comparisons, ${after} when idle\n`);
  expect(after).toBeLessThan(before + (used - before) / 2);
});
