import { describe, expect, test } from 'vitest';
import type { Baseline } from '../../../src/baselines/baseline.js';
import { compareImages } from '../../../src/compare/compare.js';
import type { Comparison } from '../../../src/model/comparison.js';
import type { Environment, HiddenElement } from '../../../src/model/environment.js';
import { ProofsheetError } from '../../../src/model/errors.js';
import type { Rectangle } from '../../../src/model/image.js';
import type { AntialiasingRule } from '../../../src/model/shot.js';
import { expectBaseline } from '../../../src/shot/gather-evidence.js';
import { EDGES } from '../compare/golden-edges.js';
import { settings } from '../compare/settings.js';
import { fill, png, sheet } from '../image/paint.js';
import { captureOf } from '../shot/specimens.js';

const rules = settings({ maxDiffPixels: 0 });
const dot = { x: 3, y: 3, width: 2, height: 2 };
const image = png(sheet(20, 20));
const [dotted, blotted] = [
  png(fill(sheet(20, 20), dot, '#000000')),
  png(fill(sheet(20, 20), { ...dot, x: 9 }, '#ff0000')),
];
const environment = {
  os: 'linux',
  arch: 'x64',
  browser: 'chromium',
  browserVersion: '1',
  headless: 'shell',
  scale: 1,
  fonts: null,
  engine: 'pixelmatch 7.2.0',
} as const satisfies Environment;

const masksOf = (rectangles: Rectangle[]) => [{ selector: '.m', rectangles }];

function baselineOf(rectangles: Rectangle[] = []): Baseline {
  const masks = masksOf(rectangles);
  const record = { schemaVersion: 2 as const, id: 'home', project: '', masks, ignored: [], environment };
  return { kind: 'image', image, record, structure: null, sha256: 'a'.repeat(64) };
}

/** What a capture ends in, told as a comparison. */
async function compare(
  expectation: ReturnType<typeof expectBaseline>,
  end: typeof image,
  rectangles: Rectangle[] = [],
): Promise<Comparison | null> {
  const before = await expectation.compare(captureOf(end, 'http://127.0.0.1/home', { masks: masksOf(rectangles) }));
  return before.kind === 'baseline' ? before.comparison : null;
}

test('an image is as expected to the byte only; without a baseline none is', () => {
  const expectation = expectBaseline(baselineOf(), rules, 'home.png');
  expect(expectation.equals(Buffer.from(image.bytes))).toBe(true);
  expect(expectation.equals(dotted.bytes)).toBe(false);
  expect(expectBaseline({ kind: 'missing' }, rules, 'home.png').equals(image.bytes)).toBe(false);
});

test('a file that is not an image is passed on', async () => {
  const error = new ProofsheetError({
    code: 'baseline-empty',
    where: 'home.png',
    found: 'it is empty',
    advice: 'Mend.',
  });
  for (const baseline of [{ kind: 'missing' }, { kind: 'damaged', error }] as const) {
    const capture = captureOf(image, 'http://127.0.0.1/home');
    expect(await expectBaseline(baseline, rules, 'home.png').compare(capture)).toEqual(baseline);
  }
});

test('a capture is compared with the baseline, whatever came before it', async () => {
  for (const end of [dotted, blotted, image]) {
    const expectation = expectBaseline(baselineOf(), rules, 'home.png');
    expectation.equals(dotted.bytes);
    expect(await compare(expectation, end)).toEqual(await compareImages(image, end, rules, []));
  }
});

test('masks of both sides count, also where the capture has others than the baseline', async () => {
  const aside = { x: 15, y: 15, width: 2, height: 2 };
  for (const [known, own, kind] of [
    [[dot], [dot], 'within-limit'],
    [[aside], [dot], 'within-limit'],
    [[dot], [aside], 'within-limit'],
    [[aside], [aside], 'different'],
    [[], [dot], 'within-limit'],
    [[dot], [], 'within-limit'],
  ] as const) {
    const expectation = expectBaseline(baselineOf([...known]), rules, 'home.png');
    expectation.equals(dotted.bytes);
    expect((await compare(expectation, dotted, [...own]))?.kind).toBe(kind);
  }
});

describe('pixels that differ only by anti-aliasing', () => {
  const [edge] = EDGES;
  if (!edge) throw new Error('there are edges');
  const [smooth, smoothedAgain] = [png(edge.before), png(edge.after)];
  const madeHere = { ...baselineOf(), image: smooth } as Extract<Baseline, { kind: 'image' }>;
  const capture = captureOf(smoothedAgain, 'http://127.0.0.1/home');
  const own = { ...capture.environment, fonts: 'a1' };
  const recordOf = (parts: Partial<Environment>) => ({
    ...madeHere,
    record: madeHere.record && { ...madeHere.record, environment: { ...environment, fonts: 'a1', ...parts } },
  });
  const countedBy = async (baseline: Baseline, antialiasing: AntialiasingRule) => {
    const expectation = expectBaseline(baseline, { ...rules, antialiasing }, 'home.png');
    expectation.equals(smoothedAgain.bytes);
    const before = await expectation.compare({ ...capture, environment: own });
    if (before.kind !== 'baseline') throw new Error('it is a baseline');
    const { kind, counts } = before.comparison;
    return [kind, counts.mismatchPixels, counts.antialiasedPixels];
  };
  const counted = ['different', 52, 0];
  const apart = ['within-limit', 0, 52];

  test('count where the baseline was made in the same environment, by whichever engine', async () => {
    expect(await countedBy(recordOf({}), 'auto')).toEqual(counted);
    expect(await countedBy(recordOf({ engine: 'odiff 4.5.0' }), 'auto')).toEqual(counted);
  });

  test.each([
    { browserVersion: '2' },
    { browser: 'firefox' },
    { os: 'darwin' },
    { arch: 'arm64' },
    { headless: 'new' },
    { scale: 2 },
    { fonts: 'b2' },
  ] satisfies Partial<Environment>[])('are set apart where the baseline has $0', async (parts) => {
    expect(await countedBy(recordOf(parts), 'auto')).toEqual(apart);
  });

  test('are separated if the baseline does not contain its environment', async () => {
    expect(await countedBy({ ...madeHere, record: null }, 'auto')).toEqual(apart);
  });

  test('are judged alike where the comparison began before the capture ended', async () => {
    for (const baseline of [recordOf({}), recordOf({ os: 'darwin' }), recordOf({})]) {
      const expected = baseline.record?.environment.os === 'darwin' ? apart : counted;
      expect(await countedBy(baseline, 'auto')).toEqual(expected);
    }
  });

  test('are counted or ignored everywhere where the list says so', async () => {
    for (const baseline of [recordOf({}), recordOf({ os: 'darwin' }), { ...madeHere, record: null }]) {
      expect(await countedBy(baseline, 'count')).toEqual(counted);
      expect(await countedBy(baseline, 'ignore')).toEqual(apart);
    }
  });
});

describe('what a baseline lacks', () => {
  const outdated = async (baseline: Baseline, end: typeof image, hidden?: HiddenElement[]) => {
    const capture = captureOf(end, 'http://127.0.0.1/home', hidden ? { hidden } : {});
    const before = await expectBaseline(baseline, rules, 'home.png').compare(capture);
    return before.kind === 'baseline' ? before.outdated.map(({ message }) => message) : null;
  };
  const recorded = baselineOf() as Extract<Baseline, { kind: 'image' }>;
  const withHidden = (hidden: HiddenElement[]) => ({
    ...recorded,
    record: recorded.record && { ...recorded.record, hidden },
  });

  test('a baseline that an optimizer wrote has lost its record, unless its bytes are those of the capture', async () => {
    expect(await outdated({ ...recorded, record: null }, dotted)).toEqual([
      'the baseline home.png has no record, because another tool wrote it: its environment, masks and structure are lost, and pixels that only anti-aliasing explains may not count; to write it again, run: npx playwright test --update-snapshots',
    ]);
    expect(await outdated({ ...recorded, record: null }, image)).toEqual([]);
    expect(await outdated(recorded, dotted)).toEqual([]);
  });

  test('an element that `hideCookie` did not hide in the baseline is named, also if no pixel differs', async () => {
    const banner = { element: 'banner (div.c1)', text: 'we and our 146 partners use cookies' };
    const dialog = { element: 'banner (div.c1)', text: 'cookies are blocked. sign-in failed.' };
    const backdrop = { element: 'backdrop (div.q1)', text: '' };
    const old = withHidden([banner]);
    expect(await outdated(old, image, [banner])).toEqual([]);
    expect(
      await outdated(old, image, [{ element: 'banner (div.c2)', text: banner.text.replace('146', '151') }]),
    ).toEqual([]);
    expect(await outdated(old, image, [banner, dialog, backdrop])).toEqual([
      '`hideCookie` hides what it did not hide in the baseline: banner (div.c1) "cookies are blocked. sign-in failed.", backdrop (div.q1); if that is right, run: npx playwright test --update-snapshots',
    ]);
    expect(await outdated(withHidden([backdrop]), image, [backdrop])).toEqual([]);
    expect(await outdated(recorded, image, [banner])).toEqual([]);
    expect(await outdated(withHidden([]), image, [backdrop])).toHaveLength(1);
  });
});
