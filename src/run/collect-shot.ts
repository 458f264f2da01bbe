import type { DeclaredShot, Origin, ShotMessage, ShotRecord, Status } from '../model/index.js';
import type { CollectedImage, Ending, ObservedAttempt, ObservedTest } from './observed.js';

/** The result of one test for one shot. */
export interface TestResult {
  readonly test: ObservedTest;
  readonly shot: ShotRecord;
  readonly images: readonly CollectedImage[];
  /** Null if nothing was compared. The shard is then unknown. */
  readonly origin: Origin | null;
  /** A hash of what changed; null if nothing did. */
  readonly fingerprint: string | null;
  readonly verdict: Verdict;
  /** In the order in which they ran. The last one determines the shot. */
  readonly attempts: readonly Attempt[];
}

/** `silent`: the test sent no result, for the reason `why`. `failed`: the test failed, so the run fails anyway. */
export type Verdict =
  | { readonly kind: 'judged' }
  | { readonly kind: 'skipped' }
  | { readonly kind: 'silent'; readonly why: string; readonly failed: boolean };

/** Returns the results of a test: one for the shot that it declares, and one for every other shot that it compared. */
export function readTestResults(test: ObservedTest, ending: Ending): TestResult[] {
  const ids = new Set(test.attempts.flatMap(({ messages }) => messages.map(({ shot }) => shot.id)));
  const own = test.declared;
  if (own) ids.delete(own.id);
  const others = [...ids].flatMap((id) => comparedResult(test, id) ?? []);
  return own ? [declaredResult(test, own, ending), ...others] : others;
}

/** Returns the result for a shot that a test compares without declaring it. Only attempts that compared it count. */
function comparedResult(test: ObservedTest, id: string): TestResult | null {
  const compared = test.attempts.flatMap((attempt) => {
    const message = messageFor(attempt, id);
    return message ? [{ attempt, message }] : [];
  });
  const last = compared.at(-1);
  if (!last) return null;
  const attempts = compared.map(({ attempt, message }) => attemptOf(attempt, message, message.shot));
  return { ...judgedResult(test, last.attempt, last.message, last.message.shot), attempts };
}

/** Returns the result for the shot that a test declares. An attempt that sent no result for it is an error. */
function declaredResult(test: ObservedTest, declared: DeclaredShot, ending: Ending): TestResult {
  const attempts = test.attempts.map((attempt): Attempt => {
    const message = messageFor(attempt, declared.id);
    if (message) return attemptOf(attempt, message, failIfTestFailed(message.shot, attempt));
    if (test.skipped) return { status: 'skipped', seen: null, images: [] };
    const reason = silenceReason(attempt, ending);
    return { status: 'error', seen: { reason, before: null, after: null, diff: null, attempts: [] }, images: [] };
  });
  const last = test.attempts.at(-1);
  const message = last && messageFor(last, declared.id);
  const result = message
    ? judgedResult(test, last, message, failIfTestFailed(message.shot, last))
    : missingResult(test, declared, last, ending);
  return { ...result, attempts };
}

/** Returns the last result of a shot in an attempt. A test that waits for the page can compare the shot several times. */
function messageFor(attempt: ObservedAttempt, id: string): ShotMessage | undefined {
  return attempt.messages.findLast(({ shot }) => shot.id === id);
}

/** Turns a passed shot into an error if its test failed. */
function failIfTestFailed(shot: ShotRecord, { outcome, error }: ObservedAttempt): ShotRecord {
  if (shot.status !== 'passed' || (outcome !== 'failed' && outcome !== 'timedOut')) return shot;
  const reason = `the shot is within its limit, but its test failed: ${error ?? 'no error message'}`;
  return { ...shot, status: 'error', reason };
}

/** Removes the reason of a shot whose baseline was written if its test passed. */
function withoutReason(shot: ShotRecord, { outcome }: ObservedAttempt): ShotRecord {
  return shot.written && outcome === 'passed' ? { ...shot, reason: null } : shot;
}

function attemptOf(attempt: ObservedAttempt, message: ShotMessage, shot: ShotRecord): Attempt {
  return { status: shot.status, seen: shot, images: imagesOf(attempt, message) };
}

function imagesOf({ attachments }: ObservedAttempt, { images }: ShotMessage): CollectedImage[] {
  return images.map(({ link, attachment }) => ({ link, from: attachments.get(attachment) ?? null }));
}

/** The result of the last attempt. */
type ResultWithoutAttempts = Omit<TestResult, 'attempts'>;

function judgedResult(
  test: ObservedTest,
  attempt: ObservedAttempt,
  message: ShotMessage,
  shot: ShotRecord,
): ResultWithoutAttempts {
  const images = imagesOf(attempt, message);
  const { origin, fingerprint } = message;
  return { test, shot: withoutReason(shot, attempt), images, origin, fingerprint, verdict: { kind: 'judged' } };
}

function missingResult(
  test: ObservedTest,
  declared: DeclaredShot,
  last: ObservedAttempt | undefined,
  ending: Ending,
): ResultWithoutAttempts {
  const blank = { ...blankShot(declared, test.project), durationMs: last?.durationMs ?? 0 };
  const common = { test, images: [], origin: null, fingerprint: null };
  if (test.skipped) {
    const reason = test.skipped.reason ?? 'skipped without a reason';
    return { ...common, shot: { ...blank, status: 'skipped', reason }, verdict: { kind: 'skipped' } };
  }
  const why = silenceReason(last, ending);
  const shot: ShotRecord = { ...blank, status: 'error', reason: why };
  return { ...common, shot, verdict: { kind: 'silent', why, failed: test.failed } };
}

function silenceReason(last: ObservedAttempt | undefined, ending: Ending): string {
  if (!last) return `no result: ${formatEnding(ending)}`;
  const error = last.error ?? 'no error message';
  switch (last.outcome) {
    case 'failed':
      // An error of proofsheet is the reason itself, such as a missing baseURL.
      if (error.startsWith(OWN_ERROR)) return error.slice(OWN_ERROR.length);
      return `no result: the test failed first: ${error}`;
    case 'timedOut':
      return `no result: the test timed out: ${error}`;
    case 'interrupted':
      return ending.kind === 'finished'
        ? 'no result: the test was interrupted'
        : `no result: the test was interrupted: ${formatEnding(ending)}`;
    case 'passed':
      return 'no result: the test passed without a comparison';
    case 'skipped':
      return `no result: ${formatEnding(ending)}`;
    default:
      return last.outcome satisfies never;
  }
}

/** Playwright puts the name of an error before its message. */
const OWN_ERROR = 'ProofsheetError: ';

/** Returns why tests of a run were not run. */
function formatEnding({ kind, error }: Ending): string {
  const text = {
    finished: 'the test did not run, for example because a setup test failed',
    stopped: 'the run stopped before the test',
    interrupted: 'the run was interrupted',
    'timed-out': 'the run reached the global timeout',
  }[kind];
  return error === null ? text : `${text} (${error.replace(/\.$/, '')})`;
}

function blankShot({ id, page, viewport, state, url }: DeclaredShot, project: string): ShotRecord {
  const verdict = {
    status: 'error',
    flaky: false,
    unsteady: false,
    written: false,
    reused: false,
    reason: null,
  } as const;
  const found = { compared: null, summary: null, limits: null, regions: [], regionPlaces: [] };
  const moved = { events: null, shifts: null, columnShifts: null };
  const images = { before: null, after: null, diff: null };
  const rest = { capture: null, baseline: null, environment: null, group: null, decision: null, warnings: [] };
  const declared = { id, page, viewport, state, project, url };
  return { ...declared, ...verdict, attempts: [], durationMs: 0, ...found, ...moved, ...images, ...rest };
}

/** One attempt of a shot. */
export interface Attempt {
  readonly status: Status;
  /** The result of the attempt; null if there is none. */
  readonly seen: Pick<ShotRecord, 'reason' | 'before' | 'after' | 'diff' | 'attempts'> | null;
  readonly images: readonly CollectedImage[];
}

/** Attempts in the form of the record, and the images that they link to. */
export interface FormattedAttempts {
  readonly fields: Pick<ShotRecord, 'attempts' | 'flaky'>;
  readonly images: readonly CollectedImage[];
}

/**
 * Formats the attempts of a shot for its record, each after the loads of the page that differed from it. If the statuses of the
 * attempts differ, the shot is flaky. Each attempt then has its own images and reason, except the final one, which the shot itself
 * shows.
 */
export function formatAttempts(attempts: readonly Attempt[], standing: Attempt | undefined): FormattedAttempts {
  const flaky = new Set(attempts.map(({ status }) => status)).size > 1;
  const shown = flaky ? attempts.filter((attempt) => attempt !== standing) : [];
  const formatted = attempts.flatMap((attempt) => [
    ...(attempt.seen?.attempts ?? []),
    { status: attempt.status, ...(shown.includes(attempt) && seenFields(attempt)) },
  ]);
  return { fields: { attempts: formatted, flaky }, images: shown.flatMap(({ images }) => images) };
}

/** Returns the fields of an attempt that have a value. */
function seenFields({ seen }: Attempt): Partial<ShotRecord['attempts'][number]> {
  if (seen === null) return {};
  const { reason, before, after, diff } = seen;
  return {
    ...(reason !== null && { reason }),
    ...(before && { before }),
    ...(after && { after }),
    ...(diff && { diff }),
  };
}
