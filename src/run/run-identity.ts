import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { promisify } from 'node:util';
import { z } from 'zod';
import { parseJson } from '../model/index.js';

const packageJson: { readonly version: string } = createRequire(import.meta.url)('proofsheet/package.json');

/** Returns the version of this package. */
export function packageVersion(): string {
  return packageJson.version;
}

/** Returns the current commit of a folder; null if there is none or git is not installed. */
export function readCommit(folder: string): Promise<string | null> {
  return askGit(folder, ['rev-parse', 'HEAD']);
}

const eventSchema = z.object({ pull_request: z.object({ head: z.object({ sha: z.string() }) }) });

/**
 * Returns the commit that a run tests; null if it is unknown. For a pull request, GitHub Actions checks out a merge with the target branch. The
 * commit is then the head of the pull request, because reviewers and later workflows know only that one.
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

/**
 * Returns the id that all shards of a run share, or null if the environment has none.
 *
 * @param env - as `process.env`; `PROOFSHEET_RUN_ID` wins.
 */
export function readRunId(env: Readonly<Record<string, string | undefined>>): string | null {
  const name = VARIABLES.find((variable) => env[variable]);
  return name === undefined ? null : `${name}=${env[name]}`;
}

/** Environment variable with the name of the run. The workers of a test runner inherit it. */
const RUN_NAME = 'PROOFSHEET_RUN_NAME';

/**
 * Returns the name of a run on this machine: the process id of its test runner and a random part, because process ids come again, as in
 * containers. The runner makes the name before it starts workers. If it did not load this package before, the process id is the name.
 *
 * @param env - as `process.env`
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

/** The lowest version of Playwright that has all that proofsheet uses. `peerDependencies` has it, too. */
export const LOWEST_PLAYWRIGHT = '1.53';

export const INSTALL_PLAYWRIGHT = 'npm install --save-dev @playwright/test';

/** Checks whether a version is at least as new as another one, given as `major.minor`. */
export function isAtLeast(version: string, lowest: string): boolean {
  const [a = 0, b = 0] = version.split('.').map(Number);
  const [major = 0, minor = 0] = lowest.split('.').map(Number);
  return a > major || (a === major && b >= minor);
}

/**
 * Checks the version of Playwright that this package uses.
 *
 * @throws Error if it is too old; the error has no stack, because the code of this package does not help
 */
export function checkPlaywright(
  { version }: { readonly version: string } = createRequire(import.meta.url)('@playwright/test/package.json'),
): void {
  if (isAtLeast(version, LOWEST_PLAYWRIGHT)) return;
  const found = `proofsheet needs @playwright/test ${LOWEST_PLAYWRIGHT} or later; this project has ${version}.`;
  const error = new Error(`${found} Run: ${INSTALL_PLAYWRIGHT}@latest`);
  error.stack = `Error: ${error.message}`;
  throw error;
}
