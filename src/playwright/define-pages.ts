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

/** Time a test has beyond its shot's own, to launch a browser, to compare and to write. */
const GRACE_MS = 15_000;

/**
 * Declares one Playwright test for every shot of a page list: every page, in every viewport.
 *
 * The tests run in parallel, have the shot's id as title and its tags, and stand at the place of this call.
 *
 * @param path the page list, relative to the spec that calls.
 * @throws AggregateError with all that is wrong with the list, each error at its line; no browser starts then.
 * @example
 * import { definePages } from 'proofsheet';
 * definePages('pages.yaml');
 */
export function definePages(path: string): void {
  if (typeof path !== 'string' || path === '')
    throw new Error("definePages(path): path has to be that of a page list, such as 'pages.yaml'.");
  const site = callSiteOf(definePages);
  const plan = readPlan(resolve(dirname(pathOf(site)), path), { env: process.env, devices: Object.keys(devices) });
  // In the process that selects the tests, and not in each worker again.
  if (process.env.TEST_WORKER_INDEX === undefined) {
    const declared = { file: plan.file, spec: pathOf(site), list: path, shots: plan.shots.length };
    const passedOver = renderPassedOver(declared, process.argv);
    if (passedOver !== null) process.stderr.write(`proofsheet: ${passedOver}\n`);
  }
  const pages = createPages();
  test.describe(() => {
    runInParallel();
    for (const planned of plan.shots) declareShot({ plan, list: path.replaceAll('\\', '/') }, planned, pages, site);
  });
}

/** One file is one worker and one shard otherwise. Playwright has no parallel tests inside tests that run in order. */
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
/** What `test` and `test.skip` have in common. */
type Declare = (title: string, details: TestDetails, body: Body) => void;

function bodyOf(listed: ListedIn, planned: PlannedShot, pages: Pages): Body {
  // Playwright reads from this very text what a test needs.
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
    // What a visitor does may need a page that can be scrolled by wheel and key.
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
      await session.abandon();
      throw atPage(listed.plan, planned, error);
    }
    await session.end();
  };
}

/**
 * Puts a failure at the page's place in the list, where Playwright prints the lines around it.
 *
 * Playwright gets no place in a list with a literal secret, and none where the message names the place itself.
 */
function atPage({ isCodeFrameSafe }: Plan, { position }: PlannedShot, cause: unknown): Error {
  const { file, line, column } = position;
  // Only the line below may look like a line of a stack.
  const message = messageOf(cause).replace(/^\s+at /gm, 'at ');
  const namesPlace = message.includes(`:${line}:${column} `);
  const error = new Error(
    isCodeFrameSafe || namesPlace ? message : `${message}\n  list      ${renderFile(file)}:${line}`,
  );
  // Playwright adds the message. A line of the message must not be read as a place.
  error.stack = isCodeFrameSafe && !namesPlace ? `    at ${file}:${line}:${column}` : '';
  // What the matcher has to add: see `expectListed`.
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
