import { describe, expect, test } from 'vitest';
import type { Capture } from '../../../src/model/capture.js';
import type { Comparison } from '../../../src/model/comparison.js';
import { ProofsheetError } from '../../../src/model/errors.js';
import { decide, isGreenOutcome, type UpdateMode } from '../../../src/shot/decide.js';
import type { Before, Observation } from '../../../src/shot/observation.js';
import { png, sheet } from '../image/paint.js';
import {
  baselineOf,
  captureOf,
  differentBy,
  EQUAL,
  imageOf,
  liveOf,
  shotOf,
  URL_OF_PAGE,
  WITHIN,
} from './specimens.js';

const image = png(sheet(20, 10));
const broken = new ProofsheetError({ code: 'baseline-empty', where: 'home.png', found: 'it is empty', advice: '' });
const different = differentBy(image);
const capture = captureOf(image, URL_OF_PAGE);
const baseline = (comparison: Comparison) => baselineOf(image, comparison);
const live = (comparison: Comparison, warnings: Capture['warnings'] = []): Before =>
  liveOf(captureOf(image, 'http://127.0.0.1/before', { warnings }), comparison);
const BEFORES: Record<string, Before> = {
  missing: { kind: 'missing' },
  damaged: { kind: 'damaged', error: broken },
  'equal baseline': baseline(EQUAL),
  'baseline within the limit': baseline(WITHIN),
  'different baseline': baseline(different),
  'equal live side': live(EQUAL),
  'live side within the limit': live(WITHIN),
  'different live side': live(different),
};
const captured = (before: Before, of = capture): Observation => {
  return { status: 'captured', capture: of, before, differing: [] };
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

function outcomeOf(observation: Observation, mode: UpdateMode = 'default', ci = false, strict = false) {
  return decide(shotOf({ strict }).verdict, observation, { mode, ci });
}

function judge(...args: Parameters<typeof outcomeOf>): string {
  const outcome = outcomeOf(...args);
  const written = 'write' in outcome && outcome.write;
  return [outcome.status, ...(written ? ['w'] : []), ...(isGreenOutcome(outcome) ? ['+'] : [])].join(' ');
}

test.each(cases)('before $before, mode $mode, ci $ci: $expected', ({ before, mode, ci, expected }) => {
  const found = BEFORES[before];
  if (!found) throw new Error(`no such before: ${before}`);
  expect(judge(captured(found), mode, ci)).toBe(expected);
  // Without warnings there is nothing to be strict about.
  expect(judge(captured(found), mode, ci, true)).toBe(expected);
});

const UNSTABLE = { status: 'unstable', by: 'time', capture, previous: image, previousStructure: null } as const;

test.each<[outcome: string, observation: Observation]>([
  ['unstable', { ...UNSTABLE, motion: different }],
  ['error', { status: 'failed', error: broken }],
  ['skipped +', { status: 'skipped', reason: null }],
])('what is %s is in no mode written', (outcome, observation) => {
  for (const mode of MODES) expect(judge(observation, mode)).toBe(outcome);
});

describe('a warning', () => {
  const warnings = ['images', 'fonts'].map((code) => ({ code, message: 'it is broken' }));
  const warned = captureOf(image, URL_OF_PAGE, { warnings });

  test('is not an error by itself', () => {
    expect(judge(captured(baseline(EQUAL), warned))).toBe('passed +');
    expect(judge(captured(live(EQUAL, warnings)))).toBe('passed +');
  });

  test.each(MODES)('is an error for a strict shot, and no baseline is written in mode %s', (mode) => {
    for (const before of Object.values(BEFORES))
      expect(judge(captured(before, warned), mode, false, true)).toBe('error');
  });

  test('of the before side of a two-state shot is also an error and names that side', () => {
    expect(outcomeOf(captured(live(EQUAL, warnings)), 'all', false, true)).toEqual({
      ...{ status: 'error', capture },
      problem: { kind: 'warning', url: 'http://127.0.0.1/before', message: 'it is broken' },
    });
  });
});

describe('a warning about an image that becomes a baseline', () => {
  const warning = { code: 'baseline-data', message: 'data did not load' };
  const doubtful = captureOf(image, URL_OF_PAGE, { baselineWarnings: [warning] });

  test.each<[what: string, before: Before, mode: UpdateMode, isNamed: boolean]>([
    ['can be approved', { kind: 'missing' }, 'none', true],
    ['changed', baseline(different), 'none', true],
    ['is written', baseline(WITHIN), 'all', true],
    ['equals its baseline', baseline(EQUAL), 'all', false],
    ['passed', baseline(WITHIN), 'changed', false],
    ['has no baseline', live(different), 'all', false],
  ])('is named if it matters: the image %s', (_, before, mode, isNamed) => {
    const warnings = isNamed ? [warning] : [];
    expect(outcomeOf(captured(before, doubtful), mode)).toMatchObject({ capture: { warnings } });
  });

  test('is an error for a strict shot, which keeps its image and writes no baseline', () => {
    const outcome = outcomeOf(captured({ kind: 'missing' }, doubtful), 'changed', false, true);
    expect(outcome).toMatchObject({ status: 'error', capture: doubtful, problem: { kind: 'warning' } });
    expect(judge(captured(baseline(EQUAL), doubtful), 'changed', false, true)).toBe('passed +');
  });
});

test('what a baseline lacks is a warning until it is written again, and an error for a strict shot', () => {
  const warning = { code: 'baseline-record', message: 'it has no record' };
  for (const comparison of [EQUAL, WITHIN, different]) {
    const lacking = captured({ ...baseline(comparison), outdated: [warning] });
    expect(outcomeOf(lacking, 'missing')).toMatchObject({ write: false, capture: { warnings: [warning] } });
    expect(outcomeOf(lacking, 'missing', false, true)).toMatchObject({
      status: 'error',
      problem: { kind: 'warning' },
    });
    for (const mode of ['changed', 'all'] as const)
      expect(outcomeOf(lacking, mode, false, true)).toMatchObject({ write: true, capture: { warnings: [] } });
  }
});

test('a page that another environment only draws differently passes, and keeps its baseline unless all are written', () => {
  const redrawn = { ...baseline(different), redraw: { kind: 'redrawn', layout: 'compared' } } as const;
  for (const mode of MODES)
    expect(outcomeOf(captured(redrawn), mode)).toMatchObject({ status: 'passed', write: mode === 'all' });
  const changed = { ...redrawn, redraw: { kind: 'changed', causes: [] } } as const;
  expect(outcomeOf(captured(changed), 'none')).toMatchObject({ status: 'changed' });
});

describe('with `environment: fail`, a baseline of another environment', () => {
  const here = { ...capture.environment, engine: 'odiff 4.5.0' };
  const old = { browserVersion: '99.0.1', fonts: 'a1' };
  const judgeOld = (comparison: Comparison, changes: Partial<typeof here>, mode: UpdateMode = 'none') => {
    const before = { ...baseline(comparison), baseline: imageOf(image, { ...here, ...changes }) };
    return decide(shotOf({ environment: 'fail' }).verdict, captured(before), { mode, ci: false });
  };

  test('is refused, within the limits as well, until it is written again', () => {
    for (const comparison of [WITHIN, different]) {
      expect(judgeOld(comparison, old)).toMatchObject({
        ...{ status: 'error', capture },
        problem: { kind: 'environment', parts: ['browserVersion'], baseline: old },
      });
      expect(judgeOld(comparison, old, 'changed')).toMatchObject({ write: true });
    }
  });

  test('passes if the images are equal, or if only the engine is another', () => {
    expect(judgeOld(EQUAL, old)).toMatchObject({ status: 'passed', write: false });
    expect(judgeOld(WITHIN, { engine: 'pixelmatch 1.0.0' })).toMatchObject({ status: 'passed', write: false });
  });
});
