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

/** The process of the run, which started this one. It is noted at the start: who loses its parent is given another one. */
const runnerPid = process.ppid;

/** The list that a shot is in. */
export interface ListedIn {
  readonly plan: Plan;
  /** Path of the list, as the spec has it. */
  readonly list: string;
}

/** A shot's place in its list, as well. */
export interface ListedAt extends ListedIn {
  readonly position: PlannedShot['position'];
}

/**
 * Returns a shot what the test runner knows: where its baseline lies, what may be written, where it comes from.
 *
 * @param folder - of its baseline among others, or null
 * @throws ProofsheetError `baseline-shared` when another shot of this run has the same baseline path.
 */
export function runnerContextFor(
  shot: Shot,
  listed: ListedAt | null,
  folder: string | null,
  headless: Environment['headless'],
  testInfo: TestInfo,
): RunnerContext {
  const path = baselinePath(shot, folder, testInfo);
  const shownPath = shown(path, testInfo);
  const project = testInfo.project.name;
  if (!shot.before) claimBaseline(path, shownPath, testInfo);
  return {
    project,
    policy: {
      mode: updateModeOf(testInfo),
      ci: Boolean(process.env.CI),
      ignoreSnapshots: testInfo.project.ignoreSnapshots,
    },
    baseline: { path, shownPath, writtenInRun: writtenInRunOf(path, testInfo) },
    stagingFolder: join(ownFolder(testInfo.project.outputDir), 'images', randomUUID()),
    headless,
    origin: originOf(listed, testInfo),
    hints: hintsFor({ id: shot.id, project, position: listed?.position ?? null, baseline: path }, testInfo.config, {
      cwd: process.cwd(),
      isCI: Boolean(process.env.CI),
    }),
  };
}

/**
 * Returns the folder in which the workers of a run tell each other what they have taken: one for all projects, and of this
 * run alone, since Playwright empties only the folders of projects that run.
 */
export function locksFolder({ projects }: FullConfig): string {
  return join(ownFolder(projects[0]?.outputDir ?? tmpdir()), CLAIMS_FOLDER, String(runnerPid));
}

/** Returns a path as the user is told it, the same on every machine: relative to the config's folder, with slashes. */
export function shown(path: string, { config }: Pick<TestInfo, 'config'>): string {
  return relative(config.configFile ? join(config.configFile, '..') : config.rootDir, path)
    .split(sep)
    .join('/');
}

/** Playwright empties the output folder at the start of a run, and only then: what lies here lives as long as the run. */
function ownFolder(outputDir: string): string {
  return join(outputDir, OWN_FOLDER);
}

/** Follows the user's path templates for screenshots. */
function baselinePath(shot: Shot, folder: string | null, testInfo: TestInfo): string {
  const parts = [...(folder === null ? [] : [folder]), ...safePathParts(shot)];
  const last = `${parts.pop()}.${shot.capture.format}`;
  // Several parts and options together are documented, and work, but are not in Playwright's types.
  return Reflect.apply(testInfo.snapshotPath, testInfo, [...parts, last, { kind: 'screenshot' }]);
}

/** A worker that dies after it wrote a missing baseline leaves a mark: what comes after it must not be healed by that. */
function writtenInRunOf(path: string, { config }: TestInfo): BaselinePath['writtenInRun'] {
  const folder = locksFolder(config);
  const thing = `writtenInRun of ${path}`;
  return { isKnown: () => isLocked(folder, thing), mark: () => void acquireLock(folder, thing, '') };
}

function updateModeOf({ config }: TestInfo): UpdateMode {
  const mode: UpdateMode | undefined = config.updateSnapshots;
  return mode ?? 'default';
}

/** A retry, a repetition and a second look in one test are the same test, and may come again. */
function claimBaseline(path: string, shownPath: string, { config, project, titlePath }: TestInfo): void {
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

/** The list's ids, the commit and the run's id are for putting shards together: without shards nobody asks. */
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

/** Returns what the ids of a spec's own shots begin with: its path without its ending. */
export function specName(file: string, config: FullConfig): string {
  return shown(file, { config }).replace(/(\.(spec|test))?\.[cm]?[jt]sx?$/, '');
}

/**
 * Returns the folder of a shot's baseline under `environment: separate`; null under the other rules.
 *
 * @param drawing the open page that is captured, or the browser that opens it
 */
export async function environmentFolderOf(
  shot: Shot,
  drawing: { readonly page: Page } | { readonly browser: Browser },
  headless: Environment['headless'],
): Promise<string | null> {
  if (shot.environment !== 'separate' || shot.before) return null;
  const read = 'page' in drawing ? readEnvironment(drawing.page, 1) : readBrowserEnvironment(drawing.browser, 1);
  return environmentFolder({ ...(await read), headless });
}
