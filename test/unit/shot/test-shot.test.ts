import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { replaceFile } from '../../../src/baselines/atomic-write.js';
import { readBaseline } from '../../../src/baselines/baseline.js';
import { embedText } from '../../../src/image/metadata.js';
import type { Capture, CaptureResult } from '../../../src/model/capture.js';
import type { Exclusion } from '../../../src/model/environment.js';
import type { EncodedImage, Rectangle } from '../../../src/model/image.js';
import type { ShotFieldsInput } from '../../../src/model/page-fields.js';
import type { ShotRecord } from '../../../src/model/run-record.js';
import { MESSAGE_ATTACHMENT, shotMessageSchema } from '../../../src/model/run-record.js';
import type { UpdateMode } from '../../../src/shot/decide.js';
import type { ShotResult } from '../../../src/shot/format-result.js';
import type { ShotPages } from '../../../src/shot/page-session.js';
import { type RunnerContext, testShot } from '../../../src/shot/test-shot.js';
import { fill, png, sheet } from '../image/paint.js';
import { makeTempFolder } from '../temp-folder.js';
import { captureOf, shotOf, targetOf, URL_OF_PAGE as URL } from './specimens.js';

const SIZE = { width: 100, height: 100 };
const WHOLE: Rectangle = { x: 0, y: 0, ...SIZE };
const page = png(sheet(100, 100));
const broken = png(fill(sheet(100, 100), { x: 10, y: 10, width: 60, height: 60 }, '#ff0000'));
const rows = (height: number): Rectangle => ({ ...WHOLE, height });
const entry = (selector: string | null, ...rectangles: Rectangle[]): Exclusion => ({ selector, rectangles });

let folder: string;
beforeEach(() => {
  folder = makeTempFolder();
});

const pathOf = () => join(folder, 'home.png');

interface Side extends Partial<Pick<Capture, 'masks' | 'ignored'>> {
  readonly image: EncodedImage;
}

interface Run {
  readonly mode?: UpdateMode;
  readonly fields?: ShotFieldsInput;
  readonly before?: Side;
}

/** Runs a shot whose page is captured so, and gives what its record says. */
async function run({ image, ...excluded }: Side, { mode = 'none', fields = {}, before }: Run = {}) {
  const shot = shotOf(fields, { before: before ? targetOf(URL) : null });
  const host: RunnerContext = {
    ...{ project: '', stagingFolder: join(folder, 'staged') },
    failureDetails: { place: null, approve: null, update: '' },
    policy: { mode, ci: false, ignoreSnapshots: false },
    baseline: { path: pathOf(), shownPath: 'home.png', writtenInRun: { isKnown: () => false, mark: () => {} } },
    origin: { list: null, listHash: null, shard: null, listIds: null, commit: null, run: null },
    reuse: null,
  };
  const capture: ShotPages['capture'] = async ({ target }): Promise<CaptureResult> => ({
    kind: 'settled',
    capture: target === shot.before && before ? captureOf(before.image, URL, before) : captureOf(image, URL, excluded),
  });
  const result = await testShot(shot, { capture, canReload: true }, host);
  return { ...result, record: recordOf(result) };
}

function recordOf({ attachments }: ShotResult): ShotRecord {
  const message = attachments.find(({ name }) => name === MESSAGE_ATTACHMENT);
  return shotMessageSchema.parse(JSON.parse(String(message?.body))).shot;
}

const codesOf = ({ warnings }: ShotRecord) => warnings.map(({ code }) => code);
const makeBaseline = (side: Side, fields: ShotFieldsInput = {}) => run(side, { mode: 'all', fields });

describe('the excluded areas of a baseline', () => {
  const clock = { x: 0, y: 0, width: 20, height: 20 };

  test.each(['masks', 'ignored'] as const)(
    'in %s are compared if the list no longer contains the selector',
    async (field) => {
      await makeBaseline({ image: page, [field]: [entry('main', rows(90))] });
      const { passed, record } = await run({ image: broken });
      expect([passed, record.status, record.compared]).toEqual([false, 'changed', 1]);
      const message =
        'the baseline has masked or ignored areas of main, which `mask` and `ignore` no longer contain: these areas are now compared';
      expect(record.warnings).toEqual([{ code: 'masks-dropped', message }]);
    },
  );

  test('apply while the list contains their selector in either field', async () => {
    const spot = { x: 10, y: 10, width: 60, height: 60 };
    await makeBaseline({ image: page, masks: [entry('.box', spot)] });
    for (const field of ['masks', 'ignored'] as const) {
      const { record } = await run({ image: broken, [field]: [entry('.box')] });
      expect(record).toMatchObject({ status: 'passed', compared: 0.64, warnings: [] });
    }
    expect((await run({ image: broken, masks: [entry('.other', clock)] })).record.status).toBe('changed');
  });

  test('are compared if an older record has no selectors', async () => {
    const { environment } = captureOf(page, URL);
    const record = {
      ...{ schemaVersion: 1, id: 'home', project: '', masks: [], ignored: [WHOLE] },
      environment: { ...environment, headless: 'shell', engine: 'pixelmatch 7.2.0' },
    };
    await replaceFile(pathOf(), embedText(page.bytes, 'png', JSON.stringify(record)));
    const baseline = await readBaseline(pathOf(), 'png', 'home.png');
    expect(baseline).toMatchObject({ record: { id: 'home', ignored: [{ selector: null, rectangles: [WHOLE] }] } });
    const run1 = await run({ image: broken, ignored: [entry('.clock', clock)] });
    expect(run1.record).toMatchObject({ status: 'changed', compared: 0.96 });
    expect(codesOf(run1.record)).toEqual(['masks-dropped']);
    expect(codesOf((await run({ image: page })).record), 'what is equal needs none of them').toEqual([]);
  });

  test('are clipped to the image', async () => {
    await makeBaseline({ image: page, ignored: [entry('.ad', { x: -50, y: 80, width: 9_999, height: 9_999 })] });
    const baseline = await readBaseline(pathOf(), 'png', 'home.png');
    const rectangles = [{ x: 0, y: 80, width: 100, height: 20 }];
    expect(baseline).toMatchObject({ record: { ignored: [{ selector: '.ad', rectangles }] } });
    expect((await run({ image: page, ignored: [entry('.ad')] })).record.compared).toBe(0.8);
  });
});

describe('with less than 5 % compared pixels', () => {
  const NEEDED = 'leave 0 % of the pixels to compare; expected at least 5.00 %. Use smaller';

  test.each([
    ['a masked element that grew over the page', { masks: [entry('.clock', WHOLE)] }],
    ['`mask: "*"`', { masks: [entry('*', WHOLE, rows(40), rows(5))] }],
    ['`ignore: "*"`', { ignored: [entry('*', rows(50), { ...WHOLE, y: 50, height: 50 })] }],
  ])('a shot with %s is an error and writes no baseline', async (_, excluded) => {
    await makeBaseline({ image: page, masks: [entry('.clock', rows(2))], ignored: [entry('*')] });
    const old = await readFile(pathOf());
    for (const mode of ['none', 'all'] as const) {
      const { passed, record } = await run({ image: broken, ...excluded }, { mode });
      expect([passed, record.status, record.compared]).toEqual([false, 'error', 0]);
      expect(record.reason).toContain(NEEDED);
    }
    expect((await readFile(pathOf())).equals(old)).toBe(true);
  });

  test('a new shot is an error and has no baseline, unless a lower minCompared allows it', async () => {
    const side = { image: page, masks: [entry('.map', rows(97))] };
    expect((await makeBaseline(side)).record.reason).toContain('leave 3.00 % of the pixels');
    expect((await makeBaseline(side, { minCompared: 0.5 })).record.reason).toContain('expected at least 50.00 %');
    await expect(readFile(pathOf())).rejects.toThrow('ENOENT');
    const { record } = await makeBaseline(side, { minCompared: 0.03 });
    expect(record).toMatchObject({ status: 'new', compared: 0.03 });
  });

  test('an update replaces a baseline whose own areas are too large', async () => {
    const ignored = [entry('.ad', WHOLE)];
    await makeBaseline({ image: page, ignored }, { minCompared: 0 });
    const side = { image: broken, ignored: [entry('.ad', rows(10))] };
    const { record } = await run(side);
    expect(record.status).toBe('error');
    expect(record.reason).toContain('expected at least 5.00 % (with the areas stored in the baseline). Check the page');
    expect(await run(side, { mode: 'changed' })).toMatchObject({ passed: true, record: { written: true } });
    expect((await run(side)).record).toMatchObject({ status: 'passed', compared: 0.9 });
  });

  test('the areas of both sides of a two-state shot count', async () => {
    const before = { image: page, masks: [entry('.a', rows(50))] };
    const { record } = await run({ image: broken, masks: [entry('.a', { ...WHOLE, y: 48, height: 50 })] }, { before });
    expect(record.reason).toContain('leave 2.00 % of the pixels');
    const half = await run({ image: page }, { before: { ...before, masks: [entry('.a', rows(70))] } });
    expect(half.record).toMatchObject({ status: 'passed', compared: 0.3 });
    expect(codesOf(half.record)).toEqual(['few-pixels-compared']);
  });
});

test('comparing less than half of the pixels is a warning, and an error with `strict`', async () => {
  const most = { image: page, masks: [entry('.map', rows(51))] };
  expect(codesOf((await makeBaseline({ image: page, masks: [entry('.map', rows(50))] })).record)).toEqual([]);
  const { record } = await run(most);
  const message = 'only 49.00 % of the pixels are compared';
  expect(record.warnings).toEqual([{ code: 'few-pixels-compared', message }]);
  const strict = await run(most, { fields: { strict: true } });
  expect(strict.record.reason).toContain(`${message} (\`strict\` makes this warning an error)`);
});

test('masks that cover much more than in the baseline cause a warning, a new entry does not', async () => {
  await makeBaseline({ image: page, masks: [entry('.clock', rows(4)), entry('.toast')] });
  const grown = await run({ image: page, masks: [entry('.clock', rows(30))] });
  const message = '`mask` and `ignore` cover 30.00 % of the screenshot, but only 4.00 % of the baseline';
  expect(grown.record.warnings).toEqual([{ code: 'masks-grown', message }]);
  const came = { image: page, masks: [entry('.clock', rows(4)), entry('.toast', rows(20))] };
  expect(codesOf((await run(came)).record)).toEqual(['masks-grown']);
  const added = { image: page, masks: [entry('.clock', rows(4)), entry('.new', rows(20))] };
  expect(codesOf((await run(added)).record)).toEqual([]);
  expect(codesOf((await run({ image: page, masks: [entry('.clock', rows(8))] })).record)).toEqual([]);
});

test('a limit that no change can exceed causes a warning', async () => {
  await makeBaseline({ image: page });
  for (const fields of [{ maxDiffPixels: 10_000 }, { maxDiffPixelRatio: 1 }, { threshold: 1 }])
    expect(codesOf((await run({ image: broken }, { fields })).record)).toEqual(['limit-too-large']);
  const { record } = await run({ image: broken }, { fields: { maxDiffPixels: 1e9 } });
  expect(record.warnings[0]?.message).toBe(
    'the limit is 1,000,000,000 px, but only 10,000 px are compared, so no change can fail',
  );
  expect(codesOf((await run({ image: page }, { fields: { maxDiffPixels: 9_999 } })).record)).toEqual([]);
});

test('a baseline that cannot be written is an error with the image of the page', async () => {
  await mkdir(pathOf());
  const { passed, record } = await run({ image: page }, { mode: 'all' });
  expect(passed).toBe(false);
  expect(record).toMatchObject({ status: 'error', written: false, after: { width: 100 } });
  expect(record.reason).toMatch(/^home\.png: the baseline cannot be written/);
});

test('a shot whose images cannot be written is an error, whose record has the baseline that the run wrote', async () => {
  // A file where the folder should be.
  await writeFile(join(folder, 'staged'), '');
  const { passed, attachments, record } = await run({ image: page }, { mode: 'all' });
  expect([passed, ...attachments.map(({ name }) => name)]).toEqual([false, MESSAGE_ATTACHMENT]);
  expect(record).toMatchObject({ status: 'error', written: true, before: null, after: null, diff: null });
  expect(record.reason).toMatch(
    /^http:\/\/127\.0\.0\.1\/home: the images of the shot cannot be written \(.+\)\. Check the path of the folder, or set outputDir of Playwright/,
  );
  expect((await readBaseline(pathOf(), 'png', 'home.png')).kind).toBe('image');
  const earlier = await run({ image: page, masks: [entry('*', WHOLE)] });
  expect(earlier.record.reason, 'an earlier error stays').toContain('leave 0 % of the pixels to compare');
});
