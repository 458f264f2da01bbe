import { expect, test } from 'vitest';
import { readRunId, runNameOf } from '../../../src/run/run-identity.js';

test('the id of a run comes from the build server or from PROOFSHEET_RUN_ID', () => {
  expect(readRunId({})).toBeNull();
  expect(readRunId({ GITHUB_RUN_ID: '' })).toBeNull();
  expect(readRunId({ GITHUB_RUN_ID: '12', GITHUB_RUN_ATTEMPT: '2' })).toBe('GITHUB_RUN_ID=12');
  expect(readRunId({ CI_PIPELINE_ID: '12', PROOFSHEET_RUN_ID: 'mine' })).toBe('PROOFSHEET_RUN_ID=mine');
});

test('the test runner names its run, and its workers know the name', () => {
  const env: Record<string, string | undefined> = {};
  expect(runNameOf(process.ppid, env)).toBe(String(process.ppid));
  const name = runNameOf(process.pid, env);
  expect(name).toMatch(new RegExp(`^${process.pid}-`));
  expect(runNameOf(process.pid, { ...env })).toBe(name);
  expect(runNameOf(process.ppid, { ...env })).toBe(String(process.ppid));
});

test('a later run with the same process id has another name', () => {
  expect(runNameOf(process.pid, {})).not.toBe(runNameOf(process.pid, {}));
});
