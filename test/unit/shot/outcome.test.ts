import { describe, expect, test } from 'vitest';
import type { Capture } from '../../../src/model/capture.js';
import type { Comparison } from '../../../src/model/comparison.js';
import { ProofsheetError } from '../../../src/model/errors.js';
import {
  type Before,
  decideOutcome,
  type Evidence,
  isGreen,
  type UpdateMode,
  warnAboutBaseline,
} from '../../../src/shot/decide.js';
import { png, sheet } from '../image/paint.js';
import { captureOf } from './specimens.js';

const image = png(sheet(2, 2));
const broken = new ProofsheetError({
  code: 'baseline-empty',
  where: 'home.png',
  found: 'it is empty',
  advice: 'Mend.',
});
const counts = { mismatchPixels: 1, antialiasedPixels: 0, totalPixels: 4, sameDimensions: true };
const equal: Comparison = { kind: 'equal', counts: { ...counts, mismatchPixels: 0 }, limitPixels: 0 };
const within: Comparison = { kind: 'within-limit', counts, limitPixels: 1 };
const different: Comparison = {
  ...{ kind: 'different', counts, limitPixels: 0, diff: image.bytes, diffSize: image.size, fingerprint: 'f' },
  regions: [{ x: 0, y: 0, width: 1, height: 1, pixels: 1 }],
  regionPlaces: [],
  contentMoves: [],
  shifts: [],
  columnShifts: [],
  mismatchPixelsAfterAlignment: 1,
};

const capture = captureOf(image, 'http://127.0.0.1/home');
const baseline = (comparison: Comparison): Before => ({
  kind: 'baseline',
  image,
  sha256: 'a'.repeat(64),
  structure: null,
  environment: null,
  comparison,
  compared: 1,
  warnings: [],
  outdated: [],
});
const live = (comparison: Comparison, warnings: Capture['warnings'] = []): Before => {
  return { kind: 'live', capture: captureOf(image, 'http://127.0.0.1/before', { warnings }), comparison, compared: 1 };
};
const BEFORES: Record<string, Before> = {
  missing: { kind: 'missing' },
  damaged: { kind: 'damaged', error: broken },
  'equal baseline': baseline(equal),
  'baseline within the limit': baseline(within),
  'different baseline': baseline(different),
  'equal live side': live(equal),
  'live side within the limit': live(within),
  'different live side': live(different),
};

/** What becomes of each, in the order of MODES: status, `w` when it is written, `+` when it is green. */
const MODES: readonly UpdateMode[] = ['all', 'changed', 'missing', 'none', 'default'];
const MATRIX: Record<string, readonly string[]> = {
  missing: ['new w +', 'new w +', 'new w +', 'new', 'new w'],
  damaged: ['new w +', 'new w +', 'error', 'error', 'error'],
  'equal baseline': ['passed +', 'passed +', 'passed +', 'passed +', 'passed +'],
  'baseline within the limit': ['passed w +', 'passed +', 'passed +', 'passed +', 'passed +'],
  'different baseline': ['changed w +', 'changed w +', 'changed', 'changed', 'changed'],
  'equal live side': ['passed +', 'passed +', 'passed +', 'passed +', 'passed +'],
  'live side within the limit': ['passed +', 'passed +', 'passed +', 'passed +', 'passed +'],
  'different live side': ['changed', 'changed', 'changed', 'changed', 'changed'],
};
const onBuildServer = (before: string, mode: UpdateMode, expected: string) =>
  before === 'missing' && mode === 'default' ? 'new' : expected;

const cases = Object.entries(MATRIX).flatMap(([before, row]) =>
  MODES.flatMap((mode, index) => {
    const expected = row[index] ?? '';
    return [
      { before, mode, ci: false, expected },
      { before, mode, ci: true, expected: onBuildServer(before, mode, expected) },
    ];
  }),
);

function decide(evidence: Evidence, mode: UpdateMode = 'default', ci = false, strict = false): string {
  const outcome = decideOutcome(evidence, { mode, ci }, strict);
  const written = 'write' in outcome && outcome.write;
  return [outcome.status, ...(written ? ['w'] : []), ...(isGreen(outcome) ? ['+'] : [])].join(' ');
}

test('the matrix covers every before image and every mode', () => {
  expect(Object.keys(MATRIX)).toEqual(Object.keys(BEFORES));
  expect(cases).toHaveLength(8 * 5 * 2);
});

test.each(cases)('before $before, mode $mode, ci $ci: $expected', ({ before, mode, ci, expected }) => {
  const found = BEFORES[before];
  if (!found) throw new Error(`no such before: ${before}`);
  expect(decide({ kind: 'captured', capture, before: found, earlier: [] }, mode, ci)).toBe(expected);
  // Without warnings there is nothing to be strict about.
  expect(decide({ kind: 'captured', capture, before: found, earlier: [] }, mode, ci, true)).toBe(expected);
});

describe('in no mode', () => {
  const result = { kind: 'unstable', capture, previous: image } as const;
  test.each([
    ['what never stood still', { kind: 'unstable', by: 'time', result, previous: null, motion: different }, 'unstable'],
    ['what could not be captured', { kind: 'failed', error: broken }, 'error'],
  ] as const)('does %s pass or write a baseline', (_, evidence, status) => {
    for (const mode of MODES) expect(decide(evidence, mode)).toBe(status);
  });

  test('does an ignored shot fail', () => {
    for (const mode of MODES) expect(decide({ kind: 'ignored' }, mode)).toBe('skipped +');
  });
});

test('an outcome contains its evidence', () => {
  const policy = { mode: 'none', ci: false } as const;
  const of = (evidence: Evidence) => decideOutcome(evidence, policy, false);
  const result = { kind: 'unstable', capture, previous: image } as const;
  expect(of({ kind: 'unstable', by: 'time', result, previous: null, motion: different })).toEqual({
    ...{ status: 'unstable', by: 'time', result, previous: null, motion: different },
  });
  expect(of({ kind: 'failed', error: broken })).toEqual({ status: 'error', error: broken, capture: null });
  expect(of({ kind: 'captured', capture, before: { kind: 'damaged', error: broken }, earlier: [] })).toEqual({
    ...{ status: 'error', error: broken, capture },
  });
});

describe('a warning', () => {
  const warned = captureOf(image, 'http://127.0.0.1/warned', {
    warnings: [
      { code: 'images', message: 'an image is broken' },
      { code: 'fonts', message: 'a font is missing' },
    ],
  });

  test('is not an error by itself', () => {
    expect(decide({ kind: 'captured', capture: warned, before: baseline(equal), earlier: [] })).toBe('passed +');
    expect(decide({ kind: 'captured', capture, before: live(equal, warned.warnings), earlier: [] })).toBe('passed +');
  });

  test.each(MODES)('is an error for a strict shot, and no baseline is written in mode %s', (mode) => {
    for (const before of Object.values(BEFORES)) {
      expect(decide({ kind: 'captured', capture: warned, before, earlier: [] }, mode, false, true)).toBe('error');
    }
  });

  test('of the before side of a two-state shot is also an error and names that side', () => {
    const policy = { mode: 'all', ci: false } as const;
    const evidence = { kind: 'captured', capture, before: live(equal, warned.warnings), earlier: [] } as const;
    const outcome = decideOutcome(evidence, policy, true);
    expect(isGreen(outcome)).toBe(false);
    expect(outcome).toMatchObject({ status: 'error', capture, error: { code: 'page-warning' } });
    expect(outcome.status === 'error' && outcome.error.message).toBe(
      'http://127.0.0.1/before: an image is broken (`strict` makes this warning an error). Fix the page, or remove `strict`.',
    );
  });
});

describe('a warning about an image that becomes a baseline', () => {
  const warning = { code: 'baseline-data', message: 'data did not load' };
  const doubtful = captureOf(image, 'http://127.0.0.1/doubtful', { baselineWarnings: [warning] });
  const judge = (before: Before, mode: UpdateMode, strict = false) => {
    const evidence = { kind: 'captured', capture: doubtful, before, earlier: [] } as const;
    return warnAboutBaseline(decideOutcome(evidence, { mode, ci: false }, strict), strict);
  };
  const warningsOf = (before: Before, mode: UpdateMode) => {
    const outcome = judge(before, mode);
    return 'capture' in outcome ? outcome.capture?.warnings : null;
  };

  test('is told of one that is written, or can be approved', () => {
    expect(warningsOf({ kind: 'missing' }, 'none')).toEqual([warning]);
    expect(warningsOf(baseline(different), 'none')).toEqual([warning]);
    expect(warningsOf(baseline(within), 'all')).toEqual([warning]);
  });

  test('is not told of one that passed, or has no baseline', () => {
    expect(warningsOf(baseline(equal), 'all')).toEqual([]);
    expect(warningsOf(baseline(within), 'changed')).toEqual([]);
    expect(warningsOf(live(different), 'all')).toEqual([]);
  });

  test('is an error for a strict shot, which keeps its image and writes no baseline', () => {
    const outcome = judge({ kind: 'missing' }, 'changed', true);
    expect(outcome).toMatchObject({ status: 'error', capture: doubtful, error: { code: 'page-warning' } });
    expect(judge(baseline(equal), 'changed', true)).toMatchObject({ status: 'passed' });
  });
});

test('what a baseline lacks is a warning until it is written again, and an error for a strict shot', () => {
  const warning = { code: 'baseline-record', message: 'it has no record' };
  const judge = (comparison: Comparison, mode: UpdateMode, strict: boolean) => {
    const before = { ...baseline(comparison), outdated: [warning] };
    const evidence = { kind: 'captured', capture, before, earlier: [] } as const;
    return warnAboutBaseline(decideOutcome(evidence, { mode, ci: false }, strict), strict);
  };
  for (const comparison of [equal, within, different]) {
    expect(judge(comparison, 'missing', false)).toMatchObject({ write: false, capture: { warnings: [warning] } });
    expect(judge(comparison, 'missing', true)).toMatchObject({ status: 'error', error: { code: 'page-warning' } });
    for (const mode of ['changed', 'all'] as const)
      expect(judge(comparison, mode, true)).toMatchObject({ write: true, capture: { warnings: [] } });
  }
});
