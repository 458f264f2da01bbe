import { createHash } from 'node:crypto';
import { lstat, mkdir, mkdtemp, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import type { ImageFormat } from '../../../src/model/image.js';
import { readBaseline, sha256, writeBaseline } from '../../../src/record/baseline.js';
import { png, sheet } from '../image/paint.js';

const specimen = (name: string) => readFile(new URL(`../../../fixtures/images/${name}`, import.meta.url));
const { bytes: old } = png(sheet(4, 3));
const { bytes: fresh } = png(sheet(4, 3, '#ff0000'));
const RESTORE = 'Restore it from version control, or make it anew: npx playwright test --update-snapshots';

let folder: string;
let path: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'proofsheet-baseline-'));
  path = join(folder, 'home.png');
});

/** Reads what is no baseline, and gives the code and the text of its error. */
async function damageOf(content: Buffer | string, format: ImageFormat = 'png'): Promise<string[]> {
  await writeFile(path, content);
  const baseline = await readBaseline(path, format, 'shots/home.png');
  if (baseline.kind !== 'damaged') throw new Error(`not damaged: ${baseline.kind}`);
  return [baseline.error.code, baseline.error.message];
}

/** Gives the code and the text of the error that writing ends in. */
async function refusalOf(place: string): Promise<{ code: string; message: string }> {
  return writeBaseline(place, fresh, 'shots/home.png').then(
    () => Promise.reject(new Error('it was written')),
    ({ code, message }) => ({ code, message }),
  );
}

describe('reading a baseline', () => {
  test('that is not there finds it missing, and so does a folder that is not there', async () => {
    expect(await readBaseline(path, 'png', 'shots/home.png')).toEqual({ kind: 'missing' });
    expect(await readBaseline(join(folder, 'a', 'b.png'), 'png', 'a/b.png')).toEqual({ kind: 'missing' });
  });

  test('gives its bytes, its size and its hash', async () => {
    await writeFile(path, old);
    expect(await readBaseline(path, 'png', 'shots/home.png')).toEqual({
      kind: 'image',
      image: { bytes: old, codec: 'png', size: { width: 4, height: 3 } },
      sha256: createHash('sha256').update(old).digest('hex'),
    });
  });

  test.each([
    ['chromium.jpg', 'jpg'],
    ['chromium.jpg', 'jpeg'],
    ['lossy.webp', 'webp'],
  ] as const)('%s is good where %s is expected', async (name, format) => {
    await writeFile(path, await specimen(name));
    expect((await readBaseline(path, format, 'shots/home')).kind).toBe('image');
  });

  test('that is empty says so', async () => {
    const message = `shots/home.png: the baseline is empty (0 bytes). ${RESTORE}`;
    expect(await damageOf('')).toEqual(['baseline-empty', message]);
  });

  test('that is cut off says so', async () => {
    const message = `shots/home.png: the baseline is cut off: its png data does not end. ${RESTORE}`;
    expect(await damageOf(old.subarray(0, -1))).toEqual(['baseline-truncated', message]);
  });

  test('that is a Git LFS pointer says how to get the image', async () => {
    const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${'a'.repeat(64)}\nsize 12345\n`;
    const message = 'shots/home.png: the baseline is a Git LFS pointer, not an image. Run: git lfs pull';
    expect(await damageOf(pointer)).toEqual(['baseline-lfs-pointer', message]);
  });

  test('that is text says what was expected', async () => {
    const found = (codec: string) => `shots/home.png: the baseline is not an image, expected ${codec}. ${RESTORE}`;
    expect(await damageOf('<html>')).toEqual(['baseline-format', found('png')]);
    expect(await damageOf('<html>', 'jpg')).toEqual(['baseline-format', found('jpeg')]);
  });

  test('that is a JPEG named png says both', async () => {
    const message = `shots/home.png: the baseline is jpeg, its name says png. ${RESTORE}`;
    expect(await damageOf(await specimen('chromium.jpg'))).toEqual(['baseline-format', message]);
  });

  test('that says it is larger than any image says how large', async () => {
    const huge = Buffer.from(old);
    huge.writeUInt32BE(100_000, 16);
    huge.writeUInt32BE(100_000, 20);
    const message = 'shots/home.png: the baseline says it is 100000x100000, larger than can be compared';
    expect(await damageOf(huge)).toEqual(['image-too-large', `${message}. ${RESTORE}`]);
  });

  test('where a folder lies in its place says that it cannot be read', async () => {
    await mkdir(path);
    const baseline = await readBaseline(path, 'png', 'shots/home.png');
    expect(baseline).toMatchObject({ kind: 'damaged', error: { code: 'baseline-unreadable' } });
    expect(baseline.kind === 'damaged' && baseline.error.message).toMatch(
      /^shots\/home\.png: it cannot be read \(EISDIR.*\)\. Restore it/,
    );
  });
});

describe('writing a baseline', () => {
  test('creates its folders, and leaves nothing beside it', async () => {
    path = join(folder, 'docs', 'intro', 'phone.png');
    await writeBaseline(path, fresh, 'shots/home.png');
    expect(await readFile(path)).toEqual(fresh);
    expect(await readdir(join(folder, 'docs', 'intro'))).toEqual(['phone.png']);
    expect(await readBaseline(path, 'png', 'shots/home.png')).toMatchObject({ kind: 'image', sha256: sha256(fresh) });
  });

  test('puts a new file in place of the old one, which is whole for whoever reads it meanwhile', async () => {
    await writeFile(path, old);
    const { ino } = await stat(path);
    await writeBaseline(path, fresh, 'shots/home.png');
    expect(await readFile(path)).toEqual(fresh);
    expect((await stat(path)).ino).not.toBe(ino);
    expect(await readdir(folder)).toEqual(['home.png']);
  });

  test('follows a link to where the baseline really is', async () => {
    const real = join(folder, 'real.png');
    await writeFile(real, old);
    await symlink(real, path);
    await writeBaseline(path, fresh, 'shots/home.png');
    expect(await readFile(real)).toEqual(fresh);
    expect((await lstat(path)).isSymbolicLink()).toBe(true);
  });

  test('below what is a file says where, why and what to do, and touches nothing', async () => {
    await writeFile(path, old);
    const { code, message } = await refusalOf(join(path, 'below.png'));
    expect(code).toBe('baseline-unwritable');
    expect(message).toMatch(
      /^shots\/home\.png: the baseline cannot be written \((EEXIST|ENOTDIR).*\)\. Nothing was changed/,
    );
    expect(await readFile(path)).toEqual(old);
    expect(await readdir(folder)).toEqual(['home.png']);
  });

  test('in the place of a folder leaves the folder, and nothing beside it', async () => {
    await mkdir(path);
    await writeFile(join(path, 'kept.txt'), 'kept');
    expect((await refusalOf(path)).code).toBe('baseline-unwritable');
    expect(await readdir(folder)).toEqual(['home.png']);
    expect(await readdir(path)).toEqual(['kept.txt']);
  });
});
