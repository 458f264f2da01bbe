import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { fileNamesOf } from '../../../src/baselines/names.js';
import type { Comparison } from '../../../src/model/comparison.js';
import { ProofsheetError } from '../../../src/model/errors.js';
import type { ImageFormat } from '../../../src/model/image.js';
import type { Outcome } from '../../../src/shot/decide.js';
import { distinctImages, listImages, writeImages } from '../../../src/shot/images.js';
import { png, sheet } from '../image/paint.js';
import { makeTempFolder } from '../temp-folder.js';
import * as specimens from './specimens.js';
import { captureOf, differentBy, EQUAL, liveOf, WITHIN } from './specimens.js';

const [white, red, marked] = [png(sheet(4, 3)), png(sheet(4, 5, '#ff0000')), png(sheet(4, 5, '#00ff00'))];
const URL_OF_PAGE = 'http://127.0.0.1:4173/docs';
const UUID = /[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/;
const different = differentBy(marked);

const capture = captureOf(red, URL_OF_PAGE, { takenAt: 1000 });
const baseline = (comparison: Comparison) => specimens.baselineOf(white, comparison);
const changed: Outcome = { status: 'changed', capture, before: baseline(different), write: false };
const unstable: Outcome = {
  ...{ status: 'unstable', by: 'time', capture, previous: white, previousStructure: null },
  motion: different,
};
const list = (outcome: Outcome, format: ImageFormat = 'png', stagingFolder = '/staged', page = 'docs/Über uns') => {
  const { imageName } = fileNamesOf({ page, viewport: 'phone' }, format, false);
  return listImages(
    outcome,
    { imageName, format, url: URL_OF_PAGE },
    { stagingFolder, baseline: { path: '/shots/docs.png' } },
    null,
  );
};
const namesOf = (outcome: Outcome, format?: ImageFormat) => {
  const { before, after, diff } = list(outcome, format);
  return [before, after, diff].map((image) => image?.attachment ?? null);
};

const error = new ProofsheetError({ code: 'page-status', where: 'a', found: 'b', advice: 'c' });
const passed: Outcome = { status: 'passed', capture, before: baseline(WITHIN), write: false };

describe('the images of a shot', () => {
  test.each<[what: string, outcome: Outcome, names: string]>([
    ['that changed are named for Playwright', changed, 'expected actual diff'],
    ['that passed are hidden', passed, '_expected _actual -'],
    ['that did not become stable are its last two and their diff', unstable, 'previous actual diff'],
    ['that is new are the after image', { status: 'new', capture, write: true, green: true }, '- actual -'],
    [
      'with an error are the after image',
      { status: 'error', problem: { kind: 'failed', error }, capture },
      '- actual -',
    ],
    [
      'with an error before the capture are none',
      { status: 'error', problem: { kind: 'failed', error }, capture: null },
      '- - -',
    ],
    ['that was skipped are none', { status: 'skipped', reason: null }, '- - -'],
  ])('%s', (_, outcome, names) => {
    const nameOf = (name: string) => name.replace(/(_?)(\w+)/, '$1docs-Über-uns-phone-$2.png');
    expect(namesOf(outcome)).toEqual(names.split(' ').map((name) => (name === '-' ? null : nameOf(name))));
  });

  test.each([
    ['png', 'image/png'],
    ['jpeg', 'image/jpeg'],
    ['jpg', 'image/jpeg'],
    ['webp', 'image/webp'],
  ] as const)('have one file extension, %s, although the diff is always PNG', (format, contentType) => {
    for (const outcome of [changed, unstable]) {
      for (const name of namesOf(outcome, format)) expect(name).toMatch(new RegExp(`\\.${format}$`));
      const { before, after, diff } = list(outcome, format);
      expect([before, after, diff].map((image) => image?.contentType)).toEqual([contentType, contentType, 'image/png']);
      const [uuid] = UUID.exec(after?.link ?? '') ?? [];
      const folder = `screenshots/127.0.0.1/${uuid}`;
      expect([after?.link, before?.link, diff?.link]).toEqual([
        ...[`${folder}/1000.${format}`, `${folder}/before.${format}`, `${folder}/diff.png`],
      ]);
    }
  });

  test('have file names of at most 255 bytes if the page name is long', () => {
    const page = ['a', 'b', 'ü'].map((letter) => letter.repeat(90)).join('/');
    const { before } = list(changed, 'webp', '/staged', page);
    expect(Buffer.byteLength(before?.attachment ?? '')).toBeLessThanOrEqual(255);
  });

  test('have their own sizes and bytes', () => {
    const { before, after, diff } = list(changed);
    expect(before).toMatchObject({ bytes: white.bytes, size: { width: 4, height: 3 }, source: 'baseline' });
    expect(after).toMatchObject({ bytes: red.bytes, size: { width: 4, height: 5 }, source: capture.url });
    expect(diff).toMatchObject({ bytes: marked.bytes, size: marked.size });
  });
});

test('an equal image of a changed shot can be approved: its record has other texts', () => {
  const equal = specimens.baselineOf(red, EQUAL);
  const places = { stagingFolder: '/staged', baseline: { path: '/shots/docs.png' } };
  const names = { imageName: 'docs', format: 'png', url: URL_OF_PAGE } as const;
  const imagesOf = (status: 'passed' | 'changed') =>
    listImages({ status, capture, before: equal, write: false }, names, places, Buffer.of(1));
  const { before, after } = imagesOf('changed');
  expect(after).toMatchObject({ bytes: Buffer.of(1), sha256: expect.stringMatching(/^[\da-f]{64}$/) });
  expect(before?.link).not.toBe(after?.link);
  expect(imagesOf('passed').after?.sha256).toBeUndefined();
});

test('the two sides of a two-state shot have separate folders, even if they are equal', () => {
  const other = captureOf(red, 'https://www.example.test/docs', { takenAt: 2000 });
  const { before, after } = list({ status: 'passed', capture, write: false, before: liveOf(other, EQUAL) });
  expect(before?.link.replace(UUID, 'uuid')).toBe('screenshots/www.example.test/uuid/2000.png');
  expect(after?.link.replace(UUID, 'uuid')).toBe('screenshots/127.0.0.1/uuid/1000.png');
  expect(before).toMatchObject({ attachment: '_docs-Über-uns-phone-expected.png', source: other.url });
});

describe('writing', () => {
  const write = async (outcome: Outcome) => {
    const folder = join(makeTempFolder(), 'deep', 'images');
    const images = list(outcome, 'png', folder);
    await writeImages(images);
    return { folder, images };
  };

  test('puts each image under its name', async () => {
    const { folder, images } = await write(changed);
    const all = distinctImages(images);
    expect(all.map(({ path }) => path)).toEqual(namesOf(changed).map((name) => join(folder, name ?? '')));
    expect(new Set(all.map(({ link }) => link)).size).toBe(3);
    for (const { path, bytes } of all) expect(await readFile(path)).toEqual(bytes);
  });

  test('puts a file that two images share once', async () => {
    const { folder, images } = await write({ status: 'passed', capture, before: baseline(EQUAL), write: false });
    expect(images.before).toEqual({ ...images.after, source: 'baseline' });
    expect(await readdir(folder)).toEqual(['_docs-Über-uns-phone-actual.png']);
  });
});
