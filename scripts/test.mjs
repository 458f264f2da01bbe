import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { check } from './check.mjs';
import { root, run } from './run.mjs';
import { setUp } from './set-up.mjs';

const counts = { passed: 0, failed: 0, skipped: 0 };

await setUp();
for (const { passed } of await check()) count(passed ? 'passed' : 'failed');
await unitTests();
await endToEndTests();

const skipped = counts.skipped ? `, ${counts.skipped} skipped` : '';
process.stdout.write(`\n${counts.passed} passed, ${counts.failed} failed${skipped}\n`);
process.exitCode = counts.failed > 0 || counts.passed === 0 ? 1 : 0;

async function unitTests() {
  const file = freshFile('unit.json');
  const code = await run('npx', [
    '--no-install',
    'vitest',
    'run',
    // Its own choice is one fewer than there are cores.
    `--maxWorkers=${availableParallelism()}`,
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${file}`,
  ]);
  const result = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null;
  count('passed', result?.numPassedTests ?? 0);
  count('failed', result?.numFailedTests ?? 0);
  count('skipped', (result?.numPendingTests ?? 0) + (result?.numTodoTests ?? 0));
  // A file that cannot be loaded has no tests to count.
  if (code !== 0 && !result?.numFailedTests) count('failed');
}

async function endToEndTests() {
  const file = freshFile('e2e.json');
  const env = { PLAYWRIGHT_JSON_OUTPUT_FILE: file };
  const args = ['--no-install', 'playwright', 'test', '-c', 'test/e2e', '--reporter=list,json'];
  const code = await run('npx', args, { env });
  const stats = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).stats : null;
  count('passed', stats?.expected ?? 0);
  // Flaky is not passed: a test that fails once in twenty runs is a bug.
  count('failed', (stats?.unexpected ?? 0) + (stats?.flaky ?? 0));
  count('skipped', stats?.skipped ?? 0);
  if (code !== 0 && !stats?.unexpected) count('failed');
}

function freshFile(name) {
  const file = join(root, '.tmp', name);
  mkdirSync(join(root, '.tmp'), { recursive: true });
  rmSync(file, { force: true });
  return file;
}

function count(what, number = 1) {
  counts[what] += number;
}
