import { readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { writeJobSummary } from '../../../src/run/job-summary.js';
import { changedOf, runOf } from '../report/specimens.js';
import { makeTempFolder } from '../temp-folder.js';
import { compared, declaredOf, testOf } from './observed-tests.js';

let workspace: string;
let summary: string;

beforeEach(() => {
  workspace = makeTempFolder();
  summary = join(workspace, 'step-summary');
});

const SHOT = changedOf({ id: 'pricing', reason: 'it differs' });
const AT = '::error file=web/e2e/pages.yaml,line=7,title=changed%3A pricing [chromium]::it differs\n';

/** A test in `web/e2e/visual.spec.ts` that declares a shot of the list beside it. */
const DECLARING = testOf({
  title: 'pricing',
  location: 'e2e/visual.spec.ts:2',
  declared: declaredOf('pricing', { list: './pages.yaml', line: 7 }),
});

const JOB = { GITHUB_ACTIONS: 'true' };

function tell(env: NodeJS.ProcessEnv, root = join(workspace, 'web')) {
  const run = { record: runOf([SHOT]), tests: [DECLARING], root };
  return writeJobSummary(run, { ...JOB, GITHUB_WORKSPACE: workspace, GITHUB_STEP_SUMMARY: summary, ...env });
}

test('the summary is appended to the step summary, and the annotation has the line of the page list', async () => {
  await writeFile(summary, '# Mine');
  expect(await tell({})).toBe(AT);
  expect(await readFile(summary, 'utf8')).toMatch(/^# Mine\n## proofsheet: not passed\n/);
});

test('nothing is written outside of GitHub Actions; a summary that cannot be written has one message beside the annotations', async () => {
  expect(await tell({ GITHUB_ACTIONS: '' })).toBe('');
  await expect(readFile(summary)).rejects.toThrow('ENOENT');
  const told = await tell({ GITHUB_STEP_SUMMARY: join(workspace, 'gone', 'file') });
  expect(told).toMatch(/^proofsheet: cannot write the job summary: ENOENT.*\n::error file=/);
});

test('a step summary at its maximum size is not changed', async () => {
  await writeFile(summary, 'x'.repeat(1024 * 1024 - 10));
  expect(await tell({})).toContain(`${summary}: 1,048,566 bytes are used, and the maximum is 1,048,576`);
  expect((await readFile(summary)).length).toBe(1024 * 1024 - 10);
});

test('without a summary file there are annotations; a page list outside of the repository has no position', async () => {
  expect(await tell({ GITHUB_STEP_SUMMARY: '' })).toBe(AT);
  expect(await tell({}, tmpdir())).toBe('::error title=changed%3A pricing [chromium]::it differs\n');
});

test("a shot of a test of one's own has the position of that test", async () => {
  const attempts = [compared([{ id: 'pricing', status: 'changed' }])];
  const run = { record: runOf([SHOT]), tests: [{ ...DECLARING, declared: null, attempts }], root: workspace };
  const told = await writeJobSummary(run, { ...JOB, GITHUB_WORKSPACE: workspace });
  expect(told).toContain('::error file=e2e/visual.spec.ts,line=2,title=');
});
