import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { openStorage } from '../../../src/service/http/serve.js';
import type { Storage } from '../../../src/service/storage/storage.js';
import { type S3Server, startS3 } from '../baselines/s3-server.js';

const LINK = 'screenshots/example.test/6b1f2f0e-7d0b-4d52-9f4c-0a4e1a6d7c11/1700000000000.png';
const bytes = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 255, 10, 13]);

let server: S3Server;
let storage: Storage;
/** Each test has a part of the bucket to itself. */
let place: string;
let count = 0;

beforeAll(async () => {
  server = await startS3();
});
afterAll(() => server.close());

beforeEach(async () => {
  for (const [name, value] of Object.entries(server.env)) vi.stubEnv(name, value);
  count += 1;
  place = `s3://${server.bucket}/part-${count}`;
  storage = await openStorage(place);
});
afterEach(() => vi.unstubAllEnvs());

describe('a storage in a bucket', () => {
  test.each([
    ['png', 'image/png'],
    ['webp', 'image/webp'],
    ['pdf', 'application/pdf'],
    ['html', 'text/html; charset=utf-8'],
  ])('returns the stored file as .%s', async (ending, contentType) => {
    const link = LINK.replace('png', ending);
    await storage.put(link, bytes, contentType);
    expect(await storage.get(link)).toEqual({ bytes, contentType });
  });

  test('stores a file larger than one packet', async () => {
    const large = Buffer.alloc(3_000_000, 'proofsheet');
    await storage.put(LINK, large, 'image/png');
    expect((await storage.get(LINK))?.bytes.equals(large)).toBe(true);
  });

  test('is the same for each that opens it, and another under another prefix', async () => {
    const [same, other] = await Promise.all([openStorage(`${place}/`), openStorage(`s3://${server.bucket}`)]);
    await storage.put(LINK, bytes, 'image/png');
    expect((await same.get(LINK))?.bytes).toEqual(bytes);
    expect(await other.get(LINK)).toBe(null);
  });

  test.each([
    LINK,
    '',
    'x.png',
    '../x.png',
    'screenshots/../../x.png',
    'screenshots//x.png',
    LINK.replace('.png', '.js'),
  ])('has nothing at %j, where nothing was put in', async (link) => {
    expect(await storage.get(link)).toBe(null);
  });

  test('takes nothing that leads out of it', async () => {
    const put = storage.put('screenshots/../../x.png', bytes, 'image/png');
    await expect(put).rejects.toMatchObject({ code: 'storage-failed' });
  });

  test('removes expired files, and none with another prefix', async () => {
    const other = await openStorage(`${place}0`);
    const links = Array.from({ length: 20 }, (_, number) => LINK.replace('1700', `${1700 + number}`));
    await Promise.all([
      ...links.map((link) => storage.put(link, bytes, 'image/png')),
      other.put(LINK, bytes, 'image/png'),
    ]);
    await storage.prune(Date.now() - 60_000);
    expect(await storage.get(LINK)).not.toBe(null);
    await storage.prune(Date.now() + 60_000);
    expect(await Promise.all(links.map((link) => storage.get(link)))).toEqual(links.map(() => null));
    expect(await other.get(LINK)).not.toBe(null);
  });

  test('says so where its bucket is not there, or is not for us', async () => {
    await expect(openStorage('s3://no-such-bucket')).rejects.toMatchObject({ code: 'storage-failed' });
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'a stranger');
    await expect(openStorage(place)).rejects.toMatchObject({ code: 'storage-failed' });
  });

  test('reports a server that no longer responds', async () => {
    const short = await startS3();
    for (const [name, value] of Object.entries(short.env)) vi.stubEnv(name, value);
    const left = await openStorage(`s3://${short.bucket}/a`);
    await short.close();
    await expect(left.put(LINK, bytes, 'image/png')).rejects.toThrow(/the bucket is not accessible \(.*ECONNREFUSED/);
    await expect(left.get(LINK)).rejects.toMatchObject({ code: 'storage-failed' });
  });
});

describe('the storage of captures', () => {
  test.each(['s3://', 's3:///a', 's3://a', 's3://a b/c', 's3://a?b'])('is no bucket by %s', async (name) => {
    await expect(openStorage(name)).rejects.toMatchObject({ code: 'command-invalid' });
  });

  test('is a folder by any other name', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'proofsheet-place-'));
    await (await openStorage(folder)).put(LINK, bytes, 'image/png');
    expect((await (await openStorage(folder)).get(LINK))?.bytes).toEqual(bytes);
    rmSync(folder, { recursive: true });
  });
});
