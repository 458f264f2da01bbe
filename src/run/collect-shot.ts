import type { StagedImage } from '../baselines/index.js';
import type { DeclaredShot, Origin, Problem, RunRecord, ShotMessage, ShotRecord } from '../model/index.js';

export interface RunFacts {
  readonly version: string;
  readonly startedAt: Date;
  readonly durationMs: number;
  readonly ending: Ending;
  readonly tests: readonly ObservedTest[];
  /** What all tests of the run are, for `prune`. Absent: unknown. */
  readonly allTests?: NonNullable<RunRecord['run']['tests']>;
  /** The words of the command line after `playwright test`. */
  readonly selected: readonly string[];
  readonly shard: Shard | null;
  /** The commit of the current folder. A merged run can be anywhere, so it uses the commits of its shots instead. */
  readonly commit: string | null;
  /** The shards of the merged blobs, those without shots, too; null if the run was not merged. */
  readonly mergedShards: readonly Shard[] | null;
  /** Output folders of the projects, relative to the folder of the config. @default test-results */
  readonly outputDirs?: readonly string[];
  readonly problems: readonly Problem[];
}

export type Shard = Readonly<NonNullable<Origin['shard']>>;

/** How the run as a whole ended. `stopped`: before all tests were run. */
export interface Ending {
  readonly kind: 'finished' | 'stopped' | 'interrupted' | 'timed-out';
  /** First line of an error that belongs to no single test, or null. */
  readonly error: string | null;
}

export interface ObservedTest {
  readonly project: string;
  readonly title: string;
  /** Location in the spec, as `file:line`. */
  readonly location: string;
  /** Index of the repeat with `--repeat-each`; otherwise 0. */
  readonly repeat: number;
  readonly declared: DeclaredShot | null;
  /** Set if the test is declared as skipped, with its reason or null. */
  readonly skipped: { readonly reason: string | null } | null;
  /** Whether all attempts failed, according to the test runner. */
  readonly failed: boolean;
  /** In the order in which they ran; empty if the test was not run. */
  readonly attempts: readonly ObservedAttempt[];
}

export interface ObservedAttempt {
  readonly outcome: 'passed' | 'failed' | 'timedOut' | 'interrupted' | 'skipped';
  readonly error: string | null;
  readonly durationMs: number;
  readonly messages: readonly ShotMessage[];
  /** The attachments of this attempt by name, each a path or bytes. */
  readonly attachments: ReadonlyMap<string, string | Buffer>;
}

/** The result of one attempt of a test for one shot. */
export interface Attempt {
  readonly shot: ShotRecord;
  readonly images: readonly StagedImage[];
  /** Null if nothing was compared. The shard is then unknown. */
  readonly origin: Origin | null;
  /** A hash of what changed; null if nothing did. */
  readonly fingerprint: string | null;
  /** Why the attempt sent no result; null if it sent one, or if the test is skipped. */
  readonly silence: string | null;
}

/** The result of one test for one shot: that of its last attempt. */
export interface TestResult extends Attempt {
  readonly test: ObservedTest;
  /** In the order in which they ran. */
  readonly attempts: readonly Attempt[];
}

/** Returns the results of a test: one for the shot that it declares, and one for every other shot that it compared. */
export function readTestResults(test: ObservedTest, ending: Ending): TestResult[] {
  const { declared } = test;
  const ids = new Set(test.attempts.flatMap(({ messages }) => messages.map(({ shot }) => shot.id)));
  if (declared) ids.delete(declared.id);
  const others = [...ids].flatMap((id) => comparedResult(test, id));
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

/** Returns the result for a shot that a test compares without declaring it. Only attempts that compared it count. */
function comparedResult(test: ObservedTest, id: string): TestResult[] {
  const attempts = test.attempts.flatMap((attempt) => readAttempt(attempt, id) ?? []);
  const last = attempts.at(-1);
  return last ? [{ ...last, test, attempts }] : [];
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
  const { shot, origin, fingerprint } = message;
  const images = message.images.map(({ link, attachment }) => ({ link, from: attachments.get(attachment) ?? null }));
  // If the test passed, the baseline was written on request: the shot needs no review.
  const isRequested = shot.written && outcome === 'passed';
  return { shot: isRequested ? { ...shot, reason: null } : shot, images, origin, fingerprint, silence: null };
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
  return { shot, images: [], origin: null, fingerprint: null, silence: skipped ? null : silence };
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
