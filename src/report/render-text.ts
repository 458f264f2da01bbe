import {
  listSome,
  nameShot,
  type RunRecord,
  renderCount,
  renderCountOf,
  renderDuration,
  renderPlain,
  renderProblem,
  type ShotRecord,
  STATUSES,
} from '../model/index.js';
import { type Change, countChange, describeChange, listChangesToReview, locateChange, marksOf } from './changes.js';
import { renderComparisonNotices, renderEnvironmentNotices } from './environment.js';
import { isDecidable, namesOfShards, quietShots, renderCounts, renderVerdict } from './verdict.js';

/** Maximum number of lines of the output. The report contains everything. */
export const MAX_LINES = 40;

/** Maximum numbers of problems of the run, and of notices and warnings, so that changes have room, too. */
const MAX = { problems: 8, notices: 4 };

/**
 * Renders the output at the end of a run in at most {@link MAX_LINES} lines: verdict, counts, options, a line for each change (worst first,
 * see {@link listChanges}), and the path of the report.
 *
 * @param reportPath as shown to the user; null if there is no report.
 * @param review command to review the report. It is shown if a shot can be approved.
 * @param linesUsed lines that are printed besides. @default 0
 */
export function renderText(
  record: RunRecord,
  reportPath: string | null,
  review: string | null = null,
  linesUsed = 0,
): string {
  const { shots, run } = record;
  const head = [
    '',
    `proofsheet: ${renderVerdict(record)} (${renderDuration(record.durationMs)})`,
    ...countLines(record),
    ...scopeLines(record),
    ...cut(run.problems.map(renderProblem), MAX.problems, 'problem'),
    ...cut(renderEnvironmentNotices(shots), MAX.notices, 'notice'),
    ...cut(renderComparisonNotices(shots), MAX.notices, 'warning'),
  ];
  const tail = [
    ...quietLines(shots),
    ...obsoleteLines(record),
    ...(reportPath === null ? [] : [line('report', `${reportPath}${reviewHint(record, review)}`)]),
    '',
  ];
  const changes = listChangesToReview(shots);
  const room = MAX_LINES - linesUsed - head.length - tail.length;
  const shown = changes.length <= room ? changes : changes.slice(0, room - 1);
  const rest = changes.slice(shown.length).flatMap((change) => change.shots);
  const more = `${renderCountOf(changes.length - shown.length, 'more change')} on ${renderCountOf(rest.length, 'shot')}: see the report`;
  return [...head, ...shown.map(changeLine), ...(rest.length === 0 ? [] : [line('', more)]), ...tail].join('\n');
}

function cut(texts: readonly string[], max: number, word: string): string[] {
  const more =
    texts.length > max ? [line('', `${renderCountOf(texts.length - max, `more ${word}`)}: see the report`)] : [];
  return [...texts.slice(0, max).map((text) => line(word, renderPlain(text))), ...more];
}

function reviewHint({ shots }: RunRecord, review: string | null): string {
  return review !== null && shots.some(isDecidable) ? ` (to review and approve: ${review})` : '';
}

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

function scopeLines(record: RunRecord): string[] {
  const { selected } = record.run;
  const names = namesOfShards(record);
  return [
    ...(selected.length > 0 ? [line('options', selected.map(renderPlain).join(' '))] : []),
    ...(names.length > 0 ? [line(names.length === 1 ? 'shard' : 'shards', names.join(' '))] : []),
  ];
}

function changeLine(change: Change): string {
  const { status, first, shots } = change;
  const marks = marksOf(change);
  const flags = marks.length > 0 ? ` (${marks.join(', ')})` : '';
  const what = describeChange(change);
  if (shots.length > 1)
    return line(status, `${what}  ${(status === 'changed' ? countChange : locateChange)(change)}${flags}`);
  const url = what.includes(first.url) ? '' : `  ${renderPlain(first.url)}`;
  return line(status, `${nameShot(first)}${flags}  ${what}${url}`);
}

/** Lists shots that are written, flaky, unsteady, skipped, or have warnings. */
function quietLines(shots: readonly ShotRecord[]): string[] {
  const warned = shots.filter(({ warnings }) => warnings.length > 0);
  return [
    ...quietShots(shots).flatMap((group) => shotsLine(group.kind, group.shots, group.what)),
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
