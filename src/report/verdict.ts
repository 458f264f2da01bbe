import {
  type RunRecord,
  renderCount,
  renderCountOf,
  renderDuration,
  type ShotRecord,
  type Timings,
} from '../model/index.js';

/** Checks whether a shot needs review, so that its run is not green. A shot whose baseline was written on request does not. */
export function needsReview({ status, written, reason }: ShotRecord): boolean {
  return status !== 'passed' && status !== 'skipped' && !(written && reason === null);
}

/** Checks whether a shot needs review and can be approved or rejected. A two-state shot has no baseline. */
export function isDecidable(shot: ShotRecord): boolean {
  return (shot.status === 'changed' || shot.status === 'new') && shot.baseline !== null && needsReview(shot);
}

const FLAGS = ['reused', 'flaky', 'unsteady', 'written', 'redrawn'] as const;

export function flagsOf(shot: ShotRecord): string[] {
  return [...FLAGS.filter((flag) => shot[flag]), ...(shot.decision === null ? [] : [shot.decision])];
}

/** What is worth naming of shots that need no review, as a title and after a count of shots. */
const QUIET = [
  { kind: 'written', title: 'Baselines written', what: 'with a baseline that this run wrote' },
  { kind: 'flaky', title: 'Flaky', what: 'that passed only on a later attempt' },
  { kind: 'unsteady', title: 'Unsteady', what: 'whose page did not look the same each time it was loaded' },
  { kind: 'redrawn', title: 'Redrawn', what: 'whose page is the same, but drawn in another way by this environment' },
  { kind: 'skipped', title: 'Skipped', what: 'not compared' },
] as const;

/** Returns the shots that need no review, but whose results are worth naming. */
export function quietShots(shots: readonly ShotRecord[]) {
  const fine = shots.filter((shot) => !needsReview(shot));
  return QUIET.flatMap((quiet) => {
    const { kind } = quiet;
    const found = fine.filter((shot) => (kind === 'skipped' ? shot.status === kind : shot[kind]));
    return found.length === 0 ? [] : [{ ...quiet, shots: found }];
  });
}

/** Checks whether the run is complete, without problems, and no shot needs review. */
export function isGreen({ run, shots }: RunRecord): boolean {
  return run.complete && run.problems.length === 0 && !shots.some(needsReview);
}

/**
 * Renders the result of a run in one line: `5 changes on 10 of 20 pages, 1 error`, `0 changes on 20 pages: all 60 shots passed`. Changes are first,
 * then errors, unstable and new shots, then problems of the run.
 */
export function renderVerdict(record: RunRecord): string {
  const { run, shots } = record;
  const parts = [
    ...renderFailed(shots),
    ...(run.problems.length > 0 ? [`${renderCountOf(run.problems.length, 'problem')} with the run`] : []),
    ...(run.complete ? [] : ['the run is incomplete']),
  ];
  return parts.length > 0 ? parts.join(', ') : renderGreen(record);
}

const NOUNS = { changed: 'change', error: 'error', unstable: 'unstable shot', new: 'new shot' };

/** Counts the shots that need review by status, and a group as one change. The first count names its pages. */
function renderFailed(shots: readonly ShotRecord[]): string[] {
  const failed = shots.filter(needsReview);
  const found = Object.entries(NOUNS).flatMap(([status, noun]) => {
    const those = failed.filter((shot) => shot.status === status);
    const { size } = new Set(those.map((shot) => (status === 'changed' ? (shot.group ?? shot) : shot)));
    return size === 0 ? [] : [{ text: renderCountOf(size, noun), pages: countPages(those) }];
  });
  const all = renderCountOf(countPages(shots), 'page');
  return found.map(({ text, pages }, index) => (index === 0 ? `${text} on ${renderCount(pages)} of ${all}` : text));
}

export function countPages(shots: readonly ShotRecord[]): number {
  return new Set(shots.map(({ page }) => page)).size;
}

/** Returns the names of the shards of a run, such as `1/3`; empty without shards. */
export function namesOfShards({ run }: RunRecord): string[] {
  return run.shards.map(({ current, total }) => `${current}/${total}`);
}

export function renderCounts({ summary }: RunRecord): readonly (readonly [name: string, count: number])[] {
  const { obsolete, ...counts } = summary;
  return Object.entries(obsolete === null ? counts : { ...counts, obsolete });
}

/** Renders the counts of a green run. The first part is left out if the run wrote the baseline of a changed shot. */
function renderGreen({ shots, summary }: RunRecord): string {
  const { expected, reused, passed, changed, skipped, written, flaky, unsteady, redrawn } = summary;
  const compared = countPages(shots.filter(({ status }) => status === 'passed'));
  const changes = changed === 0 && compared > 0 ? `0 changes on ${renderCountOf(compared, 'page')}: ` : '';
  const all = `${expected === 1 ? '' : 'all '}${renderCountOf(expected, 'shot')} passed`;
  const some = `${renderCount(passed)} of ${renderCountOf(expected, 'shot')} passed`;
  const counts = [
    // A first run only writes baselines.
    passed > 0 || written === 0 ? (expected === passed ? all : some) : null,
    reused > 0 ? `${renderCount(reused)} of them not captured again` : null,
    skipped > 0 ? `${renderCount(skipped)} skipped` : null,
    written > 0 ? `${renderCountOf(written, 'baseline')} written` : null,
    ...Object.entries({ flaky, unsteady, redrawn }).map(([name, n]) => (n > 0 ? `${renderCount(n)} ${name}` : null)),
  ];
  return `${changes}${counts.filter((text) => text !== null).join(', ')}`;
}

/** Renders what was decided in a review: `3 of 5 shots approved, 2 left to review`; null before the first decision. */
export function renderDecisions(
  shots: readonly { readonly needsReview: boolean; readonly decision: ShotRecord['decision'] }[],
): string | null {
  const toReview = shots.filter((shot) => shot.needsReview);
  const approved = toReview.filter(({ decision }) => decision === 'approved').length;
  const rejected = toReview.filter(({ decision }) => decision === 'rejected').length;
  const left = toReview.length - approved - rejected;
  if (approved + rejected === 0) return null;
  const total = renderCountOf(toReview.length, 'shot');
  const some = (decided: number) => (decided === toReview.length ? total : `${renderCount(decided)} of ${total}`);
  return [
    ...(approved > 0 ? [`${some(approved)} approved`] : []),
    ...(rejected > 0 ? [`${approved > 0 ? renderCount(rejected) : some(rejected)} rejected`] : []),
    left > 0 ? `${renderCount(left)} left to review` : 'nothing left to review',
  ].join(', ');
}

/** Renders the first `max` parts of the time of a shot, the longest first: `unchanged 2.4 s, screenshot 310 ms`. Leaves out those below 10 ms. */
export function renderTimings({ settle, ...phases }: Timings, max = Number.POSITIVE_INFINITY): string {
  return Object.entries({ ...phases, ...settle })
    .filter(([, ms]) => ms >= 10)
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, max)
    .map(([name, ms]) => `${name} ${renderDuration(ms)}`)
    .join(', ');
}
