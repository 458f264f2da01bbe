import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { formatOfOutput } from '../../../src/commands/capture.js';
import { checkFolder } from '../../../src/commands/compare.js';
import { readSources } from '../../../src/service/captures/compare-sources.js';
import { png, sheet } from '../image/paint.js';

describe('the file of a capture', () => {
  test.each([
    ['x.png', undefined, 'png'],
    ['x.JPG', undefined, 'jpg'],
    ['a.b/x.pdf', undefined, 'pdf'],
    ['x', undefined, 'png'],
    ['x', 'webp', 'webp'],
    ['x.jpg', 'jpeg', 'jpeg'],
    ['.hidden', 'jpeg', 'jpeg'],
  ] as const)('%s with --format %s is %s', (output, asked, format) => {
    expect(formatOfOutput(output, asked)).toBe(format);
  });

  test.each([
    [
      'x.gif',
      undefined,
      '--output x.gif: ".gif" is not a supported extension. Use one of these: .png, .jpeg, .jpg, .webp, .pdf.',
    ],
    [
      'x.gif',
      'png',
      '--output x.gif: ".gif" is not a supported extension. Use one of these: .png, .jpeg, .jpg, .webp, .pdf.',
    ],
    ['x.png', 'jpeg', '--output x.png: ".png" is not the extension of the format jpeg. Use .jpeg, or --format png.'],
    ['x.jpg', 'webp', '--output x.jpg: ".jpg" is not the extension of the format webp. Use .webp, or --format jpg.'],
  ] as const)('%s with --format %s is an error', (output, asked, message) => {
    expect(() => formatOfOutput(output, asked)).toThrow(message);
  });
});

describe('the folder of a comparison', () => {
  test('cannot have the name of an image', () => {
    for (const output of ['diff.png', 'out/diff.JPEG']) {
      expect(() => checkFolder(output)).toThrow(
        `--output ${output}: this is the name of an image file; expected a folder`,
      );
    }
    for (const output of ['out', 'v1.2', '.']) checkFolder(output);
  });
});

describe('a side of a comparison', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'proofsheet-sides-'));
    writeFileSync(join(folder, 'a.png'), png(sheet(10, 10)).bytes);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const read = (after: string) => readSources({ before: join(folder, 'a.png'), after });

  // The working directory of the tests has this file. Its name looks like that of a host.
  test('that is a file but not an image is an error', async () => {
    await expect(read('package.json')).rejects.toThrow(
      'package.json: the file is not an image; expected PNG, JPEG, WebP or PDF.',
    );
  });

  test('that is not a file but looks like a host suggests a URL', async () => {
    await expect(read('example.com/shop')).rejects.toThrow(
      'the file does not exist. For a page, use http://example.com/shop',
    );
  });
});
