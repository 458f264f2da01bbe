import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Storage } from '../../../src/service/storage/storage.js';
import { openFolderStorage } from '../../../src/service/storage/storage.js';

const LINK = 'screenshots/example.test/6b1f2f0e-7d0b-4d52-9f4c-0a4e1a6d7c11/1700000000000.png';
const bytes = Buffer.from('an image');

let folder: string;
let storage: Storage;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'proofsheet-storage-'));
  storage = await openFolderStorage(join(folder, 'kept'));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('a storage in a folder', () => {
  test('returns the stored file, with the content type of its extension', async () => {
    await storage.put(LINK, bytes, 'image/png');
    expect(await storage.get(LINK)).toEqual({ bytes, contentType: 'image/png' });
  });

  test.each([
    ['png', 'image/png'],
    ['jpg', 'image/jpeg'],
    ['jpeg', 'image/jpeg'],
    ['webp', 'image/webp'],
    ['pdf', 'application/pdf'],
    ['html', 'text/html; charset=utf-8'],
  ])('knows the type of .%s', async (ending, contentType) => {
    const link = LINK.replace('png', ending);
    await storage.put(link, bytes, contentType);
    expect((await storage.get(link))?.contentType).toBe(contentType);
  });

  test('has nothing where nothing was put in', async () => {
    expect(await storage.get(LINK)).toBe(null);
    await storage.put(LINK, bytes, 'image/png');
    expect(await storage.get('screenshots/example.test')).toBe(null);
  });

  test.each([
    '../outside.png',
    'screenshots/../../outside.png',
    'screenshots/a/../../../outside.png',
    '/etc/outside.png',
    'screenshots/a\\..\\..\\..\\outside.png',
    'screenshots//outside.png',
    'screenshots/a/b/c:outside.png',
    'screenshots/a/b/\0outside.png',
    'outside.png',
    '',
  ])('neither reads nor writes outside its folder: %j', async (link) => {
    writeFileSync(join(folder, 'outside.png'), bytes);
    expect(await storage.get(link)).toBe(null);
    await expect(storage.put(link, bytes, 'image/png')).rejects.toMatchObject({ code: 'storage-failed' });
    expect(readdirSync(folder)).toEqual(['kept', 'outside.png']);
  });

  test('returns no file that the service did not write', async () => {
    await storage.put(LINK, bytes, 'image/png');
    const script = LINK.replace('.png', '.js');
    writeFileSync(join(folder, 'kept', script), 'alert(1)');
    expect(await storage.get(script)).toBe(null);
  });

  test('removes expired files and the empty folders', async () => {
    const old = LINK.replace('example.test', 'old.test');
    for (const link of [LINK, old]) await storage.put(link, bytes, 'image/png');
    utimesSync(join(folder, 'kept', old), 1, 1);
    await storage.prune(2_000);
    expect(await storage.get(old)).toBe(null);
    expect(await storage.get(LINK)).not.toBe(null);
    expect(readdirSync(join(folder, 'kept/screenshots'))).toEqual(['example.test']);
  });

  test('that is not there yet has nothing to remove', async () => {
    await expect(storage.prune(Date.now())).resolves.toBe(undefined);
  });

  test('reports why a file cannot be written', async () => {
    rmSync(join(folder, 'kept'), { recursive: true });
    writeFileSync(join(folder, 'kept'), 'a file in its place');
    await expect(storage.put(LINK, bytes, 'image/png')).rejects.toThrow(/^\S+kept: the capture cannot be written \(/);
  });
});
