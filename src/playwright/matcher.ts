import { expect as base, type Locator, type Page, type TestInfo } from '@playwright/test';
import { isDrawing } from '../browser/launch.js';
import { captureOpenPage } from '../capture/capture-page.js';
import type { CaptureFunction, CaptureFunctions } from '../core/shot/gather-evidence.js';
import { type ShotVerdict, testShot } from '../core/shot/test-shot.js';
import type { MatcherOptionsInput } from '../model/list/page-list.js';
import type { Shot } from '../model/shot.js';
import { NO_CREDENTIALS } from '../page-list/resolve/resolve-credentials.js';
import { resolveSettings } from '../page-list/resolve/resolve-shot.js';
import { checkOptions } from '../page-list/validate/check-options.js';
import { hasOwnReporter } from './failure-hints.js';
import { currentHeadlessKind, printOnce, test } from './fixtures.js';
import { environmentFolderOf, type ListedAt, locksFolder, runnerContextFor, specName } from './runner-context.js';

/** A shot of a list on its way into the matcher, with what captures it. */
export interface ListedShot extends ListedAt {
  readonly shot: Shot;
  readonly captureFunctions: CaptureFunctions;
  /** See `environmentFolderOf`. */
  readonly folder: string | null;
}

/**
 * Playwright's `expect` with {@link toMatchBaseline | `toMatchBaseline(name, options?)`} for pages and locators: the same
 * settling, capture, comparison and record as a page of a list.
 *
 * @example
 * await expect(page).toMatchBaseline('cart', { hide: '.clock', maxDiffPixels: 40 });
 * await expect(page.locator('nav')).toMatchBaseline('menu');
 */
export const expect = base.extend({
  async toMatchBaseline(received: Page | Locator, name: string, options: MatcherOptionsInput = {}) {
    refuse(this.isNot, received, name);
    checkOptions(options, `toMatchBaseline('${name}')`);
    const testInfo = test.info();
    const shot = openShot(received, name, options, testInfo);
    const subject = subjectOf(received);
    const drawsBeyondWindow = isDrawing(subject.page.context().browser());
    const after: CaptureFunction = (help) =>
      captureOpenPage(subject, shot.capture, { ...help, drawsBeyondWindow, longPolls: new Set() });
    const headless = currentHeadlessKind();
    const folder = await environmentFolderOf(shot, { page: subject.page }, headless);
    const host = runnerContextFor(shot, null, folder, headless, testInfo);
    return softly(verdictOf(await testShot(shot, { after, before: null }, host), testInfo));
  },
});

/** The matcher that listed shots go through. Not public: it is the one above, but for opening the page itself. */
export const expectListed = base.extend({
  // Playwright tells reporters what a matcher expects, its first argument, with all that a page is let in by; what it has
  // received it keeps to itself.
  async toMatchItsBaseline({ shot, captureFunctions, folder, ...listed }: ListedShot) {
    const testInfo = test.info();
    const judgement = await testShot(
      shot,
      captureFunctions,
      runnerContextFor(shot, listed, folder, currentHeadlessKind(), testInfo),
    );
    // By this name Playwright takes what it keeps beside an error (`errorContext`). Where there is none it looks at the page,
    // which is an empty one by then.
    return { ...verdictOf(judgement, testInfo), ariaSnapshot: judgement.context };
  },
});

function refuse(isNot: boolean, received: unknown, name: unknown): void {
  if (isNot)
    throw new Error('expect().not.toMatchBaseline() has no meaning: a page either matches its baseline or fails.');
  const isSubject = typeof received === 'object' && received !== null && ('goto' in received || 'page' in received);
  if (!isSubject) throw new Error('expect(x).toMatchBaseline(): x has to be a page or a locator.');
  if (typeof name !== 'string' || name.trim() === '')
    throw new Error("toMatchBaseline(name): name has to be a text, such as 'cart'.");
}

function subjectOf(received: Page | Locator): { page: Page; locator: Locator | null } {
  return 'goto' in received ? { page: received, locator: null } : { page: received.page(), locator: received };
}

/** The page is open, in a context of the test's own. */
const AS_IT_IS = { device: null, size: null, language: null, colorScheme: null, timezone: null, userAgent: null };

/** A matcher's shot: its id is the spec's path without its ending, and the name. */
function openShot(received: Page | Locator, name: string, options: MatcherOptionsInput, testInfo: TestInfo): Shot {
  const { page } = subjectOf(received);
  return {
    ...{ id: `${specName(testInfo.file, testInfo.config)}/${name}`, page: name, viewport: null, state: null },
    ...resolveSettings(options),
    after: { url: page.url(), httpStatus: null, finalUrl: null, credentials: NO_CREDENTIALS },
    before: null,
    emulation: AS_IT_IS,
  };
}

/** Returns a judgement as what a matcher returns. Another attempt at what is `new` would find what this one wrote, and heal it. */
function verdictOf({ passed, retry, message, notice, attachments }: ShotVerdict, testInfo: TestInfo) {
  testInfo.attachments.push(...attachments);
  // The reporter prints notices itself, once for all shots that they are true of.
  if (notice !== null && !hasOwnReporter(testInfo.config)) printOnce(locksFolder(testInfo.config), notice);
  const pass = { pass: passed, message: () => message, name: 'toMatchBaseline' };
  return passed || retry ? pass : { ...pass, shouldNotRetryTest: true };
}

/**
 * Lets a test of the user's own go on after a baseline was missing, as Playwright's matchers do, so that one run finds all
 * that are; the test fails at its end.
 */
function softly(verdict: ReturnType<typeof verdictOf>) {
  if (!('shouldNotRetryTest' in verdict)) return verdict;
  const softError = new Error(verdict.message());
  // Where it stands in our code is of no use to a reader.
  softError.stack = `Error: ${softError.message}`;
  return { ...verdict, pass: true, softError };
}
