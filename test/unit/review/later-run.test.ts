import { cpSync, mkdirSync, utimesSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { readRun } from '../../../src/baselines/read-run.js';
import type { Decision, RunRecord } from '../../../src/model/run-record.js';
import { applyDecision } from '../../../src/review/decide.js';
import { findLaterRun } from '../../../src/review/read-report.js';
import { markReported, type ProjectFolders } from '../../../src/run/project.js';
import { BLUE, baselineOf, finishRun, pathOf, RED } from './finished-run.js';

let places: ProjectFolders;
let run: RunRecord;
/** When the run ended, in seconds. */
let end: number;

beforeEach(async () => {
  places = await finishRun([{ id: 'home', status: 'changed', before: RED, after: BLUE }]);
  run = await readRun(places.folder);
  end = (Date.parse(run.startedAt) + run.durationMs) / 1000;
});

/** Writes the locks of a run into an output folder, some seconds after the end of the reported run. */
function leaveLocks(after: number, outputFolder = 'test-results'): string {
  const locks = join(places.root, outputFolder, '.proofsheet/locks/4711');
  mkdirSync(locks, { recursive: true });
  utimesSync(locks, end + after, end + after);
  return locks;
}

const decide = (decision: Decision, force = false, at = places) =>
  applyDecision(at, { decision, choose: ({ shots }) => shots.map((shot) => ({ shot, isNamed: true })), force });
const isApproved = async () => (await readFile(join(places.root, pathOf('home')))).equals(baselineOf('home', BLUE));

describe('a run that captured after the reported one, and wrote no report', () => {
  test('is found, with both times', async () => {
    expect(await findLaterRun(places, run), 'there is nothing to see').toBeNull();
    leaveLocks(-1);
    expect(await findLaterRun(places, run), 'it is of the reported run').toBeNull();
    leaveLocks(60);
    expect(await findLaterRun(places, run)).toMatch(
      /ended at \d{4}-.* UTC\. A later run \(\d{4}-.* UTC\) wrote no report/,
    );
  });

  test('is not one of the shards of a merged run', async () => {
    leaveLocks(60);
    const fetchTime = new Date((end + 61) * 1000).toISOString();
    const shots = run.shots.map((shot) => ({
      ...shot,
      capture: { status: 'success' as const, fetchTime, message: '', url: '', width: 1, height: 1, link: null },
    }));
    expect(await findLaterRun(places, { ...run, shots })).toBeNull();
  });

  test('is not a copy of the reported run, whose files are all new', async () => {
    await markReported(leaveLocks(-1));
    cpSync(join(places.root, 'test-results'), join(places.root, 'copy'), { recursive: true });
    leaveLocks(60);
    expect(await findLaterRun(places, run)).toBeNull();
    expect(await findLaterRun(places, { ...run, run: { ...run.run, outputDirs: ['copy'] } })).toBeNull();
  });

  test('is found in the output folders that the record names, for a report of this project only', async () => {
    leaveLocks(60, 'out/e2e');
    expect(await findLaterRun(places, run)).toBeNull();
    const elsewhere = { ...run, run: { ...run.run, outputDirs: ['out/unit', 'out/e2e'] } };
    expect(await findLaterRun(places, elsewhere)).toContain('A later run');
    expect(await findLaterRun({ ...places, folder: join(places.root, 'artifact') }, elsewhere)).toBeNull();
  });
});

describe('after a later run', () => {
  beforeEach(() => void leaveLocks(60));

  test('nothing is approved, and the error says what to do', async () => {
    const message = expect.stringMatching(
      /^proofsheet-report: the report is from .* wrote no report\. Use .* Run the tests again, or approve .* with --force\.$/,
    );
    await expect(decide('approved')).rejects.toMatchObject({ code: 'command-invalid', message });
    expect(await isApproved()).toBe(false);
    expect((await readRun(places.folder)).shots[0]?.decision).toBeNull();
  });

  test('a shot can be rejected, and --force approves, with a warning', async () => {
    expect((await decide('rejected')).record.shots[0]?.decision).toBe('rejected');
    const { written, warnings } = await decide('approved', true);
    expect(written).toHaveLength(1);
    expect(warnings[0]).toContain('wrote no report. Use proofsheet/reporter in every run');
    expect(await isApproved()).toBe(true);
  });

  test('a downloaded report is approved, because it is often older than the last local run', async () => {
    cpSync(places.folder, join(places.root, 'artifact'), { recursive: true });
    const { written, warnings } = await decide('approved', false, { ...places, folder: join(places.root, 'artifact') });
    expect(written).toHaveLength(1);
    expect(warnings[0]).toContain('A later run');
  });
});
