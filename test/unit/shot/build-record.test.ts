import { describe, expect, test } from 'vitest';
import type { ChangeEvent, Comparison } from '../../../src/model/comparison.js';
import { ProofsheetError } from '../../../src/model/errors.js';
import { shotRecordSchema } from '../../../src/model/run-record.js';
import type { Shot } from '../../../src/model/shot.js';
import { buildRecord } from '../../../src/shot/build-record.js';
import { isGreen, type Outcome } from '../../../src/shot/decide.js';
import { listImages } from '../../../src/shot/stage-images.js';
import { png, sheet } from '../image/paint.js';
import { captureOf, NO_EMULATION, PLAIN_SETTINGS, targetOf } from './specimens.js';

const AFTER = 'https://user:hunter2@after.test/pricing';
const BEFORE = 'https://user:hunter2@before.test/pricing';
const image = png(sheet(20, 10));
const uuids = { before: '11111111-1111-4111-8111-111111111111', after: '22222222-2222-4222-8222-222222222222' };
const counts = { mismatchPixels: 50, antialiasedPixels: 3, totalPixels: 200, sameDimensions: true };
const equal: Comparison = { kind: 'equal', counts: { ...counts, mismatchPixels: 0 }, limitPixels: 0 };
const within: Comparison = { kind: 'within-limit', counts, limitPixels: 60 };
const place = { x: 5, y: 5, width: 10, height: 5 };
const region = { ...place, pixels: 50 };
const regionPlace = { before: null, after: place, diff: place };
const event: ChangeEvent = { kind: 'inserted', axis: 'rows', by: 5, before: null, after: place, regions: [0] };
const different: Comparison = {
  ...{
    kind: 'different',
    counts,
    limitPixels: 0,
    regions: [region],
    regionPlaces: [regionPlace],
    contentMoves: [],
    shifts: [],
    columnShifts: [],
    mismatchPixelsAfterAlignment: 50,
    diff: image.bytes,
    diffSize: image.size,
    fingerprint: 'f',
  },
};
const onDisk: Shot = {
  ...{ id: 'pricing/phone', page: 'pricing', viewport: 'phone', state: null },
  ...{
    after: targetOf(AFTER),
    before: null,
    emulation: NO_EMULATION,
    timeoutMs: 30_000,
    strict: false,
    minCompared: 0.05,
    environment: 'warn',
  },
  capture: PLAIN_SETTINGS,
  compare: {
    threshold: 0.02,
    maxDiffPixels: 0,
    maxDiffPixelRatio: null,
    maxSizeDiff: 0,
    allowShift: 0,
    antialiasing: 'auto',
    engine: 'odiff',
  },
};
const twoState: Shot = { ...onDisk, before: targetOf(BEFORE) };

const BASELINE = { path: 'shots/pricing.png', sha256: 'b'.repeat(64), environment: null };
const capture = captureOf(image, AFTER);
const error = new ProofsheetError({ code: 'page-status', where: AFTER, found: 'it answered 404', advice: 'Mend it.' });
const baseline = (comparison: Comparison) =>
  ({
    kind: 'baseline',
    image,
    sha256: 'b'.repeat(64),
    structure: null,
    environment: null,
    comparison,
    compared: 1,
    warnings: [],
    outdated: [],
  }) as const;
const live = (comparison: Comparison) =>
  ({ kind: 'live', capture: captureOf(image, BEFORE), comparison, compared: 1 }) as const;
const OUTCOMES: Record<string, Outcome> = {
  skipped: { status: 'skipped' },
  'error before the capture': { status: 'error', error, capture: null },
  'error after the capture': { status: 'error', error, capture },
  unstable: {
    status: 'unstable',
    by: 'time',
    previous: null,
    result: { kind: 'unstable', capture, previous: image },
    motion: different,
  },
  'new, green': { status: 'new', capture, write: true, green: true },
  'new, written': { status: 'new', capture, write: true, green: false },
  'new, not written': { status: 'new', capture, write: false, green: false },
  'passed, equal': { status: 'passed', capture, before: baseline(equal), write: false },
  'passed, within its limit': { status: 'passed', capture, before: baseline(within), write: false },
  'passed, written': { status: 'passed', capture, before: baseline(within), write: true },
  changed: { status: 'changed', capture, before: baseline(different), write: false },
  'changed, written': { status: 'changed', capture, before: baseline(different), write: true },
  'passed, live': { status: 'passed', capture, before: live(equal), write: false },
  'changed, live': { status: 'changed', capture, before: live(different), write: false },
};
const REASONS: Record<string, string | null> = {
  skipped: 'ignoreSnapshots is set',
  'error before the capture': 'https://***@after.test/pricing: it answered 404. Mend it.',
  'error after the capture': 'https://***@after.test/pricing: it answered 404. Mend it.',
  unstable: 'page did not become stable: 10x5 px at (5, 5) kept changing',
  'new, written': 'no baseline found; this run wrote one',
  'new, not written': 'no baseline found',
  changed: '50 px (25.00 %) differ, limit 0 px; 1 region: 10x5 px at (5, 5)',
  'changed, live': '50 px (25.00 %) differ, limit 0 px; 1 region: 10x5 px at (5, 5)',
};

const TIMINGS = { queue: 1, navigate: 2, settle: { fonts: 3 }, screenshot: 4, compare: 5, write: 6 };

function recordOf(outcome: Outcome, shot: Shot = onDisk, earlier: readonly Outcome[] = []) {
  return buildRecord(shot, outcome, listImages(shot, outcome, uuids), {
    ...{ project: 'chromium', durationMs: 812, timings: TIMINGS, baseline: BASELINE },
    engine: 'odiff 4.5.0',
    earlier,
    written: 'write' in outcome && outcome.write,
    notReusable: null,
  });
}

describe.each(Object.entries(OUTCOMES))('the record of a shot that is %s', (name, outcome) => {
  const shot = name.endsWith('live') ? twoState : onDisk;
  const record = recordOf(outcome, shot);

  test('matches the schema of results.json before and after JSON', () => {
    expect(shotRecordSchema.parse(record)).toEqual(record);
    expect(shotRecordSchema.parse(JSON.parse(JSON.stringify(record)))).toEqual(record);
  });

  test('has a reason unless it passed', () => {
    expect(record.reason).toBe(REASONS[name] ?? null);
    if (isGreen(outcome) && outcome.status !== 'skipped') expect(record.reason).toBe(null);
  });

  test('contains no credentials of a URL', () => {
    expect(JSON.stringify(record)).not.toMatch(/hunter2|user/);
    expect(record.url).toBe('https://***@after.test/pricing');
  });

  test('has a baseline only if one was read from disk', () => {
    expect(record.baseline).toEqual(shot.before ? null : BASELINE);
  });
});

test('a record contains the counts, regions and images of its comparison', () => {
  const { mismatchPixels, antialiasedPixels, totalPixels, sameDimensions } = counts;
  const record = recordOf(OUTCOMES.changed ?? { status: 'skipped' });
  const figures = { mismatchPixels, antialiasedPixels, totalPixels, sameDimensions, mismatchPercentage: 25 };
  expect(record.summary).toEqual({ ...figures, mismatchPixelsAfterAlignment: 50 });
  expect(record.regions).toEqual([region]);
  expect(record.regionPlaces).toEqual([regionPlace]);
  const moved = {
    status: 'changed',
    capture,
    before: baseline({ ...different, contentMoves: [event] }),
    write: false,
  } as const;
  expect(recordOf(moved)).toMatchObject({ events: [event], reason: expect.stringMatching(/^5 px inserted at y=5; /) });
  // Of what moved there are regions, but no counts: it was not compared.
  expect(recordOf(OUTCOMES.unstable ?? { status: 'skipped' })).toMatchObject({ regions: [region], summary: null });
  expect(record.limits).toEqual({ threshold: 0.02, maxDiffPixels: 0, maxDiffPixelRatio: null });
  expect(record.diff).toEqual({ link: `screenshots/after.test/${uuids.after}/diff.png`, width: 20, height: 10 });
  expect(record.environment).toMatchObject({ os: 'linux', headless: 'shell', engine: 'odiff 4.5.0' });
});

test('the capture has the form of the v1 response of the capture service', () => {
  const link = `screenshots/after.test/${uuids.after}/1795193105514.png`;
  const common = {
    fetchTime: '2026-11-20T16:45:05.514Z',
    url: 'https://***@after.test/pricing',
    width: 20,
    height: 10,
  };
  const told = (shots: number, outcome?: Outcome) => {
    if (!outcome || !('capture' in outcome) || !outcome.capture) throw new Error('nothing was captured');
    return recordOf({ ...outcome, capture: { ...outcome.capture, shots } }).capture;
  };
  expect(told(1, OUTCOMES['passed, equal'])).toEqual({ ...common, status: 'success', message: 'Captured.', link });
  expect(told(3, OUTCOMES['passed, equal'])?.message).toBe('The page matched after 3 screenshots.');
  expect(told(2, OUTCOMES.changed)?.message).toBe('The page was stable after 2 screenshots.');
  expect(recordOf({ status: 'skipped' }).capture).toBe(null);
  expect(recordOf({ status: 'error', error, capture: null }).capture).toMatchObject({
    ...{ status: 'error', message: error.message, width: null, height: null, link: null },
  });
});

describe('warnings', () => {
  const warned = (url: string) =>
    captureOf(image, url, { warnings: [{ code: 'images', message: `these images did not arrive: ${url}/a.png` }] });
  const before = { kind: 'live', capture: warned(BEFORE), comparison: equal, compared: 1 } as const;
  const { warnings } = recordOf({ status: 'passed', capture: warned(AFTER), before, write: false }, twoState);

  test('of both live sides are recorded, those of the before side with a prefix', () => {
    const messages = [/^these images did not arrive: .*after/, /^before: these images did not arrive: .*before/];
    expect(warnings).toEqual(messages.map((message) => ({ code: 'images', message: expect.stringMatching(message) })));
  });

  test('contain no credentials of a URL', () => {
    expect(JSON.stringify(warnings)).not.toContain('hunter2');
  });
});
