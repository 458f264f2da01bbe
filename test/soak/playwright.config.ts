import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig } from '@playwright/test';

const hasIntegration = existsSync(fileURLToPath(new URL('../integration', import.meta.url)));

/** Long runs of the packed tool, and the tests of the other tiers with the tag `@soak`: `npm run test:soak`. */
export default defineConfig({
  outputDir: '../../.tmp/soak-results',
  globalSetup: ['../own-temp-folder.ts', '../e2e/install-package.ts', './install-lowest.ts'],
  fullyParallel: true,
  workers: '100%',
  projects: [
    { name: 'soak', testDir: '.', testMatch: '**/*.soak.spec.ts' },
    { name: 'e2e', testDir: '../e2e', grep: /@soak/ },
    ...(hasIntegration ? [{ name: 'integration', testDir: '../integration', grep: /@soak/ }] : []),
  ],
  retries: 0,
  timeout: 600_000,
  forbidOnly: Boolean(process.env.CI),
});
