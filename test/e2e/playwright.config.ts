import { defineConfig } from '@playwright/test';

// Every test runs the packed tool in a project of its own, in a temp folder: two at a time are enough for two cores.
export default defineConfig({
  testDir: '.',
  outputDir: '../../.tmp/e2e-results',
  globalSetup: './install-package.ts',
  fullyParallel: true,
  workers: 2,
  retries: 0,
  timeout: 180_000,
  forbidOnly: Boolean(process.env.CI),
});
