import { renderProblem } from '../model/errors.js';
import type { RunRecord, ShotRecord } from '../model/record.js';
import { STATUSES } from '../model/status.js';
import { renderComparisonNotices } from './comparison-notices.js';
import { renderEnvironmentNotices } from './environment.js';
import { renderReason } from './reason.js';
import { flagsOf, isAmiss, renderCounts, renderVerdict } from './verdict.js';
import { listSome, nameShot, renderCount, renderCountOf, renderDuration, renderPlain } from './words.js';

/**
 * Renders what a run prints at its end: its verdict and counts, the filters in force, a line for every shot that did not
 * pass (errors of one reason share theirs), the worst first, and where the report is.
 *
 * @param reportPath as the user is told it; null: there is none.
 */
export function renderText(record: RunRecord, reportPath: string | null): string {
  const amiss = record.shots.filter(isAmiss);
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
    ...errorLines(amiss.filter(({ status }) => status === 'error')),
    ...amiss.filter(({ status }) => status !== 'error').map(shotLine),
    ...quietLines(record.shots),
    ...obsoleteLines(record),
    ...(reportPath === null ? [] : [line('report', reportPath)]),
    '',
  ].join('\n');
}

/** The report has them all. */
const MAX_NOTICES = 20;

/** As wide as the longest word in front of a line. */
const WIDTH = Math.max(...STATUSES.map(({ length }) => length));

function line(word: string, text: string): string {
  return `  ${word.padEnd(WIDTH)}  ${text}`;
}

function countLines(record: RunRecord): string[] {
  const counts = renderCounts(record).map(([name, count]) => `${renderCount(count)} ${name}`);
  return [line('counts', `${counts.slice(0, 3).join(', ')}: ${counts.slice(3).join(', ')}`)];
}

function scopeLines({ run: { selected, shards } }: RunRecord): string[] {
  const names = shards.map(({ current, total }) => `${current}/${total}`);
  return [
    ...(selected.length > 0 ? [line('filters', selected.map(renderPlain).join(' '))] : []),
    ...(names.length > 0 ? [line(names.length === 1 ? 'shard' : 'shards', names.join(' '))] : []),
  ];
}

/** A server that is down is one thing to tell, not one for each page: but for the page, the reasons are the same. */
function errorLines(shots: readonly ShotRecord[]): string[] {
  const byReason = new Map<string, ShotRecord[]>();
  for (const shot of shots) {
    const reason = reasonOf(shot).replaceAll(shot.url || shot.id, 'the page');
    byReason.set(reason, [...(byReason.get(reason) ?? []), shot]);
  }
  return [...byReason].map(([reason, group]) => {
    const [first] = group;
    if (first && group.length === 1) return shotLine(first);
    return line('error', `${renderCountOf(group.length, 'shot')}  ${reason}: ${listSome(group.map(nameShot), 5)}`);
  });
}

function shotLine(shot: ShotRecord): string {
  const flags = flagsOf(shot);
  const marks = flags.length > 0 ? ` (${flags.join(', ')})` : '';
  const reason = reasonOf(shot);
  const url = reason.includes(shot.url) ? '' : `  ${renderPlain(shot.url)}`;
  return line(shot.status, `${nameShot(shot)}${marks}  ${reason}${url}`);
}

function reasonOf(shot: ShotRecord): string {
  return renderPlain(shot.reason ?? renderReason(shot) ?? '');
}

/** What is in order, but not to be passed over in silence. */
function quietLines(shots: readonly ShotRecord[]): string[] {
  const fine = shots.filter((shot) => !isAmiss(shot));
  const warned = shots.filter(({ warnings }) => warnings.length > 0);
  return [
    ...tellShots(
      'written',
      fine.filter(({ written }) => written),
      'of which this run wrote the baseline',
    ),
    ...tellShots(
      'flaky',
      fine.filter(({ flaky }) => flaky),
      'that passed only at a later attempt',
    ),
    ...tellShots(
      'skipped',
      fine.filter(({ status }) => status === 'skipped'),
      'that nobody looked at',
    ),
    ...tellShots('warned', warned, 'with warnings, see the report'),
  ];
}

function obsoleteLines({ obsolete }: RunRecord): string[] {
  if (obsolete === null || obsolete.length === 0) return [];
  const paths = listSome(obsolete.map(renderPlain), 5);
  return [
    line(
      'obsolete',
      `${renderCountOf(obsolete.length, 'baseline')} that no shot claims: ${paths} (npx proofsheet prune)`,
    ),
  ];
}

function tellShots(word: string, shots: readonly ShotRecord[], what: string): string[] {
  if (shots.length === 0) return [];
  return [line(word, `${renderCountOf(shots.length, 'shot')} ${what}: ${listSome(shots.map(nameShot), 5)}`)];
}
