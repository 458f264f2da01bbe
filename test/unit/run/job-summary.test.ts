import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { writeJobSummary } from '../../../src/run/job-summary.js';
import type { ObservedTest } from '../../../src/run/observed.js';
import { changedOf, runOf } from '../report/specimens.js';

let workspace: string;
let summary: string;

beforeEach(async () => {
  workspace = await mkdtemp(join(tmpdir(), 'proofsheet-job-'));
  summary = join(workspace, 'step-summary');
});

afterEach(() => rm(workspace, { recursive: true }));

const SHOT = changedOf({ id: 'pricing', reason: 'it differs' });
const AT = '::error file=web/e2e/pages.yaml,line=7,title=changed%3A pricing [chromium]::it differs\n';

/** A test in `web/e2e/visual.spec.ts` that declares a shot of the list beside it. */
function declaring(id: string): ObservedTest {
  return {
    ...{ project: 'chromium', title: id, location: 'e2e/visual.spec.ts:2', repeat: 0, skipped: null, failed: true },
    declared: {
      id,
      page: id,
      viewport: null,
      state: null,
      url: '/',
      list: './pages.yaml',
      listHash: 'x',
      listShots: 1,
      line: 7,
    },
    attempts: [],
  };
}

function tell(env: NodeJS.ProcessEnv, root = join(workspace, 'web')) {
  const run = { record: runOf([SHOT]), tests: [declaring('pricing')], root };
  return writeJobSummary(run, {
    GITHUB_ACTIONS: 'true',
    GITHUB_WORKSPACE: workspace,
    GITHUB_STEP_SUMMARY: summary,
    ...env,
  });
}

test('the summary is appended to the step summary, and the annotation has the line of the page list', async () => {
  await writeFile(summary, '# Mine');
  expect(await tell({})).toBe(AT);
  expect(await readFile(summary, 'utf8')).toMatch(/^# Mine\n## proofsheet: not passed\n/);
});

test('outside of GitHub Actions nothing is written or printed', async () => {
  expect(await tell({ GITHUB_ACTIONS: '' })).toBe('');
  await expect(readFile(summary)).rejects.toThrow('ENOENT');
});

test('a summary that cannot be written has one message, and the annotations are still printed', async () => {
  const told = await tell({ GITHUB_STEP_SUMMARY: join(workspace, 'gone', 'file') });
  expect(told).toMatch(/^proofsheet: cannot write the job summary: ENOENT.*\n::error file=/);
});

test('a step summary at its maximum size is not changed', async () => {
  await writeFile(summary, 'x'.repeat(1024 * 1024 - 10));
  expect(await tell({})).toContain(`${summary}: 1,048,566 bytes are used, and the maximum is 1,048,576`);
  expect((await readFile(summary)).length).toBe(1024 * 1024 - 10);
});

test('without a summary file there are annotations', async () => {
  expect(await tell({ GITHUB_STEP_SUMMARY: '' })).toBe(AT);
});

test('a page list outside of the repository has no position', async () => {
  expect(await tell({}, tmpdir())).toBe('::error title=changed%3A pricing [chromium]::it differs\n');
});

test("a shot of a test of one's own has the position of that test", async () => {
  const own = { ...declaring('pricing'), declared: null };
  const message = { shot: SHOT, images: [], fingerprint: null };
  const origin = { list: null, listHash: null, shard: null, listIds: null, commit: null, run: null };
  const attempt = { outcome: 'failed', error: null, durationMs: 1, attachments: new Map() } as const;
  const attempts = [{ ...attempt, messages: [{ ...message, origin }] }];
  const run = { record: runOf([SHOT]), tests: [{ ...own, attempts }], root: workspace };
  const told = await writeJobSummary(run, { GITHUB_ACTIONS: 'true', GITHUB_WORKSPACE: workspace });
  expect(told).toContain('::error file=e2e/visual.spec.ts,line=2,title=');
});
