import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { devices, type TestDetails, type TestInfo } from '@playwright/test';
import { readPlan, renderFile, renderPosition, resolveSettings, resolveShot } from '../list/index.js';
import {
  AFFECTED_VARIABLE,
  DECLARED_ANNOTATION,
  encodeDeclared,
  messageOf,
  type Plan,
  type PlannedShot,
  type Position,
  type ProjectUse,
  ProofsheetError,
  printRemark,
  renderLog,
  type Shot,
  withoutCredentials,
} from '../model/index.js';
import { type FolderServer, resolveReuse } from '../reuse/index.js';
import {
  baselineSegments,
  createPages,
  describeAffected,
  MAX_LOADS,
  type Pages,
  type Recording,
  renderDroppedPath,
} from '../shot/index.js';
import { listTest, printOnce } from './fixtures.js';
import { callAt, callQuietly, callSiteOf, pathOf, positionOf } from './internals.js';
import type { ListBrowser } from './list-browser.js';
import { expectListed } from './matcher.js';
import { renderOnlyChangedNotice } from './reporter/circumstances.js';
import { isRemote, type ListedIn, locksFolder, recordingOf, runnerContextFor } from './runner-context.js';
import { testEach } from './test-each.js';
import { createWorkerReuse, type WorkerReuse } from './worker-reuse.js';

/** Time in addition to the loads of a shot, to launch a browser, compare and write. */
const GRACE_MS = 15_000;

/**
 * Declares one Playwright test for every shot of a page list: each page and each of its states, in each viewport and mode.
 *
 * The tests run in parallel. Their title is the id of the shot, and their location is the location of this call. They carry
 * the tags of the shot.
 *
 * @param path - path of the page list, relative to the calling spec
 * @throws AggregateError with all errors of the list, each with its line, or ProofsheetError if the list does not exist. No
 *   browser is launched.
 * @example
 * import { definePages } from 'proofsheet';
 * definePages('pages.yaml');
 */
export function definePages(path: string): void {
  if (typeof path !== 'string' || path === '')
    throw new Error("definePages(path): expected the path of a page list, such as 'pages.yaml'.");
  const site = callSiteOf(definePages);
  const file = resolve(dirname(pathOf(site)), path);
  if (!existsSync(file)) throw listMissing(file, positionOf(definePages));
  const plan = readPlan(file, { env: process.env, devices: Object.keys(devices) });
  const reuse = resolveReuse(plan.reuse, process.env.PROOFSHEET_REUSE);
  // Only in the process that selects the tests, not in each worker.
  if (process.env.TEST_WORKER_INDEX === undefined) {
    const declared = { file: plan.file, spec: pathOf(site), list: path, shots: plan.shots.length };
    const notices = [renderOnlyChangedNotice(declared, process.argv), renderDroppedPath(plan, null)];
    for (const notice of notices) if (notice !== null) printRemark(notice);
  }
  const list = { plan, list: path.replaceAll('\\', '/') };
  const body = bodyOf({ ...list, pages: createPages(callQuietly), reuse: reuse && createWorkerReuse(reuse) });
  listTest.describe(() => {
    runInParallel();
    for (const planned of plan.shots) {
      listTest.describe(() => {
        const { timeoutMs } = resolveSettings(planned.fields);
        listTest.describe.configure({ timeout: MAX_LOADS * timeoutMs + GRACE_MS });
        const declare: Declare = planned.skip === null ? listTest : listTest.skip;
        const details = { tag: [...planned.tags], annotation: annotationsOf(list, planned) };
        callAt(site, declare, planned.id, details, body);
      });
    }
  });
}

function listMissing(file: string, call: Position): ProofsheetError {
  return new ProofsheetError(
    {
      code: 'list-unreadable',
      where: renderPosition(call),
      found: `the page list ${renderFile(file)} does not exist`,
      advice: 'Correct the path, which is relative to the spec, or create the file.',
    },
    call,
  );
}

/** Without this, all tests of a file run in one worker and one shard. Playwright cannot nest parallel tests in serial ones. */
function runInParallel(): void {
  try {
    listTest.describe.configure({ mode: 'parallel' });
  } catch (cause) {
    if (!/cannot be nested/.test(messageOf(cause))) throw cause;
    throw new Error(
      "definePages() declares parallel tests, but test.describe.serial and mode 'default' do not allow them. Move the call out of this describe block.",
    );
  }
}

interface DeclaredPages extends ListedIn {
  readonly pages: Pages;
  /** The reuse of captures in this worker; null if the run captures every page. */
  readonly reuse: WorkerReuse | null;
}

type Body = Parameters<typeof listTest>[2];
type Declare = (title: string, details: TestDetails, body: Body) => void;

/** Returns the body that all tests of a list share: Playwright parses the text of each body to find its fixtures. */
function bodyOf(list: DeclaredPages): Body {
  const entries = new Map(list.plan.shots.map((planned) => [planned.id, planned]));
  // Their notice depends on all pages of the list, so it is made once.
  const checkedURLs = new Set<string>();
  return async (
    {
      browserOfLists: browser,
      foldersOfLists: folders,
      baseURL,
      browserName,
      bypassCSP,
      channel,
      clientCertificates,
      colorScheme,
      connectOptions,
      contextOptions,
      contrast,
      deviceScaleFactor,
      extraHTTPHeaders,
      forcedColors,
      geolocation,
      hasTouch,
      headless,
      httpCredentials,
      ignoreHTTPSErrors,
      isMobile,
      javaScriptEnabled,
      launchOptions,
      locale,
      offline,
      permissions,
      proxy,
      reducedMotion,
      screen,
      screenshot,
      serviceWorkers,
      storageState,
      timezoneId,
      trace,
      userAgent,
      viewport,
    },
    testInfo,
  ) => {
    // For reporters before the tests run. Others show each annotation that a test has at its end.
    testInfo.annotations = testInfo.annotations.filter(({ type }) => type !== DECLARED_ANNOTATION);
    const { title, retry, project } = testInfo;
    const planned = entries.get(title);
    if (planned === undefined) throw new Error(`the page list has no shot "${title}"`);
    const options = {
      ...{ project: project.name, use: { ...project.use } },
      context: {
        ...{ bypassCSP, colorScheme, contextOptions, contrast, deviceScaleFactor, forcedColors, geolocation, hasTouch },
        ...{ ignoreHTTPSErrors, isMobile, javaScriptEnabled, locale, offline, permissions, reducedMotion, screen },
        ...{ serviceWorkers, timezoneId, userAgent, viewport },
      },
      credentials: [
        ...[clientCertificates, extraHTTPHeaders, httpCredentials, storageState],
        ...[contextOptions.extraHTTPHeaders, contextOptions.storageState],
      ],
      proxies: [proxy, contextOptions.proxy, launchOptions.proxy],
      browser: { browserName, channel, headless, launchOptions, isRemote: isRemote(connectOptions) },
      executablePath: launchOptions.executablePath,
    };
    if (baseURL !== undefined && !checkedURLs.has(baseURL)) {
      checkedURLs.add(baseURL);
      const notice = renderDroppedPath(list.plan, baseURL);
      if (notice !== null) printOnce(locksFolder(testInfo.config), notice);
    }
    const server = planned.served && (await folders.open(planned.served));
    const use = { baseURL: server?.url ?? baseURL ?? null, viewport };
    const fixtures = { browser, server, use, options, recording: recordingOf({ screenshot, trace, retry }) };
    const skipReason = await testPlanned(list, planned, fixtures, testInfo).catch((error: unknown) => {
      throw locateInList(list.plan, planned.position, error);
    });
    if (skipReason !== null) testInfo.skip(true, skipReason);
  };
}

/** What the test of a shot takes from Playwright. */
interface ListedFixtures {
  readonly browser: ListBrowser;
  /** The server of the page's folder; null: the run does not serve the page. */
  readonly server: FolderServer | null;
  readonly use: ProjectUse;
  readonly options: Parameters<WorkerReuse['begin']>[2];
  readonly recording: Recording;
}

/** Returns why the test is to be skipped; null if it is not. */
async function testPlanned(
  list: DeclaredPages,
  planned: PlannedShot,
  fixtures: ListedFixtures,
  testInfo: TestInfo,
): Promise<string | null> {
  const { each = false } = planned.fields;
  const shot = resolveShot(planned, fixtures.use);
  const test = (one: Shot, error?: ProofsheetError) => testShotOf(list, planned, one, fixtures, testInfo, error);
  const isCaptured = process.env[AFFECTED_VARIABLE] === undefined && !testInfo.project.ignoreSnapshots;
  if (each === false || !isCaptured) return test(shot);
  const { browser, recording } = fixtures;
  const { findMatches, end } = list.pages.begin(browser.open, shot, recording);
  const segmentsOf = (one: Shot) => baselineSegments(one, { open: browser.open });
  const isListed = (id: string) => list.plan.shots.some((other) => other.id === id);
  try {
    return await testEach({ shot, each, findMatches, segmentsOf, isListed }, test, testInfo);
  } finally {
    await end();
  }
}

/** Tests a shot; with an error, that of a page that cannot be captured. Returns why it is to be skipped, or null. */
async function testShotOf(
  { plan, list, pages, reuse: workerReuse }: DeclaredPages,
  planned: PlannedShot,
  shot: Shot,
  { browser, server, options, recording }: ListedFixtures,
  testInfo: TestInfo,
  error?: ProofsheetError,
): Promise<string | null> {
  const reuse = (await workerReuse?.begin(shot, server, options, testInfo)) ?? null;
  const { captureFunctions, end } = pages.begin(browser.open, shot, recording, reuse?.recordLoad);
  try {
    const environment = shot.environment === 'separate' ? await reuse?.readEnvironment() : null;
    const segments = await baselineSegments(shot, environment ? { environment } : { open: browser.open });
    const runner = await runnerContextFor(shot, { plan, list, position: planned.position }, segments, testInfo, reuse);
    const skipReasons: string[] = [];
    const onSkip = (reason: string) => void skipReasons.push(reason);
    if (process.env[AFFECTED_VARIABLE] === undefined)
      await expectListed({
        ...{ shot, runner, onSkip },
        captureFunctions: error ? { ...captureFunctions, after: () => Promise.reject(error) } : captureFunctions,
      }).toMatchItsBaseline();
    else testInfo.attachments.push(await describeAffected(shot, runner));
    return skipReasons[0] ?? null;
  } finally {
    await end();
  }
}

/**
 * Sets the location of an error to the entry of the page in the list. Playwright prints the lines around it.
 *
 * The error has no location if the list contains a literal secret, or if the message contains the location.
 */
function locateInList({ isCodeFrameSafe, file: list }: Plan, position: Position, cause: unknown): Error {
  const { file, line, column } = position;
  // Playwright parses message and stack together: only the stack set below may look like a stack frame.
  const message = renderLog(messageOf(cause)).replace(/^\s+at /gm, 'at ');
  const includesLocation = message.includes(`:${line}:${column} `);
  const error = new Error(
    isCodeFrameSafe || includesLocation ? message : `${message}\n  list      ${renderFile(list)}:${line}`,
  );
  // The reporter shows an error of proofsheet without a prefix.
  if (cause instanceof ProofsheetError) error.name = cause.name;
  error.stack = isCodeFrameSafe && !includesLocation ? `    at ${file}:${line}:${column}` : '';
  // Preserves the error context: see `expectListed`.
  return cause instanceof Error && 'matcherResult' in cause
    ? Object.assign(error, { matcherResult: cause.matcherResult })
    : error;
}

function annotationsOf({ plan, list }: ListedIn, planned: PlannedShot): { type: string; description: string }[] {
  const { id, page, viewport, mode, state, position, skip } = planned;
  const url = withoutCredentials(planned.url);
  const each = (planned.fields.each ?? false) !== false;
  const listed = { list, listHash: plan.hash, listShots: plan.shots.length, line: position.line, each };
  const declared = { id, page, viewport, mode, state, url, ...listed };
  const annotations = [{ type: DECLARED_ANNOTATION, description: encodeDeclared(declared) }];
  return skip === null ? annotations : [...annotations, { type: 'skip', description: skip }];
}
