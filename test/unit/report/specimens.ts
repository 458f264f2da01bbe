import type { RunRecord, ShotRecord } from '../../../src/model/run-record.js';

/** Returns a shot that passed, with changes. */
export function shotOf(changes: Partial<ShotRecord> = {}): ShotRecord {
  return {
    id: 'pricing',
    page: 'pricing',
    viewport: null,
    state: null,
    project: 'chromium',
    url: 'http://127.0.0.1:4173/pricing',
    status: 'passed',
    flaky: false,
    unsteady: false,
    written: false,
    reused: false,
    reason: null,
    attempts: [{ status: 'passed' }],
    durationMs: 812,
    compared: 1,
    summary: summaryOf(0, 1280 * 8000),
    limits: { threshold: 0.02, maxDiffPixels: null, maxDiffPixelRatio: null },
    regions: [],
    regionPlaces: [],
    events: null,
    shifts: null,
    columnShifts: null,
    before: { link: `${FOLDER}/before.png`, width: 1280, height: 8000, source: 'pricing.png' },
    after: { link: `${FOLDER}/1.png`, width: 1280, height: 8000, source: 'http://127.0.0.1:4173/pricing' },
    diff: null,
    capture: {
      status: 'success',
      fetchTime: '2026-11-20T12:00:00.000Z',
      message: 'Captured.',
      url: 'http://127.0.0.1:4173/pricing',
      width: 1280,
      height: 720,
      link: `${FOLDER}/1.png`,
    },
    baseline: { path: 'shots/chromium/pricing.png', sha256: null, environment: null },
    environment: null,
    group: null,
    decision: null,
    warnings: [],
    ...changes,
  };
}

/** Returns a shot that changed by 1,204 pixels. */
export function changedOf(changes: Partial<ShotRecord> = {}): ShotRecord {
  const diff = { link: `${FOLDER}/diff.png`, width: 1280, height: 8000 };
  const regions = [{ x: 312, y: 480, width: 420, height: 60, pixels: 1204 }];
  return shotOf({
    status: 'changed',
    reason: 'it differs',
    summary: summaryOf(1204, 1280 * 720),
    diff,
    regions,
    ...changes,
  });
}

/** Returns a run of these shots, with their counts. */
export function runOf(shots: readonly ShotRecord[], changes: Partial<RunRecord['run']> = {}): RunRecord {
  const count = (test: (shot: ShotRecord) => boolean) => shots.filter(test).length;
  const is = (status: ShotRecord['status']) => count((shot) => shot.status === status);
  return {
    schemaVersion: 1,
    tool: { name: 'proofsheet', version: '0.1.0' },
    startedAt: '2026-11-20T12:00:00.000Z',
    durationMs: 9_512,
    run: {
      list: 'pages.yaml',
      listHash: 'a'.repeat(64),
      commit: null,
      shards: [],
      selected: [],
      complete: true,
      problems: [],
      ...changes,
    },
    summary: {
      expected: shots.length,
      captured: count(({ capture }) => capture?.status === 'success'),
      reused: count(({ reused }) => reused),
      compared: count(({ summary }) => summary !== null),
      passed: is('passed'),
      changed: is('changed'),
      new: is('new'),
      unstable: is('unstable'),
      error: is('error'),
      skipped: is('skipped'),
      flaky: count(({ flaky }) => flaky),
      unsteady: count(({ unsteady }) => unsteady),
      written: count(({ written }) => written),
      obsolete: null,
    },
    shots: [...shots],
    obsolete: null,
  };
}

const FOLDER = 'screenshots/127.0.0.1/5352469d-cfa7-4252-8dac-e79dec9d6a94';

function summaryOf(mismatchPixels: number, totalPixels: number): ShotRecord['summary'] {
  const mismatchPercentage = (100 * mismatchPixels) / totalPixels;
  return {
    mismatchPixels,
    mismatchPercentage,
    totalPixels,
    sameDimensions: true,
    antialiasedPixels: 0,
    mismatchPixelsAfterAlignment: null,
  };
}
