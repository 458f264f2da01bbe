import type { DeclaredShot, Origin, ShotMessage } from '../model/message.js';
import type { ShotRecord } from '../model/record.js';
import type { Status } from '../model/status.js';
import type { CollectedImage, Ending, ObservedAttempt, ObservedTest } from './collect-observed.js';

/** What one test says of one shot. */
export interface Claim {
  readonly test: ObservedTest;
  readonly shot: ShotRecord;
  readonly images: readonly CollectedImage[];
  /** Null when nothing was compared: then a shard is not known either. */
  readonly origin: Origin | null;
  /** `unjudged`: its test ran, and ended without a word of it; `unrun`: its turn never came. */
  readonly verdict: 'judged' | 'skipped' | 'unjudged' | 'unrun';
}

/** Gives what a test says: of the shot that it declares, and of every other that it compared. */
export function readClaims(test: ObservedTest, ending: Ending): Claim[] {
  const ids = new Set(test.attempts.flatMap(({ messages }) => messages.map(({ shot }) => shot.id)));
  const own = test.declared;
  if (own) ids.delete(own.id);
  const others = [...ids].flatMap((id) => comparedClaim(test, id) ?? []);
  return own ? [declaredClaim(test, own, ending), ...others] : others;
}

/** Puts the attempts of a shot into its record; `flaky` when they did not all end alike. */
export function tellAttempts(statuses: readonly Status[]): Pick<ShotRecord, 'attempts' | 'flaky'> {
  return { attempts: statuses.map((status) => ({ status })), flaky: new Set(statuses).size > 1 };
}

/** Of a shot that is compared somewhere in a test, only what was compared is known. */
function comparedClaim(test: ObservedTest, id: string): Claim | null {
  const compared = test.attempts.flatMap((attempt) => {
    const message = messageFor(attempt, id);
    return message ? [{ attempt, message }] : [];
  });
  const last = compared.at(-1);
  if (!last) return null;
  const claim = judgedClaim(test, last.attempt, last.message, last.message.shot);
  return withAttempts(
    claim,
    compared.map(({ message }) => message.shot.status),
  );
}

/** A declared shot is all that its test is about: every attempt says something of it, its silence as well. */
function declaredClaim(test: ObservedTest, declared: DeclaredShot, ending: Ending): Claim {
  const statuses = test.attempts.map((attempt) => {
    const message = messageFor(attempt, declared.id);
    return message ? honestShot(message.shot, attempt).status : test.skipped ? 'skipped' : 'error';
  });
  const last = test.attempts.at(-1);
  const message = last && messageFor(last, declared.id);
  const claim = message
    ? judgedClaim(test, last, message, honestShot(message.shot, last))
    : silentClaim(test, declared, last, ending);
  return withAttempts(claim, statuses);
}

function withAttempts(claim: Claim, statuses: readonly Status[]): Claim {
  return { ...claim, shot: { ...claim.shot, ...tellAttempts(statuses) } };
}

/** The same shot compared twice in one attempt is a wait for the page to come right: the last one counts. */
function messageFor(attempt: ObservedAttempt, id: string): ShotMessage | undefined {
  return attempt.messages.findLast(({ shot }) => shot.id === id);
}

/** Where the test of a listed shot failed, a green shot would be a lie. */
function honestShot(shot: ShotRecord, { outcome, error }: ObservedAttempt): ShotRecord {
  if (shot.status !== 'passed' || (outcome !== 'failed' && outcome !== 'timedOut')) return shot;
  const reason = `it was within its limit, but its test failed: ${error ?? 'no error was given'}`;
  return { ...shot, status: 'error', reason };
}

function judgedClaim(test: ObservedTest, attempt: ObservedAttempt, message: ShotMessage, shot: ShotRecord): Claim {
  const images = message.images.map(({ link, attachment }) => {
    return { link, from: attempt.attachments.get(attachment) ?? null };
  });
  return { test, shot, images, origin: message.origin, verdict: 'judged' };
}

function silentClaim(
  test: ObservedTest,
  declared: DeclaredShot,
  last: ObservedAttempt | undefined,
  ending: Ending,
): Claim {
  const [status, reason] = test.skipped
    ? (['skipped', test.skipped.reason ?? 'skipped without a reason'] as const)
    : (['error', tellSilence(last, ending)] as const);
  const verdict = test.skipped ? 'skipped' : last && last.outcome !== 'skipped' ? 'unjudged' : 'unrun';
  const shot = { ...blankShot(declared, test.project), status, reason, durationMs: last?.durationMs ?? 0 };
  return { test, shot, images: [], origin: null, verdict };
}

function tellSilence(last: ObservedAttempt | undefined, ending: Ending): string {
  if (!last) return `it was never judged: ${tellEnding(ending)}`;
  const error = last.error ?? 'no error was given';
  switch (last.outcome) {
    case 'failed':
      return `it was not judged, its test failed first: ${error}`;
    case 'timedOut':
      return `it was not judged in time: ${error}`;
    case 'interrupted':
      return 'it was not judged: the run was interrupted before it was';
    case 'passed':
      return 'it was not judged, though its test passed';
    case 'skipped':
      return `it was never judged: ${tellEnding(ending)}`;
    default:
      return last.outcome satisfies never;
  }
}

/** Says why tests of a run had no turn. */
export function tellEnding(ending: Ending): string {
  switch (ending) {
    case 'finished':
      return 'its test was not run, as happens when something that it needs fails first';
    case 'interrupted':
      return 'the run was interrupted';
    case 'timed-out':
      return 'the run hit its global timeout';
    case 'cut-short':
      return 'the run was stopped before its turn';
    default:
      return ending satisfies never;
  }
}

function blankShot({ id, page, viewport, state, url }: DeclaredShot, project: string): ShotRecord {
  const names = { id, page, viewport, state, project, url };
  const verdict = { flaky: false, written: false, attempts: [], durationMs: 0, warnings: [] };
  const comparison = { summary: null, limits: null, regions: [], shifts: null, before: null, after: null, diff: null };
  const rest = { capture: null, baseline: null, environment: null, group: null, decision: null };
  return { ...names, status: 'error', reason: null, ...verdict, ...comparison, ...rest };
}
