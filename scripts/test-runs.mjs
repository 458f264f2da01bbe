import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { root, run } from './run.mjs';

/**
 * @typedef {{ passed: number, failed: number, skipped: number }} Counts
 */

/**
 * Runs vitest and counts its tests.
 *
 * @param {string[]} args
 * @returns {Promise<Counts>}
 */
export async function runVitest(args) {
  const file = freshFile('vitest.json');
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
  const code = await run('npx', ['--no-install', 'vitest', 'run', ...reporters, ...args]);
  const result = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null;
  const failed = result?.numFailedTests ?? 0;
  return {
    passed: result?.numPassedTests ?? 0,
    // A file that cannot be loaded has no tests to count.
    failed: code !== 0 && failed === 0 ? 1 : failed,
    skipped: (result?.numPendingTests ?? 0) + (result?.numTodoTests ?? 0),
  };
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
  const stats = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).stats : null;
  const failed = (stats?.unexpected ?? 0) + (stats?.flaky ?? 0);
  return {
    passed: stats?.expected ?? 0,
    failed: code !== 0 && failed === 0 ? 1 : failed,
    skipped: stats?.skipped ?? 0,
  };
}

/**
 * Prints the closing line and sets the exit code.
 *
 * @param {Counts[]} parts
 */
export function conclude(parts) {
  const total = { passed: 0, failed: 0, skipped: 0 };
  for (const part of parts) for (const name of Object.keys(total)) total[name] += part[name];
  const skipped = total.skipped > 0 ? `, ${total.skipped} skipped` : '';
  process.stdout.write(`\n${total.passed} passed, ${total.failed} failed${skipped}\n`);
  process.exitCode = total.failed > 0 || total.passed === 0 ? 1 : 0;
}

function freshFile(name) {
  const file = join(root, '.tmp', name);
  mkdirSync(join(root, '.tmp'), { recursive: true });
  rmSync(file, { force: true });
  return file;
}
