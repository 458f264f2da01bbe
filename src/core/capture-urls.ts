import { openContext } from '../browser/context.js';
import { isDrawing } from '../browser/launch.js';
import { type OpenBrowser, openBrowser } from '../browser/open-browser.js';
import { capturePage } from '../capture/capture.js';
import type { Capture } from '../model/capture.js';
import type { Environment } from '../model/environment.js';
import { ProofsheetError } from '../model/errors.js';
import type { ShotFieldsInput } from '../model/page-list.js';
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

/** A page to capture, as a list would that says this of it and nothing else. */
export interface CaptureRequest {
  readonly url: string;
  readonly fields: ShotFieldsInput;
}

/** Captures pages, all at once, each in a context of its own. */
export async function captureUrls(requests: readonly CaptureRequest[]): Promise<CapturedUrls> {
  const opened = await openBrowser();
  try {
    const captures = await Promise.allSettled(requests.map((request) => captureUrl(opened, request)));
    return { captures, headless: opened.choice.headless, notice: opened.choice.notice };
  } finally {
    await opened.browser.close();
  }
}

async function captureUrl({ browser }: OpenBrowser, { url, fields }: CaptureRequest): Promise<Capture> {
  const target: Target = { url, httpStatus: null, finalUrl: null, credentials: NO_CREDENTIALS };
  const { capture, timeoutMs } = resolveSettings(fields);
  const context = await openContext(browser, emulationOf(fields), target, false);
  // Two pages that are still loading may look alike: neither side is what the other is expected to be.
  const help = { timeoutMs, drawsBeyondWindow: isDrawing(browser), isExpected: () => false, readImage };
  const settings = { ...capture, contentHeight: fields.height === null };
  const result = await capturePage(await context.newPage(), target, settings, help);
  if (result.kind === 'settled') return result.capture;
  throw new ProofsheetError({
    code: 'page-unstable',
    where: url,
    found: `the page never stood still, in ${result.capture.shots} images`,
    advice: 'Put it into a page list, where `hide`, `mask` and `settle` can still it; or compare two images of it.',
  });
}

function emulationOf({ width, height, language }: ShotFieldsInput): Emulation {
  return {
    ...{ device: null, colorScheme: null, timezone: null, userAgent: null },
    size: { width: width ?? DEFAULTS.width, height: height ?? DEFAULTS.height },
    language: language ?? null,
  };
}
