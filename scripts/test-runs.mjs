import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { root, run } from './run.mjs';

/**
 * @typedef {{ passed: number, failed: number, skipped: number, failures?: string[] }} Counts
 *   `failures`: the names of the failed tests, each with its file.
 */

/**
 * Runs vitest and counts its tests.
 *
 * @param {string[]} args
 * @param {{ tag?: string }} [options] `tag`: the arguments select the tests with this tag.
 * @returns {Promise<Counts>}
 */
export async function runVitest(args, { tag } = {}) {
  const file = freshFile('vitest.json');
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
  const code = await run('npx', ['--no-install', 'vitest', 'run', ...reporters, ...args]);
  const result = readJson(file);
  const files = result?.testResults ?? [];
  const failures = files.flatMap(failedIn);
  return {
    passed: result?.numPassedTests ?? 0,
    ...failuresOf('vitest', code, failures),
    skipped: files.flatMap((file) => skippedIn(file, tag)).length,
  };
}

/** A file that cannot be loaded has no tests, but a message. */
function failedIn({ name, status, assertionResults }) {
  const file = relative(root, name);
  const failed = assertionResults.filter((one) => one.status === 'failed').map((one) => `${file} › ${one.fullName}`);
  return failed.length === 0 && status === 'failed' ? [file] : failed;
}

/** A command that fails without a failed test, for example by an error outside of all tests, is a failure too. */
function failuresOf(command, code, failures) {
  const all = code !== 0 && failures.length === 0 ? [`${command}: exit code ${code}, and no failed test`] : failures;
  return { failed: all.length, failures: all };
}

/** A test that a filter by tags leaves out is not skipped: another command runs it. */
function skippedIn({ assertionResults }, tag) {
  const isLeftOut = ({ tags = [] }) => (tag ? !tags.includes(tag) : tags.includes('soak') || tags.includes('slow'));
  return assertionResults.filter((one) => !['passed', 'failed'].includes(one.status) && !isLeftOut(one));
}

/**
 * Runs Playwright Test and counts its tests. A flaky test counts as failed.
 *
 * @param {string[]} args
 * @returns {Promise<Counts>}
 */
export async function runPlaywright(args) {
  const file = freshFile('playwright.json');
  const env = { PLAYWRIGHT_JSON_OUTPUT_FILE: file };
  const code = await run('npx', ['--no-install', 'playwright', 'test', '--reporter=list,json', ...args], { env });
  const result = readJson(file);
  const { expected = 0, skipped = 0 } = result?.stats ?? {};
  const suites = result?.suites ?? [];
  const folder = relative(root, result?.config.rootDir ?? root);
  const failures = suites.flatMap(specsOf).flatMap(({ file, line, title, tests }) => {
    const failed = tests.filter(({ status }) => status === 'unexpected' || status === 'flaky');
    return failed.map(({ status, projectName }) => {
      const project = projectName ? `[${projectName}] ` : '';
      return `${project}${join(folder, file)}:${line} › ${title}${status === 'flaky' ? ' (flaky)' : ''}`;
    });
  });
  return { passed: expected, ...failuresOf('playwright', code, failures), skipped };
}

function specsOf({ specs = [], suites = [] }) {
  return [...specs, ...suites.flatMap(specsOf)];
}

/**
 * Prints the names of the failed tests and the closing line, and sets the exit code.
 *
 * @param {Counts[]} parts
 */
export function conclude(parts) {
  const total = { passed: 0, failed: 0, skipped: 0 };
  for (const part of parts) for (const name of Object.keys(total)) total[name] += part[name];
  const failures = parts.flatMap(({ failures = [] }) => failures);
  if (failures.length > 0) process.stdout.write(`\nFailed:\n${failures.map((name) => `  ${name}\n`).join('')}`);
  const skipped = total.skipped > 0 ? `, ${total.skipped} skipped` : '';
  process.stdout.write(`\n${total.passed} passed, ${total.failed} failed${skipped}\n`);
  process.exitCode = total.failed > 0 || total.passed === 0 ? 1 : 0;
}

function readJson(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null;
}

function freshFile(name) {
  const file = join(root, '.tmp', name);
  mkdirSync(join(root, '.tmp'), { recursive: true });
  rmSync(file, { force: true });
  return file;
}
