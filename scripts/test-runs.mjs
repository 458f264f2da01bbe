import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { root, run } from './run.mjs';

/**
 * @typedef {{ passed: number, failed: number, skipped: number, files?: FileTime[] }} Counts
 * @typedef {{ file: string, tests: number, seconds: number }} FileTime
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
  const failed = result?.numFailedTests ?? 0;
  return {
    passed: result?.numPassedTests ?? 0,
    // A file that cannot be loaded has no tests to count.
    failed: code !== 0 && failed === 0 ? 1 : failed,
    skipped: (result?.testResults ?? []).flatMap((file) => skippedIn(file, tag)).length,
    files: (result?.testResults ?? []).map(({ name, startTime, endTime, assertionResults }) => ({
      file: relative(root, name),
      tests: assertionResults.length,
      seconds: (endTime - startTime) / 1000,
    })),
  };
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
  const { expected = 0, unexpected = 0, flaky = 0, skipped = 0 } = result?.stats ?? {};
  const failed = unexpected + flaky;
  const folder = relative(root, result?.config.rootDir ?? root);
  return {
    passed: expected,
    failed: code !== 0 && failed === 0 ? 1 : failed,
    skipped,
    files: (result?.suites ?? []).map((suite) => ({ ...timeOf(suite), file: join(folder, suite.file) })),
  };
}

/** Sums the tests of a file and their seconds: those of all attempts and projects. */
function timeOf({ specs = [], suites = [] }) {
  const results = specs.flatMap(({ tests }) => tests.flatMap((test) => test.results));
  const parts = [
    { tests: specs.length, seconds: results.reduce((sum, { duration }) => sum + duration / 1000, 0) },
    ...suites.map(timeOf),
  ];
  return parts.reduce((sum, part) => ({ tests: sum.tests + part.tests, seconds: sum.seconds + part.seconds }));
}

/**
 * Prints the closing line and sets the exit code. With `--durations` in the command line, the seconds of each file come first.
 *
 * @param {Counts[]} parts
 */
export function conclude(parts) {
  const total = { passed: 0, failed: 0, skipped: 0 };
  for (const part of parts) for (const name of Object.keys(total)) total[name] += part[name];
  if (process.argv.includes('--durations')) printDurations(parts.flatMap(({ files = [] }) => files));
  const skipped = total.skipped > 0 ? `, ${total.skipped} skipped` : '';
  process.stdout.write(`\n${total.passed} passed, ${total.failed} failed${skipped}\n`);
  process.exitCode = total.failed > 0 || total.passed === 0 ? 1 : 0;
}

/** @param {FileTime[]} files */
function printDurations(files) {
  process.stdout.write('\nseconds  tests  file\n');
  for (const { file, tests, seconds } of files.toSorted((a, b) => b.seconds - a.seconds)) {
    process.stdout.write(`${seconds.toFixed(1).padStart(7)}  ${String(tests).padStart(5)}  ${file}\n`);
  }
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
