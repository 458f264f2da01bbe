import { createHash } from 'node:crypto';
import { mkdtemp, readdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { expect, test } from 'vitest';
import {
  packStructure,
  readStructureFile,
  removeStructureFiles,
  unpackStructure,
} from '../../../src/baselines/structure-part.js';
import type { Structure } from '../../../src/model/capture.js';
import { structureOf } from '../compare/structures.js';

const STRUCTURE = structureOf({ tag: 'html', box: [0, 0, 8, 8], children: ['Hello'] });

test('a structure is read as it was written', () => {
  const packed = packStructure(STRUCTURE);
  expect(unpackStructure(packed)).toEqual(STRUCTURE);
  expect(packStructure(STRUCTURE)).toEqual(packed);
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

test('the structure file of an earlier version is read if it has its hash, and removed with its baseline', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'proofsheet-structure-'));
  const path = join(folder, 'home.jpg');
  const hash = createHash('sha256').update('a structure').digest('hex');
  const file = `${path}.${hash.slice(0, 12)}.structure`;
  expect(await readStructureFile(path, hash)).toBeNull();
  await writeFile(file, 'version https://git-lfs.github.com/spec/v1');
  expect(await readStructureFile(path, hash)).toBeNull();
  await writeFile(file, 'a structure');
  expect(await readStructureFile(path, hash)).toEqual(Buffer.from('a structure'));
  const others = [
    'away-home.jpg.0123456789ab.structure',
    'home.jpg.jpg.0123456789ab.structure',
    'home.jpg.mine.structure',
  ];
  for (const name of others) await writeFile(join(folder, name), 'other');
  await removeStructureFiles(path);
  expect((await readdir(folder)).sort()).toEqual(others);
});
