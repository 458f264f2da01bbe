import { defineConfig } from '@playwright/test';

// Each worker launches one browser and calls `src` in its own process: nothing is packed or installed. Tests with the tag `@soak` are
// run by test/soak.
export default defineConfig({
  testDir: '.',
  outputDir: '../../.tmp/integration-results',
  globalSetup: '../own-temp-folder.ts',
  fullyParallel: true,
  grepInvert: /@soak/,
  // Most tests wait for pages: three workers keep two cores busy.
  workers: '150%',
  retries: 0,
  timeout: 120_000,
  forbidOnly: Boolean(process.env.CI),
});
