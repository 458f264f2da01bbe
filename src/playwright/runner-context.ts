import { tmpdir } from 'node:os';
import { join, relative, sep } from 'node:path';
import type { FullConfig, PlaywrightWorkerOptions, TestInfo } from '@playwright/test';
import type { Origin, Plan, Position, Shot } from '../model/index.js';
import type { ShotReuse } from '../reuse/index.js';
import { isAtLeast, locksFolderIn, readRunId, readTestedCommit, runNameOf, stagingFolderIn } from '../run/index.js';
import {
  claimBaseline,
  failureDetailsFor,
  isPlainRun,
  type Recording,
  type RunnerConfig,
  type RunnerContext,
  type UpdateMode,
} from '../shot/index.js';
import { screenshotPathOf } from './internals.js';
import { policyFor, readUpgrade } from './upgrade.js';

/** Process id of the test runner. Read at startup, because `process.ppid` changes when the parent process exits. */
const runnerPid: number = process.ppid;

/** The list of a shot. */
export interface ListedIn {
  readonly plan: Plan;
  /** Path of the list as written in the spec. */
  readonly list: string;
}

/**
 * Returns the context of the test runner for a shot: its baseline, the update policy and its origin.
 *
 * @param segments - see `baselineSegments`
 * @throws ProofsheetError `baseline-shared` if another shot of this run has the same baseline path
 */
export async function runnerContextFor(
  shot: Shot,
  listed: (ListedIn & { readonly position: Position }) | null,
  segments: readonly string[],
  testInfo: TestInfo,
  reuse: ShotReuse | null,
): Promise<RunnerContext> {
  const { config, project, titlePath } = testInfo;
  const path = screenshotPathOf(testInfo, segments);
  // The title of a listed test is the id of its shot.
  const names = [project.name, ...titlePath, ...(listed ? [] : [shot.id])];
  const owner = { name: names.filter(Boolean).join(' › '), isTwoState: shot.before !== null };
  const failedShot = { id: shot.id, project: project.name, position: listed?.position ?? null };
  const isCI = Boolean(process.env.CI);
  const upgrade = readUpgrade();
  return {
    project: project.name,
    policy: upgrade
      ? policyFor({ id: shot.id, project: project.name }, upgrade)
      : { mode: updateModeOf(config), ci: isCI, ignoreSnapshots: project.ignoreSnapshots },
    baseline: claimBaseline({ path, shownPath: displayPath(path, testInfo) }, owner, locksFolder(config)),
    stagingFolder: stagingFolderIn(project.outputDir),
    origin: await originOf(listed, testInfo),
    failureDetails: failureDetailsFor(failedShot, config, { cwd: process.cwd(), isCI }),
    reuse,
  };
}

/**
 * Returns the folder for the locks that the workers of a run share. All projects use the same folder.
 *
 * In UI mode and in editors, one runner process starts many runs, and nothing that a worker knows identifies its run. There, each worker
 * has its own folder: each run starts new workers, and has no retries. Two workers of such a run share no notes, print each notice
 * twice, and do not detect that a shot of each has the same baseline.
 */
export function locksFolder(
  config: Pick<RunnerConfig, 'argv'> & {
    readonly projects: readonly Pick<FullConfig['projects'][number], 'outputDir'>[];
  },
): string {
  const folder = locksFolderIn(config.projects[0]?.outputDir ?? tmpdir(), runNameOf(runnerPid, process.env));
  return isPlainRun(config) ? folder : join(folder, String(process.pid));
}

/** Returns a path for display, identical on all machines: relative to the folder of the config, with slashes. */
function displayPath(path: string, { config }: Pick<TestInfo, 'config'>): string {
  return relative(config.configFile ? join(config.configFile, '..') : config.rootDir, path)
    .split(sep)
    .join('/');
}

/**
 * Returns the update mode. Before Playwright 1.64, the default is `missing`, also where the user sets it: a missing baseline is written, but the
 * test fails.
 */
export function updateModeOf({
  version,
  updateSnapshots,
}: Pick<FullConfig, 'version' | 'updateSnapshots'>): UpdateMode {
  const hasDefault = isAtLeast(version, '1.64');
  return updateSnapshots === 'missing' && !hasDefault ? 'default' : updateSnapshots;
}

/** The ids of the list, the commit and the run id are only needed to merge shards. */
async function originOf(listed: ListedIn | null, testInfo: TestInfo): Promise<Origin> {
  const { shard, rootDir } = testInfo.config;
  return {
    list: listed?.list ?? null,
    listHash: listed?.plan.hash ?? null,
    shard: shard && { current: shard.current, total: shard.total },
    listIds: shard && listed ? listed.plan.shots.map(({ id }) => id) : null,
    commit: shard && (await readTestedCommit(rootDir, process.env)),
    run: shard && readRunId(process.env),
  };
}

/** Returns the path of a spec without extension. The ids of its `toMatchBaseline` shots start with it. */
export function specName(file: string, config: FullConfig): string {
  return displayPath(file, { config }).replace(/(\.(spec|test))?\.[cm]?[jt]sx?$/, '');
}

/** Checks whether Playwright connects to a running browser. The variable is that of Playwright. */
export function isRemote(connectOptions: PlaywrightWorkerOptions['connectOptions']): boolean {
  return connectOptions !== undefined || process.env.PW_TEST_CONNECT_WS_ENDPOINT !== undefined;
}

/** Returns what Playwright records of a test. */
export function recordingOf({
  screenshot,
  trace,
  retry,
}: Pick<PlaywrightWorkerOptions, 'screenshot' | 'trace'> & { readonly retry: number }): Recording {
  const traces = modeOf(trace);
  const isTraced = retry === 0 ? !['off', 'on-first-retry', 'on-all-retries'].includes(traces) : traces !== 'off';
  return { trace: isTraced, screenshot: modeOf(screenshot) !== 'off' };
}

function modeOf(option: string | { readonly mode: string }): string {
  return typeof option === 'string' ? option : option.mode;
}
