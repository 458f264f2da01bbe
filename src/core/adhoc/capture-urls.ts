import { openBrowser } from '../../browser/open-browser.js';
import type { Capture } from '../../model/capture.js';
import type { Environment } from '../../model/environment.js';
import { type CaptureRequest, type CaptureTools, captureUrl, unstableError } from './capture-url.js';

/** The captures, in the order of the requests. */
export interface CapturedUrls {
  readonly captures: readonly PromiseSettledResult<Capture>[];
  readonly headless: Environment['headless'];
  /** A notice about the browser for the user, or null. */
  readonly notice: string | null;
}

/** Captures pages concurrently, each in its own browser context. */
export async function captureUrls(requests: readonly CaptureRequest[]): Promise<CapturedUrls> {
  const opened = await openBrowser();
  const tools = { opened, bounds: {}, signal: new AbortController().signal };
  try {
    const captures = await Promise.allSettled(requests.map((request) => captureStable(request, tools)));
    return { captures, headless: opened.choice.headless, notice: opened.choice.notice };
  } finally {
    await opened.browser.close();
  }
}

function captureStable(request: CaptureRequest, tools: CaptureTools): Promise<Capture> {
  return captureUrl(request, tools, async (_, result) => {
    if (result.kind === 'settled') return result.capture;
    throw unstableError(result);
  });
}
