import { openContext } from '../browser/context.js';
import { isDrawing } from '../browser/launch.js';
import type { OpenBrowser } from '../browser/open-browser.js';
import { capturePage } from '../capture/capture.js';
import type { CaptureResult } from '../model/capture.js';
import { ProofsheetError } from '../model/errors.js';
import type { ShotFieldsInput } from '../model/page-list.js';
import type { Emulation, Target } from '../model/plan.js';
import { DEFAULTS } from '../plan/defaults.js';
import { NO_CREDENTIALS } from '../plan/resolve-credentials.js';
import { resolveSettings } from '../plan/resolve-shot.js';
import { readImage } from './read-image.js';
import { withUrlAdvice } from './url-advice.js';

/** A page to capture, as a list would that says this of it and nothing else. */
export interface CaptureRequest {
  readonly url: string;
  readonly fields: ShotFieldsInput;
  /** See {@link Target}. */
  readonly takes?: NonNullable<Target['takes']>;
  /** Is given the page before it is opened. */
  readonly meet?: (page: OpenPage) => void;
}

/** A page that is open. */
export type OpenPage = Parameters<typeof capturePage>[0];

/** What a capture is done with. */
export interface Darkroom {
  readonly opened: OpenBrowser;
  /** What its context is opened with. */
  readonly bounds: NonNullable<Parameters<typeof openContext>[4]>;
  /** Ends the capture when it is aborted. */
  readonly signal: AbortSignal;
}

/**
 * Captures a page in a context of its own, and looks at it before it is closed.
 *
 * @throws ProofsheetError: what keeps the page from being captured.
 */
export async function captureUrl<T>(
  request: CaptureRequest,
  { opened, bounds, signal }: Darkroom,
  look: (page: OpenPage, result: CaptureResult) => Promise<T>,
): Promise<T> {
  const { url, fields, takes, meet } = request;
  const target: Target = {
    url,
    httpStatus: null,
    finalUrl: null,
    credentials: NO_CREDENTIALS,
    ...(takes && { takes }),
  };
  const { capture, timeoutMs } = resolveSettings(fields);
  signal.throwIfAborted();
  const context = await openContext(opened.browser, emulationOf(fields), target, false, bounds);
  const close = () => context.close().catch(() => {});
  signal.addEventListener('abort', close, { once: true });
  try {
    signal.throwIfAborted();
    // Two pages that are still loading may look alike: neither side is what the other is expected to be.
    const help = {
      timeoutMs,
      drawsBeyondWindow: isDrawing(opened.browser),
      longPolls: new Set<string>(),
      isExpected: () => false,
      readImage,
    };
    const settings = { ...capture, contentHeight: fields.height === null };
    const page = await context.newPage();
    meet?.(page);
    const result = await capturePage(page, target, settings, help).catch((cause: unknown) => {
      throw withUrlAdvice(cause);
    });
    return await look(page, result);
  } finally {
    signal.removeEventListener('abort', close);
    await close();
  }
}

/** Gives the error of a page that did not come to a standstill. */
export function unstable({ capture }: Extract<CaptureResult, { kind: 'unstable' }>): ProofsheetError {
  return new ProofsheetError({
    code: 'page-unstable',
    where: capture.url,
    found: `the page never stood still, in ${capture.shots} images`,
    advice: 'Give it time with `delay`, or take what moves away with `hide`.',
  });
}

function emulationOf({ width, height, language }: ShotFieldsInput): Emulation {
  return {
    ...{ device: null, colorScheme: null, timezone: null, userAgent: null },
    size: { width: width ?? DEFAULTS.width, height: height ?? DEFAULTS.height },
    language: language ?? null,
  };
}
