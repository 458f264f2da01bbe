import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, relative } from 'node:path';
import { check } from './check.mjs';
import installPackage from './install-package.mjs';
import { root, run } from './run.mjs';
import { setUp } from './set-up.mjs';

/*
 * Runs all but the soak tests. `--quick` takes what gives an answer in three minutes: the checks of the code, the unit tests that need no
 * browser, and a run from the list to the approval. `--soak` takes the soak tests alone. The last line has the number of tests.
 */
const [isQuick, isSoak] = ['--quick', '--soak'].map((flag) => process.argv.includes(flag));

/** The names of the failed tests, each with its file. */
const failures = [];
let [passed, skipped] = [0, 0];

if (isSoak) {
  await setUp();
  await runVitest(['--config', 'test/soak/vitest.config.ts', '--tagsFilter=soak']);
  await runPlaywright(['-c', 'test/soak', '--pass-with-no-tests']);
} else {
  // The checks below have the types of everything.
  await setUp({ checksTypes: false });
  const output = [];
  const checks = phase('the checks', () => runChecks((text) => output.push(text)));
  // The registry and the disk take most of this time: test/e2e, which comes last, finds it done.
  const installed = phase('the installation', installPackage);
  // Vitest's own choice is one worker fewer than there are cores.
  const workers = `--maxWorkers=${availableParallelism()}`;
  await phase('vitest', () => runVitest(isQuick ? [workers, '--tagsFilter=!slow'] : [workers]));
  await Promise.all([checks, installed]);
  // The checks run beside vitest. Their output follows that of vitest.
  for (const text of output) process.stdout.write(text);
  for (const tier of ['test/integration', 'test/e2e']) {
    const quick = isQuick ? ['--grep=@quick', '--pass-with-no-tests'] : [];
    await phase(tier, () => runPlaywright(['-c', tier, ...quick]));
  }
}
if (failures.length > 0) process.stdout.write(`\nFailed:\n${failures.map((name) => `  ${name}\n`).join('')}`);
process.stdout.write(`\n${passed} passed, ${failures.length} failed${skipped > 0 ? `, ${skipped} skipped` : ''}\n`);
process.exitCode = failures.length > 0 || passed === 0 ? 1 : 0;

/** Runs a part of the tests. A part that throws counts as one failure, and the other parts still run. */
async function phase(name, start) {
  try {
    await start();
  } catch (error) {
    process.stdout.write(`\nFAILED ${name}: ${error.stack}\n`);
    failures.push(name);
  }
}

async function runChecks(write) {
  for (const { name, passed: isPassed } of await check({ isQuick, write })) {
    if (isPassed) passed++;
    else failures.push(`check: ${name}`);
  }
}

/** A test that a filter by tags leaves out is not counted: another command runs it. */
async function runVitest(args) {
  const file = freshFile('vitest.json');
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
  const code = await run('npx', ['--no-install', 'vitest', 'run', ...reporters, ...args]);
  const result = readJson(file);
  passed += result?.numPassedTests ?? 0;
  const failed = (result?.testResults ?? []).flatMap(({ name, status, assertionResults }) => {
    const place = relative(root, name);
    const tests = assertionResults.filter((one) => one.status === 'failed').map((one) => `${place} › ${one.fullName}`);
    // A file that cannot be loaded has no tests, but a message.
    return tests.length === 0 && status === 'failed' ? [place] : tests;
  });
  addFailures('vitest', code, failed);
}

/** A flaky test counts as failed. */
async function runPlaywright(args) {
  const file = freshFile('playwright.json');
  const env = { PLAYWRIGHT_JSON_OUTPUT_FILE: file };
  const code = await run('npx', ['--no-install', 'playwright', 'test', '--reporter=list,json', ...args], { env });
  const result = readJson(file);
  passed += result?.stats.expected ?? 0;
  skipped += result?.stats.skipped ?? 0;
  const folder = relative(root, result?.config.rootDir ?? root);
  const failed = (result?.suites ?? [])
    .flatMap(specsOf)
    .flatMap(({ file, line, title, tests }) =>
      tests
        .filter(({ status }) => status === 'unexpected' || status === 'flaky')
        .map(({ status, projectName }) => `[${projectName}] ${join(folder, file)}:${line} › ${title} (${status})`),
    );
  addFailures('playwright', code, failed);
}

function specsOf({ specs = [], suites = [] }) {
  return [...specs, ...suites.flatMap(specsOf)];
}

/** A command that fails without a failed test, for example by an error outside of all tests, is a failure too. */
function addFailures(command, code, failed) {
  const isSilent = code !== 0 && failed.length === 0;
  failures.push(...failed, ...(isSilent ? [`${command}: exit code ${code}, and no failed test`] : []));
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
