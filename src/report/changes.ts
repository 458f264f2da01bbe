import {
  compareStatus,
  listSome,
  nameShot,
  parseUrl,
  type RunRecord,
  renderCount,
  renderCountOf,
  renderPlain,
  type ShotRecord,
} from '../model/index.js';
import { renderCauses } from './causes.js';
import { groupBy } from './group-by.js';
import { joinParts, reasonOf, renderChangeSummary, renderReason, renderRejection } from './reason.js';
import { countPages, flagsOf, isDecidable, needsReview, renderVerdict } from './verdict.js';

/** Shots with the same status and the same change or reason. A reviewer decides about all of them at once. */
export interface Change {
  readonly first: ShotRecord;
  readonly shots: readonly ShotRecord[];
}

/**
 * Lists what happened to the shots: errors and unstable shots first, then changes, then new shots, those of most shots first. Errors
 * whose reasons differ only in the URL are one entry: an unreachable server gives one line instead of one per page.
 */
export function listChanges(shots: readonly ShotRecord[]): Change[] {
  return [...groupBy(shots, keyOf).values()]
    .map((members) => ({ first: members[0], shots: members }))
    .sort((a, b) => compareStatus(a.first.status, b.first.status) || b.shots.length - a.shots.length);
}

export function listChangesToReview(shots: readonly ShotRecord[]): Change[] {
  return listChanges(shots.filter(needsReview));
}

/** Returns the shots of these changes, change by change, and then those that need no review. */
export function inReviewOrder(shots: readonly ShotRecord[]): ShotRecord[] {
  const toReview = listChangesToReview(shots).flatMap((change) => change.shots);
  return [...toReview, ...shots.filter((shot) => !needsReview(shot))];
}

function keyOf(shot: ShotRecord): string {
  const { status, group } = shot;
  if (status !== 'changed') return JSON.stringify([status, withoutUrl(shot)]);
  return JSON.stringify(group === null ? [status, shot.project, shot.id] : [status, group, 'group']);
}

function withoutUrl(shot: ShotRecord): string {
  const url = shot.url || shot.id;
  const reason = reasonOf(shot).replace(`${url}: `, '');
  // A URL without a base is a path, which may be any part of the text.
  return parseUrl(url) === null ? reason : reason.replaceAll(url, 'the page');
}

/** Lists the changes that a comment shows with pictures: the first ten whose first shot has an image. */
export function listPictured({ shots }: RunRecord): Change[] {
  const changes = listChangesToReview(shots);
  return changes.filter(({ first }) => first.before?.link || first.after?.link).slice(0, 10);
}

/** Renders the result of a run with the number of changes without a decision: `5 changes on 10 of 20 pages, 3 undecided`. */
export function renderStatus(record: RunRecord): string {
  const toDecide = listChanges(record.shots.filter(isDecidable));
  const undecided = toDecide.filter(({ shots }) => shots.some(({ decision }) => decision === null));
  return `${renderVerdict(record)}${toDecide.length === 0 ? '' : `, ${renderCount(undecided.length)} undecided`}`;
}

/** Says in one sentence what happened, for all shots of a change alike: the causes without the places, which differ from shot to shot. */
export function describeChange({ first, shots }: Change): string {
  if (shots.length === 1) return renderPlain(reasonOf(first));
  if (first.status !== 'changed') return renderPlain(withoutUrl(first));
  const [rejection = null, ...others] = new Set(shots.map(renderRejection));
  const before = shots.filter((shot) => shot.rejection && shot.decision === null).length;
  const some = before === 0 ? null : `${renderCount(before)} rejected before`;
  return joinParts([others.length === 0 ? rejection && renderPlain(rejection) : some, describeShot(first)]);
}

/** Says in one sentence what happened to a shot, without figures and rejections, which the report shows beside it. */
export function describeShot(shot: ShotRecord): string {
  const known = shot.status === 'changed' ? (renderCauses(shot) ?? renderChangeSummary(shot)) : null;
  return renderPlain(known ?? shot.reason ?? renderReason(shot) ?? '');
}

/** Names the shot of a change, or counts its shots: `228 shots on 114 pages, group 1`. */
export function countChange({ first, shots }: Change): string {
  if (shots.length === 1) return nameShot(first);
  return `${renderCountOf(shots.length, 'shot')} on ${renderCountOf(countPages(shots), 'page')}${first.group === null ? '' : `, group ${first.group}`}`;
}

export function locateChange(change: Change): string {
  const { shots } = change;
  return shots.length === 1 ? countChange(change) : `${countChange(change)}: ${listSome(shots.map(nameShot), 3)}`;
}

/** Returns the flags and the decisions of a change; with a count if not all of its shots have one: `rejected`, `3 flaky`. */
export function marksOf({ shots }: Change): string[] {
  return [...groupBy(shots.flatMap(flagsOf), (flag) => flag)].map(([flag, { length }]) =>
    length === shots.length ? flag : `${length} ${flag}`,
  );
}
