import { defineConfig } from '@playwright/test';

// The longest tests, and the files whose tests are done one after the other: they would leave all but one worker idle at the end.
const LONG = '**/{docs,merge,secrets,update-modes}.spec.ts';

// Each worker that runs one of these paints and compares the images of one report, which takes longer than a test.
const VIEWER = '**/viewer{,-decisions,-limits,-published}.spec.ts';

// Most tests run the packed tool in a project of their own, in a temp folder. They wait for pages a third of their time: four
// at a time keep two cores busy. Tests with the tag `@soak` are run by test/soak.
export default defineConfig({
  testDir: '.',
  outputDir: '../../.tmp/e2e-results',
  globalSetup: ['../own-temp-folder.ts', '../../scripts/install-package.mjs'],
  grepInvert: /@soak/,
  fullyParallel: true,
  workers: '200%',
  projects: [
    { name: 'long', testMatch: LONG },
    { name: 'viewer', testMatch: VIEWER, workers: 1 },
    { name: 'e2e', testIgnore: [LONG, VIEWER] },
  ],
  retries: 0,
  timeout: 300_000,
  forbidOnly: Boolean(process.env.CI),
});
