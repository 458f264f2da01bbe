import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { test as base, type LaunchOptions, type TestInfoError, type WorkerInfo } from '@playwright/test';
import { chooseBrowser, repeatableFlags } from '../../browser/launch.js';
import type { Environment } from '../../model/environment.js';
import { claim } from '../../record/claims.js';
import { type Browsers, createBrowsers } from './browsers.js';
import { claimsFolder, runnerPid } from './host.js';
import { expectFailure, isKept as isKeptFor } from './kept-workers.js';

interface TestFixtures {
  /** The worker of a listed page: not for tests of your own. */
  workerOfLists: {
    /** Whether it lives on when this page differs. */
    readonly isKept: boolean;
    /**
     * To be called when its page differs, and nothing else is wrong.
     *
     * @param cleaned - when all pages can be looked at again
     */
    keep(cleaned: Promise<void>): void;
  };
}

interface WorkerFixtures {
  launchOptions: LaunchOptions;
  /** Where listed pages are captured: not for tests of your own. */
  browsersOfLists: Browsers;
}

/**
 * Playwright's `test` with a browser that is found where Playwright's own is not installed, and that draws text the same
 * on every machine with the same fonts.
 *
 * @example
 * import { expect, test } from 'proofsheet';
 * test('cart', async ({ page }) => {
 *   await page.goto('/cart');
 *   await expect(page).toMatchBaseline('cart');
 * });
 */
export const test = base.extend<TestFixtures, WorkerFixtures>({
  // Not an option: what a project sets in its `use` is handed in here, and not put over it.
  launchOptions: [
    async ({ launchOptions, browserName, connectOptions }, use, worker) => {
      // The fixtures `channel` and `headless` are made from this one: what the project sets for them is in its `use`.
      const { channel, headless } = worker.project.use;
      const choice = chooseBrowser(
        {
          browserName,
          channel: channel ?? launchOptions.channel,
          headless: headless ?? launchOptions.headless ?? true,
          executablePath: launchOptions.executablePath,
          remote: connectOptions !== undefined || process.env.PW_TEST_CONNECT_WS_ENDPOINT !== undefined,
        },
        process,
      );
      headlessKind = choice.headless;
      if (choice.notice) tellOnce(claimsFolder(worker.config), choice.notice);
      await use({
        ...launchOptions,
        ...(choice.executablePath && { executablePath: choice.executablePath }),
        ...(browserName === 'chromium' && { args: repeatableFlags(launchOptions.args ?? []) }),
      });
    },
    { scope: 'worker' },
  ],
  browsersOfLists: [
    async ({ playwright, browserName, connectOptions, launchOptions }, use, worker) => {
      const outliving = outlivingFile(worker, launchOptions);
      const browsers = createBrowsers({ playwright, browserName, connectOptions, launchOptions, outliving });
      await use(browsers);
      await browsers.close();
    },
    { scope: 'worker', timeout: 0, box: true },
  ],
  workerOfLists: [
    async ({ screenshot, trace, video }, use, testInfo) => {
      let whenClean: Promise<void> | null = null;
      const isKept = isKeptFor({ screenshot, trace, video }, testInfo, runnerPid);
      await use({
        isKept,
        keep(cleaned) {
          whenClean = cleaned;
        },
      });
      if (whenClean === null) return;
      if (!testInfo.errors.some(tellsOfPage)) await whenClean;
      // After all hooks: what they found counts, and they are to see a test that failed.
      if (isKept && testInfo.errors.length === 1) expectFailure(testInfo);
    },
    { box: true },
  ],
});

/**
 * Gives where the browser of a worker that comes after another is kept. Playwright begins each worker anew in which a test
 * has failed: without one that outlives it, a run in which all has changed launches a browser for every page.
 */
function outlivingFile(
  { config, workerIndex, parallelIndex }: WorkerInfo,
  launchOptions: LaunchOptions,
): string | null {
  if (workerIndex < config.workers) return null;
  const { tracesDir: _, ...options } = launchOptions;
  const kind = createHash('sha256').update(JSON.stringify(options)).digest('hex').slice(0, 16);
  return join(claimsFolder(config), `browser-${parallelIndex}-${kind}`);
}

/** Does an error tell how its page is? Where none does, Playwright looks at all pages next. */
function tellsOfPage({ errorContext }: TestInfoError): boolean {
  return errorContext !== undefined && errorContext !== '';
}

/** Gives which kind of headless browser this worker runs; `unknown` under a `test` that is not ours. */
export function currentHeadlessKind(): Environment['headless'] {
  return headlessKind;
}

let headlessKind: Environment['headless'] = 'unknown';

/** Tells something once a run, by whichever worker comes first. */
export function tellOnce(folder: string, notice: string): void {
  const self = String(process.pid);
  if (claim(folder, notice, self) === self) process.stderr.write(`proofsheet: ${notice}\n`);
}
