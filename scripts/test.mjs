import { availableParallelism } from 'node:os';
import { check } from './check.mjs';
import { setUp } from './set-up.mjs';
import { conclude, runPlaywright, runVitest } from './test-runs.mjs';

// All but the soak tests. `--quick` takes what gives an answer in three minutes: the checks of the code, the unit tests that
// need no browser, and a run from the list to the approval.
const isQuick = process.argv.includes('--quick');

await setUp();
const checks = await check({ isQuick });
const passed = checks.filter((one) => one.passed).length;
const parts = [{ passed, failed: checks.length - passed, skipped: 0 }];

// Vitest's own choice is one worker fewer than there are cores.
const vitest = [`--maxWorkers=${availableParallelism()}`];
parts.push(await runVitest(isQuick ? [...vitest, '--tagsFilter=!slow'] : vitest));
for (const tier of ['test/integration', 'test/e2e']) {
  parts.push(await runPlaywright(isQuick ? ['-c', tier, '--grep=@quick', '--pass-with-no-tests'] : ['-c', tier]));
}
conclude(parts);
