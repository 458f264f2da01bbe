import { lstat, mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { beforeEach, describe, expect, test } from 'vitest';
import {
  embedRecord,
  packStructure,
  readBaseline,
  removeBaseline,
  unpackStructure,
  writeBaseline,
} from '../../../src/baselines/baseline.js';
import { sha256 } from '../../../src/baselines/names.js';
import { embedText, extractText } from '../../../src/image/metadata.js';
import { type BaselineRecord, decodeBaselineRecord, encodeBaselineRecord } from '../../../src/model/environment.js';
import type { ShotFormat } from '../../../src/model/image.js';
import { structureOf } from '../compare/structures.js';
import { craftPdf } from '../image/craft-pdf.js';
import { png, sheet, specimen } from '../image/paint.js';
import { makeTempFolder } from '../temp-folder.js';

const { bytes: old } = png(sheet(4, 3));
const { bytes: fresh } = png(sheet(4, 3, '#ff0000'));
const RESTORE = 'Restore it from version control, or create it again: npx playwright test --update-snapshots';

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
    ...{ os: 'linux', arch: 'x64', browser: 'chromium', browserVersion: '156.0.1' },
    ...{ headless: 'shell', scale: 1, fonts: null, engine: 'odiff 4.5.0' },
  },
};

let folder: string;
let path: string;

beforeEach(() => {
  folder = makeTempFolder();
  path = join(folder, 'home.png');
});

const POINTER = `version https://git-lfs.github.com/spec/v1\noid sha256:${'a'.repeat(64)}\nsize 12345\n`;

function hugePng(): Buffer {
  const huge = Buffer.from(old);
  huge.writeUInt32BE(100_000, 16);
  huge.writeUInt32BE(100_000, 20);
  return huge;
}

const writeRecorded = (image: Buffer) => writeBaseline(path, embedRecord(image, record, 'shots/home'), 'shots/home');

describe('reading a baseline', () => {
  test('that does not exist returns missing, also without its folder', async () => {
    expect(await readBaseline(path, 'png', 'shots/home.png')).toEqual({ kind: 'missing' });
    expect(await readBaseline(join(folder, 'a', 'b.png'), 'png', 'a/b.png')).toEqual({ kind: 'missing' });
  });

  test.each<[code: string, text: string, read: () => Buffer | string | Promise<Buffer>, format?: ShotFormat]>([
    ['baseline-empty', `is empty (0 bytes). ${RESTORE}`, () => ''],
    ['baseline-truncated', `is truncated: its png data is incomplete. ${RESTORE}`, () => old.subarray(0, -1)],
    ['baseline-format', `is not an image; expected jpeg. ${RESTORE}`, () => '<html>', 'jpg'],
    ['baseline-format', 'is jpeg, but its file extension is that of png. ', () => specimen('chromium.jpg')],
    ['baseline-lfs-pointer', 'is a Git LFS pointer, not an image. Run: git lfs pull', () => POINTER],
    ['image-too-large', 'is 100000x100000; the maximum is 320 million pixels. ', hugePng],
    ['baseline-truncated', 'is truncated: its pdf data is incomplete. ', () => pdf.subarray(0, -9), 'pdf'],
    ['baseline-unreadable', 'is a PDF that cannot be read (PDFium error 3). ', () => '%PDF-1.4\nx\n%%EOF\n', 'pdf'],
    ['baseline-unreadable', 'cannot be read (EISDIR', () => mkdir(path).then(() => Buffer.alloc(0))],
  ])('that is damaged has the error %s: it %s', async (code, text, read, format = 'png') => {
    const content = await read();
    await writeFile(path, content).catch(() => {});
    const baseline = await readBaseline(path, format, 'shots/home.png');
    const message = expect.stringContaining(`shots/home.png: the baseline ${text}`);
    expect(baseline).toMatchObject({ kind: 'damaged', error: { code, message } });
  });
});

describe('writing a baseline', () => {
  test('creates its folders and leaves no other file', async () => {
    await writeBaseline(join(folder, 'docs/phone.png'), fresh, 'shots/home.png');
    expect(await readFile(join(folder, 'docs/phone.png'))).toEqual(fresh);
    expect(await readdir(join(folder, 'docs'))).toEqual(['phone.png']);
  });

  test('follows a symbolic link to the baseline, and replaces the file atomically', async () => {
    const real = join(folder, 'real.png');
    await writeFile(real, old);
    const { ino } = await stat(real);
    await symlink(real, path);
    await writeBaseline(path, fresh, 'shots/home.png');
    expect(await readFile(real)).toEqual(fresh);
    expect((await stat(real)).ino, 'concurrent readers have the old file').not.toBe(ino);
    expect((await lstat(path)).isSymbolicLink()).toBe(true);
  });

  test('below a file reports path, cause and advice, and changes nothing', async () => {
    await writeFile(path, old);
    await expect(writeBaseline(join(path, 'below.png'), fresh, 'shots/home.png')).rejects.toMatchObject({
      code: 'baseline-unwritable',
      message: expect.stringMatching(/^shots\/home\.png: .* written \((EEXIST|ENOTDIR).*\)\. Nothing was changed/),
    });
    expect(await readFile(path)).toEqual(old);
    expect(await readdir(folder)).toEqual(['home.png']);
  });
});

describe('the record inside a baseline', () => {
  test.each([
    ['chromium.png', 'png'],
    ['progressive.jpg', 'jpeg'],
    ['lossy.webp', 'webp'],
    ['pdf', 'pdf'],
  ] as const)(
    'is read as it was written, and the image of %s is to the byte what was captured',
    async (name, format) => {
      const captured = name === 'pdf' ? pdf : specimen(name);
      const hash = await writeRecorded(captured);
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

  test.each([
    ['of a version to come', encodeBaselineRecord(record).replace('"schemaVersion":2', '"schemaVersion":3')],
    ['with another rectangle than its checksum is of', encodeBaselineRecord(record).replace('"x":10', '"x":12')],
    ['without its checksum', encodeBaselineRecord(record).replace(/,"crc":-?\d+/, '')],
    ['that is no JSON', '<xml/>'],
  ])('%s is not a record, but the file is still a baseline', async (_, text) => {
    await writeFile(path, embedText(old, 'png', text));
    const baseline = await readBaseline(path, 'png', 'shots/home.png');
    expect(baseline).toMatchObject({ kind: 'image', record: null });
    expect(baseline.kind === 'image' && baseline.image.bytes.equals(old)).toBe(true);
  });

  test('is one line of text in the file, without a time', async () => {
    await writeRecorded(fresh);
    expect(extractText(await readFile(path), 'png').text).toBe(
      '{"schemaVersion":2,"id":"docs/intro/phone","project":"chromium",' +
        '"masks":[{"selector":".clock","rectangles":[{"x":10,"y":20,"width":300,"height":40}]},' +
        '{"selector":"#ad","rectangles":[]}],' +
        '"ignored":[{"selector":null,"rectangles":[{"x":-4,"y":700,"width":1280,"height":0}]}],' +
        '"environment":{"os":"linux","arch":"x64","browser":"chromium","browserVersion":"156.0.1","headless":"shell",' +
        '"scale":1,"fonts":null,"engine":"odiff 4.5.0"},"crc":2814516325}',
    );
  });

  test('says nothing else after any bit of its file is flipped', () => {
    const whole = embedRecord(old, record, 'home');
    const text = extractText(whole, 'png').text ?? '';
    expect(decodeBaselineRecord(text)).toEqual(record);
    const start = whole.indexOf(text);
    for (let bit = 8 * (start - 40); bit < 8 * (start + text.length); bit++) {
      whole.writeUInt8(whole.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
      const found = extractText(whole, 'png').text;
      const read = found === null ? null : decodeBaselineRecord(found);
      if (read !== null) expect(read, `bit ${bit}`).toEqual(record);
      whole.writeUInt8(whole.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
    }
  });
});

describe('a baseline with a structure', () => {
  const structure = Buffer.from('a structure');

  test.each([
    ['png', 'chromium.png'],
    ['jpg', 'chromium.jpg'],
    ['webp', 'lossy.webp'],
  ] as const)('is one file as %s, and replaces the structure file of an earlier version', async (format, name) => {
    const image = specimen(name);
    const place = join(folder, `home.${format}`);
    const file = `${place}.${sha256(structure).slice(0, 12)}.structure`;
    await writeFile(place, embedRecord(image, { ...record, structure: sha256(structure) }, 'home'));
    expect(await readBaseline(place, format, 'home')).toMatchObject({ kind: 'image', structure: null });
    await writeFile(file, 'version https://git-lfs.github.com/spec/v1');
    expect(await readBaseline(place, format, 'home')).toMatchObject({ kind: 'image', structure: null });
    await writeFile(file, structure);
    expect(await readBaseline(place, format, 'home')).toMatchObject({ kind: 'image', structure });
    const others = [`away-home.${format}`, `home.${format}.${format}`].map(
      (other) => `${other}.0123456789ab.structure`,
    );
    for (const other of others) await writeFile(join(folder, other), 'other');
    await writeBaseline(place, embedRecord(image, record, 'home', structure), 'home');
    expect((await readdir(folder)).sort()).toEqual([...others, `home.${format}`].sort());
    expect(await readBaseline(place, format, 'home')).toMatchObject({ image: { bytes: image }, record, structure });
    await removeBaseline(place);
    expect((await readdir(folder)).sort()).toEqual(others);
  });

  const page = structureOf({ tag: 'html', box: [0, 0, 8, 8], children: ['Hello'] });
  const pack = (json: unknown) => brotliCompressSync(JSON.stringify(json));

  test('has it packed, the same each time', () => {
    expect(unpackStructure(packStructure(page))).toEqual(page);
    expect(packStructure(page)).toEqual(packStructure(page));
  });

  test.each<[string, Buffer]>([
    ['of another version', pack({ ...page, schemaVersion: 2 })],
    [
      'whose elements are their own parents',
      pack({ ...page, elements: page.elements.map((one) => ({ ...one, parent: 1 })) }),
    ],
    ['that is a text', pack('structure')],
    ['that is not packed', Buffer.from('no brotli')],
    ['that is too large', pack({ ...page, styles: [['x'.repeat(33_000_000)]] })],
  ])('does not read one %s', (_, packed) => {
    expect(unpackStructure(packed)).toBeNull();
  });
});
