import { dirname, resolve } from 'node:path';
import { devices, type TestDetails } from '@playwright/test';
import { DECLARED_ANNOTATION, encodeDeclared } from '../model/attachments.js';
import { messageOf } from '../model/errors.js';
import type { Plan, PlannedShot } from '../model/shot.js';
import { withoutCredentials } from '../model/words.js';
import { renderFile } from '../page-list/issue.js';
import { readPlan } from '../page-list/read-list.js';
import { resolveSettings, resolveShot } from '../page-list/resolve/resolve-shot.js';
import { createPages, type Pages, pageRulesOf } from './capture-functions.js';
import { currentHeadlessKind, test } from './fixtures.js';
import { type CallSite, callAt, callSiteOf, pathOf } from './internals.js';
import { expectListed } from './matcher.js';
import { renderPassedOver } from './only-changed.js';
import { environmentFolderOf, type ListedIn } from './runner-context.js';

/** Time in addition to the timeout of the shot, to launch a browser, compare and write. */
const GRACE_MS = 15_000;

/**
 * Declares one Playwright test for every shot of a page list: every page, in every viewport.
 *
 * The tests run in parallel. Their title is the id of the shot, and their location is the location of this call. They carry
 * the tags of the shot.
 *
 * @param path - path of the page list, relative to the calling spec
 * @throws AggregateError with all errors of the list, each with its line. No browser is launched.
 * @example
 * import { definePages } from 'proofsheet';
 * definePages('pages.yaml');
 */
export function definePages(path: string): void {
  if (typeof path !== 'string' || path === '')
    throw new Error("definePages(path): path has to be that of a page list, such as 'pages.yaml'.");
  const site = callSiteOf(definePages);
  const plan = readPlan(resolve(dirname(pathOf(site)), path), { env: process.env, devices: Object.keys(devices) });
  // Only in the process that selects the tests, not in each worker.
  if (process.env.TEST_WORKER_INDEX === undefined) {
    const declared = { file: plan.file, spec: pathOf(site), list: path, shots: plan.shots.length };
    const notice = renderPassedOver(declared, process.argv);
    if (notice !== null) process.stderr.write(`proofsheet: ${notice}\n`);
  }
  const pages = createPages();
  test.describe(() => {
    runInParallel();
    for (const planned of plan.shots) declareShot({ plan, list: path.replaceAll('\\', '/') }, planned, pages, site);
  });
}

/** Without this, all tests of a file run in one worker and one shard. Playwright cannot nest parallel tests in serial ones. */
function runInParallel(): void {
  try {
    test.describe.configure({ mode: 'parallel' });
  } catch (cause) {
    if (!/cannot be nested/.test(messageOf(cause))) throw cause;
    throw new Error(
      "definePages() declares parallel tests and cannot be inside test.describe.serial, or a describe with mode 'default'. Move it out of there.",
    );
  }
}

function declareShot(listed: ListedIn, planned: PlannedShot, pages: Pages, site: CallSite): void {
  test.describe(() => {
    test.describe.configure({ timeout: resolveSettings(planned.fields).timeoutMs + GRACE_MS });
    const details = { tag: [...planned.tags], annotation: annotationsOf(listed, planned) };
    const declare: Declare = planned.skip === null ? test : test.skip;
    callAt(site, declare, planned.id, details, bodyOf(listed, planned, pages));
  });
}

type Body = Parameters<typeof test>[2];
/** Common signature of `test` and `test.skip`. */
type Declare = (title: string, details: TestDetails, body: Body) => void;

function bodyOf(listed: ListedIn, planned: PlannedShot, pages: Pages): Body {
  // Playwright parses the parameter list to find the fixtures of the test.
  return async (
    {
      browsersOfLists: browsers,
      baseURL,
      viewport,
      clientCertificates,
      colorScheme,
      extraHTTPHeaders,
      httpCredentials,
      locale,
      screenshot,
      storageState,
      timezoneId,
      trace,
      userAgent,
    },
    { retry },
  ) => {
    const look = { viewport, colorScheme, extraHTTPHeaders, locale, timezoneId, userAgent };
    const credentials = [httpCredentials, storageState, clientCertificates];
    const shot = resolveShot(planned, { baseURL: baseURL ?? null, viewport });
    // Actions may need a page that can be scrolled by wheel and keys.
    const browser = await (shot.capture.actions.length > 0 ? browsers.usable() : browsers.drawing());
    const session = pages.begin(browser, shot, pageRulesOf({ look, credentials, screenshot, trace, retry }, shot));
    try {
      const folder = await environmentFolderOf(shot, { browser }, currentHeadlessKind());
      const { position } = planned;
      await expectListed({
        ...listed,
        position,
        shot,
        captureFunctions: session.captureFunctions,
        folder,
      }).toMatchItsBaseline();
    } catch (error) {
      await session.closePages();
      throw locateInList(listed.plan, planned, error);
    }
    await session.end();
  };
}

/**
 * Sets the location of an error to the entry of the page in the list. Playwright prints the lines around it.
 *
 * The error has no location if the list contains a literal secret, or if the message contains the location.
 */
function locateInList({ isCodeFrameSafe }: Plan, { position }: PlannedShot, cause: unknown): Error {
  const { file, line, column } = position;
  // Only the line that sets `error.stack` may look like a stack frame.
  const message = messageOf(cause).replace(/^\s+at /gm, 'at ');
  const includesLocation = message.includes(`:${line}:${column} `);
  const error = new Error(
    isCodeFrameSafe || includesLocation ? message : `${message}\n  list      ${renderFile(file)}:${line}`,
  );
  // Playwright adds the message. It must not parse a line of the message as a location.
  error.stack = isCodeFrameSafe && !includesLocation ? `    at ${file}:${line}:${column}` : '';
  // Preserves the error context: see `expectListed`.
  return cause instanceof Error && 'matcherResult' in cause
    ? Object.assign(error, { matcherResult: cause.matcherResult })
    : error;
}

function annotationsOf({ plan, list }: ListedIn, planned: PlannedShot): { type: string; description: string }[] {
  const { id, page, viewport, state, position, skip } = planned;
  const url = withoutCredentials(planned.url);
  const declared = { id, page, viewport, state, url, list, listHash: plan.hash, line: position.line };
  const annotations = [{ type: DECLARED_ANNOTATION, description: encodeDeclared(declared) }];
  return skip === null ? annotations : [...annotations, { type: 'skip', description: skip }];
}
