import { openBrowser } from '../../browser/open-browser.js';
import type { Capture } from '../../model/capture.js';
import type { Environment } from '../../model/environment.js';
import { type CaptureRequest, type CaptureTools, captureUrl, unstable } from './capture-url.js';

/** Pages as they were captured, in the order in which they were asked for. */
export interface CapturedUrls {
  readonly captures: readonly PromiseSettledResult<Capture>[];
  readonly headless: Environment['headless'];
  /** What the user should know of the browser, or null. */
  readonly notice: string | null;
}

/** Captures pages, all at once, each in a context of its own. */
export async function captureUrls(requests: readonly CaptureRequest[]): Promise<CapturedUrls> {
  const opened = await openBrowser();
  const darkroom = { opened, bounds: {}, signal: new AbortController().signal };
  try {
    const captures = await Promise.allSettled(requests.map((request) => captureStable(request, darkroom)));
    return { captures, headless: opened.choice.headless, notice: opened.choice.notice };
  } finally {
    await opened.browser.close();
  }
}

function captureStable(request: CaptureRequest, darkroom: CaptureTools): Promise<Capture> {
  return captureUrl(request, darkroom, async (_, result) => {
    if (result.kind === 'settled') return result.capture;
    throw unstable(result);
  });
}
