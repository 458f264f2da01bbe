import { defineConfig } from '@playwright/test';

// What waits longest, and hardly computes: last, it would leave the other workers idle.
const WAITING = '**/{ignore,late-changes,list-fields,loads,wrong-pages}.spec.ts';

// Each worker launches one browser and calls `src` in its own process: nothing is packed or installed. Tests with the tag `@soak` are
// run by test/soak.
export default defineConfig({
  testDir: '.',
  outputDir: '../../.tmp/integration-results',
  globalSetup: '../own-temp-folder.ts',
  fullyParallel: true,
  grepInvert: /@soak/,
  // On two cores, one test that waits and one other run at a time. With more, a run is no faster, and pages exceed their time limits.
  workers: '100%',
  projects: [
    { name: 'waiting', testMatch: WAITING, workers: 1 },
    { name: 'integration', testIgnore: WAITING },
  ],
  retries: 0,
  timeout: 120_000,
  forbidOnly: Boolean(process.env.CI),
});
