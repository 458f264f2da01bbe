import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { replaceFile } from '../../../src/baselines/atomic-write.js';
import { embedRecord } from '../../../src/baselines/baseline.js';
import type { Capture, CaptureResult } from '../../../src/model/capture.js';
import type { BaselineRecord, Environment, HiddenElement } from '../../../src/model/environment.js';
import type { EncodedImage } from '../../../src/model/image.js';
import type { ShotFieldsInput } from '../../../src/model/page-fields.js';
import { createStopwatch } from '../../../src/page/browser/timing.js';
import type { UpdateMode } from '../../../src/shot/decide.js';
import { observe } from '../../../src/shot/observe.js';
import { EDGES } from '../compare/golden-edges.js';
import { fill, png, sheet } from '../image/paint.js';
import { makeTempFolder } from '../temp-folder.js';
import { captureOf, shotOf, targetOf, URL_OF_PAGE as URL } from './specimens.js';

const [edge] = EDGES;
if (!edge) throw new Error('there are edges');
/** They differ only by anti-aliasing, in 52 pixels. */
const [smooth, smoothedAgain] = [png(edge.before), png(edge.after)];

const BASELINE = join(makeTempFolder(), 'home.png');

interface ObserveOptions {
  before?: () => Promise<CaptureResult>;
  isKnown?: boolean;
  mode?: UpdateMode;
}

/** Observes a shot whose page is captured so; `isKnown`: without a baseline. */
async function observeShot(
  fields: ShotFieldsInput,
  after: () => Promise<CaptureResult>,
  { before, isKnown = false, mode = 'none' }: ObserveOptions = {},
) {
  const shot = shotOf(fields, { before: before ? targetOf(URL) : null });
  const { observation } = await observe(
    shot,
    { capture: ({ target }) => (target === shot.before && before ? before() : after()), canReload: true },
    {
      baseline: {
        path: BASELINE,
        shownPath: 'home.png',
        writtenInRun: { isKnown: () => isKnown, mark: () => {} },
      },
      policy: { mode, ci: false, ignoreSnapshots: false },
      stopwatch: createStopwatch(),
      reuse: null,
      redact: (text) => text,
    },
  );
  return observation;
}

const settled = (image: EncodedImage, changes: Partial<Capture> = {}): CaptureResult => {
  return { kind: 'settled', capture: captureOf(image, URL, changes) };
};

test.each([
  ['auto', 'different', 52, 0],
  ['count', 'different', 52, 0],
  ['ignore', 'within-limit', 0, 52],
] as const)('two sides of one run come from one environment: antialiasing: %s', async (rule, kind, mismatch, apart) => {
  const before = async () => settled(smooth);
  const seen = await observeShot({ antialiasing: rule }, async () => settled(smoothedAgain), { before });
  if (seen.status !== 'captured' || seen.before.kind !== 'live') throw new Error(`it is ${seen.status}`);
  const { comparison } = seen.before;
  expect([comparison.kind, comparison.counts.mismatchPixels, comparison.counts.antialiasedPixels]).toEqual([
    ...[kind, mismatch, apart],
  ]);
});

test('if a page kept changing, anti-aliased edges are shown too', async () => {
  const result = { kind: 'unstable', previous: smooth, capture: captureOf(smoothedAgain, URL) } as const;
  const seen = await observeShot({ antialiasing: 'ignore' }, async () => result, { isKnown: true });
  if (seen.status !== 'unstable') throw new Error(`it is ${seen.status}`);
  expect(seen.motion).toMatchObject({ kind: 'different', counts: { mismatchPixels: 52, antialiasedPixels: 0 } });
});

/** What a load received: its image, and the responses that it misses. The network lost those in `lost`. */
interface LoadSpecimen {
  readonly image: EncodedImage;
  readonly missing?: readonly string[];
  readonly lost?: readonly string[];
}

/** Observes a page with these loads and no baseline. Fails if it is loaded more often. */
async function observeLoads(specimens: readonly LoadSpecimen[]) {
  let count = 0;
  const after = async () => {
    const specimen = specimens[count++];
    if (!specimen) throw new Error('loaded too often');
    const { image, lost = [], missing = lost } = specimen;
    return settled(image, { missingResponses: missing, lostResponses: lost });
  };
  return { seen: await observeShot({ antialiasing: 'count' }, after, { isKnown: true }), count };
}

const whole = png(sheet(10, 10, '#000000'));

const missing = (...urls: string[]): LoadSpecimen => ({ image: smooth, missing: urls });
const lost: LoadSpecimen = { image: smooth, lost: ['/a.js'] };

test.each<[string, LoadSpecimen[]]>([
  ['each misses another response', [missing('/a.js'), missing('/b.js'), missing('/a.js', '/b.js')]],
  ['the second one is complete', [missing('/a.js'), missing()]],
  ['both miss the same response', [missing('/a.js'), missing('/a.js')]],
  ['the second one misses a response too', [missing('/a.js'), missing('/a.js', '/b.js')]],
  ['the network lost the same response for both', [lost, lost, lost]],
  ['the third one has what the network lost', [lost, lost, missing()]],
])('equal loads confirm each other unless each misses what the other has: %s', async (_, loads) => {
  const { seen, count } = await observeLoads(loads);
  expect(seen).toMatchObject({ status: 'captured', capture: { image: smooth }, differing: [] });
  expect(count).toBe(loads.length);
});

test.each<[string, LoadSpecimen[]]>([
  ['each misses another one', [missing('/a.js'), { image: whole }, missing('/b.js')]],
  ['the first load has it', [{ image: whole }, missing('/a.js'), missing('/a.js')]],
  ['the third load has it', [lost, lost, { image: whole }]],
])('two loads that miss a response do not outvote one that has it: %s', async (_, loads) => {
  const { seen, count } = await observeLoads(loads);
  expect(seen).toMatchObject({ status: 'unstable', by: 'loads' });
  expect(count).toBe(3);
});

/** What the loads of a page show that has the baseline `old`, what comes of it, and how many loads that takes. */
const SERIES = [
  { what: 'a page that passes is loaded once', loads: ['old'], kind: 'equal' },
  { what: 'a change is confirmed by a second load', loads: ['new', 'new'], kind: 'different' },
  { what: 'a page may pass at its second load', loads: ['bad', 'old'], kind: 'equal' },
  { what: 'two loads that differ lead to a third', loads: ['bad', 'new', 'new'], kind: 'different' },
  { what: 'the third load may pass', loads: ['bad', 'new', 'old'], kind: 'equal' },
  { what: 'any two loads that match are enough', loads: ['new', 'bad', 'new'], kind: 'different' },
] as const;

test.each(SERIES)('a page is loaded as often as its state is uncertain: $what', async ({ loads, kind }) => {
  const images = { old: whole, new: png(sheet(10, 10, '#0000ff')), bad: png(sheet(10, 10, '#ff0000')) };
  await replaceFile(BASELINE, images.old.bytes);
  const left = loads.map((load) => settled(images[load]));
  const seen = await observeShot({}, async () => left.shift() ?? Promise.reject(new Error('loaded too often')));
  if (seen.status !== 'captured' || seen.before.kind !== 'baseline') throw new Error(`it is ${seen.status}`);
  expect(left).toEqual([]);
  expect(seen.before.comparison.kind).toBe(kind);
  const different = loads.slice(0, -1).filter((load) => load !== loads.at(-1));
  expect(seen.differing.map(({ capture }) => capture.image)).toEqual(different.map((load) => images[load]));
  const codes = seen.capture.warnings.map(({ code }) => code).filter((code) => code === 'unsteady');
  expect(codes).toEqual(different.length > 0 ? ['unsteady'] : []);
});

test.each([
  ['also has it', true, []],
  ['does not have it', false, ['unsteady']],
])('a text that its pattern does not allow is a change if a second load %s', async (_, isAgain, codes) => {
  await replaceFile(BASELINE, whole.bytes);
  const wrongTexts = [{ selector: '.price', pattern: 'money', text: 'NaN' }];
  const left = [settled(whole, { wrongTexts }), settled(whole, isAgain ? { wrongTexts } : {})];
  const seen = await observeShot({}, async () => left.shift() ?? Promise.reject(new Error('loaded too often')));
  if (seen.status !== 'captured') throw new Error(`it is ${seen.status}`);
  expect(left).toEqual([]);
  expect(seen.capture.wrongTexts).toEqual(isAgain ? wrongTexts : undefined);
  expect(seen.capture.warnings.map(({ code }) => code)).toEqual(codes);
});

describe('a baseline', () => {
  const dot = { x: 3, y: 3, width: 2, height: 2 };
  const image = png(sheet(20, 20));
  const dotted = png(fill(sheet(20, 20), dot, '#000000'));
  const environment = { ...captureOf(image, URL).environment, fonts: 'a1', engine: 'pixelmatch 7.2.0' };
  const RECORD: BaselineRecord = { schemaVersion: 2, id: 'home', project: '', masks: [], ignored: [], environment };

  /** Compares a capture with a baseline on the disk; null: one without a record. */
  async function compare(
    { bytes }: EncodedImage,
    record: Partial<BaselineRecord> | null,
    end: EncodedImage,
    changes: Partial<Capture> = {},
  ) {
    await replaceFile(BASELINE, record ? embedRecord(bytes, { ...RECORD, ...record }, 'home.png') : bytes);
    const seen = await observeShot({}, async () => settled(end, changes));
    if (seen.status !== 'captured' || seen.before.kind !== 'baseline') throw new Error(`it is ${seen.status}`);
    return seen.before;
  }

  const { engine: _, ...seen } = environment;
  const counted = ['different', 52, 0];
  const apart = ['within-limit', 0, 52];

  test.each<[parts: Partial<Environment> | null, expected: unknown]>([
    [{}, counted],
    [{ engine: 'odiff 4.5.0' }, counted],
    [{ browserVersion: '2' }, apart],
    [{ fonts: 'b2' }, apart],
    [null, apart],
  ])(
    'made with %j: pixels that differ only by anti-aliasing count in the same environment',
    async (parts, expected) => {
      const record = parts && { environment: { ...environment, ...parts } };
      const { comparison } = await compare(smooth, record, smoothedAgain, { environment: seen });
      const { mismatchPixels, antialiasedPixels } = comparison.counts;
      expect([comparison.kind, mismatchPixels, antialiasedPixels]).toEqual(expected);
    },
  );

  test.each([
    ['fail', 'changed', 2],
    ['fail', 'none', 1],
    ['warn', 'changed', 1],
  ] as const)(
    'of another environment that is only within the limits is written after two loads: %s, %s',
    async (rule, mode, loads) => {
      const record = { ...RECORD, environment: { ...environment, browserVersion: '2' } };
      await replaceFile(BASELINE, embedRecord(image.bytes, record, 'home.png'));
      let count = 0;
      const load = async () => settled(dotted, { environment: seen, isExact: !!++count });
      const { status } = await observeShot({ environment: rule, maxDiffPixels: 9 }, load, { mode });
      expect([status, count]).toEqual(['captured', loads]);
    },
  );

  test('that an optimizer wrote has lost its record, unless its bytes are those of the capture', async () => {
    const { outdated } = await compare(image, null, dotted);
    expect(outdated.map(({ message }) => message)).toEqual([
      'the baseline home.png has no record, because another tool wrote it: its environment, masks and structure are lost, and pixels that only anti-aliasing explains may not count; to write it again, run: npx playwright test --update-snapshots',
    ]);
    expect((await compare(image, null, image)).outdated).toEqual([]);
    expect((await compare(image, {}, dotted)).outdated).toEqual([]);
  });

  test('without an element that `hideCookie` hides now: it is named, also if no pixel differs', async () => {
    const banner = { element: 'banner (div.c1)', text: 'we and our 146 partners use cookies' };
    const renamed = { element: 'banner (div.c2)', text: banner.text.replace('146', '151') };
    const dialog = { element: 'banner (div.c1)', text: 'cookies are blocked. sign-in failed.' };
    const backdrop = { element: 'backdrop (div.q1)', text: '' };
    const messages = async (old: HiddenElement[] | null, hidden: HiddenElement[]) =>
      (await compare(image, old ? { hidden: old } : {}, image, { hidden })).outdated.map(({ message }) => message);
    expect(await messages([banner], [banner])).toEqual([]);
    expect(await messages([banner], [renamed])).toEqual([]);
    expect(await messages([banner], [banner, dialog, backdrop])).toEqual([
      '`hideCookie` hides what it did not hide in the baseline: banner (div.c1) "cookies are blocked. sign-in failed.", backdrop (div.q1); if that is right, run: npx playwright test --update-snapshots',
    ]);
    expect(await messages([backdrop], [backdrop])).toEqual([]);
    expect(await messages(null, [banner])).toEqual([]);
    expect(await messages([], [backdrop])).toHaveLength(1);
  });

  test.each<[known: string[] | null, own: Partial<Capture>, loads: number]>([
    [['/chat.js'], { missingResponses: ['/chat.js'] }, 1],
    [['/chat.js', '/ad.js'], { missingResponses: ['/chat.js'] }, 1],
    [['/chat.js'], { missingResponses: ['/chat.js', '/data'] }, 2],
    [null, { missingResponses: ['/chat.js'] }, 2],
    [['/chat.js'], { missingResponses: ['/chat.js'], lostResponses: ['/chat.js'] }, 3],
    [['/chat.js'], { missingResponses: ['/chat.js'], isExact: false }, 2],
  ])('whose page missed %j, and a change whose page has %j: loaded %i times', async (missing, own, expected) => {
    await replaceFile(BASELINE, embedRecord(image.bytes, { ...RECORD, ...(missing && { missing }) }, 'home.png'));
    let loads = 0;
    const seen = await observeShot({}, async () => {
      loads++;
      return settled(dotted, { isExact: true, ...own });
    });
    expect([seen.status, loads]).toEqual(['captured', expected]);
  });
});
