import { defineConfig } from '@playwright/test';

/** Long runs of the packed tool: `npm run test:soak`. */
export default defineConfig({
  testDir: '.',
  testMatch: '**/*.soak.spec.ts',
  outputDir: '../../.tmp/soak-results',
  globalSetup: ['../own-temp-folder.ts', '../e2e/install-package.ts'],
  fullyParallel: true,
  workers: '100%',
  retries: 0,
  timeout: 600_000,
  forbidOnly: Boolean(process.env.CI),
});
