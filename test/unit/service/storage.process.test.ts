import { readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { openStorage, type Storage } from '../../../src/service/storage.js';
import { type S3Server, startS3 } from '../baselines/s3-server.js';
import { makeTempFolder } from '../temp-folder.js';

const LINK = 'screenshots/example.test/6b1f2f0e-7d0b-4d52-9f4c-0a4e1a6d7c11/1700000000000.png';
const bytes = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 255, 10, 13]);

let server: S3Server;
let folder: string;
/** Each test has a part of the bucket to itself. */
let part: string;
let count = 0;

beforeAll(async () => {
  server = await startS3();
});
afterAll(() => server.close());

beforeEach(() => {
  for (const [name, value] of Object.entries(server.env)) vi.stubEnv(name, value);
  count += 1;
  part = `s3://${server.bucket}/part-${count}`;
  folder = makeTempFolder();
});
afterEach(() => vi.unstubAllEnvs());

describe.each(['a folder', 'a bucket'])('a storage in %s', (kind) => {
  let storage: Storage;
  beforeEach(async () => {
    storage = await openStorage(kind === 'a folder' ? join(folder, 'kept') : part);
  });

  test('returns the stored file, with the content type of its extension, and no other file', async () => {
    expect(await storage.get(LINK)).toBe(null);
    const large = Buffer.alloc(3_000_000, 'proofsheet');
    const types = { png: 'image/png', jpg: 'image/jpeg', webp: 'image/webp', pdf: 'application/pdf' };
    for (const [extension, contentType] of Object.entries({ ...types, html: 'text/html; charset=utf-8' })) {
      const link = LINK.replace('png', extension);
      await storage.put(link, large);
      const stored = await storage.get(link);
      expect([stored?.contentType, stored?.bytes.equals(large)]).toEqual([contentType, true]);
    }
    for (const link of ['screenshots/example.test', LINK.replace('.png', '.js'), LINK.replace('.png', '')])
      expect(await storage.get(link)).toBe(null);
  });

  test.each([
    ...['../outside.png', 'screenshots/../../outside.png', 'screenshots/a/../../../outside.png', '/etc/outside.png'],
    ...['screenshots/a\\..\\..\\..\\outside.png', 'screenshots//outside.png', 'screenshots/a/b/c:outside.png'],
    ...['screenshots/a/b/\0outside.png', 'outside.png', ''],
  ])('neither reads nor writes outside its place: %j', async (link) => {
    writeFileSync(join(folder, 'outside.png'), bytes);
    expect(await storage.get(link)).toBe(null);
    await expect(storage.put(link, bytes)).rejects.toMatchObject({ code: 'storage-failed' });
    expect(readdirSync(folder)).toEqual(kind === 'a folder' ? ['kept', 'outside.png'] : ['outside.png']);
  });

  test('removes expired files', async () => {
    await expect(storage.prune(Date.now())).resolves.toBe(undefined);
    const links = Array.from({ length: 20 }, (_, number) => LINK.replace('1700', `${1700 + number}`));
    await Promise.all(links.map((link) => storage.put(link, bytes)));
    await storage.prune(Date.now() - 60_000);
    expect(await storage.get(LINK)).not.toBe(null);
    await storage.prune(Date.now() + 60_000);
    expect(await Promise.all(links.map((link) => storage.get(link)))).toEqual(links.map(() => null));
  });
});

test('a folder loses the empty folders of expired files, and names why a file cannot be written', async () => {
  const kept = join(folder, 'kept');
  const storage = await openStorage(kept);
  const old = LINK.replace('example.test', 'old.test');
  for (const link of [LINK, old]) await storage.put(link, bytes);
  utimesSync(join(kept, old), 1, 1);
  await storage.prune(2_000);
  expect(readdirSync(join(kept, 'screenshots'))).toEqual(['example.test']);
  rmSync(kept, { recursive: true });
  writeFileSync(kept, 'a file in its place');
  await expect(storage.put(LINK, bytes)).rejects.toThrow(/^\S+kept: the capture cannot be written \(/);
});

test('a bucket is the same for each that opens it, and another under another prefix', async () => {
  const places = [part, `${part}/`, `s3://${server.bucket}`, `${part}0`];
  const [one, same, other, longer] = await Promise.all(places.map(openStorage));
  await Promise.all([one?.put(LINK, bytes), longer?.put(LINK, bytes)]);
  expect((await same?.get(LINK))?.bytes).toEqual(bytes);
  expect(await other?.get(LINK)).toBe(null);
  await one?.prune(Date.now() + 60_000);
  expect(await longer?.get(LINK)).not.toBe(null);
});

test.each(['s3://', 's3:///a', 's3://a', 's3://a b/c', 's3://a?b'])(
  'a bucket has another name than %s',
  async (name) => {
    await expect(openStorage(name)).rejects.toMatchObject({ code: 'command-invalid' });
  },
);

test('a bucket that is not there, or is not for us, is an error', async () => {
  await expect(openStorage('s3://no-such-bucket')).rejects.toMatchObject({ code: 'storage-failed' });
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'a stranger');
  await expect(openStorage(part)).rejects.toMatchObject({ code: 'storage-failed' });
});

test('a bucket whose server no longer responds is an error', async () => {
  const short = await startS3();
  for (const [name, value] of Object.entries(short.env)) vi.stubEnv(name, value);
  const left = await openStorage(`s3://${short.bucket}/a`);
  await short.close();
  await expect(left.put(LINK, bytes)).rejects.toThrow(/the bucket is not accessible \(.*ECONNREFUSED/);
  await expect(left.get(LINK)).rejects.toMatchObject({ code: 'storage-failed' });
});
