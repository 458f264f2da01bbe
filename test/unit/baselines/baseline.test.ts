// @module-tag pain-47
import { createHash } from 'node:crypto';
import { lstat, mkdir, mkdtemp, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { readBaseline, sha256, writeBaseline } from '../../../src/baselines/baseline.js';
import { embedText, extractText } from '../../../src/image/metadata.js';
import { type BaselineRecord, encodeBaselineRecord } from '../../../src/model/environment.js';
import type { ShotFormat } from '../../../src/model/image.js';
import { craftPdf } from '../image/craft-pdf.js';
import { png, sheet } from '../image/paint.js';

const specimen = (name: string) => readFile(new URL(`../../../fixtures/images/${name}`, import.meta.url));
const { bytes: old } = png(sheet(4, 3));
const { bytes: fresh } = png(sheet(4, 3, '#ff0000'));
const RESTORE = 'Restore it from version control, or make it again: npx playwright test --update-snapshots';

const pdf = craftPdf([{ width: 595, height: 842 }]);
const record: BaselineRecord = {
  schemaVersion: 2,
  id: 'docs/intro/phone',
  project: 'chromium',
  masks: [
    { selector: '.clock', rectangles: [{ x: 10, y: 20, width: 300, height: 40 }] },
    { selector: '#ad', rectangles: [] },
  ],
  ignored: [{ selector: null, rectangles: [{ x: -4, y: 700, width: 1280, height: 0 }] }],
  environment: {
    os: 'linux',
    arch: 'x64',
    browser: 'chromium',
    browserVersion: '156.0.1',
    headless: 'shell',
    scale: 1,
    fonts: null,
    engine: 'odiff 4.5.0',
  },
};

let folder: string;
let path: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'proofsheet-baseline-'));
  path = join(folder, 'home.png');
});

/** Reads what is no baseline, and gives the code and the text of its error. */
async function damageOf(content: Buffer | string, format: ShotFormat = 'png'): Promise<string[]> {
  await writeFile(path, content);
  const baseline = await readBaseline(path, format, 'shots/home.png');
  if (baseline.kind !== 'damaged') throw new Error(`not damaged: ${baseline.kind}`);
  return [baseline.error.code, baseline.error.message];
}

/** Gives the code and the text of the error that writing ends in. */
async function refusalOf(place: string): Promise<{ code: string; message: string }> {
  return writeBaseline(place, fresh, null, 'shots/home.png').then(
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
      record: null,
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
    const message = 'shots/home.png: the baseline says it is 100000x100000; at most 320 million pixels can be compared';
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
    await writeBaseline(path, fresh, null, 'shots/home.png');
    expect(await readFile(path)).toEqual(fresh);
    expect(await readdir(join(folder, 'docs', 'intro'))).toEqual(['phone.png']);
    expect(await readBaseline(path, 'png', 'shots/home.png')).toMatchObject({ kind: 'image', sha256: sha256(fresh) });
  });

  test('puts a new file in place of the old one, which is whole for whoever reads it meanwhile', async () => {
    await writeFile(path, old);
    const { ino } = await stat(path);
    await writeBaseline(path, fresh, null, 'shots/home.png');
    expect(await readFile(path)).toEqual(fresh);
    expect((await stat(path)).ino).not.toBe(ino);
    expect(await readdir(folder)).toEqual(['home.png']);
  });

  test('follows a link to where the baseline really is', async () => {
    const real = join(folder, 'real.png');
    await writeFile(real, old);
    await symlink(real, path);
    await writeBaseline(path, fresh, null, 'shots/home.png');
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

describe('the record inside a baseline', () => {
  test.each([
    ['chromium.png', 'png'],
    ['chromium.jpg', 'jpg'],
    ['progressive.jpg', 'jpeg'],
    ['lossy.webp', 'webp'],
    ['chromium-lossless.webp', 'webp'],
    ['pdf', 'pdf'],
  ] as const)(
    'is read as it was written, and the image of %s is to the byte what was captured',
    async (name, format) => {
      const captured = name === 'pdf' ? pdf : await specimen(name);
      const hash = await writeBaseline(path, captured, record, 'shots/home');
      const onDisk = await readFile(path);
      expect(onDisk.equals(captured)).toBe(false);
      expect(hash).toBe(sha256(onDisk));
      const baseline = await readBaseline(path, format, 'shots/home');
      if (baseline.kind !== 'image') throw new Error(`not reached: ${baseline.kind}`);
      expect(baseline.image.bytes.equals(captured)).toBe(true);
      expect(baseline.record).toEqual(record);
      expect(baseline.sha256).toBe(hash);
    },
  );

  test('makes the same file each time, whatever the order of its keys', async () => {
    const reversed = <T extends object>(value: T): T =>
      Object.assign(
        {},
        ...Object.entries(value)
          .reverse()
          .map(([key, entry]) => ({ [key]: entry })),
      );
    const shuffled = reversed({
      ...record,
      masks: record.masks.map(reversed),
      environment: reversed(record.environment),
    });
    expect(Object.keys(shuffled)).not.toEqual(Object.keys(record));
    const first = await writeBaseline(path, fresh, record, 'shots/home.png');
    expect(await writeBaseline(path, fresh, shuffled, 'shots/home.png')).toBe(first);
    expect(await writeBaseline(path, fresh, { ...record, project: 'phone' }, 'shots/home.png')).not.toBe(first);
  });

  test('is left out where there is none to write', async () => {
    expect(await writeBaseline(path, fresh, null, 'shots/home.png')).toBe(sha256(fresh));
    expect(await readFile(path)).toEqual(fresh);
    expect(await readBaseline(path, 'png', 'shots/home.png')).toMatchObject({ kind: 'image', record: null });
  });

  test.each([
    ['of a version to come', encodeBaselineRecord(record).replace('"schemaVersion":2', '"schemaVersion":3')],
    ['with a key that is not known', encodeBaselineRecord(record).replace('"id"', '"more":1,"id"')],
    ['with a fraction of a pixel', encodeBaselineRecord(record).replace('"x":10', '"x":10.5')],
    ['with another rectangle than its checksum is of', encodeBaselineRecord(record).replace('"x":10', '"x":12')],
    ['without its checksum', encodeBaselineRecord(record).replace(/,"crc":-?\d+/, '')],
    ['cut off', encodeBaselineRecord(record).slice(0, -3)],
    ['that is no JSON', '<xml/>'],
    ['that is null', 'null'],
    ['that is empty', ''],
  ])('%s is none, and the file is a baseline all the same', async (_, text) => {
    await writeFile(path, embedText(old, 'png', text));
    const baseline = await readBaseline(path, 'png', 'shots/home.png');
    expect(baseline).toMatchObject({ kind: 'image', record: null });
    expect(baseline.kind === 'image' && baseline.image.bytes.equals(old)).toBe(true);
  });

  test('with a wrong checksum is none, and the image is not damaged', async () => {
    const bytes = embedText(old, 'png', encodeBaselineRecord(record));
    bytes.writeUInt8(bytes.readUInt8(bytes.length - 20) ^ 1, bytes.length - 20);
    await writeFile(path, bytes);
    expect(await readBaseline(path, 'png', 'shots/home.png')).toMatchObject({
      kind: 'image',
      image: { bytes: old },
      record: null,
    });
  });

  test('has room for the masks of any page', async () => {
    const rectangles = Array.from({ length: 5000 }, (_, y) => ({ x: 1, y, width: 20, height: 1 }));
    const masks = [{ selector: 'li', rectangles }];
    for (const [name, format] of [
      ['chromium.jpg', 'jpg'],
      ['lossy.webp', 'webp'],
    ] as const) {
      await writeBaseline(path, await specimen(name), { ...record, masks }, 'shots/home');
      expect(await readBaseline(path, format, 'shots/home')).toMatchObject({ record: { masks } });
    }
  });

  test('is one line of text in the file, without a time', async () => {
    await writeBaseline(path, fresh, record, 'shots/home.png');
    expect(extractText(await readFile(path), 'png').text).toBe(
      '{"schemaVersion":2,"id":"docs/intro/phone","project":"chromium",' +
        '"masks":[{"selector":".clock","rectangles":[{"x":10,"y":20,"width":300,"height":40}]},' +
        '{"selector":"#ad","rectangles":[]}],' +
        '"ignored":[{"selector":null,"rectangles":[{"x":-4,"y":700,"width":1280,"height":0}]}],' +
        '"environment":{"os":"linux","arch":"x64","browser":"chromium","browserVersion":"156.0.1","headless":"shell",' +
        '"scale":1,"fonts":null,"engine":"odiff 4.5.0"},"crc":2814516325}',
    );
  });

  test('for which an image has no place is an error before anything is written', async () => {
    await writeFile(path, old);
    await expect(writeBaseline(path, fresh.subarray(0, -12), record, 'shots/home.png')).rejects.toMatchObject({
      code: 'image-damaged',
      message: expect.stringMatching(/^shots\/home\.png: this png file of \d+ bytes does not have the parts/),
    });
    expect(await readFile(path)).toEqual(old);
    expect(await readdir(folder)).toEqual(['home.png']);
  });
});

describe('a baseline that is a PDF', () => {
  test('is read by its bytes, with the size of its first page', async () => {
    await writeFile(path, pdf);
    expect(await readBaseline(path, 'pdf', 'shots/home.pdf')).toMatchObject({
      kind: 'image',
      image: { bytes: pdf, codec: 'pdf', size: { width: 595, height: 842 } },
    });
  });

  test('that is cut off, or is an image, or is named as one, says so', async () => {
    expect(await damageOf(pdf.subarray(0, -9), 'pdf')).toEqual([
      'baseline-truncated',
      `shots/home.png: the baseline is cut off: its pdf data does not end. ${RESTORE}`,
    ]);
    expect(await damageOf(old, 'pdf')).toEqual([
      'baseline-format',
      `shots/home.png: the baseline is png, its name says pdf. ${RESTORE}`,
    ]);
    expect((await damageOf(pdf, 'webp'))[1]).toContain('the baseline is pdf, its name says webp');
  });

  test('that PDFium cannot open says why', async () => {
    expect(await damageOf(Buffer.from('%PDF-1.4\nnothing\n%%EOF\n'), 'pdf')).toEqual([
      'baseline-unreadable',
      `shots/home.png: the baseline is a PDF that cannot be read (PDFium cannot read it, error 3). ${RESTORE}`,
    ]);
  });
});
