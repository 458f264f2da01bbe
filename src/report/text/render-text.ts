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
} from '../../model/index.js';
import type { RunSummary, ShotDetails } from '../assistant.js';
import { renderComparisonNotices, renderEnvironmentNotices } from '../format/environment.js';
import { formatChangeSummary, renderReason } from '../format/reason.js';
import { flagsOf, isDecidable, isGreen, needsReview, renderCounts, renderVerdict } from '../format/verdict.js';

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

/** Width of the first column, in characters. */
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
  const byReason = new Map<string, ShotRecord[]>();
  for (const shot of shots) {
    const url = shot.url || shot.id;
    const named = reasonOf(shot).replace(`${url}: `, '');
    // A URL without a base is a path, which may be any part of the text.
    const reason = parseUrl(url) === null ? named : named.replaceAll(url, 'the page');
    byReason.set(reason, [...(byReason.get(reason) ?? []), shot]);
  }
  return [...byReason].map(([reason, group]) => {
    const [first] = group;
    if (first && group.length === 1) return shotLine(first);
    return line('error', `${renderCountOf(group.length, 'shot')}: ${reason} (${listSome(group.map(nameShot), 5)})`);
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

/** Lists shots that are written, flaky, unsteady, skipped, or have warnings. */
function quietLines(shots: readonly ShotRecord[]): string[] {
  const fine = shots.filter((shot) => !needsReview(shot));
  const warned = shots.filter(({ warnings }) => warnings.length > 0);
  return [
    ...shotsLine(
      'written',
      fine.filter(({ written }) => written),
      'with a baseline that this run wrote',
    ),
    ...shotsLine(
      'flaky',
      fine.filter(({ flaky }) => flaky),
      'that passed only on a later attempt',
    ),
    ...shotsLine(
      'unsteady',
      fine.filter(({ unsteady }) => unsteady),
      'whose page did not look the same each time it was loaded',
    ),
    ...shotsLine(
      'skipped',
      fine.filter(({ status }) => status === 'skipped'),
      'not compared',
    ),
    ...shotsLine('warned', warned, 'with warnings (see the report)'),
  ];
}

function obsoleteLines({ obsolete }: RunRecord): string[] {
  if (obsolete === null || obsolete.length === 0) return [];
  const paths = listSome(obsolete.map(renderPlain), 5);
  return [
    line(
      'obsolete',
      `${renderCountOf(obsolete.length, 'baseline')} without a shot: ${paths} (to list or delete: npx proofsheet prune)`,
    ),
  ];
}

function shotsLine(word: string, shots: readonly ShotRecord[], what: string): string[] {
  if (shots.length === 0) return [];
  return [line(word, `${renderCountOf(shots.length, 'shot')} ${what}: ${listSome(shots.map(nameShot), 5)}`)];
}

/** Maximum number of shots in a summary for an assistant. */
const MAX_SHOTS = 200;

/** Summarizes a run for an assistant, with the shots that did not pass or with all shots. */
export function summarizeRun(record: RunRecord, all: boolean): RunSummary {
  const shots = record.shots.filter((shot) => all || needsReview(shot));
  return {
    run: record.startedAt,
    isGreen: isGreen(record),
    verdict: renderVerdict(record),
    counts: record.summary,
    problems: record.run.problems.map(renderProblem),
    shots: shots.slice(0, MAX_SHOTS).map(summarizeShot),
    more: Math.max(0, shots.length - MAX_SHOTS),
    obsolete: record.obsolete?.slice(0, MAX_SHOTS) ?? null,
  };
}

/** Returns all details of a shot for an assistant. */
export function detailShot(record: RunRecord, shot: ShotRecord): ShotDetails {
  return { run: record.startedAt, shot, story: formatChangeSummary(shot) };
}

function summarizeShot(shot: ShotRecord): RunSummary['shots'][number] {
  const { id, project, url, status, flaky, reused, group, decision } = shot;
  return { id, project, url, status, flaky, reused, reason: shot.reason ?? renderReason(shot), group, decision };
}
