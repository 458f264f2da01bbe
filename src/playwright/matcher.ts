import { expect as base, type ExpectMatcherState, type Locator, type Page, type TestInfo } from '@playwright/test';
import {
  AFFECTED_ATTACHMENT,
  AFFECTED_VARIABLE,
  type MatcherOptionsInput,
  ProofsheetError,
  renderLog,
  type Shot,
} from '../model/index.js';
import type { ShotReuse } from '../reuse/index.js';
import {
  baselineSegments,
  type CaptureFunctions,
  captureOpened,
  createOpenedShot,
  encodeAffected,
  findReusable,
  hasOwnReporter,
  type RunnerContext,
  type ShotVerdict,
  testShot,
} from '../shot/index.js';
import { printOnce, test } from './fixtures.js';
import {
  customMessageOf,
  failLater,
  framesAbove,
  preventRetry,
  screenshotOptionsOf,
  withErrorContext,
} from './internals.js';
import { type ListedAt, locksFolder, runnerContextFor, specName } from './runner-context.js';

/**
 * A listed shot and its capture functions, as passed to {@link expectListed}.
 *
 * @internal
 */
export interface ListedShot extends ListedAt {
  readonly shot: Shot;
  readonly captureFunctions: CaptureFunctions;
  /** See {@link baselineSegments}. */
  readonly segments: readonly string[];
  /** The earlier captures of the shot; null if the run captures every page. */
  readonly reuse: ShotReuse | null;
}

/**
 * Compares a page or a locator with its baseline.
 *
 * @param name - such as 'cart'. A name with the extension of an image has the baseline that `toHaveScreenshot` has for it
 */
async function toMatchBaseline(
  this: Pick<ExpectMatcherState, 'isNot'>,
  received: Page | Locator,
  name: string | readonly string[],
  options: MatcherOptionsInput = {},
) {
  const frames = framesAbove(toMatchBaseline);
  const testInfo = test.info();
  try {
    checkArguments(this.isNot, received, name);
    const subject = subjectOf(received);
    const { page } = subject;
    const spec = specName(testInfo.file, testInfo.config);
    const config = screenshotOptionsOf(testInfo);
    const { shot, file, unused } = createOpenedShot({ spec, name, url: page.url() }, options, config);
    if (unused.length > 0) printOnce(locksFolder(testInfo.config), formatUnused(unused));
    const segments = await baselineSegments(shot, { page }, file);
    const context = await runnerContextFor(shot, null, segments, testInfo);
    const after = captureOpened(subject, shot.capture);
    const verdict = await testShot(shot, { after, before: null, canReload: false }, context);
    const result = resultOf(verdict, testInfo);
    const isSoft = !verdict.passed && !verdict.retry;
    return isSoft && failAtEnd(testInfo, verdict.message, customMessageOf(this), frames)
      ? { ...result, pass: true }
      : result;
  } catch (error) {
    if (!(error instanceof ProofsheetError)) throwSanitized(error);
    // Playwright adds the location of the call, and the message of `expect`, to a result, but not to an error.
    return { pass: this.isNot, message: () => renderLog(error.message), name: 'toMatchBaseline' };
  }
}

/**
 * Extends Playwright's `expect` with {@link toMatchBaseline | `toMatchBaseline(name, options?)`} for pages and locators. They
 * are stabilized, captured, compared and recorded in the same way as listed pages.
 *
 * @example
 * await expect(page).toMatchBaseline('cart', { hide: '.clock', maxDiffPixels: 40 });
 * await expect(page.locator('nav')).toMatchBaseline('menu');
 */
export const expect = base.extend({ toMatchBaseline });

/**
 * Provides the internal matcher for listed shots. Unlike `toMatchBaseline`, it opens the page itself.
 *
 * @internal
 */
export const expectListed = base.extend({
  // The shot is the received value because it contains credentials. Playwright reports the first argument of a matcher to
  // reporters, but not the received value.
  async toMatchItsBaseline({ shot, captureFunctions, segments, reuse, ...listed }: ListedShot) {
    const testInfo = test.info();
    const context = await runnerContextFor(shot, listed, segments, testInfo);
    if (process.env[AFFECTED_VARIABLE] !== undefined) return decideOnly(shot, context, reuse, testInfo);
    const verdict = await testShot(shot, captureFunctions, { ...context, reuse });
    return withErrorContext(resultOf(verdict, testInfo), verdict.context);
  },
});

/** Decides for `proofsheet affected` whether a shot would be captured, and captures nothing. */
async function decideOnly(shot: Shot, context: RunnerContext, reuse: ShotReuse | null, testInfo: TestInfo) {
  const decision = reuse ? await findReusable(shot, reuse, context.baseline) : null;
  const body = encodeAffected(shot, context.project, decision);
  testInfo.attachments.push({ name: AFFECTED_ATTACHMENT, contentType: 'application/json', body: Buffer.from(body) });
  return { pass: true, message: () => '', name: 'toMatchBaseline' };
}

/** Playwright prints an unexpected error as it is, and the page may have written a part of its text. */
function throwSanitized(error: unknown): never {
  if (error instanceof Error) {
    error.message = renderLog(error.message);
    error.stack = renderLog(error.stack ?? '');
  }
  throw error;
}

function checkArguments(isNot: boolean, received: unknown, name: unknown): void {
  if (isNot) throw misuse('expect(page)', '.not.toMatchBaseline() is not supported', 'Remove ".not".');
  const isSubject = typeof received === 'object' && received !== null && ('goto' in received || 'page' in received);
  if (!isSubject)
    throw misuse(
      'expect(received).toMatchBaseline()',
      'received must be a page or a locator',
      'Write expect(page) or expect(page.locator(...)).',
    );
  const parts: unknown[] = [name].flat();
  if (parts.length === 0 || !parts.every((part) => typeof part === 'string' && part.trim() !== ''))
    throw misuse('toMatchBaseline(name)', 'name must be a non-empty string', "Use a name such as 'cart'.");
}

function misuse(where: string, found: string, advice: string): ProofsheetError {
  return new ProofsheetError({ code: 'options-invalid', where, found, advice });
}

function subjectOf(received: Page | Locator): { page: Page; locator: Locator | null } {
  return 'goto' in received ? { page: received, locator: null } : { page: received.page(), locator: received };
}

/** Converts a verdict to a matcher result. A `new` shot is not retried: see `retry` of {@link ShotVerdict}. */
function resultOf({ passed, retry, message, notice, attachments }: ShotVerdict, testInfo: TestInfo) {
  testInfo.attachments.push(...attachments);
  // The reporter prints each notice once for all affected shots.
  if (notice !== null && !hasOwnReporter(testInfo.config)) printOnce(locksFolder(testInfo.config), notice);
  if (!passed && !retry) preventRetry(testInfo);
  return { pass: passed, message: () => message, name: 'toMatchBaseline' };
}

/**
 * Makes a missing baseline a soft failure, as Playwright's matchers do. The test continues, so that one run finds all
 * missing baselines, and fails at its end.
 */
function failAtEnd(testInfo: TestInfo, message: string, customMessage: string | null, frames: string): boolean {
  const error = new Error(customMessage === null ? message : `${customMessage}\n\n${message}`);
  error.stack = `Error: ${error.message}\n${frames}`;
  return failLater(testInfo, error);
}

function formatUnused(unused: readonly string[]): string {
  return [
    `toMatchBaseline() does not use ${unused.join(', ')} of \`expect.toHaveScreenshot\` in the Playwright config.`,
    'It has options of its own.',
  ].join(' ');
}
