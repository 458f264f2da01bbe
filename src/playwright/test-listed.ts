import { dirname, join, relative } from 'node:path';
import type { PlaywrightWorkerOptions, TestInfo } from '@playwright/test';
import { fileNamesOf, shotNameOf } from '../baselines/index.js';
import { resolveShot } from '../list/index.js';
import { AFFECTED_VARIABLE, failure, messageOf, type PlannedShot, ProofsheetError, type Shot } from '../model/index.js';
import { type Match, readBrowserEnvironment } from '../page/index.js';
import { listBaselines } from '../run/index.js';
import {
  createPages,
  describeAffected,
  type Pages,
  type Recording,
  type RunnerContext,
  toPageRequest,
} from '../shot/index.js';
import type { listTest } from './fixtures.js';
import { callQuietly } from './internals.js';
import { expectListed, type ListedShot } from './matcher.js';
import {
  type BeginReuse,
  baselinePathIn,
  type ListOfSpec,
  type ReadEnvironment,
  runnerContextFor,
} from './runner-context.js';

/** A list whose tests were declared, and what its shots share in a worker. */
export interface DeclaredPages extends ListOfSpec {
  readonly sourceMaps: Parameters<typeof createPages>[0]['sourceMaps'];
  /** The reuse of captures in this worker; null if the run captures every page. */
  readonly beginReuse: BeginReuse | null;
}

export type ListFixtures = Parameters<Parameters<typeof listTest>[2]>[0];

/** Tests the shots of an entry: one, or with `each` one for each element. Returns why the test is to be skipped; null if it is not. */
export async function testListed(
  list: DeclaredPages,
  planned: PlannedShot,
  { browserOfLists: open, foldersOfLists, ...options }: ListFixtures,
  testInfo: TestInfo,
): Promise<string | null> {
  const { plan, sourceMaps, beginReuse } = list;
  const { baseURL = null, viewport } = options;
  const server = planned.served && (await foldersOfLists.open(planned.served));
  const shot = resolveShot(planned, { baseURL: server?.url ?? baseURL, viewport });
  const readLaunched = async () => readBrowserEnvironment((await open()).browser, 1);
  const contextOf = async (one: Shot) => {
    const reuse = (await beginReuse?.(one, server, options, testInfo)) ?? null;
    const readEnvironment = async () => reuse?.readEnvironment() ?? readLaunched();
    const listed = { ...list, position: planned.position };
    return runnerContextFor({ shot: one, readEnvironment, listed, reuse }, testInfo);
  };
  if (process.env[AFFECTED_VARIABLE] !== undefined) {
    testInfo.attachments.push(await describeAffected(shot, await contextOf(shot)));
    return null;
  }
  const pages = createPages({ open, callQuietly, recording: recordingOf(options, testInfo), sourceMaps });
  try {
    const { each = false } = planned.fields;
    const isSet = each && !testInfo.project.ignoreSnapshots;
    const set = { shot, byIndex: each === 'index', pages, shots: plan.shots, readEnvironment: readLaunched, testInfo };
    return await testAll(isSet ? await listEach(set) : [{ shot, pages }], contextOf);
  } finally {
    await pages.end();
  }
}

type ShotToTest = Pick<ListedShot, 'shot' | 'pages'>;

/** Tests all of these shots, also after one that failed. Returns why they are to be skipped; null if not all of them are. */
async function testAll(
  shots: readonly ShotToTest[],
  contextOf: (shot: Shot) => Promise<RunnerContext>,
): Promise<string | null> {
  const skipReasons: (string | null)[] = [];
  const errors: Error[] = [];
  for (const one of shots) {
    try {
      const runner = await contextOf(one.shot);
      await expectListed({ ...one, runner, skipReasons }).toMatchItsBaseline();
    } catch (cause) {
      errors.push(cause instanceof Error ? cause : new Error(messageOf(cause)));
    }
  }
  const [first, ...others] = errors;
  // Playwright reads what it knows about a failed comparison from the error itself.
  if (first && others.length > 0) first.message = errors.map(({ message }) => message).join('\n\n');
  if (first) throw first;
  return skipReasons.includes(null) ? null : (skipReasons[0] ?? null);
}

interface SetOfShots {
  /** The shot of the page, whose `element` matches several elements. */
  readonly shot: Shot;
  readonly byIndex: boolean;
  readonly pages: Pages;
  /** All shots of the list. */
  readonly shots: readonly PlannedShot[];
  readonly readEnvironment: ReadEnvironment;
  readonly testInfo: TestInfo;
}

/**
 * Lists the elements of a page with `each` as shots of their own. The page is loaded once to find them, and again for each of them.
 * An error of the page, or an element that has a baseline and is no longer there, is an error of the shot of the page.
 */
async function listEach(set: SetOfShots): Promise<ShotToTest[]> {
  const { shot, byIndex, pages, testInfo } = set;
  const errorOf = (cause: unknown): ShotToTest[] => {
    if (!(cause instanceof ProofsheetError)) throw cause;
    return [{ shot, pages: { capture: () => Promise.reject(cause), canReload: false } }];
  };
  try {
    const matches = await pages.findMatches(toPageRequest(shot, shot.after), byIndex);
    testInfo.setTimeout(testInfo.timeout * (matches.length + 1));
    const missing = await checkMissing(set, matches).then(() => [], errorOf);
    return [...matches.map((match) => ({ shot: shotOfMatch(shot, match), pages })), ...missing];
  } catch (cause) {
    return errorOf(cause);
  }
}

/** Fails if elements are missing on the page: those of the page before the change, or those with a baseline. */
async function checkMissing(set: SetOfShots, matches: readonly Match[]): Promise<void> {
  const { shot, byIndex, pages } = set;
  const known = new Set(matches.map(({ name }) => name));
  const expected = shot.before
    ? (await pages.findMatches(toPageRequest(shot, shot.before), byIndex)).map(({ name }) => name)
    : await namesWithBaseline(set);
  const missing = expected.filter((name) => !known.has(name));
  if (missing.length === 0) return;
  const found = `\`element\` "${shot.capture.element}" no longer matches: ${missing.join(', ')}`;
  const advice = shot.before
    ? 'The page before the change has these elements.'
    : 'If they were removed on purpose, delete their baselines: npx proofsheet prune --yes';
  throw failure('page-selector', shot.after.url, found, advice);
}

function shotOfMatch(set: Shot, { name, index }: Match): Shot {
  const { page, viewport, mode, state, baseline, capture } = set;
  const names = shotNameOf({ page: `${page}/${name}`, viewport, mode, state });
  return {
    ...{ ...set, ...names, ...fileNamesOf(names, capture.format, baseline.perEnvironment) },
    capture: { ...capture, element: `${capture.element} >> nth=${index}` },
  };
}

/** Returns the names of the elements with a baseline where this run would look for it, except those of other shots of the list. */
async function namesWithBaseline({ shot, readEnvironment, shots, testInfo }: SetOfShots): Promise<string[]> {
  const pathOf = (name: string) =>
    baselinePathIn(testInfo, shotOfMatch(shot, { name, index: 0 }).baseline, readEnvironment);
  const root = sharedFolder(await pathOf('a'), await pathOf('b'));
  const names: string[] = [];
  for (const { path, record } of await listBaselines(root)) {
    const name = shots.some(({ id }) => id === record.id) ? null : nameIn(shot, record.id);
    if (name !== null && join(root, path) === (await pathOf(name))) names.push(name);
  }
  return names.sort();
}

/** Returns the name of the element in an id; null if it is not the id of an element of this page. */
function nameIn({ id, page }: Shot, other: string): string | null {
  const end = id.slice(page.length);
  if (!other.startsWith(`${page}/`) || !other.endsWith(end)) return null;
  const name = other.slice(page.length + 1, other.length - end.length);
  return name === '' || name.includes('/') ? null : name;
}

function sharedFolder(path: string, other: string): string {
  let folder = dirname(path);
  while (relative(folder, other).startsWith('..')) folder = dirname(folder);
  return folder;
}

function recordingOf(
  { screenshot, trace }: Pick<PlaywrightWorkerOptions, 'screenshot' | 'trace'>,
  { retry }: Pick<TestInfo, 'retry'>,
): Recording {
  const traces = modeOf(trace);
  const isTraced = retry === 0 ? !['off', 'on-first-retry', 'on-all-retries'].includes(traces) : traces !== 'off';
  return { trace: isTraced, screenshot: modeOf(screenshot) !== 'off' };
}

function modeOf(option: string | { readonly mode: string }): string {
  return typeof option === 'string' ? option : option.mode;
}
