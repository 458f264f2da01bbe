import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join, relative, sep } from 'node:path';
import type { Browser, FullConfig, Page, TestInfo } from '@playwright/test';
import { environmentFolder } from '../baselines/baseline-path.js';
import { acquireLock, isLocked } from '../baselines/claims.js';
import { CLAIMS_FOLDER, OWN_FOLDER } from '../baselines/paths.js';
import { readBrowserEnvironment, readEnvironment } from '../capture/environment.js';
import { readRunId } from '../core/run/run-id.js';
import type { UpdateMode } from '../core/shot/decide.js';
import type { BaselinePath } from '../core/shot/gather-evidence.js';
import type { RunnerContext } from '../core/shot/test-shot.js';
import type { Origin } from '../model/attachments.js';
import type { Environment } from '../model/environment.js';
import { ProofsheetError } from '../model/errors.js';
import type { Plan, PlannedShot, Shot } from '../model/shot.js';
import { safePathParts } from '../page-list/resolve/names.js';
import { hintsFor } from './failure-hints.js';

/** Process id of the test runner. Read at startup, because `process.ppid` changes when the parent process exits. */
const runnerPid = process.ppid;

/** The list of a shot. */
export interface ListedIn {
  readonly plan: Plan;
  /** Path of the list as written in the spec. */
  readonly list: string;
}

/** The list of a shot and the position of the shot in it. */
export interface ListedAt extends ListedIn {
  readonly position: PlannedShot['position'];
}

/**
 * Returns the context of the test runner for a shot: the path of its baseline, the update policy and its origin.
 *
 * @param folder - subfolder for the baseline, or null
 * @throws ProofsheetError `baseline-shared` if another shot of this run has the same baseline path
 */
export function runnerContextFor(
  shot: Shot,
  listed: ListedAt | null,
  folder: string | null,
  headless: Environment['headless'],
  testInfo: TestInfo,
): RunnerContext {
  const path = baselinePath(shot, folder, testInfo);
  const shownPath = displayPath(path, testInfo);
  const project = testInfo.project.name;
  if (!shot.before) lockBaseline(path, shownPath, testInfo);
  return {
    project,
    policy: {
      mode: updateModeOf(testInfo),
      ci: Boolean(process.env.CI),
      ignoreSnapshots: testInfo.project.ignoreSnapshots,
    },
    baseline: { path, shownPath, writtenInRun: writtenInRunOf(path, testInfo) },
    stagingFolder: join(temporaryFolder(testInfo.project.outputDir), 'images', randomUUID()),
    headless,
    origin: originOf(listed, testInfo),
    hints: hintsFor({ id: shot.id, project, position: listed?.position ?? null, baseline: path }, testInfo.config, {
      cwd: process.cwd(),
      isCI: Boolean(process.env.CI),
    }),
  };
}

/**
 * Returns the folder for the locks that the workers of a run share. All projects use the same folder. Each run uses a new
 * one, because Playwright empties only the output folders of projects that run.
 */
export function locksFolder({ projects }: FullConfig): string {
  return join(temporaryFolder(projects[0]?.outputDir ?? tmpdir()), CLAIMS_FOLDER, String(runnerPid));
}

/** Returns a path for display, identical on all machines: relative to the folder of the config, with slashes. */
function displayPath(path: string, { config }: Pick<TestInfo, 'config'>): string {
  return relative(config.configFile ? join(config.configFile, '..') : config.rootDir, path)
    .split(sep)
    .join('/');
}

/** Returns a folder for files of one run. Playwright empties the output folder only at the start of a run. */
function temporaryFolder(outputDir: string): string {
  return join(outputDir, OWN_FOLDER);
}

/** Applies the `snapshotPathTemplate` of the config. */
function baselinePath(shot: Shot, folder: string | null, testInfo: TestInfo): string {
  const parts = [...(folder === null ? [] : [folder]), ...safePathParts(shot)];
  const fileName = `${parts.pop()}.${shot.capture.format}`;
  // Playwright documents several path segments together with options, but its types do not allow them.
  return Reflect.apply(testInfo.snapshotPath, testInfo, [...parts, fileName, { kind: 'screenshot' }]);
}

/** A lock marks a baseline that this run wrote. A retry after a worker crash must not pass because of that baseline. */
function writtenInRunOf(path: string, { config }: TestInfo): BaselinePath['writtenInRun'] {
  const folder = locksFolder(config);
  const lock = `writtenInRun of ${path}`;
  return { isKnown: () => isLocked(folder, lock), mark: () => void acquireLock(folder, lock, '') };
}

function updateModeOf({ config }: TestInfo): UpdateMode {
  const mode: UpdateMode | undefined = config.updateSnapshots;
  return mode ?? 'default';
}

/** Retries, `repeatEach` and several comparisons in one test have the same owner, so they can share a baseline. */
function lockBaseline(path: string, shownPath: string, { config, project, titlePath }: TestInfo): void {
  const owner = [project.name, ...titlePath].filter(Boolean).join(' › ');
  const other = acquireLock(locksFolder(config), `baseline ${path}`, owner);
  if (other === owner) return;
  throw new ProofsheetError({
    code: 'baseline-shared',
    where: shownPath,
    found: `it is the baseline of two shots, ${other} and ${owner}`,
    advice: 'Give them different names, or put {projectName} (and {arg}) into `snapshotPathTemplate`.',
  });
}

/** The ids of the list, the commit and the run id are only needed to merge shards. */
function originOf(listed: ListedIn | null, testInfo: TestInfo): Origin {
  const { shard, rootDir } = testInfo.config;
  return {
    list: listed?.list ?? null,
    listHash: listed?.plan.hash ?? null,
    shard: shard && { current: shard.current, total: shard.total },
    listIds: shard && listed ? listed.plan.shots.map(({ id }) => id) : null,
    commit: shard && currentCommit(rootDir),
    run: shard && readRunId(process.env),
  };
}

let commit: string | null | undefined;

function currentCommit(folder: string): string | null {
  if (commit === undefined) {
    try {
      commit = execFileSync('git', ['rev-parse', 'HEAD'], {
        cwd: folder,
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
        timeout: 5_000,
      }).trim();
    } catch {
      commit = null;
    }
  }
  return commit;
}

/** Returns the path of a spec without extension. The ids of its `toMatchBaseline` shots start with it. */
export function specName(file: string, config: FullConfig): string {
  return displayPath(file, { config }).replace(/(\.(spec|test))?\.[cm]?[jt]sx?$/, '');
}

/**
 * Returns the baseline folder of a shot with `environment: separate`, otherwise null.
 *
 * @param subject - the captured page, or the browser that opens it
 */
export async function environmentFolderOf(
  shot: Shot,
  subject: { readonly page: Page } | { readonly browser: Browser },
  headless: Environment['headless'],
): Promise<string | null> {
  if (shot.environment !== 'separate' || shot.before) return null;
  const read = 'page' in subject ? readEnvironment(subject.page, 1) : readBrowserEnvironment(subject.browser, 1);
  return environmentFolder({ ...(await read), headless });
}
