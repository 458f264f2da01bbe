import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { promisify } from 'node:util';

const packageJson: { readonly version: string } = createRequire(import.meta.url)('proofsheet/package.json');

/** Returns the version of this package. */
export function packageVersion(): string {
  return packageJson.version;
}

/** Returns the current commit of a folder; null if there is none or git is not installed. */
export async function readCommit(folder: string): Promise<string | null> {
  const git = promisify(execFile)('git', ['rev-parse', 'HEAD'], { cwd: folder, timeout: 5_000 });
  return git.then(
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
