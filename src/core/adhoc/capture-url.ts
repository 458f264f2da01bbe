import { openContext } from '../../browser/context.js';
import { isDrawing } from '../../browser/launch.js';
import type { OpenBrowser } from '../../browser/open-browser.js';
import { capturePage } from '../../capture/capture-page.js';
import type { CaptureResult } from '../../model/capture.js';
import { type ErrorCode, ProofsheetError } from '../../model/errors.js';
import type { ShotFieldsInput } from '../../model/list/page-list.js';
import type { Emulation, Target } from '../../model/shot.js';
import { NO_CREDENTIALS } from '../../page-list/resolve/resolve-credentials.js';
import { resolveSettings } from '../../page-list/resolve/resolve-shot.js';
import { DEFAULTS } from '../../page-list/schema/defaults.js';
import { readImage } from '../shot/read-image.js';

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
export interface CaptureTools {
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
  { opened, bounds, signal }: CaptureTools,
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

/** Returns the error of a page that did not come to a standstill. */
export function unstable({ capture }: Extract<CaptureResult, { kind: 'unstable' }>): ProofsheetError {
  return new ProofsheetError({
    code: 'page-unstable',
    where: capture.url,
    found: `the page did not become stable, in ${capture.shots} images`,
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

/** Returns a URL in its full form. @throws ProofsheetError `command-invalid` where it is none that a page can have */
export function checkUrl(url: string): string {
  if (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)) return new URL(url).href;
  throw new ProofsheetError({
    code: 'command-invalid',
    where: url,
    found: 'it is no URL that begins with http:// or https://',
    advice: 'Write it as https://www.example.com/page.',
  });
}

/**
 * What to do about an error of a page that no list names. The page's own errors advise fields of the page list; `capture`,
 * `compare` and the service do not have these.
 */
const ADVICE: Partial<Record<ErrorCode, string>> = {
  'page-crashed': 'It may need more memory than there is.',
  'page-plain': 'The page is empty, or was not drawn: look at it in a browser, or give it time with `delay`.',
  'page-redirected': 'Give the URL where it ends, or look whether a login is needed.',
  'page-size': 'Give the page time with `delay`, or update the browser.',
  'page-status': 'Look whether the URL is right, otherwise fix the server.',
  'page-timeout': 'Look at what the page waits for.',
};

/** Returns the same error with advice for a page that was named by its URL alone. */
export function withUrlAdvice(cause: unknown): unknown {
  if (!(cause instanceof ProofsheetError)) return cause;
  const advice = ADVICE[cause.code];
  return advice === undefined ? cause : new ProofsheetError({ ...cause.problem, advice });
}
