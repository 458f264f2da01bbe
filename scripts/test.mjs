import { availableParallelism } from 'node:os';
import { check } from './check.mjs';
import { setUp } from './set-up.mjs';
import { conclude, runPlaywright, runVitest } from './test-runs.mjs';

await setUp();
const checks = await check();
const passed = checks.filter((one) => one.passed).length;
conclude([
  { passed, failed: checks.length - passed, skipped: 0 },
  // Vitest's own choice is one worker fewer than there are cores.
  await runVitest([`--maxWorkers=${availableParallelism()}`]),
  await runPlaywright(['-c', 'test/e2e']),
]);
