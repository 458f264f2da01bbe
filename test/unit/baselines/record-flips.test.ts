import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { embedRecord } from '../../../src/baselines/baseline.js';
import { extractText } from '../../../src/image/metadata.js';
import { type BaselineRecord, decodeBaselineRecord } from '../../../src/model/environment.js';
import type { FileCodec } from '../../../src/model/image.js';
import { createRandom, png, sheet } from '../image/paint.js';

const specimen = (name: string) => readFileSync(new URL(`../../../fixtures/images/${name}`, import.meta.url));
const pdf = Buffer.from('%PDF-1.4\n3 0 obj<</Type/Page/MediaBox [0 0 595 842]>>endobj\nstartxref\n9\n%%EOF\n');
const record: BaselineRecord = {
  ...{ schemaVersion: 2, id: 'docs/intro/phone', project: 'chromium' },
  masks: [{ selector: '.clock', rectangles: [{ x: 10, y: 20, width: 300, height: 40 }] }],
  ignored: [{ selector: '#ad', rectangles: [{ x: 0, y: 700, width: 1280, height: 20 }] }],
  environment: {
    ...{ os: 'linux', arch: 'x64', browser: 'chromium', browserVersion: '156.0.1', headless: 'shell' },
    ...{ scale: 1, fonts: null, engine: 'pixelmatch 7.2.0' },
  },
};
const FLIPS = 3000;

test.each<[FileCodec, Buffer]>([
  ['png', png(sheet(8, 6)).bytes],
  ['jpeg', specimen('chromium.jpg')],
  ['webp', specimen('lossy.webp')],
  ['webp', specimen('chromium-lossless.webp')],
  ['pdf', pdf],
])('no flipped bit in the record of a %s file changes what it says', (codec, bytes) => {
  const whole = embedRecord(bytes, record, 'home');
  const text = extractText(whole, codec).text ?? '';
  expect(decodeBaselineRecord(text)).toEqual(record);
  // Half of the flips in the part that the record is in, half anywhere.
  const start = whole.indexOf('schemaVersion');
  const random = createRandom(22);
  for (let flip = 0; flip < FLIPS; flip++) {
    const from = flip % 2 === 0 ? start - 40 : 0;
    const at =
      Math.max(0, from) + Math.floor(random() * (Math.min(whole.length, start + text.length) - Math.max(0, from)));
    const bit = Math.floor(random() * 8);
    whole.writeUInt8(whole.readUInt8(at) ^ (1 << bit), at);
    const found = extractText(whole, codec).text;
    const read = found === null ? null : decodeBaselineRecord(found);
    if (read !== null) expect(read, `bit ${bit} of byte ${at}`).toEqual(record);
    whole.writeUInt8(whole.readUInt8(at) ^ (1 << bit), at);
  }
});
