import { availableParallelism } from 'node:os';
import { check } from './check.mjs';
import installPackage from './install-package.mjs';
import { setUp } from './set-up.mjs';
import { conclude, runPlaywright, runVitest } from './test-runs.mjs';

// All but the soak tests. `--quick` takes what gives an answer in three minutes: the checks of the code, the unit tests that
// need no browser, and a run from the list to the approval.
const isQuick = process.argv.includes('--quick');

// Vitest's own choice is one worker fewer than there are cores.
const vitest = [`--maxWorkers=${availableParallelism()}`];

// The checks below have the types of everything.
await setUp({ checksTypes: false });
const output = [];
const checks = phase('the checks', () => runChecks((text) => output.push(text)));
// The registry and the disk take most of this time: test/e2e, which comes last, finds it done.
const installed = phase('the installation', async () => {
  await installPackage();
  return { passed: 0, failed: 0, skipped: 0 };
});
const parts = [await phase('vitest', () => runVitest(isQuick ? [...vitest, '--tagsFilter=!slow'] : vitest))];
parts.push(await checks, await installed);
// The checks run beside vitest. Their output follows that of vitest.
for (const text of output) process.stdout.write(text);
for (const tier of ['test/integration', 'test/e2e']) {
  const args = isQuick ? ['-c', tier, '--grep=@quick', '--pass-with-no-tests'] : ['-c', tier];
  parts.push(await phase(tier, () => runPlaywright(args)));
}
conclude(parts);

async function runChecks(write) {
  const results = await check({ isQuick, write });
  const failures = results.filter(({ passed }) => !passed).map(({ name }) => `check: ${name}`);
  return { passed: results.length - failures.length, failed: failures.length, skipped: 0, failures };
}

/** Runs a part of the tests. A part that throws counts as one failure, and the other parts still run. */
async function phase(name, start) {
  try {
    return await start();
  } catch (error) {
    process.stdout.write(`\nFAILED ${name}: ${error.stack}\n`);
    return { passed: 0, failed: 1, skipped: 0, failures: [name] };
  }
}
