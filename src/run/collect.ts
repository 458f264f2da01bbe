import {
  compareStatus,
  type DeclaredShot,
  nameShot,
  type Problem,
  type RunRecord,
  type ShotRecord,
  type Status,
  shotKey,
} from '../model/index.js';
import { groupBy } from '../report/index.js';
import type {
  Attempt,
  Ending,
  ObservedAttempt,
  ObservedTest,
  ResultsOfShot,
  RunFacts,
  TestResult,
} from './observed-run.js';
import { commitsOf, findProblems, shardsOf } from './problems.js';

/** A collected run. A run with a problem must fail. */
export type Collected = ReturnType<typeof collectRun>;

/** Builds the run record from the tests: decides the status of each shot, and checks that all shots are present. */
export function collectRun(input: RunFacts) {
  const results = input.tests.flatMap((test) => readTestResults(test, input.ending));
  const resultsOfShots = [...groupBy(results, ({ shot }) => shotKey(shot)).values()];
  const worstResults = resultsOfShots.map(joinRepeats);
  const shots = nameGroups(worstResults.toSorted((a, b) => compareShots(a.shot, b.shot)));
  const problems = findProblems(input, resultsOfShots, shots);
  const complete =
    results.every(({ silence }) => silence === null) && problems.every(({ code }) => !INCOMPLETE.includes(code));
  return {
    run: buildRunRecord(input, shots, problems, complete),
    images: worstResults.flatMap(({ images }) => images),
    failed: worstResults.filter(({ test }) => test.failed).map(({ shot }) => nameShot(shot)),
  };
}

/** Problems after which it is unknown whether all shots were judged. */
const INCOMPLETE: readonly Problem['code'][] = ['run-incomplete', 'record-invalid'];

/** Returns the results of a test: one for the shot that it declares, and one for every other shot that it compared. */
function readTestResults(test: ObservedTest, ending: Ending): TestResult[] {
  const { declared } = test;
  const ids = new Set(test.attempts.flatMap(({ messages }) => messages.map(({ shot }) => shot.id)));
  if (declared) ids.delete(declared.id);
  // Only attempts that compared a shot count for it.
  const others = [...ids].flatMap((id) => {
    const attempts = test.attempts.flatMap((attempt) => readAttempt(attempt, id) ?? []);
    return attempts.slice(-1).map((last) => ({ ...last, test, attempts }));
  });
  if (!declared) return others;
  const isExplained = (attempt: ObservedAttempt) => declared.each && isExplainedByOthers(attempt, declared.id);
  const last = test.attempts.at(-1);
  if (last && isExplained(last)) return others;
  const attempts = test.attempts.filter((attempt) => !isExplained(attempt));
  return [declaredResult({ ...test, attempts }, declared, ending), ...others];
}

/** With `each`, the shot that a test declares has a result only if the other shots do not explain how the attempt ended. */
function isExplainedByOthers({ messages, outcome }: ObservedAttempt, id: string): boolean {
  if (messages.length === 0 || messages.some(({ shot }) => shot.id === id)) return false;
  return outcome === 'passed' || (outcome === 'failed' && messages.some(({ shot }) => shot.status !== 'passed'));
}

/** Returns the result for the shot that a test declares. An attempt that sent no result for it is an error. */
function declaredResult(test: ObservedTest, declared: DeclaredShot, ending: Ending): TestResult {
  const silent = (attempt?: ObservedAttempt) => silentAttempt(test, declared, silenceReason(attempt, ending), attempt);
  const attempts = test.attempts.map((attempt): Attempt => {
    const result = readAttempt(attempt, declared.id);
    return result ? { ...result, shot: failWithTest(result.shot, attempt) } : silent(attempt);
  });
  return { ...(attempts.at(-1) ?? silent()), test, attempts };
}

/** Reads the last result of a shot in an attempt. A test that waits for the page can compare the shot several times. */
function readAttempt({ messages, attachments, outcome }: ObservedAttempt, id: string): Attempt | null {
  const message = messages.findLast(({ shot }) => shot.id === id);
  if (!message) return null;
  const { shot, fingerprint } = message;
  const images = message.images.map(({ link, attachment }) => ({ link, from: attachments.get(attachment) ?? null }));
  // If the test passed, the baseline was written on request: the shot needs no review.
  const isRequested = shot.written && outcome === 'passed';
  return { shot: isRequested ? { ...shot, reason: null } : shot, images, fingerprint, silence: null };
}

function failWithTest(shot: ShotRecord, { outcome, error }: ObservedAttempt): ShotRecord {
  if (shot.status !== 'passed' || (outcome !== 'failed' && outcome !== 'timedOut')) return shot;
  const reason = `the shot is within its limit, but its test failed: ${error ?? 'no error message'}`;
  return { ...shot, status: 'error', reason };
}

function silentAttempt(
  { project, skipped }: ObservedTest,
  { list, listHash, listShots, line, each, ...declared }: DeclaredShot,
  silence: string,
  attempt?: ObservedAttempt,
): Attempt {
  const verdict = skipped
    ? { status: 'skipped' as const, reason: skipped.reason ?? 'skipped without a reason' }
    : { status: 'error' as const, reason: silence };
  const shot = { ...NOT_CAPTURED, ...declared, project, durationMs: attempt?.durationMs ?? 0, ...verdict };
  return { shot, images: [], fingerprint: null, silence: skipped ? null : silence };
}

const NOT_CAPTURED = {
  ...{ flaky: false, unsteady: false, written: false, reused: false, attempts: [], warnings: [] },
  ...{ compared: null, summary: null, limits: null, regions: [], regionPlaces: [] },
  ...{ events: null, shifts: null, columnShifts: null, before: null, after: null, diff: null },
  ...{ capture: null, baseline: null, environment: null, group: null, decision: null },
} satisfies Partial<ShotRecord>;

function silenceReason(attempt: ObservedAttempt | undefined, ending: Ending): string {
  if (!attempt) return `no result: ${formatEnding(ending)}`;
  const error = attempt.error ?? 'no error message';
  switch (attempt.outcome) {
    case 'failed':
      // An error of proofsheet is the reason itself, such as a missing baseURL.
      if (error.startsWith(OWN_ERROR)) return error.slice(OWN_ERROR.length);
      return `no result: the test failed first: ${error}`;
    case 'timedOut':
      return `no result: the test timed out: ${error}`;
    case 'interrupted':
      return `no result: the test was interrupted${ending.kind === 'finished' ? '' : `: ${formatEnding(ending)}`}`;
    case 'passed':
      return 'no result: the test passed without a comparison';
    case 'skipped':
      return `no result: ${formatEnding(ending)}`;
    default:
      return attempt.outcome satisfies never;
  }
}

/** Playwright puts the name of an error before its message. */
const OWN_ERROR = 'ProofsheetError: ';

function formatEnding({ kind, error }: Ending): string {
  const text = {
    finished: 'the test did not run, for example because a setup test failed',
    stopped: 'the run stopped before the test',
    interrupted: 'the run was interrupted',
    'timed-out': 'the run reached the global timeout',
  }[kind];
  return error === null ? text : `${text} (${error.replace(/\.$/, '')})`;
}

function compareShots(a: ShotRecord, b: ShotRecord): number {
  return (
    compareStatus(a.status, b.status) ||
    (b.summary?.mismatchPixels ?? 0) - (a.summary?.mismatchPixels ?? 0) ||
    compareCodePoints(a.id, b.id) ||
    compareCodePoints(a.project, b.project)
  );
}

/** Compares strings by code points, which is the order of UTF-8. `<` sorts surrogates before the characters from U+E000 on. */
function compareCodePoints(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

/**
 * Keeps the worst result of several tests of one shot, as with `--repeat-each`, and the attempts of all. If their statuses differ, the shot is
 * flaky, and each attempt has its own images and reason, except the one that the shot itself shows.
 */
function joinRepeats(results: ResultsOfShot): TestResult {
  const worst = results.reduce((one, other) => (compareShots(one.shot, other.shot) > 0 ? other : one));
  const all = results.flatMap((result) => result.attempts);
  const flaky = new Set(all.map(({ shot }) => shot.status)).size > 1;
  const shown = flaky ? all.filter((attempt) => attempt !== worst.attempts.at(-1)) : [];
  const attempts = all.flatMap((attempt) => [
    // The loads of the page that differed from this attempt.
    ...attempt.shot.attempts,
    { status: attempt.shot.status, ...(shown.includes(attempt) && seenIn(attempt)) },
  ]);
  const failed = results.some(({ test }) => test.failed);
  const images = [...worst.images, ...shown.flatMap((attempt) => attempt.images)];
  return { ...worst, test: { ...worst.test, failed }, shot: { ...worst.shot, attempts, flaky }, images };
}

function seenIn({ shot: { reason, before, after, diff } }: Attempt): Partial<ShotRecord['attempts'][number]> {
  return {
    ...(reason !== null && { reason }),
    ...(before && { before }),
    ...(after && { after }),
    ...(diff && { diff }),
  };
}

function buildRunRecord(
  input: RunFacts,
  shots: readonly ShotRecord[],
  problems: readonly Problem[],
  complete: boolean,
): RunRecord {
  const { tests, mergedShards, shard, allTests, outputDirs } = input;
  const [commit = null, ...commits] = mergedShards ? commitsOf(tests) : [input.commit];
  const shards = mergedShards ? shardsOf(tests, mergedShards) : shard ? [shard] : [];
  return {
    schemaVersion: 1,
    tool: { name: 'proofsheet', version: input.version },
    startedAt: input.startedAt.toISOString(),
    durationMs: input.durationMs,
    run: {
      ...listsOf(tests),
      commit: commits.length === 0 ? commit : null,
      shards,
      selected: [...input.selected],
      complete,
      ...(allTests && { tests: allTests }),
      // The folders of a merged run are on other machines.
      ...(outputDirs && !mergedShards && { outputDirs: [...outputDirs] }),
      problems: [...problems],
    },
    summary: countShots(shots),
    shots: [...shots],
    obsolete: null,
  };
}

function listsOf(tests: RunFacts['tests']): Pick<RunRecord['run'], 'list' | 'listHash'> {
  const lists = new Map(tests.flatMap(({ declared }) => (declared ? [[declared.list, declared.listHash]] : [])));
  if (lists.size === 0) return { list: null, listHash: null };
  const sorted = [...lists].sort(([a], [b]) => compareCodePoints(a, b));
  return { list: sorted.map(([list]) => list).join(','), listHash: sorted.map(([, hash]) => hash).join(',') };
}

/** Counts the shots of a run by status and flag. */
export function countShots(shots: readonly ShotRecord[]): RunRecord['summary'] {
  const count = (test: (shot: ShotRecord) => boolean) => shots.filter(test).length;
  const countStatus = (status: Status) => count((shot) => shot.status === status);
  return {
    expected: shots.length,
    captured: count(({ capture, reused }) => capture?.status === 'success' && !reused),
    reused: count(({ reused }) => reused),
    compared: count(({ summary }) => summary !== null),
    passed: countStatus('passed'),
    changed: countStatus('changed'),
    new: countStatus('new'),
    unstable: countStatus('unstable'),
    error: countStatus('error'),
    skipped: countStatus('skipped'),
    flaky: count(({ flaky }) => flaky),
    unsteady: count(({ unsteady }) => unsteady),
    redrawn: count(({ redrawn }) => redrawn !== undefined),
    written: count(({ written }) => written),
    obsolete: null,
  };
}

/** Shots that changed in the same way are a group. Groups are numbered by size, largest first; those of equal size by their first shot. */
export function nameGroups(results: readonly Pick<TestResult, 'shot' | 'fingerprint'>[]): ShotRecord[] {
  const changed = results.filter(({ shot, fingerprint }) => shot.status === 'changed' && fingerprint !== null);
  const groups = [...groupBy(changed, ({ fingerprint }) => fingerprint)].filter(([, { length }]) => length > 1);
  const largestFirst = groups.toSorted(([, a], [, b]) => b.length - a.length);
  const names = new Map(largestFirst.map(([fingerprint], index) => [fingerprint, String(index + 1)]));
  return results.map(({ shot, fingerprint }) => {
    return { ...shot, group: shot.status === 'changed' ? (names.get(fingerprint) ?? null) : null };
  });
}
