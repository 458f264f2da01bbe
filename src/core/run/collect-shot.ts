import type { DeclaredShot, Origin, ShotMessage } from '../../model/attachments.js';
import type { ShotRecord, Status } from '../../model/run-record.js';
import type { CollectedImage, Ending, ObservedAttempt, ObservedTest } from './observed.js';

/** What one test says of one shot. */
export interface Claim {
  readonly test: ObservedTest;
  readonly shot: ShotRecord;
  readonly images: readonly CollectedImage[];
  /** Null when nothing was compared: then a shard is not known either. */
  readonly origin: Origin | null;
  /** What changed, as a hash; null where nothing did. */
  readonly fingerprint: string | null;
  readonly verdict: Verdict;
  /** In the order in which they ran; the last one is what the shot is. */
  readonly attempts: readonly Attempt[];
}

/** `silent`: nothing was said of the shot, and why; `failed`: but its test failed, so that the run is red already. */
export type Verdict =
  | { readonly kind: 'judged' }
  | { readonly kind: 'skipped' }
  | { readonly kind: 'silent'; readonly why: string; readonly failed: boolean };

/** Returns what a test says: of the shot that it declares, and of every other that it compared. */
export function readClaims(test: ObservedTest, ending: Ending): Claim[] {
  const ids = new Set(test.attempts.flatMap(({ messages }) => messages.map(({ shot }) => shot.id)));
  const own = test.declared;
  if (own) ids.delete(own.id);
  const others = [...ids].flatMap((id) => comparedClaim(test, id) ?? []);
  return own ? [declaredClaim(test, own, ending), ...others] : others;
}

/** Of a shot that is compared somewhere in a test, only what was compared is known. */
function comparedClaim(test: ObservedTest, id: string): Claim | null {
  const compared = test.attempts.flatMap((attempt) => {
    const message = messageFor(attempt, id);
    return message ? [{ attempt, message }] : [];
  });
  const last = compared.at(-1);
  if (!last) return null;
  const attempts = compared.map(({ attempt, message }) => attemptOf(attempt, message, message.shot));
  return { ...judgedClaim(test, last.attempt, last.message, last.message.shot), attempts };
}

/** A declared shot is all that its test is about: every attempt says something of it, its silence as well. */
function declaredClaim(test: ObservedTest, declared: DeclaredShot, ending: Ending): Claim {
  const attempts = test.attempts.map((attempt): Attempt => {
    const message = messageFor(attempt, declared.id);
    if (message) return attemptOf(attempt, message, honestShot(message.shot, attempt));
    if (test.skipped) return { status: 'skipped', seen: null, images: [] };
    const reason = tellSilence(attempt, ending);
    return { status: 'error', seen: { reason, before: null, after: null, diff: null }, images: [] };
  });
  const last = test.attempts.at(-1);
  const message = last && messageFor(last, declared.id);
  const claim = message
    ? judgedClaim(test, last, message, honestShot(message.shot, last))
    : silentClaim(test, declared, last, ending);
  return { ...claim, attempts };
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

/** Only the test tells whether a shot whose baseline was written is green: where it is, there is no reason to give. */
function withoutReason(shot: ShotRecord, { outcome }: ObservedAttempt): ShotRecord {
  return shot.written && outcome === 'passed' ? { ...shot, reason: null } : shot;
}

function attemptOf(attempt: ObservedAttempt, message: ShotMessage, shot: ShotRecord): Attempt {
  return { status: shot.status, seen: shot, images: imagesOf(attempt, message) };
}

function imagesOf({ attachments }: ObservedAttempt, { images }: ShotMessage): CollectedImage[] {
  return images.map(({ link, attachment }) => ({ link, from: attachments.get(attachment) ?? null }));
}

/** What one attempt says, whatever there were before it. */
type OneClaim = Omit<Claim, 'attempts'>;

function judgedClaim(test: ObservedTest, attempt: ObservedAttempt, message: ShotMessage, shot: ShotRecord): OneClaim {
  const images = imagesOf(attempt, message);
  const { origin, fingerprint } = message;
  return { test, shot: withoutReason(shot, attempt), images, origin, fingerprint, verdict: { kind: 'judged' } };
}

function silentClaim(
  test: ObservedTest,
  declared: DeclaredShot,
  last: ObservedAttempt | undefined,
  ending: Ending,
): OneClaim {
  const blank = { ...blankShot(declared, test.project), durationMs: last?.durationMs ?? 0 };
  const common = { test, images: [], origin: null, fingerprint: null };
  if (test.skipped) {
    const reason = test.skipped.reason ?? 'skipped without a reason';
    return { ...common, shot: { ...blank, status: 'skipped', reason }, verdict: { kind: 'skipped' } };
  }
  const why = tellSilence(last, ending);
  const shot: ShotRecord = { ...blank, status: 'error', reason: why };
  return { ...common, shot, verdict: { kind: 'silent', why, failed: test.failed } };
}

function tellSilence(last: ObservedAttempt | undefined, ending: Ending): string {
  if (!last) return `never judged: ${tellEnding(ending)}`;
  const error = last.error ?? 'no error was given';
  switch (last.outcome) {
    case 'failed':
      return `not judged, its test failed first: ${error}`;
    case 'timedOut':
      return `not judged in time: ${error}`;
    case 'interrupted':
      return `not judged to the end: ${tellEnding(ending)}`;
    case 'passed':
      return 'not judged, though its test passed';
    case 'skipped':
      return `never judged: ${tellEnding(ending)}`;
    default:
      return last.outcome satisfies never;
  }
}

/** Says why tests of a run had no turn. */
function tellEnding({ kind, error }: Ending): string {
  const told = {
    finished: 'its test was not run, as happens when something that it needs fails first',
    stopped: 'the run was stopped before its turn',
    interrupted: 'the run was interrupted',
    'timed-out': 'the run hit its global timeout',
  }[kind];
  return error === null ? told : `${told} (${error.replace(/\.$/, '')})`;
}

function blankShot({ id, page, viewport, state, url }: DeclaredShot, project: string): ShotRecord {
  const verdict = { status: 'error', flaky: false, written: false, reason: null } as const;
  const found = { compared: null, summary: null, limits: null, regions: [], shifts: null, columnShifts: null };
  const images = { before: null, after: null, diff: null };
  const rest = { capture: null, baseline: null, environment: null, group: null, decision: null, warnings: [] };
  const declared = { id, page, viewport, state, project, url };
  return { ...declared, ...verdict, attempts: [], durationMs: 0, ...found, ...images, ...rest };
}

/** One attempt at a shot. */
export interface Attempt {
  readonly status: Status;
  /** What it had to say; null: nothing. */
  readonly seen: Pick<ShotRecord, 'reason' | 'before' | 'after' | 'diff'> | null;
  readonly images: readonly CollectedImage[];
}

/** Attempts as they are in the record, and the images that this takes. */
export interface FormattedAttempts {
  readonly told: Pick<ShotRecord, 'attempts' | 'flaky'>;
  readonly images: readonly CollectedImage[];
}

/**
 * Puts the attempts of a shot into its record. When they did not all end alike it is flaky, and each of them shows what it
 * saw, but for the one that stands: that is what the shot itself shows.
 */
export function formatAttempts(attempts: readonly Attempt[], standing: Attempt | undefined): FormattedAttempts {
  const flaky = new Set(attempts.map(({ status }) => status)).size > 1;
  const shown = flaky ? attempts.filter((attempt) => attempt !== standing) : [];
  const told = attempts.map((attempt) => ({ status: attempt.status, ...(shown.includes(attempt) && seenBy(attempt)) }));
  return { told: { attempts: told, flaky }, images: shown.flatMap(({ images }) => images) };
}

/** In the record stands only what there is. */
function seenBy({ seen }: Attempt): Partial<ShotRecord['attempts'][number]> {
  if (seen === null) return {};
  const { reason, before, after, diff } = seen;
  return {
    ...(reason !== null && { reason }),
    ...(before && { before }),
    ...(after && { after }),
    ...(diff && { diff }),
  };
}
