import { join, resolve } from 'node:path';
import { INDEX_FILE, REPORT_FOLDER, readRun, rewriteRun, writeRun } from '../baselines/index.js';
import { listSome, messageOf, ProofsheetError, type RunRecord, renderCountOf } from '../model/index.js';
import { isGreen, renderText } from '../report/index.js';
import { reportCommand, shortPath } from '../shot/index.js';
import type { TestList } from './ask-playwright.js';
import { type Collected, collectRun } from './collect.js';
import { coversLists, findObsolete, obsoleteUnknownReason, recordObsolete, sweepLeftovers } from './find-obsolete.js';
import { writeJobSummary } from './job-summary.js';
import type { RunFacts } from './observed-run.js';
import { markReported } from './project.js';
import { markRejections, readRejections } from './rejections.js';

interface ObservedRun extends RunFacts {
  readonly testList: TestList;
  /** Absolute path that the locations of the tests are relative to. */
  readonly testRoot: string;
}

export interface PublishOptions {
  /** Absolute path of the folder that `outputFolder` is relative to. */
  readonly base: string;
  readonly configFile?: string | undefined;
  /** @default 'proofsheet-report' */
  readonly outputFolder: string | undefined;
  /** The folder for the locks of the run; null if the tests ran elsewhere. */
  readonly locks: string | null;
  readonly singleFile: boolean;
  /** Lines of the terminal that the test runner needs itself. */
  readonly linesUsed: number;
  /** The run is a part of a larger one. The job summary is written once for the whole, after the merge. */
  readonly isPart: boolean;
  readonly env: NodeJS.ProcessEnv;
}

/**
 * Publishes a finished run, in these steps:
 *
 * 1. {@link collectRun} builds the run record from the tests: the status of each shot, the problems of a merge, and those of the run.
 *    A run without shots and without problems ends here: the report of the previous run stays.
 * 2. {@link withObsolete} adds the baselines that no shot uses, if it is certain that the run included every test.
 *    {@link markRejections} marks changes that were rejected before.
 * 3. {@link writeReport} writes `results.json`, `summary.md`, `index.html` and all images. They replace the previous report.
 * 4. {@link sweepLeftovers} removes temporary files of killed processes.
 * 5. {@link writeJobSummary} writes the step summary and the annotations of a GitHub Actions job, unless the run is a part of a larger one.
 *
 * A report that cannot be written is a problem of the run, not an exception.
 *
 * @returns `annotations`: commands to the CI runner, to write as they are. `failure`: which shots fail the run, or null. `problems`: why else the
 * run must fail although the test runner may have passed it
 */
export async function publishRun(observed: ObservedRun, options: PublishOptions) {
  const { tests, testRoot } = observed;
  const collected = collectRun(observed);
  if (collected.run.shots.length === 0 && collected.run.run.problems.length === 0) {
    const output = 'proofsheet: this run has no shots; the report of the previous run is unchanged\n';
    return { output, annotations: '', failure: null, problems: [] };
  }
  const { base, env } = options;
  const folder = resolve(base, options.outputFolder ?? REPORT_FOLDER);
  const complete = await withObsolete(collected.run, observed, { root: base, folder });
  const run = markRejections(complete, await readRejections(base));
  const { record, output } = await writeReport({ ...collected, run }, folder, options);
  await sweepLeftovers({ root: base, within: base, folder }, run);
  return {
    output,
    annotations: options.isPart ? '' : await writeJobSummary({ record, tests, root: testRoot }, env),
    failure: failureOf(collected),
    problems: record.run.problems.map(({ where, found }) => `${where}: ${found}`),
  };
}

/**
 * Only a run whose command line, config and specs select no tests surely included every test. Only Playwright could tell of others, and asking
 * it takes seconds: `prune` asks.
 */
async function withObsolete(
  run: RunRecord,
  { selected, tests, testList }: ObservedRun,
  places: { readonly root: string; readonly folder: string },
): Promise<RunRecord> {
  const isWhole = selected.length === 0 && coversLists(tests) && obsoleteUnknownReason(run, testList) === null;
  return isWhole ? recordObsolete(run, await findObsolete(run, testList, places)) : run;
}

async function writeReport(
  { run: record, images }: Collected,
  folder: string,
  { base, configFile, locks, singleFile, linesUsed, env }: PublishOptions,
): Promise<{ record: RunRecord; output: string }> {
  const review = reportCommand({ folder, base, configFile }, { cwd: process.cwd(), isCI: Boolean(env.CI) });
  try {
    const written = await writeRun(folder, record, images, { singleFile });
    if (locks !== null) await markReported(locks);
    const path = shortPath(join(folder, INDEX_FILE), process.cwd());
    return { record: written, output: renderText(written, path, review, linesUsed) };
  } catch (error) {
    if (!(error instanceof ProofsheetError)) throw error;
    const known = { ...record, run: { ...record.run, problems: [...record.run.problems, error.problem] } };
    return { record: known, output: renderText(known, null, null, linesUsed) };
  }
}

function failureOf({ run, failed }: Collected): string | null {
  if (failed.length > 0) return `${renderCountOf(failed.length, 'shot')} failed: ${listSome(failed, 5)}`;
  // A changed page fails the run even if its test is expected to fail, which the test runner counts as passed.
  return isGreen(run) ? null : 'not every shot passed';
}

/**
 * Changes the record on the disk, because another process may have changed it; that of another run is not changed.
 * @returns the record with the change, and why the change is not in the report; null if it is
 */
export async function amendRun(folder: string, run: RunRecord, change: (run: RunRecord) => RunRecord) {
  try {
    const now = await readRun(folder);
    if (now.startedAt !== run.startedAt) return { record: change(run), failure: 'another run replaced the report' };
    const record = change(now);
    await rewriteRun(folder, record);
    return { record, failure: null };
  } catch (error) {
    return { record: change(run), failure: messageOf(error) };
  }
}
