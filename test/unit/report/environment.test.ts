import { describe, expect, test } from 'vitest';
import { differingParts, type Environment } from '../../../src/model/environment.js';
import type { ShotRecord } from '../../../src/model/run-record.js';
import { renderEnvironmentNotices } from '../../../src/report/environment.js';
import { ENVIRONMENT, shotOf } from './specimens.js';

const RUN: Environment = { ...ENVIRONMENT, browserVersion: '156.0.1', fonts: '0123456789ab', engine: 'odiff 4.5.0' };
const summary = { mismatchPixels: 1, mismatchPercentage: 1, totalPixels: 100, sameDimensions: true };
const SUMMARY = { ...summary, antialiasedPixels: 0, mismatchPixelsAfterAlignment: null };

/** Returns a shot that differs from a baseline of another environment. */
function shotFrom(id: string, changes: Partial<Environment>, more: Partial<ShotRecord> = {}): ShotRecord {
  const baseline = { path: `shots/${id}.png`, sha256: null, environment: { ...RUN, ...changes } };
  return shotOf({ id, project: '', status: 'changed', environment: RUN, baseline, summary: SUMMARY, ...more });
}

test('environments do not differ in a part that one of them does not know', () => {
  const other: Environment = { ...RUN, os: 'darwin', scale: 2, headless: 'unknown', fonts: null };
  expect(differingParts(other, RUN)).toEqual(['os', 'scale']);
});

describe('the environment notices of a run', () => {
  test('have one line for all shots with the same mismatch', () => {
    // Earlier versions did not record the driver.
    const more = { environment: { ...RUN, driver: 'frames' as const } };
    const shots = ['a', 'b', 'c', 'd', 'e', 'f'].map((id) => shotFrom(id, { os: 'darwin', headless: 'new' }, more));
    expect(renderEnvironmentNotices([...shots, shotFrom('g', { engine: 'odiff 4.4.0' })])).toEqual([
      'environment mismatch: baselines from chromium 156.0.1 on darwin/x64, new headless, the plain driver; this run used chromium 156.0.1 on linux/x64, headless shell, controlled frames; rendering may differ (6 shots: a, b, c, d, e and 1 more)',
      'environment mismatch: baselines from chromium 156.0.1 on linux/x64, odiff 4.4.0; this run used chromium 156.0.1 on linux/x64, odiff 4.5.0; pixel counts may differ (1 shot: g)',
    ]);
  });

  test.each([
    ['compared' as const, 'drawn differently (1 shot: a)'],
    [
      'not-compared' as const,
      'drawn differently; texts have other sizes, so places and sizes were not compared (1 shot',
    ],
  ])('say that a page is only drawn differently, and whether its layout was compared: %s', (redrawn, text) => {
    // Other fonts change anti-aliasing first.
    const summary = { ...SUMMARY, mismatchPixels: 0, antialiasedPixels: 3 };
    const shot = shotFrom('a', { fonts: 'x' }, { status: 'passed', redrawn, summary });
    expect(renderEnvironmentNotices([shot]).join()).toContain(`; the pages are the same, and ${text}`);
  });

  test.each<[string, Partial<ShotRecord>]>([
    ['equals its baseline', { summary: { ...SUMMARY, mismatchPixels: 0 } }],
    ['has a new baseline', { written: true }],
    ['was not compared', { summary: null }],
    ['has a baseline without an environment', { baseline: { path: 'a.png', sha256: null, environment: null } }],
    ['has no baseline', { baseline: null }],
    ['was not captured', { environment: null }],
  ])('are empty if a shot %s', (_, more) => {
    expect(renderEnvironmentNotices([shotFrom('a', { scale: 2 }, more)])).toEqual([]);
  });
});
