/**
 * Contains every use of undocumented behavior of Playwright. The table lists for each the versions that have it (all: 1.53 to 1.65), its
 * fallback, and the test that fails when it changes, or why there is no such test. One exception: `reporter/reporter.ts` implements the
 * internal reporter API itself, because Playwright reads it from the class. `test/soak/playwright-versions.soak.spec.ts` runs all uses in
 * each version, except those for Firefox and for remote browsers.
 *
 * | use | function | versions | fallback | test |
 * |---|---|---|---|---|
 * | `_wrapApiCall` | {@link callQuietly} | all | the calls are reported as steps, which is slower | none, only the speed changes |
 * | location of a test, read from the stack | {@link callSiteOf}, {@link callAt} | all | the location is in this package | `test/e2e/selection.spec.ts`, "a spec file, its line, and a project select" |
 * | the names of fixtures, read from the text of a test's body | {@link withFixtures} | all | none, the body gets no fixtures | `test/e2e/selection.spec.ts` |
 * | `toImpl`, `_browserSession` | {@link tolerateMissingMedia} | all | `newContext` fails | `test/soak/firefox.soak.spec.ts` |
 * | `x-playwright-launch-options` | {@link launchOptionsHeader} | all | a notice names the missing flags | `test/e2e/remote.spec.ts` |
 * | `ariaSnapshot` | {@link withErrorContext} | 1.60 | Playwright writes a snapshot of an empty page, or nothing before 1.60 | `test/e2e/failing-tests.spec.ts`, "with its regions as error context" |
 * | `_hasNonRetriableError` | {@link preventRetry} | all | the test is retried | `test/e2e/update-modes.spec.ts`, "a missing baseline" |
 * | `_failWithError` | {@link failLater} | all | the test ends there | `test/e2e/matcher.spec.ts`, "a failure shows the line of the call" |
 * | `title` of the state of a matcher | {@link customMessageOf} | 1.63 | a missing baseline fails without the message of `expect` | `test/e2e/matcher.spec.ts`, "shows the line of the call" |
 * | `_projectInternal` | {@link screenshotOptionsOf} | all | `expect.toHaveScreenshot` of the config has no effect | `test/e2e/matcher.spec.ts`, "expect.toHaveScreenshot of the config" |
 * | `_only` | {@link isOnly} | all | the run names baselines of the excluded tests as obsolete; `prune` deletes none | `test/e2e/prune.spec.ts`, "test.only" |
 * | `version() === 'v2'`, `_mode` | `reporter/reporter.ts` | all | a merge does not notice a missing shard | `test/e2e/merge.spec.ts`, "a missing one fails the merge" |
 * | `onReportConfigure` | `reporter/reporter.ts` | 1.59 | the shots name their shards; a shard without shots counts as missing | `test/e2e/merge.spec.ts`, "a missing one fails the merge" |
 * | `snapshotPath` with several segments and options, documented but not in the types | {@link screenshotPathOf} | all | none | `test/e2e/update-modes.spec.ts`, "baselines lie where snapshotPathTemplate puts them" |
 * | `_` at the start of the name of an attachment or an annotation | `MESSAGE_ATTACHMENT`, `DECLARED_ANNOTATION` of `model`, `listImages` of `shot` | all | Playwright's reports show them | none, nothing depends on it |
 * | `configDir` | `reporter/reporter.ts` | all | the folder of `configFile`, or `rootDir` | none, the fallback is the same folder in a usual run |
 */

import { fileURLToPath } from 'node:url';
import vm from 'node:vm';
import type { Browser, LaunchOptions, TestInfo } from '@playwright/test';
import type { Suite, TestCase } from '@playwright/test/reporter';
import { isMediaRefusal, MEDIA_COMMAND, type Position } from '../model/index.js';

/**
 * Runs work on a page, a context or a browser without reporting its API calls as steps. Reporting a call (a stack trace, a
 * step, two messages to the main process) costs more than most calls.
 */
export async function callQuietly<T>(owner: object, work: () => Promise<T>): Promise<T> {
  const wrap = property(owner, '_wrapApiCall');
  if (typeof wrap !== 'function') return work();
  // The method prefixes the message of an error with a function name. The result therefore bypasses it.
  const results: Promise<T>[] = [];
  const settle = () => {
    results.push(work());
    return Promise.allSettled(results);
  };
  await Reflect.apply(wrap, owner, [settle, { internal: true }]);
  const [result] = results;
  if (!result) throw new Error('Playwright did not run the function');
  return result;
}

/**
 * Returns the location from which a function of this package was called, as V8 reports it: source maps are not applied, and the file may be a
 * file URL.
 */
export function callSiteOf(callee: (...args: never[]) => unknown): Position {
  const prepare = Error.prepareStackTrace;
  try {
    // Playwright's `prepareStackTrace` applies source maps. The location must be without them.
    Error.prepareStackTrace = (_, frames) => frames[0];
    const holder: { stack?: unknown } = {};
    Error.captureStackTrace(holder, callee);
    const frame = holder.stack;
    if (!isFrame(frame)) throw new Error('definePages() must be called from a file');
    return { file: frame.getFileName() ?? '', line: frame.getLineNumber() ?? 1, column: frame.getColumnNumber() ?? 1 };
  } finally {
    Error.prepareStackTrace = prepare;
  }
}

/**
 * Returns the position in the source file from which a function of this package was called. Playwright applies source maps to
 * the text of a stack.
 */
export function positionOf(callee: (...args: never[]) => unknown): Position {
  const [, file = '', line, column] = /^\s+at (?:.* \()?(.+):(\d+):(\d+)\)?$/m.exec(framesAbove(callee)) ?? [];
  return { file: pathOf(file), line: Number(line ?? 1), column: Number(column ?? 1) };
}

export function pathOf(file: string): string {
  return file.startsWith('file:') ? fileURLToPath(file) : file;
}

/**
 * Calls a function with a stack that shows the given location as the caller. Playwright uses the caller of `test()` as the location of the
 * test, and selects tests by it on the command line.
 */
export function callAt<Args extends unknown[]>(site: Position, callee: (...args: Args) => void, ...args: Args): void {
  const { file, line, column } = site;
  const options = { filename: file, lineOffset: line - 1, columnOffset: Math.max(0, column - 1) };
  vm.compileFunction('callee(...args)', ['callee', 'args'], options)(callee, args);
}

/** Returns the body of a test that gets these fixtures. Playwright reads their names from the text of the body. */
export function withFixtures<Body extends object>(names: readonly string[], body: Body): Body {
  return Object.assign(body, { toString: () => `({ ${names.join(', ')} }) => {}` });
}

function isFrame(value: unknown): value is NodeJS.CallSite {
  return typeof value === 'object' && value !== null && 'getFileName' in value;
}

/**
 * Makes `newContext` work in a browser without media emulation. Over WebDriver BiDi, Playwright emulates a color scheme in
 * every new context, even if `colorScheme` is null, and `newContext` fails in such a browser. Does nothing without a session between
 * Playwright's server and the browser in this process.
 *
 * @param onRefused - called each time the browser refuses the command
 */
export function tolerateMissingMedia(browser: Browser, onRefused: () => void): void {
  const connection = property(browser, '_connection');
  const toServer = property(connection, 'toImpl');
  if (typeof toServer !== 'function') return;
  const session = property(Reflect.apply(toServer, connection, [browser]), '_browserSession');
  const send = property(session, 'send');
  if (!isObject(session) || typeof send !== 'function') return;
  const tolerant = async (method: string, parameters: unknown) => {
    try {
      return await Reflect.apply(send, session, [method, parameters]);
    } catch (cause) {
      if (method !== MEDIA_COMMAND || !isMediaRefusal(cause)) throw cause;
      onRefused();
      return {};
    }
  };
  Reflect.set(session, 'send', tolerant);
}

/** Returns the header in which Playwright's `browser` fixture sends launch options to a remote browser server. */
export function launchOptionsHeader(launchOptions: LaunchOptions): Record<string, string> {
  return { 'x-playwright-launch-options': JSON.stringify(launchOptions) };
}

/** Adds an error context to the result of a matcher. Playwright writes it to `error-context.md`, instead of a snapshot of the page. */
export function withErrorContext<Result extends object>(result: Result, context: string | undefined) {
  return { ...result, ariaSnapshot: context };
}

export function preventRetry(testInfo: TestInfo): void {
  Reflect.set(testInfo, '_hasNonRetriableError', true);
}

/** Fails a test, which continues until its end. Returns false if this version of Playwright cannot do that. */
export function failLater(testInfo: TestInfo, error: Error): boolean {
  const fail = property(testInfo, '_failWithError');
  if (typeof fail !== 'function') return false;
  Reflect.apply(fail, testInfo, [error]);
  return true;
}

/** Returns `expect.toHaveScreenshot` of the config for the project of a test. */
export function screenshotOptionsOf(testInfo: TestInfo): Readonly<Record<string, unknown>> {
  const options = property(property(property(testInfo, '_projectInternal'), 'expect'), 'toHaveScreenshot');
  return { ...(isObject(options) && options) };
}

/** Returns the message of `expect(page, message)` from the state of a matcher, or null. */
export function customMessageOf(state: object): string | null {
  const title = property(state, 'title');
  return typeof title !== 'string' || /^Expect "[a-z ]*toMatchBaseline"$/.test(title) ? null : title;
}

/** Returns the frames of a stack above a function, as text. Playwright removes its own and applies source maps. */
export function framesAbove(callee: (...args: never[]) => unknown): string {
  const { stackTraceLimit } = Error;
  const holder: { stack?: string } = {};
  Error.stackTraceLimit = FRAMES;
  Error.captureStackTrace(holder, callee);
  Error.stackTraceLimit = stackTraceLimit;
  return (holder.stack ?? '').replace(/^(?! +at ).*\n/gm, '');
}

/** The frames of Playwright between a matcher and its call, with room. */
const FRAMES = 50;

/** Applies the `snapshotPathTemplate` of the config to the path segments of a baseline. Returns an absolute path. */
export function screenshotPathOf(testInfo: TestInfo, segments: readonly string[]): string {
  return Reflect.apply(testInfo.snapshotPath, testInfo, [...segments, { kind: 'screenshot' }]);
}

/** Checks whether a test or suite was declared with `.only`. Reporters do not see the tests that `.only` excludes. */
export function isOnly(entry: TestCase | Suite): boolean {
  return Reflect.get(entry, '_only') === true;
}

function property(owner: unknown, name: string): unknown {
  return isObject(owner) ? Reflect.get(owner, name) : undefined;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
