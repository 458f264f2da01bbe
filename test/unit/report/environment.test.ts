import { describe, expect, test } from 'vitest';
import { differingParts, type Environment } from '../../../src/model/environment.js';
import type { ShotRecord } from '../../../src/model/run-record.js';
import { renderEnvironmentNotices } from '../../../src/report/format/environment.js';
import { shotOf } from './specimens.js';

const RUN: Environment = {
  ...{ os: 'linux', arch: 'x64', browser: 'chromium', browserVersion: '156.0.1', headless: 'shell', scale: 1 },
  ...{ fonts: '0123456789ab', engine: 'odiff 4.5.0' },
};
const summary = { mismatchPixels: 1, mismatchPercentage: 1, totalPixels: 100, sameDimensions: true };
const SUMMARY = { ...summary, antialiasedPixels: 0, mismatchPixelsAfterAlignment: null };

/** A shot that differs from a baseline which was made in another environment. */
function shotFrom(id: string, changes: Partial<Environment>, more: Partial<ShotRecord> = {}): ShotRecord {
  const baseline = { path: `shots/${id}.png`, sha256: null, environment: { ...RUN, ...changes } };
  return shotOf({ id, project: '', status: 'changed', environment: RUN, baseline, summary: SUMMARY, ...more });
}

describe('two environments', () => {
  test.each([
    ['browser', 'firefox'],
    ['browserVersion', '156.0.2'],
    ['os', 'darwin'],
    ['arch', 'arm64'],
    ['headless', 'new'],
    ['scale', 2],
    ['fonts', 'ba9876543210'],
    ['engine', 'odiff 4.6.0'],
  ])('differ in %s', (part, value) => {
    expect(differingParts({ ...RUN, [part]: value }, RUN)).toEqual([part]);
  });

  test('do not differ in what one of them does not know', () => {
    expect(differingParts({ ...RUN, os: 'unknown', headless: 'unknown', fonts: null }, RUN)).toEqual([]);
    expect(differingParts(RUN, { ...RUN, browserVersion: 'unknown' })).toEqual([]);
  });
});

describe('what a run tells of the environments of its baselines', () => {
  test('is one line for all that it is true of', () => {
    const shots = ['a', 'b', 'c', 'd', 'e', 'f'].map((id) => shotFrom(id, { os: 'darwin', headless: 'new' }));
    expect(renderEnvironmentNotices([...shots, shotFrom('g', { engine: 'odiff 4.4.0' })])).toEqual([
      'baselines were made with chromium 156.0.1 on darwin/x64, new headless, this run with chromium 156.0.1 on linux/x64, headless shell: rendering may differ (6 shots: a, b, c, d, e and 1 more)',
      'baselines were made with chromium 156.0.1 on linux/x64, odiff 4.4.0, this run with chromium 156.0.1 on linux/x64, odiff 4.5.0: counts may differ (1 shot: g)',
    ]);
  });

  test.each<[string, Partial<ShotRecord>]>([
    ['equals its baseline', { summary: { ...SUMMARY, mismatchPixels: 0 } }],
    ['has a new baseline', { written: true }],
    ['was not compared', { summary: null }],
    ['has a baseline that does not say', { baseline: { path: 'a.png', sha256: null, environment: null } }],
    ['has no baseline', { baseline: null }],
    ['was not captured', { environment: null }],
  ])('is nothing where a shot %s', (_, more) => {
    expect(renderEnvironmentNotices([shotFrom('a', { scale: 2 }, more)])).toEqual([]);
  });

  test('counts what only anti-aliasing explains: it is the first thing that other fonts change', () => {
    const only = { ...SUMMARY, mismatchPixels: 0, antialiasedPixels: 3 };
    expect(renderEnvironmentNotices([shotFrom('a', { fonts: 'x' }, { status: 'passed', summary: only })])).toHaveLength(
      1,
    );
  });
});
