import { expect, test } from 'vitest';
import { listMisalignments } from '../../../src/commands/compare-environment.js';
import type { Environment } from '../../../src/model/environment.js';
import { ENVIRONMENT } from '../report/specimens.js';

const HERE: Environment = {
  ...ENVIRONMENT,
  ...{ browserVersion: '156.0.1', driver: 'frames', fonts: 'aaaa', drawing: 'bbbb' },
};

const shot = (changes: Partial<Environment> = {}, id = 'home') => ({
  ...{ id, project: 'desktop', environment: { ...HERE, ...changes } },
});

test('what moves most pixels comes first, with a sentence about how to align it', () => {
  const there = [shot({ drawing: 'cccc', browserVersion: '143.0.4' }), shot({ fonts: 'dddd', drawing: 'eeee' })];
  expect(listMisalignments(there, HERE, [])).toEqual([
    {
      ...{ part: 'fonts', from: 'dddd', to: 'aaaa' },
      advice: 'Install the same font packages, or run both in the same container image.',
    },
    {
      ...{ part: 'browserVersion', from: '143.0.4', to: '156.0.1' },
      advice: 'Install the same Playwright version, or update the baselines with: npx proofsheet upgrade.',
    },
  ]);
});

test('what the config decides is compared with the last run here, and only with the same shot', () => {
  const there = [shot({ scale: 2, drawing: 'cccc' })];
  expect(listMisalignments(there, HERE, [])).toEqual([]);
  expect(listMisalignments(there, HERE, [shot({}, 'other')])).toEqual([]);
  const found = listMisalignments(there, HERE, [shot()]);
  expect(found.map(({ part }) => part)).toEqual(['scale', 'drawing']);
  expect(found[0]?.advice).toContain('"deviceScaleFactor: 2"');
});

test('the browser of today is compared, not that of the last run', () => {
  const upgraded = listMisalignments([shot()], HERE, [shot({ browserVersion: '143.0.4', fonts: 'old' })]);
  expect(upgraded).toEqual([]);
  const firefox = { browser: 'firefox', browserVersion: '152.0' };
  expect(listMisalignments([shot(firefox)], HERE, [shot(firefox)])).toEqual([]);
});
