import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { checkPlaywright, LOWEST_PLAYWRIGHT } from '../../../src/run/ask-playwright.js';
import { readRunId, readTestedCommit, runNameOf } from '../../../src/run/project.js';
import { makeTempFolder } from '../temp-folder.js';

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
  expect(runNameOf(process.pid, {}), 'a later run with this process id').not.toBe(name);
});

test('an old Playwright is refused in one line without a stack', () => {
  const message =
    'proofsheet needs @playwright/test 1.53 or later; this project has 1.52.0. Run: npm install --save-dev @playwright/test@latest';
  const refusal = { message, stack: `Error: ${message}` };
  expect(() => checkPlaywright({ version: '1.52.0' })).toThrow(expect.objectContaining(refusal));
  expect(() => checkPlaywright({ version: '0.99.0' })).toThrow();
  for (const version of ['1.53.0', '1.100.0', '2.0.0']) expect(() => checkPlaywright({ version })).not.toThrow();
});

test('the lowest version is that of package.json', () => {
  const { peerDependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
  expect(peerDependencies['@playwright/test']).toBe(`>=${LOWEST_PLAYWRIGHT}`);
});

test('the commit of a pull request is its head, not the merge commit that GitHub checks out', async () => {
  const folder = makeTempFolder();
  const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, encoding: 'utf8' }).trim();
  expect(await readTestedCommit(folder, {})).toBeNull();
  git('init', '-q');
  git('-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-q', '--allow-empty', '-m', 'merge');
  const merge = git('rev-parse', 'HEAD');
  const event = join(folder, 'event.json');
  const sha = 'a1'.repeat(20);
  writeFileSync(event, JSON.stringify({ pull_request: { head: { sha } } }));
  const env = { GITHUB_EVENT_NAME: 'pull_request', GITHUB_SHA: merge, GITHUB_EVENT_PATH: event };
  expect(await readTestedCommit(folder, env)).toBe(sha);
  expect(await readTestedCommit(folder, { ...env, GITHUB_SHA: 'b2'.repeat(20) }), 'another checkout').toBe(merge);
  expect(await readTestedCommit(folder, { ...env, GITHUB_EVENT_NAME: 'pull_request_target' })).toBe(merge);
  expect(await readTestedCommit(folder, { ...env, GITHUB_EVENT_PATH: join(folder, 'missing') })).toBe(merge);
});
