import type { RunRecord, ShotRecord } from '../../model/run-record.js';
import { renderCount, renderCountOf } from '../../model/words.js';

/** Checks whether a shot needs review, so that its run is not green. A shot whose baseline was written on request does not. */
export function needsReview(shot: ShotRecord): boolean {
  if (shot.status === 'passed' || shot.status === 'skipped') return false;
  return !(shot.written && shot.reason === null);
}

/** Returns the flags of a shot in addition to its status, one word each. */
export function flagsOf({ flaky, written, decision }: ShotRecord): string[] {
  return [...(flaky ? ['flaky'] : []), ...(written ? ['written'] : []), ...(decision === null ? [] : [decision])];
}

/** Checks whether the run is complete, without problems, and no shot needs review. */
export function isGreen({ run, shots }: RunRecord): boolean {
  return run.complete && run.problems.length === 0 && !shots.some(needsReview);
}

/** Renders the result of a run in one line. */
export function renderVerdict(record: RunRecord): string {
  const { run, shots } = record;
  const failed = shots.filter(needsReview).length;
  const { length: problems } = run.problems;
  const parts = [
    ...(failed > 0 ? [`${renderCount(failed)} of ${renderCountOf(shots.length, 'shot')} did not pass`] : []),
    ...(problems > 0 ? [`${renderCountOf(problems, 'problem')} with the run`] : []),
    ...(run.complete ? [] : ['not all was judged']),
  ];
  return parts.length > 0 ? parts.join(', ') : renderGreen(record);
}

/** Returns all counts of a run, including zeros. */
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

function renderGreen({ summary: { expected, passed, skipped, written, flaky } }: RunRecord): string {
  const shots = renderCountOf(expected, 'shot');
  const passes = expected !== passed ? `${shots}: ${renderCount(passed)}` : expected === 1 ? shots : `all ${shots}`;
  const others = [
    ...(skipped > 0 ? [`${renderCount(skipped)} skipped`] : []),
    ...(written > 0 ? [`${renderCountOf(written, 'baseline')} written`] : []),
    ...(flaky > 0 ? [`${renderCount(flaky)} flaky`] : []),
  ];
  return [`${passes} passed`, ...others].join(', ');
}
