import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { devices, type TestDetails, type TestInfo } from '@playwright/test';
import { readPlan, renderDroppedPath, renderFile, renderPosition } from '../list/index.js';
import {
  DECLARED_ANNOTATION,
  DEFAULTS,
  type DeclaredShot,
  messageOf,
  type Plan,
  type PlannedShot,
  type Position,
  ProofsheetError,
  printRemark,
  renderLog,
  withoutCredentials,
} from '../model/index.js';
import { PROJECT_OPTIONS, resolveReuse } from '../reuse/index.js';
import { MAX_LOADS } from '../shot/index.js';
import { listTest, printOnce } from './fixtures.js';
import { callAt, callSiteOf, pathOf, positionOf, withFixtures } from './internals.js';
import { renderOnlyChangedNotice } from './reporter/circumstances.js';
import { createWorkerReuse, type ListOfSpec } from './runner-context.js';
import { type DeclaredPages, type ListFixtures, testListed } from './test-listed.js';

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
  const spec = pathOf(site.file);
  const file = resolve(dirname(spec), path);
  if (!existsSync(file)) throw listMissing(file, positionOf(definePages));
  const plan = readPlan(file, { env: process.env, devices: Object.keys(devices) });
  const reuse = resolveReuse(plan.reuse, process.env.PROOFSHEET_REUSE);
  // Only in the process that selects the tests, not in each worker.
  if (process.env.TEST_WORKER_INDEX === undefined) {
    const declared = { file: plan.file, spec, list: path, shots: plan.shots.length };
    const notice = renderOnlyChangedNotice(declared, process.argv);
    if (notice !== null) printRemark(notice);
  }
  const list = { plan, list: path.replaceAll('\\', '/') };
  const body = bodyOf({ ...list, sourceMaps: new Map(), beginReuse: reuse && createWorkerReuse(reuse) });
  listTest.describe(() => {
    runInParallel();
    for (const planned of plan.shots) {
      listTest.describe(() => {
        const { timeout = DEFAULTS.timeout } = planned.fields;
        listTest.describe.configure({ timeout: MAX_LOADS * Math.round(1000 * timeout) + GRACE_MS });
        const declare: Declare = planned.skip === null ? listTest : listTest.skip;
        const details = { tag: [...planned.tags], annotation: annotationsOf(list, planned) };
        callAt(site, declare, planned.id, details, body);
      });
    }
  });
}

function listMissing(file: string, call: Position): ProofsheetError {
  const found = `the page list ${renderFile(file)} does not exist`;
  const advice = 'Correct the path, which is relative to the spec, or create the file.';
  return new ProofsheetError({ code: 'list-unreadable', where: renderPosition(call), found, advice }, call);
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

type Body = Parameters<typeof listTest>[2];
type Declare = (title: string, details: TestDetails, body: Body) => void;

const FIXTURES = ['browserOfLists', 'foldersOfLists', 'screenshot', 'trace', ...Object.values(PROJECT_OPTIONS).flat()];

/** Returns the body that all tests of a list share: Playwright parses the text of each body to find its fixtures. */
function bodyOf(list: DeclaredPages): Body {
  const { plan } = list;
  const entries = new Map(plan.shots.map((planned) => [planned.id, planned]));
  // Their notice depends on all pages of the list, so it is made once.
  const checkedURLs = new Set<string | null>();
  return withFixtures(FIXTURES, async (fixtures: ListFixtures, testInfo: TestInfo) => {
    // For reporters before the tests run. Others show each annotation that a test has at its end.
    testInfo.annotations = testInfo.annotations.filter(({ type }) => type !== DECLARED_ANNOTATION);
    const planned = entries.get(testInfo.title);
    if (planned === undefined) throw new Error(`the page list has no shot "${testInfo.title}"`);
    const { baseURL = null } = fixtures;
    if (!checkedURLs.has(baseURL)) {
      checkedURLs.add(baseURL);
      printOnce(testInfo.config, renderDroppedPath(plan, baseURL));
    }
    const skipReason = await testListed(list, planned, fixtures, testInfo).catch((error: unknown) => {
      throw locateInList(plan, planned.position, error);
    });
    if (skipReason !== null) testInfo.skip(true, skipReason);
  });
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

function annotationsOf({ plan, list }: ListOfSpec, planned: PlannedShot): { type: string; description: string }[] {
  const { id, page, viewport, mode, state, position, skip } = planned;
  const url = withoutCredentials(planned.url);
  const each = (planned.fields.each ?? false) !== false;
  const listed = { list, listHash: plan.hash, listShots: plan.shots.length, line: position.line, each };
  const declared: DeclaredShot = { id, page, viewport, mode, state, url, ...listed };
  const annotations = [{ type: DECLARED_ANNOTATION, description: JSON.stringify(declared) }];
  return skip === null ? annotations : [...annotations, { type: 'skip', description: skip }];
}
