import { defineConfig } from '@playwright/test';
import type { Repetitions } from '../integration/capture/settle.js';

/** The integration tests that this tier runs with more captures of each page. */
const REPEATED = '**/capture/{late-changes,scrolling,stabilizers}.spec.ts';

/** Long runs of the packed tool, and the integration and end-to-end tests with the tag `@soak`: `npm run test:soak`. */
export default defineConfig<Repetitions>({
  outputDir: '../../.tmp/soak-results',
  globalSetup: ['../own-temp-folder.ts', '../../scripts/install-package.mjs'],
  fullyParallel: true,
  workers: '100%',
  projects: [
    { name: 'soak', testDir: '.', testMatch: '**/*.soak.spec.ts' },
    { name: 'integration', testDir: '../integration', grep: /@soak/ },
    { name: 'repeated', testDir: '../integration', testMatch: REPEATED, grepInvert: /@soak/, use: { captures: 30 } },
    { name: 'e2e', testDir: '../e2e', grep: /@soak/ },
  ],
  retries: 0,
  timeout: 600_000,
  forbidOnly: Boolean(process.env.CI),
});
