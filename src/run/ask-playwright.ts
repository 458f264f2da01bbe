import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { z } from 'zod';
import { failure, parseJson, renderPlain } from '../model/index.js';
import type { Project } from './project.js';

const testListSchema = z.strictObject({
  hash: z.string().describe('SHA-256 of the names of all tests'),
  isFiltered: z.boolean().describe('the config or test.only hides tests'),
  specs: z.array(
    z.strictObject({
      testDir: z.string().describe('folder of the tests of its project, relative to the folder of the config'),
      path: z.string().describe('relative to that folder'),
    }),
  ),
});

export type TestList = z.infer<typeof testListSchema>;

/** The environment variable with the path of the file for a {@link TestList}. */
export const LIST_VARIABLE = 'PROOFSHEET_LIST_FILE';

/**
 * Playwright reads the specs of a project and runs none.
 * @throws ProofsheetError `obsolete-unknown` if Playwright cannot list them
 */
export async function listTests({ root, config }: Pick<Project, 'root' | 'config'>): Promise<TestList> {
  const args = ['test', '--list', '--config', join(root, config ?? '')];
  const { answer, why } = await askReporter(root, args, LIST_VARIABLE);
  const { data } = testListSchema.safeParse(answer);
  if (data !== undefined && why === null) return data;
  const found = `Playwright cannot list the tests: ${renderPlain(why ?? 'its reporter wrote no list')}`;
  throw failure('obsolete-unknown', 'npx playwright test --list', found, 'Run: npx playwright test --list');
}

/**
 * Runs a command of Playwright with `proofsheet/reporter` alone, which writes an answer. No file of the project is changed.
 * `why`: as {@link runPlaywright} returns it.
 * @param variable - the environment variable with the path of the file for the answer, which is JSON
 */
export async function askReporter(
  root: string,
  args: readonly string[],
  variable: string,
  env: Record<string, string> = {},
) {
  const folder = await mkdtemp(join(tmpdir(), 'proofsheet-answer-'));
  try {
    const file = join(folder, 'answer.json');
    const reporter = `--reporter=${resolveFrom(root, 'proofsheet/reporter')}`;
    const all = [...args, reporter, `--output=${join(folder, 'results')}`];
    const why = await runPlaywright(root, all, { ...env, [variable]: file });
    return { why, answer: parseJson(await readFile(file, 'utf8').catch(() => '')) ?? null };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Runs a command of the Playwright that a project has installed. @returns the first line of its output that names an error, or null */
export function runPlaywright(
  root: string,
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<string | null> {
  const command = [resolveFrom(root, '@playwright/test/cli'), ...args];
  const options = { env: { ...process.env, ...env }, maxBuffer: 2 ** 30 };
  return new Promise((resolve) => {
    execFile(process.execPath, command, options, (error, stdout, stderr) => {
      resolve(error && findError(stdout + stderr));
    });
  });
}

function findError(printed: string): string {
  const lines = stripVTControlCharacters(printed).split('\n');
  const line = lines.find((one) => /^\s*\w*Error\b/.test(one)) ?? lines.find((one) => /error/i.test(one));
  return line?.trim().replace(/^Error: /, '') ?? 'Playwright failed without a message';
}

/** Resolves a module as the project does, or else as proofsheet does. */
export function resolveFrom(root: string, name: string): string {
  try {
    return createRequire(join(root, 'package.json')).resolve(name);
  } catch {
    return createRequire(import.meta.url).resolve(name);
  }
}

/** The lowest version of Playwright that has all that proofsheet uses. `peerDependencies` has it, too. */
export const LOWEST_PLAYWRIGHT = '1.53';

export const INSTALL_PLAYWRIGHT = 'npm install --save-dev @playwright/test';

/** Checks whether a version is at least as new as another one, given as `major.minor`. */
export function isAtLeast(version: string, lowest: string): boolean {
  return version.localeCompare(lowest, 'en', { numeric: true }) >= 0;
}

/** @throws Error if this package uses a version of Playwright that is too old */
export function checkPlaywright(
  { version }: { readonly version: string } = createRequire(import.meta.url)('@playwright/test/package.json'),
): void {
  if (isAtLeast(version, LOWEST_PLAYWRIGHT)) return;
  const found = `proofsheet needs @playwright/test ${LOWEST_PLAYWRIGHT} or later; this project has ${version}.`;
  const error = new Error(`${found} Run: ${INSTALL_PLAYWRIGHT}@latest`);
  error.stack = `Error: ${error.message}`;
  throw error;
}
