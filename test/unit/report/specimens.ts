import type { Cause } from '../../../src/model/comparison.js';
import type { Environment } from '../../../src/model/environment.js';
import type { RunRecord, ShotRecord } from '../../../src/model/run-record.js';
import { countShots } from '../../../src/run/collect.js';

export const ENVIRONMENT: Environment = {
  ...{ os: 'linux', arch: 'x64', browser: 'chromium', browserVersion: '141.0.1', headless: 'shell' },
  ...{ scale: 1, fonts: null, engine: 'pixelmatch 7.2.0' },
};

/** Returns a shot that passed, with changes. */
export function shotOf(changes: Partial<ShotRecord> = {}): ShotRecord {
  const [url, after] = ['http://127.0.0.1:4173/pricing', `${FOLDER}/1.png`];
  const size = { width: 1280, height: 8000 };
  const flags = { flaky: false, unsteady: false, written: false, reused: false };
  const moves = { events: null, shifts: null, columnShifts: null };
  const captured = { status: 'success' as const, fetchTime: '2026-11-20T12:00:00.000Z', message: 'Captured.' };
  const rest = { environment: null, group: null, decision: null, warnings: [], regions: [], regionPlaces: [] };
  return {
    ...{ id: 'pricing', page: 'pricing', viewport: null, mode: null, state: null, project: 'chromium', url },
    ...{ status: 'passed', reason: null, attempts: [{ status: 'passed' }], durationMs: 812, compared: 1, diff: null },
    summary: summaryOf(0, 1280 * 8000),
    limits: { threshold: 0.02, maxDiffPixels: null, maxDiffPixelRatio: null },
    before: { link: `${FOLDER}/before.png`, ...size, source: 'pricing.png' },
    after: { link: after, ...size, source: url },
    capture: { ...captured, url, width: 1280, height: 720, link: after },
    baseline: { path: 'shots/chromium/pricing.png', sha256: null, environment: null },
    ...{ ...flags, ...moves, ...rest, ...changes },
  };
}

/** Returns a shot that changed by 1,204 pixels. */
export function changedOf(changes: Partial<ShotRecord> = {}): ShotRecord {
  const diff = { link: `${FOLDER}/diff.png`, width: 1280, height: 8000 };
  const regions = [{ x: 312, y: 480, width: 420, height: 60, pixels: 1204 }];
  const summary = summaryOf(1204, 1280 * 720);
  return shotOf({ status: 'changed', reason: 'it differs', summary, diff, regions, ...changes });
}

/** Returns a certain cause: a declaration that changed. */
export function causeOf(changes: Partial<Cause> = {}): Cause {
  return {
    ...{ kind: 'restyled', element: '.btn', property: 'background-color', before: 'red', after: 'blue' },
    source: { selector: '.nav', file: 'site.css', line: 12 },
    ...{ certain: true, elements: 1, boxes: [], regions: [0], pixels: 1204 },
    ...changes,
  };
}

export function runOf(shots: readonly ShotRecord[], changes: Partial<RunRecord['run']> = {}): RunRecord {
  const run = { list: 'pages.yaml', listHash: 'a'.repeat(64), commit: null, shards: [], selected: [], problems: [] };
  return {
    schemaVersion: 1,
    tool: { name: 'proofsheet', version: '0.1.0' },
    startedAt: '2026-11-20T12:00:00.000Z',
    durationMs: 9_512,
    run: { ...run, complete: true, ...changes },
    summary: countShots(shots),
    shots: [...shots],
    obsolete: null,
  };
}

const FOLDER = 'screenshots/127.0.0.1/5352469d-cfa7-4252-8dac-e79dec9d6a94';

function summaryOf(mismatchPixels: number, totalPixels: number): ShotRecord['summary'] {
  const mismatchPercentage = (100 * mismatchPixels) / totalPixels;
  const counts = { mismatchPixels, mismatchPercentage, totalPixels, antialiasedPixels: 0 };
  return { ...counts, sameDimensions: true, mismatchPixelsAfterAlignment: null };
}
