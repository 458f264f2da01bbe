import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { replaceFile } from '../../baselines/index.js';
import { NO_CREDENTIALS, resolveSettings } from '../../list/index.js';
import {
  adviseFileError,
  type Capture,
  type CaptureResult,
  checkUrl,
  DEFAULTS,
  type ErrorCode,
  failure,
  messageOf,
  NO_EMULATION,
  ProofsheetError,
  type ShotFieldsInput,
  type StructureRequest,
  type Target,
  withoutCredentials,
} from '../../model/index.js';
import { liveDuring, type OpenBrowser, openBrowser, openContext, openControlledPage } from '../../page/index.js';
import { type AcquiredPage, captureAcquired, type Page } from '../../shot/index.js';

/** A page to capture, with the settings of a page list that contains only this page and these fields. */
export interface CaptureRequest extends Pick<Target, 'url' | 'accepts'> {
  readonly fields: ShotFieldsInput;
  /** Called with the new page before navigation. */
  readonly onPageCreated?: (page: Page) => void;
  /** Asks for the structure of the page. @default it is not read */
  readonly structure?: StructureRequest;
}

interface CaptureTools {
  readonly opened: OpenBrowser;
  /** Options of the browser context. */
  readonly bounds: NonNullable<Parameters<typeof openContext>[4]>;
  readonly signal: AbortSignal;
}

/** Captures a page in its own browser context, and calls `inspect` before it is closed. @throws ProofsheetError if it cannot be captured */
export async function captureUrl<T>(
  request: CaptureRequest,
  tools: CaptureTools,
  inspect: (page: Page, result: CaptureResult) => Promise<T>,
): Promise<T> {
  const { url, fields, accepts, structure = null } = request;
  const target = { url, httpStatus: null, finalUrl: null, credentials: NO_CREDENTIALS, ...(accepts && { accepts }) };
  const { capture, timeoutMs } = resolveSettings(fields);
  const settings = { ...capture, contentHeight: fields.height === null };
  // Two pages that are still loading can look the same, so neither side is the expected image of the other.
  const options = { timeoutMs, structure, isExpected: () => false };
  try {
    const acquired = await acquirePage(request, target, tools);
    const { controlled } = acquired;
    return await captureAcquired(
      async () => acquired,
      { target, settings, options },
      (page, result) => {
        const work = () => inspect(page, result);
        return controlled ? liveDuring(controlled, work) : work();
      },
    );
  } catch (cause) {
    throw withUrlAdvice(cause);
  }
}

/** Opens a page, which closes when the capture is aborted. */
async function acquirePage(
  { fields, onPageCreated }: CaptureRequest,
  target: Target,
  { opened: { browser, control }, bounds, signal }: CaptureTools,
): Promise<AcquiredPage> {
  signal.throwIfAborted();
  const { width = DEFAULTS.width, height, language = null } = fields;
  const emulation = { ...NO_EMULATION, size: { width, height: height ?? DEFAULTS.height }, language };
  const open = () => openContext(browser, emulation, target, false, bounds);
  const { page, controlled } = await openControlledPage(browser, control, open);
  const release = async () => {
    signal.removeEventListener('abort', release);
    await page.context().close().catch(messageOf);
  };
  signal.addEventListener('abort', release);
  if (signal.aborted) await release();
  signal.throwIfAborted();
  onPageCreated?.(page);
  return { page, controlled, release };
}

/** Returns the error for a page that did not become stable. */
export function unstableError({ url, attempts }: Capture): ProofsheetError {
  const found = `the page did not become stable in ${attempts} screenshots`;
  const advice = 'Wait longer with `delay`, or use `hide` for the content that keeps changing.';
  return failure('page-unstable', url, found, advice);
}

/** Advice for errors of a page that is not in a list. The original errors advise fields of the page list. */
const ADVICE: Partial<Record<ErrorCode, string>> = {
  'browser-gone': 'Try again. A new browser is launched.',
  'page-crashed': 'The page may need more memory than is available. Try again while no other page is captured.',
  'page-blank': 'The page is empty or was not rendered. Open it in a browser, or wait longer with `delay`.',
  'page-redirected': 'Use the final URL, or check whether the page needs a login.',
  'page-size': 'Wait longer with `delay`, or update the browser.',
  'page-status': 'Check the URL and the server.',
  'page-timeout': 'Check the network requests and the scripts of the page.',
};

/** Returns the same error with advice for a page that is not in a list. */
export function withUrlAdvice(cause: unknown): unknown {
  if (!(cause instanceof ProofsheetError)) return cause;
  const advice = ADVICE[cause.code];
  return advice === undefined ? cause : new ProofsheetError({ ...cause.problem, advice });
}

/**
 * Captures pages concurrently, each in its own browser context. `onFirst` is called when the first capture has ended.
 *
 * @returns the ended captures in the order of the requests, and a notice about the browser for the user, or null
 */
export async function captureUrls(requests: readonly CaptureRequest[], onFirst = () => {}) {
  const opened = await openBrowser();
  const tools = { opened, bounds: {}, signal: new AbortController().signal };
  try {
    const captured = requests.map((request) =>
      captureUrl(request, tools, async (_, { kind, capture }) => {
        if (kind === 'settled') return capture;
        throw unstableError(capture);
      }),
    );
    void captured[0]?.then(onFirst, onFirst);
    await Promise.allSettled(captured);
    return { captures: captured, notice: opened.choice.notice };
  } finally {
    await opened.browser.close();
  }
}

/** Returns the v1 response for a capture whose file is at `link`. */
export function responseOf(url: string, { takenAt, viewport }: Capture, link: string) {
  const fetchTime = new Date(takenAt).toISOString();
  const status = 'success' as const;
  return { status, fetchTime, message: 'Captured.', url: withoutCredentials(url), ...viewport, link };
}

/** @returns the v1 response, the size and the warnings of the capture, and a notice about the browser for the user, or null */
export async function captureToFile(address: string, fields: ShotFieldsInput, file: string) {
  const url = checkUrl(address);
  const { captures, notice } = await captureUrls([{ url, fields }]);
  const capture = await captures[0];
  if (!capture) throw new Error('nothing was captured');
  const { image, warnings } = capture;
  await replaceFile(resolve(file), image.bytes).catch((cause) => {
    const found = `the image cannot be written (${messageOf(cause)})`;
    throw failure('image-unwritable', file, found, `${adviseFileError(cause)}.`);
  });
  const response = responseOf(url, capture, pathToFileURL(resolve(file)).href);
  return { response, size: image.size, warnings, notice };
}
