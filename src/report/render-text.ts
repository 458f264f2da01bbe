import {
  listSome,
  nameShot,
  parseUrl,
  type RunRecord,
  renderCount,
  renderCountOf,
  renderDuration,
  renderPlain,
  renderProblem,
  type ShotRecord,
  STATUSES,
} from '../model/index.js';
import { renderComparisonNotices, renderEnvironmentNotices } from './environment.js';
import { groupBy } from './group-by.js';
import { reasonOf } from './reason.js';
import {
  flagsOf,
  isDecidable,
  needsReview,
  type QuietKind,
  quietShots,
  renderCounts,
  renderVerdict,
} from './verdict.js';

/**
 * Renders the output at the end of a run: verdict, counts, options, a line per shot that did not pass (worst first; errors
 * with the same reason share a line), and the path of the report.
 *
 * @param reportPath as shown to the user; null if there is no report.
 * @param review command to review the report. It is shown if a shot can be approved.
 */
export function renderText(record: RunRecord, reportPath: string | null, review: string | null = null): string {
  const toReview = record.shots.filter(needsReview);
  return [
    '',
    `proofsheet: ${renderVerdict(record)} (${renderDuration(record.durationMs)})`,
    ...countLines(record),
    ...scopeLines(record),
    ...record.run.problems.map((problem) => line('problem', renderPlain(renderProblem(problem)))),
    ...renderEnvironmentNotices(record.shots).map((notice) => line('notice', renderPlain(notice))),
    ...renderComparisonNotices(record.shots)
      .slice(0, MAX_NOTICES)
      .map((notice) => line('warning', renderPlain(notice))),
    ...errorLines(toReview.filter(({ status }) => status === 'error')),
    ...toReview.filter(({ status }) => status !== 'error').map(shotLine),
    ...quietLines(record.shots),
    ...obsoleteLines(record),
    ...(reportPath === null ? [] : [line('report', `${reportPath}${reviewHint(record, review)}`)]),
    '',
  ].join('\n');
}

function reviewHint({ shots }: RunRecord, review: string | null): string {
  return review !== null && shots.some(isDecidable) ? ` (to review and approve: ${review})` : '';
}

/** Maximum number of comparison warnings in the output. The report contains all of them. */
const MAX_NOTICES = 20;

const WIDTH = Math.max(...STATUSES.map(({ length }) => length));

function line(word: string, text: string): string {
  return `  ${word.padEnd(WIDTH)}  ${text}`;
}

/** Leaves out the counts that are zero. The first four are those of the run, the others those of the results. */
function countLines(record: RunRecord): string[] {
  const counts = renderCounts(record);
  const parts = [counts.slice(0, 4), counts.slice(4)].map((part) =>
    part.flatMap(([name, count]) => (count === 0 ? [] : [`${renderCount(count)} ${name}`])).join(', '),
  );
  const text = parts.filter((part) => part !== '').join(': ');
  return text === '' ? [] : [line('counts', text)];
}

function scopeLines({ run: { selected, shards } }: RunRecord): string[] {
  const names = shards.map(({ current, total }) => `${current}/${total}`);
  return [
    ...(selected.length > 0 ? [line('options', selected.map(renderPlain).join(' '))] : []),
    ...(names.length > 0 ? [line(names.length === 1 ? 'shard' : 'shards', names.join(' '))] : []),
  ];
}

/** Groups errors whose reasons differ only in the URL. An unreachable server gives one line instead of one per page. */
function errorLines(shots: readonly ShotRecord[]): string[] {
  const groups = groupBy(shots, (shot) => {
    const url = shot.url || shot.id;
    const reason = plainReasonOf(shot).replace(`${url}: `, '');
    // A URL without a base is a path, which may be any part of the text.
    return parseUrl(url) === null ? reason : reason.replaceAll(url, 'the page');
  });
  return [...groups].map(([reason, group]) => {
    const [first] = group;
    if (first && group.length === 1) return shotLine(first);
    return line('error', `${renderCountOf(group.length, 'shot')}: ${reason} (${listSome(group.map(nameShot), 5)})`);
  });
}

function shotLine(shot: ShotRecord): string {
  const flags = flagsOf(shot);
  const marks = flags.length > 0 ? ` (${flags.join(', ')})` : '';
  const reason = plainReasonOf(shot);
  const url = reason.includes(shot.url) ? '' : `  ${renderPlain(shot.url)}`;
  return line(shot.status, `${nameShot(shot)}${marks}  ${reason}${url}`);
}

function plainReasonOf(shot: ShotRecord): string {
  return renderPlain(reasonOf(shot));
}

const QUIET_TEXTS: Readonly<Record<QuietKind, string>> = {
  written: 'with a baseline that this run wrote',
  flaky: 'that passed only on a later attempt',
  unsteady: 'whose page did not look the same each time it was loaded',
  redrawn: 'whose page is the same, but drawn in another way by this environment',
  skipped: 'not compared',
};

/** Lists shots that are written, flaky, unsteady, skipped, or have warnings. */
function quietLines(shots: readonly ShotRecord[]): string[] {
  const warned = shots.filter(({ warnings }) => warnings.length > 0);
  return [
    ...quietShots(shots).flatMap(([kind, group]) => shotsLine(kind, group, QUIET_TEXTS[kind])),
    ...shotsLine('warned', warned, 'with warnings (see the report)'),
  ];
}

function obsoleteLines({ obsolete }: RunRecord): string[] {
  if (obsolete === null || obsolete.length === 0) return [];
  const found = `${renderCountOf(obsolete.length, 'baseline')} without a shot: ${listSome(obsolete.map(renderPlain), 5)}`;
  return [line('obsolete', `${found} (to list or delete: npx proofsheet prune)`)];
}

function shotsLine(word: string, shots: readonly ShotRecord[], what: string): string[] {
  if (shots.length === 0) return [];
  return [line(word, `${renderCountOf(shots.length, 'shot')} ${what}: ${listSome(shots.map(nameShot), 5)}`)];
}
