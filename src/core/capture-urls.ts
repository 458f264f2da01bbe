import { openContext } from '../browser/context.js';
import { isDrawing } from '../browser/launch.js';
import { type OpenBrowser, openBrowser } from '../browser/open-browser.js';
import { capturePage } from '../capture/capture.js';
import type { Capture } from '../model/capture.js';
import type { Environment } from '../model/environment.js';
import { ProofsheetError } from '../model/errors.js';
import type { Emulation, Target } from '../model/plan.js';
import { DEFAULTS } from '../plan/defaults.js';
import { NO_CREDENTIALS } from '../plan/resolve-credentials.js';
import { resolveSettings } from '../plan/resolve-shot.js';
import { readImage } from './gather-evidence.js';

/** Pages as they were captured, in the order in which they were asked for. */
export interface CapturedUrls {
  readonly captures: readonly PromiseSettledResult<Capture>[];
  readonly headless: Environment['headless'];
  /** What the user should know of the browser, or null. */
  readonly notice: string | null;
}

/** Captures pages, all at once, as a list would that sets nothing, each in a context of its own. */
export async function captureUrls(urls: readonly string[]): Promise<CapturedUrls> {
  const opened = await openBrowser();
  try {
    const captures = await Promise.allSettled(urls.map((url) => captureUrl(opened, url)));
    return { captures, headless: opened.choice.headless, notice: opened.choice.notice };
  } finally {
    await opened.browser.close();
  }
}

const { width, height } = DEFAULTS;
const EMULATION: Emulation = {
  ...{ device: null, size: { width, height }, language: null, colorScheme: null, timezone: null, userAgent: null },
};

async function captureUrl({ browser }: OpenBrowser, url: string): Promise<Capture> {
  const target: Target = { url, httpStatus: null, finalUrl: null, credentials: NO_CREDENTIALS };
  const { capture, timeoutMs } = resolveSettings({});
  const context = await openContext(browser, EMULATION, target, false);
  // Two pages that are still loading may look alike: neither side is what the other is expected to be.
  const help = { timeoutMs, drawsBeyondWindow: isDrawing(browser), isExpected: () => false, readImage };
  const result = await capturePage(await context.newPage(), target, capture, help);
  if (result.kind === 'settled') return result.capture;
  throw new ProofsheetError({
    code: 'page-unstable',
    where: url,
    found: `the page never stood still, in ${result.capture.shots} images`,
    advice: 'Put it into a page list, where `hide`, `mask` and `settle` can still it; or compare two images of it.',
  });
}
