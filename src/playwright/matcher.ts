import { expect as base, type ExpectMatcherState, type Locator, type Page, type TestInfo } from '@playwright/test';
import { failure, type MatcherOptionsInput, ProofsheetError, renderLog, type Shot } from '../model/index.js';
import { readEnvironment } from '../page/index.js';
import {
  createOpenedShot,
  hasOwnReporter,
  openedPage,
  type RunnerContext,
  type ShotPages,
  type ShotResult,
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
import { runnerContextFor, specName } from './runner-context.js';

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
    const [page, locator] = 'goto' in received ? [received, null] : [received.page(), received];
    const spec = specName(testInfo.file, testInfo.config);
    const config = screenshotOptionsOf(testInfo);
    const { shot, unused } = createOpenedShot({ spec, name, url: page.url() }, options, config);
    if (unused.length > 0) {
      const notice = `toMatchBaseline() does not use ${unused.join(', ')} of \`expect.toHaveScreenshot\` in the Playwright config. It has options of its own.`;
      printOnce(testInfo.config, notice);
    }
    const source = { shot, readEnvironment: () => readEnvironment(page, 1), listed: null, reuse: null };
    const runner = await runnerContextFor(source, testInfo);
    const result = await testShot(shot, openedPage({ page, locator }), runner);
    const answer = answerOf(result, testInfo);
    const isSoft = !result.passed && !result.mayRetry;
    return isSoft && failAtEnd(testInfo, result.message, customMessageOf(this), frames)
      ? { ...answer, pass: true }
      : answer;
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

/** @internal */
export interface ListedShot {
  readonly shot: Shot;
  readonly pages: ShotPages;
  readonly runner: RunnerContext;
  /** Receives why the story leaves the shot out; null if it does not. A matcher returns nothing to its caller. */
  readonly skipReasons: (string | null)[];
}

/** Provides the internal matcher for listed shots. Unlike `toMatchBaseline`, it opens the page itself. @internal */
export const expectListed = base.extend({
  // The shot has credentials, so it is what `expect` gets: reporters see the argument of a matcher.
  async toMatchItsBaseline({ shot, pages, runner, skipReasons }: ListedShot) {
    const result = await testShot(shot, pages, runner);
    skipReasons.push(result.skipReason);
    return withErrorContext(answerOf(result, test.info()), result.errorContext);
  },
});

/** Playwright prints an unexpected error as it is, and the page may have written a part of its text. */
function throwSanitized(error: unknown): never {
  if (error instanceof Error) {
    error.message = renderLog(error.message);
    error.stack = renderLog(error.stack ?? '');
  }
  throw error;
}

function checkArguments(isNot: boolean, received: unknown, name: unknown): void {
  const refuse = (where: string, found: string, advice: string) => {
    throw failure('options-invalid', where, found, advice);
  };
  if (isNot) refuse('expect(page)', '.not.toMatchBaseline() is not supported', 'Remove ".not".');
  const isSubject = typeof received === 'object' && received !== null && ('goto' in received || 'page' in received);
  const advice = 'Write expect(page) or expect(page.locator(...)).';
  if (!isSubject) refuse('expect(received).toMatchBaseline()', 'received must be a page or a locator', advice);
  const parts: unknown[] = [name].flat();
  if (parts.length === 0 || !parts.every((part) => typeof part === 'string' && part.trim() !== ''))
    refuse('toMatchBaseline(name)', 'name must be a non-empty string', "Use a name such as 'cart'.");
}

/** Converts the result of a shot to that of a matcher. A `new` shot is not retried: see {@link ShotResult}. */
function answerOf({ passed, mayRetry, message, notice, attachments }: ShotResult, testInfo: TestInfo) {
  testInfo.attachments.push(...attachments);
  // The reporter prints each notice once for all affected shots.
  if (!hasOwnReporter(testInfo.config)) printOnce(testInfo.config, notice);
  if (!passed && !mayRetry) preventRetry(testInfo);
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
