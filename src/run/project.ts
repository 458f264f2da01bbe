import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { type BaselineFolders, LOCKS_FOLDER, OWN_FOLDER, REPORT_FOLDER, RESULTS_FILE } from '../baselines/index.js';
import { invalidCommand, messageOf, parseJson } from '../model/index.js';

export interface ProjectFolders extends BaselineFolders {
  /** Absolute path of the report's folder. */
  readonly folder: string;
}

/** The folders of a project, and the config that the user named. */
export interface Project extends ProjectFolders {
  /** File name of the config in `root`; null if the user named none, or a folder. */
  readonly config: string | null;
}

/** Locates a finished run. All paths are as the user typed them, relative to the working directory. Null: the default. */
interface ProjectPlaces {
  readonly config?: string | null;
  readonly from?: string | null | undefined;
  readonly baselines?: string | null;
}

/**
 * Resolves the folders of the config, the report and the baselines. The report is in `proofsheet-report` beside the config, or in
 * `--from`, which can also be the folder of an unpacked artifact. Baselines are below the config's folder, or below `--baselines`.
 *
 * @throws ProofsheetError `command-invalid` if the config does not exist.
 */
export function findProject({ config = null, from = null, baselines = null }: ProjectPlaces): Project {
  const { root, name } = config === null ? { root: process.cwd(), name: null } : locateConfig(config);
  const folder = from === null ? join(root, REPORT_FOLDER) : resolve(from);
  const inner = join(folder, REPORT_FOLDER);
  const isInner = !existsSync(join(folder, RESULTS_FILE)) && existsSync(join(inner, RESULTS_FILE));
  const within = baselines === null ? root : resolve(baselines);
  return { root, within, folder: isInner ? inner : folder, config: name };
}

function locateConfig(config: string): { root: string; name: string | null } {
  const path = resolve(config);
  const found = statSync(path, { throwIfNoEntry: false });
  if (found) return found.isDirectory() ? { root: path, name: null } : { root: dirname(path), name: basename(path) };
  throw invalidCommand(config, 'the config does not exist', 'Pass the path of the Playwright config or of its folder.');
}

/**
 * Returns the folder for the locks that the workers of a run share: a new one for each run, in the output folder of the first project.
 * @param runnerPid - see `runNameOf`
 */
export function locksFolderIn(
  { projects }: { readonly projects: readonly { readonly outputDir: string }[] },
  runnerPid: number,
): string {
  const outputDir = projects[0]?.outputDir ?? tmpdir();
  return join(outputDir, OWN_FOLDER, LOCKS_FOLDER, runNameOf(runnerPid, process.env));
}

/** Marks the locks of a run that wrote its report. A copy of the folder keeps the mark, but not the times of its files. */
export async function markReported(locksFolder: string): Promise<void> {
  // Without locks, the run tested no shot, and there is nothing to mark.
  await writeFile(join(locksFolder, REPORTED), '').catch(messageOf);
}

export function isReported(locksFolder: string): boolean {
  return existsSync(join(locksFolder, REPORTED));
}

const REPORTED = 'reported';

/** Returns a new folder for images of a shot that the reporter has not yet placed. */
export function stagingFolderIn(outputDir: string): string {
  return join(outputDir, OWN_FOLDER, 'images', randomUUID());
}

/** Checks whether a report is the one that runs of this project write, not a downloaded one. */
export function isOwnReport({ root, folder }: Pick<ProjectFolders, 'root' | 'folder'>): boolean {
  return folder === join(root, REPORT_FOLDER);
}

const packageJson: { readonly version: string } = createRequire(import.meta.url)('proofsheet/package.json');

export function packageVersion(): string {
  return packageJson.version;
}

export function readCommit(folder: string): Promise<string | null> {
  return askGit(folder, ['rev-parse', 'HEAD']);
}

const eventSchema = z.object({ pull_request: z.object({ head: z.object({ sha: z.string() }) }) });

/**
 * For a pull request, GitHub Actions checks out a merge with the target branch. The commit is then the head of the pull request, because
 * reviewers and later workflows know only that one.
 */
export async function readTestedCommit(folder: string, env: NodeJS.ProcessEnv): Promise<string | null> {
  const commit = await readCommit(folder);
  if (env.GITHUB_EVENT_NAME !== 'pull_request' || commit === null || commit !== env.GITHUB_SHA) return commit;
  const text = await readFile(env.GITHUB_EVENT_PATH ?? '', 'utf8').catch(() => '');
  return eventSchema.safeParse(parseJson(text)).data?.pull_request.head.sha ?? commit;
}

/** Returns the name of the user of Git in a folder; null if there is none or git is not installed. */
export function readUserName(folder: string): Promise<string | null> {
  return askGit(folder, ['config', 'user.name']);
}

async function askGit(folder: string, words: readonly string[]): Promise<string | null> {
  return promisify(execFile)('git', words, { cwd: folder, timeout: 5_000 }).then(
    ({ stdout }) => stdout.trim() || null,
    () => null,
  );
}

/** Environment variables with the run id of a build server. The id does not change when a failed job is run again. */
const VARIABLES = [
  'PROOFSHEET_RUN_ID',
  'GITHUB_RUN_ID',
  'CI_PIPELINE_ID',
  'BUILD_BUILDID',
  'CIRCLE_PIPELINE_ID',
  'BUILDKITE_BUILD_ID',
  'BITBUCKET_PIPELINE_UUID',
];

/** Returns the id that all shards of a run share, or null. `PROOFSHEET_RUN_ID` wins. */
export function readRunId(env: Readonly<Record<string, string | undefined>>): string | null {
  const name = VARIABLES.find((variable) => env[variable]);
  return name === undefined ? null : `${name}=${env[name]}`;
}

const RUN_NAME = 'PROOFSHEET_RUN_NAME';

/**
 * Returns the name of a run on this machine: the process id of its runner and a random part, because process ids come again. The runner makes it
 * before it starts workers; if it did not load this package before, the process id is the name.
 */
export function runNameOf(runnerPid: number, env: Record<string, string | undefined>): string {
  const known = env[RUN_NAME] ?? '';
  // A run inside a test of another run inherits the name of that one.
  if (known.startsWith(`${runnerPid}-`)) return known;
  if (runnerPid !== process.pid) return String(runnerPid);
  const name = `${runnerPid}-${randomUUID()}`;
  env[RUN_NAME] = name;
  return name;
}
