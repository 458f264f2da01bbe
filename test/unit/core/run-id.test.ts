import { expect, test } from 'vitest';
import { readRunId } from '../../../src/core/run/run-identity.js';

test('the id of a run comes from the build server or from PROOFSHEET_RUN_ID', () => {
  expect(readRunId({})).toBeNull();
  expect(readRunId({ GITHUB_RUN_ID: '' })).toBeNull();
  expect(readRunId({ GITHUB_RUN_ID: '12', GITHUB_RUN_ATTEMPT: '2' })).toBe('GITHUB_RUN_ID=12');
  expect(readRunId({ CI_PIPELINE_ID: '12', PROOFSHEET_RUN_ID: 'mine' })).toBe('PROOFSHEET_RUN_ID=mine');
});
