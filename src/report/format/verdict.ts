import type { RunRecord, ShotRecord } from '../../model/run-record.js';
import { renderCount, renderCountOf } from '../../model/words.js';

/** Checks whether a shot keeps its run from being green: one whose baseline was written on demand has no reason to. */
export function needsReview(shot: ShotRecord): boolean {
  if (shot.status === 'passed' || shot.status === 'skipped') return false;
  return !(shot.written && shot.reason === null);
}

/** Returns what is to be known of a shot besides its status, in one word each. */
export function flagsOf({ flaky, written, decision }: ShotRecord): string[] {
  return [...(flaky ? ['flaky'] : []), ...(written ? ['written'] : []), ...(decision === null ? [] : [decision])];
}

/** Checks whether every selected shot was judged and found right. */
export function isGreen({ run, shots }: RunRecord): boolean {
  return run.complete && run.problems.length === 0 && !shots.some(needsReview);
}

/** Says in one line how a run ended. */
export function renderVerdict(record: RunRecord): string {
  const { run, shots } = record;
  const amiss = shots.filter(needsReview).length;
  const { length: problems } = run.problems;
  const told = [
    ...(amiss > 0 ? [`${renderCount(amiss)} of ${renderCountOf(shots.length, 'shot')} did not pass`] : []),
    ...(problems > 0 ? [`${renderCountOf(problems, 'problem')} with the run`] : []),
    ...(run.complete ? [] : ['not all was judged']),
  ];
  return told.length > 0 ? told.join(', ') : tellGreen(record);
}

/** Renders the counts of a run, all of them: a zero is an answer too. */
export function renderCounts({ summary }: RunRecord): readonly (readonly [name: string, count: number])[] {
  const { expected, captured, compared, passed, changed, unstable, error, skipped, flaky, written, obsolete } = summary;
  const counts = {
    expected,
    captured,
    compared,
    passed,
    changed,
    new: summary.new,
    unstable,
    error,
    skipped,
    flaky,
    written,
  };
  return Object.entries(obsolete === null ? counts : { ...counts, obsolete });
}

function tellGreen({ summary: { expected, passed, skipped, written, flaky } }: RunRecord): string {
  const shots = renderCountOf(expected, 'shot');
  const passes = expected !== passed ? `${shots}: ${renderCount(passed)}` : expected === 1 ? shots : `all ${shots}`;
  const others = [
    ...(skipped > 0 ? [`${renderCount(skipped)} skipped`] : []),
    ...(written > 0 ? [`${renderCountOf(written, 'baseline')} written`] : []),
    ...(flaky > 0 ? [`${renderCount(flaky)} flaky`] : []),
  ];
  return [`${passes} passed`, ...others].join(', ');
}
