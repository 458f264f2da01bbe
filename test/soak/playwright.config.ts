import { defineConfig } from '@playwright/test';
import type { Repetitions } from '../integration/capture/settle.js';

/** The integration tests that this tier runs with more captures of each page. */
const REPEATED = '**/capture/{late-changes,scrolling,stabilizers}.spec.ts';

/** The versions of Playwright of `docs/compatibility.md`: the newest patch of each, and the lowest that is admitted. */
const VERSIONS = [
  ...['1.53.0', '1.55.1', '1.57.0', '1.58.2', '1.59.1', '1.60.0', '1.61.1', '1.62.1', '1.63.0', '1.64.1', '1.65.1'],
];

/** Long runs of the packed tool, and the integration and end-to-end tests with the tag `@soak`: `npm run test:soak`. */
export default defineConfig<Repetitions & { playwrightVersion: string }>({
  outputDir: '../../.tmp/soak-results',
  globalSetup: ['../own-temp-folder.ts', '../../scripts/install-package.mjs'],
  fullyParallel: true,
  workers: '100%',
  projects: [
    { name: 'soak', testDir: '.', testMatch: '**/*.soak.spec.ts', grepInvert: /@versions/ },
    { name: 'integration', testDir: '../integration', grep: /@soak/ },
    { name: 'repeated', testDir: '../integration', testMatch: REPEATED, grepInvert: /@soak/, use: { captures: 30 } },
    { name: 'e2e', testDir: '../e2e', grep: /@soak/ },
    ...VERSIONS.flatMap((playwrightVersion) => [
      { name: `install ${playwrightVersion}`, testMatch: '**/*.soak.setup.ts', use: { playwrightVersion } },
      {
        ...{ name: `Playwright ${playwrightVersion}`, dependencies: [`install ${playwrightVersion}`] },
        ...{ testDir: '..', testMatch: '{e2e,soak}/*.spec.ts', grep: /@versions/, use: { playwrightVersion } },
      },
    ]),
  ],
  retries: 0,
  timeout: 600_000,
  forbidOnly: Boolean(process.env.CI),
});
