import type { PlaywrightWorkerOptions, TestInfo } from '@playwright/test';
import { baselineSegments } from '../baselines/index.js';
import { resolveShot } from '../list/index.js';
import { AFFECTED_VARIABLE, messageOf, type PlannedShot, type Shot } from '../model/index.js';
import { readBrowserEnvironment } from '../page/index.js';
import {
  createPages,
  describeAffected,
  type Recording,
  type RunnerContext,
  type ShotResult,
  testShot,
} from '../shot/index.js';
import type { listTest } from './fixtures.js';
import { callQuietly } from './internals.js';
import { listEach, type ShotToTest } from './list-each.js';
import { expectListed } from './matcher.js';
import { type ListOfSpec, runnerContextFor } from './runner-context.js';
import type { BeginReuse } from './worker-reuse.js';

/** A list whose tests were declared, and what its shots share in a worker. */
export interface DeclaredPages extends ListOfSpec {
  readonly sourceMaps: Parameters<typeof createPages>[0]['sourceMaps'];
  /** The reuse of captures in this worker; null if the run captures every page. */
  readonly beginReuse: BeginReuse | null;
}

type Fixtures = Parameters<Parameters<typeof listTest>[2]>[0];

/** Tests the shots of an entry: one, or with `each` one for each element. Returns why the test is to be skipped; null if it is not. */
export async function testListed(
  list: DeclaredPages,
  planned: PlannedShot,
  { browserOfLists: open, foldersOfLists, ...options }: Fixtures,
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
    return runnerContextFor(one, { readEnvironment, listed, reuse }, testInfo);
  };
  if (process.env[AFFECTED_VARIABLE] !== undefined) {
    testInfo.attachments.push(await describeAffected(shot, await contextOf(shot)));
    return null;
  }
  const pages = createPages({ open, callQuietly, recording: recordingOf(options, testInfo), sourceMaps });
  try {
    const { each = false } = planned.fields;
    const segmentsOf = (one: Shot) => baselineSegments(one, readLaunched);
    const set = { shot, each, pages, segmentsOf, shots: plan.shots };
    const isSet = each && !testInfo.project.ignoreSnapshots;
    return await testAll(isSet ? await listEach(set, testInfo) : [{ shot, pages }], contextOf);
  } finally {
    await pages.end();
  }
}

/** Tests all of these shots, also after one that failed. Returns why they are to be skipped; null if not all of them are. */
async function testAll(
  shots: readonly ShotToTest[],
  contextOf: (shot: Shot) => Promise<RunnerContext>,
): Promise<string | null> {
  const results: ShotResult[] = [];
  const errors: Error[] = [];
  for (const { shot, pages } of shots) {
    try {
      const runner = await contextOf(shot);
      const test = async () => {
        const result = await testShot(shot, pages, runner);
        results.push(result);
        return result;
      };
      await expectListed(test).toMatchItsBaseline();
    } catch (cause) {
      errors.push(cause instanceof Error ? cause : new Error(messageOf(cause)));
    }
  }
  const [first, ...others] = errors;
  // Playwright reads what it knows about a failed comparison from the error itself.
  if (first && others.length > 0) first.message = errors.map(({ message }) => message).join('\n\n');
  if (first) throw first;
  const reasons = results.map(({ skipReason }) => skipReason);
  return reasons.includes(null) ? null : (reasons[0] ?? null);
}

/** Returns what Playwright records of a test. */
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
