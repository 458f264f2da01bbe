import { brotliCompressSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { createBaseline, embedRecord } from '../../../src/baselines/baseline.js';
import { packStructure, unpackStructure } from '../../../src/baselines/structure-part.js';
import { extractText } from '../../../src/image/metadata.js';
import type { BaselineRecord } from '../../../src/model/environment.js';
import type { Structure } from '../../../src/model/structure.js';
import { structureOf } from '../compare/structures.js';
import { png, sheet } from '../image/paint.js';

const STRUCTURE = structureOf({ tag: 'html', box: [0, 0, 8, 8], children: ['Hello'] });

const record: BaselineRecord = {
  ...{ schemaVersion: 2, id: 'home', project: '', masks: [], ignored: [] },
  environment: {
    ...{ os: 'linux', arch: 'x64', browser: 'chromium', browserVersion: '1', headless: 'shell' },
    ...{ scale: 1, fonts: null, engine: 'pixelmatch 7.2.0' },
  },
};

test('a structure is read as it was written, from the file of an image that is as before', () => {
  const { bytes } = png(sheet(20, 10));
  const packed = packStructure(STRUCTURE);
  const file = embedRecord(bytes, record, 'home', packed);
  const { data, bare } = extractText(file, 'png');
  expect(bare.equals(bytes)).toBe(true);
  expect(data && unpackStructure(data)).toEqual(STRUCTURE);
  expect(packStructure(STRUCTURE)).toEqual(packed);
  // Approval embeds again.
  expect(embedRecord(bare, record, 'home', data)).toEqual(file);
  expect(extractText(embedRecord(bytes, record, 'home'), 'png').data).toBeNull();
});

test('a flipped bit in the file is no structure', () => {
  const { bytes } = png(sheet(20, 10));
  const file = embedRecord(bytes, record, 'home', packStructure(STRUCTURE));
  const at = file.indexOf('psST') + 30;
  file.writeUInt8((file[at] ?? 0) ^ 1, at);
  const { data, bare } = extractText(file, 'png');
  expect(data).toBeNull();
  expect(bare.equals(bytes)).toBe(true);
});

test('a structure of at most a quarter of its image is in the file, and a larger one beside it', () => {
  const { bytes } = png(sheet(20, 10));
  const part = bytes.subarray(0, Math.floor(bytes.length / 4));
  const inside = createBaseline(bytes, record, 'home', part);
  expect(inside).toEqual({ image: embedRecord(bytes, record, 'home', part), structure: null });
  const large = bytes.subarray(0, part.length + 1);
  const beside = createBaseline(bytes, record, 'home', large);
  expect(beside.structure).toEqual(large);
  expect(extractText(beside.image, 'png').data).toBeNull();
});

test.each<[string, unknown]>([
  ['of another version', { ...STRUCTURE, schemaVersion: 2 }],
  [
    'whose elements are their own parents',
    { ...STRUCTURE, elements: STRUCTURE.elements.map((one) => ({ ...one, parent: 1 })) },
  ],
  ['that is a text', 'structure'],
])('a structure %s is not read', (_, json) => {
  expect(unpackStructure(brotliCompressSync(JSON.stringify(json)))).toBeNull();
});

test('what is no structure, or too large, is not read', () => {
  expect(unpackStructure(Buffer.from('no brotli'))).toBeNull();
  const text: Structure['styles'] = [['x'.repeat(33_000_000)]];
  expect(unpackStructure(brotliCompressSync(JSON.stringify({ ...STRUCTURE, styles: text })))).toBeNull();
});
