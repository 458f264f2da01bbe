import { defineConfig } from '@playwright/test';

/** Long runs of the packed tool, and the integration and end-to-end tests with the tag `@soak`: `npm run test:soak`. */
export default defineConfig({
  outputDir: '../../.tmp/soak-results',
  globalSetup: ['../own-temp-folder.ts', '../../scripts/install-package.mjs'],
  fullyParallel: true,
  workers: '100%',
  projects: [
    { name: 'soak', testDir: '.', testMatch: '**/*.soak.spec.ts' },
    { name: 'integration', testDir: '../integration', grep: /@soak/ },
    { name: 'e2e', testDir: '../e2e', grep: /@soak/ },
  ],
  retries: 0,
  timeout: 600_000,
  forbidOnly: Boolean(process.env.CI),
});
