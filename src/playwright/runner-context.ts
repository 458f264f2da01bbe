import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import type { FullConfig, PlaywrightWorkerOptions, TestInfo } from '@playwright/test';
import { environmentFolder, isFirstNotice } from '../baselines/index.js';
import {
  type BaselineName,
  type Environment,
  type Origin,
  type Plan,
  type Position,
  type ReuseSettings,
  type Shot,
  type ShotRecord,
  shotKey,
  UPGRADE_VARIABLE,
  type Upgrade,
  upgradeSchema,
} from '../model/index.js';
import { identifyMachine } from '../page/index.js';
import {
  cacheFolderOf,
  createShotReuse,
  type FolderServer,
  openReuseCache,
  type ProjectOptions,
  type ReuseRun,
  type ShotReuse,
  toReusableShot,
} from '../reuse/index.js';
import {
  isAtLeast,
  locksFolderIn,
  packageVersion,
  readCommit,
  readRunId,
  readTestedCommit,
  stagingFolderIn,
} from '../run/index.js';
import {
  claimBaseline,
  failureDetailsFor,
  isPlainRun,
  type RunnerConfig,
  type RunnerContext,
  type UpdateMode,
} from '../shot/index.js';
import { screenshotPathOf } from './internals.js';

/** Process id of the test runner. Read at startup, because `process.ppid` changes when the parent process exits. */
const runnerPid: number = process.ppid;

export interface ListOfSpec {
  readonly plan: Plan;
  /** Path of the list as written in the spec. */
  readonly list: string;
}

/** What the test of a shot knows of it. */
interface ShotSource extends Pick<RunnerContext, 'reuse'> {
  readonly shot: Pick<Shot, 'id' | 'baseline' | 'before'>;
  readonly readEnvironment: ReadEnvironment;
  /** The list of the shot, and its position there; null for `toMatchBaseline`. */
  readonly listed: (ListOfSpec & { readonly position: Position }) | null;
}

/**
 * Returns the context of the test runner for a shot: its baseline, the update policy and its origin.
 *
 * @throws ProofsheetError `baseline-shared` if another shot of this run has the same baseline path
 */
export async function runnerContextFor(
  { shot: { id, baseline, before }, readEnvironment, listed, reuse }: ShotSource,
  testInfo: TestInfo,
): Promise<RunnerContext> {
  const { config, project, titlePath } = testInfo;
  const path = await baselinePathIn(testInfo, baseline, readEnvironment);
  // The title of a listed test is the id of its shot.
  const names = [project.name, ...titlePath, ...(listed ? [] : [id])];
  const owner = { name: names.filter(Boolean).join(' › '), isTwoState: before !== null };
  const failedShot = { id, project: project.name, position: listed?.position ?? null };
  const isCI = Boolean(process.env.CI);
  const upgrade = readUpgrade();
  return {
    project: project.name,
    policy: upgrade
      ? policyFor(failedShot, upgrade)
      : { mode: updateModeOf(config), ci: isCI, ignoreSnapshots: project.ignoreSnapshots },
    baseline: claimBaseline({ path, shownPath: relativePath(configFolder(config), path) }, owner, locksFolder(config)),
    stagingFolder: stagingFolderIn(project.outputDir),
    origin: await originOf(listed, testInfo),
    failureDetails: failureDetailsFor(failedShot, config, { cwd: process.cwd(), isCI }),
    reuse,
  };
}

export type ReadEnvironment = () => Promise<Omit<Environment, 'engine'>>;

/** Returns the absolute path of a baseline: `snapshotPathTemplate` of the config, applied to the folder of the environment and the name. */
export async function baselinePathIn(
  testInfo: TestInfo,
  { parts, perEnvironment }: BaselineName,
  readEnvironment: ReadEnvironment,
): Promise<string> {
  const folders = perEnvironment ? [environmentFolder(await readEnvironment())] : [];
  return screenshotPathOf(testInfo, [...folders, ...parts]);
}

/** Returns the policy of a shot during `upgrade`. The run of the earlier browser writes no baseline, that of the current one those of proven shots. */
export function policyFor(shot: Pick<ShotRecord, 'id' | 'project'>, { proven }: Upgrade): RunnerContext['policy'] {
  const isProven = proven?.some((one) => shotKey(one) === shotKey(shot)) ?? false;
  return { mode: isProven ? 'all' : 'none', ci: true, ignoreSnapshots: proven !== null && !isProven };
}

/** Reads what this run does for `proofsheet upgrade`; null: it is another run. */
export function readUpgrade(): Upgrade | null {
  const file = process.env[UPGRADE_VARIABLE];
  return file === undefined ? null : upgradeSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
}

/** The ids of the list, the commit and the run id are only needed to merge shards. */
async function originOf(listed: ListOfSpec | null, testInfo: TestInfo): Promise<Origin> {
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

/** Returns the reuse of one shot; null if its test captures in any case, and does not store the capture. */
export type BeginReuse = ReturnType<typeof createWorkerReuse>;

/** Creates the reuse of a worker. What its shots share is read for the first one. All of them have the same browser. */
export function createWorkerReuse(settings: ReuseSettings) {
  let shared: Promise<readonly [ReuseRun, machine: string | null]> | null = null;
  return async (
    shot: Shot,
    /** Null: the run does not serve the page. */
    server: FolderServer | null,
    values: ProjectOptions['values'] & Pick<PlaywrightWorkerOptions, 'connectOptions' | 'launchOptions'>,
    { config, project, retry }: TestInfo,
  ): Promise<ShotReuse | null> => {
    // A retry, and each of several repeats, exists to capture the page.
    if (retry > 0 || project.repeatEach > 1) return null;
    const { channel, headless = true, launchOptions, connectOptions } = values;
    const { executablePath } = launchOptions;
    shared ??= Promise.all([openRun(settings, config), identifyMachine({ executablePath, channel, headless })]);
    const [run, machine] = await shared;
    const options = {
      ...{ project: project.name, use: { ...project.use }, values, isRemote: isRemote(connectOptions) },
      ...{ version: packageVersion(), machine },
      isUpdating: ['all', 'changed', 'missing'].includes(updateModeOf(config)),
    };
    return createShotReuse(toReusableShot(shot, server, options), run);
  };
}

async function openRun({ verify }: ReuseSettings, config: FullConfig): Promise<ReuseRun> {
  const commit = verify > 0 ? await readCommit(config.rootDir) : null;
  return {
    cache: openReuseCache(cacheFolderOf(configFolder(config), process.env.PROOFSHEET_CACHE)),
    verify,
    run: commit ?? readRunId(process.env) ?? randomUUID(),
    prunes: () => isFirstNotice(locksFolder(config), 'the cache is kept within its size'),
  };
}

/**
 * Returns the folder for the locks that the workers of a run share. All projects use the same folder.
 *
 * In UI mode and in editors, one runner process starts many runs, and nothing that a worker knows identifies its run. There, each worker
 * has its own folder, and no retries. Two workers of such a run print each notice twice, and do not detect that a shot of each has the same
 * baseline.
 */
export function locksFolder(config: Pick<RunnerConfig, 'argv'> & Parameters<typeof locksFolderIn>[0]): string {
  const folder = locksFolderIn(config, runnerPid);
  return isPlainRun(config) ? folder : join(folder, String(process.pid));
}

export function configFolder({ configFile, rootDir }: Pick<FullConfig, 'configFile' | 'rootDir'>): string {
  return configFile ? dirname(configFile) : rootDir;
}

/** Returns a relative path with slashes, which is the same on all machines. */
export function relativePath(from: string, to: string): string {
  return relative(from, to).split(sep).join('/');
}

/**
 * Returns the update mode. Before Playwright 1.64, the default is `missing`, also where the user sets it: a missing baseline is written, but the
 * test fails.
 */
export function updateModeOf(config: Pick<FullConfig, 'version' | 'updateSnapshots'>): UpdateMode {
  const { version, updateSnapshots } = config;
  return updateSnapshots === 'missing' && !isAtLeast(version, '1.64') ? 'default' : updateSnapshots;
}

/** Returns the path of a spec without extension. The ids of its `toMatchBaseline` shots start with it. */
export function specName(file: string, config: FullConfig): string {
  return relativePath(configFolder(config), file).replace(/(\.(spec|test))?\.[cm]?[jt]sx?$/, '');
}

/** Checks whether Playwright connects to a running browser. The variable is that of Playwright. */
export function isRemote(connectOptions: PlaywrightWorkerOptions['connectOptions']): boolean {
  return connectOptions !== undefined || process.env.PW_TEST_CONNECT_WS_ENDPOINT !== undefined;
}
