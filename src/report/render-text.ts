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
import { listRunWarnings } from './environment.js';
import { isDecidable, namesOfShards, quietShots, renderCounts, renderVerdict } from './verdict.js';

/** Maximum number of lines of the output. The report contains everything. */
export const MAX_LINES = 40;

/**
 * Maximum numbers of problems of the run and of warnings, so that changes have room, too. Some warnings come only from the run that writes a baseline,
 * so more of those are listed.
 */
const MAX = { problems: 8, warnings: 6, warningsOfWritten: 20 };

/** Number of changes that have room beside many warnings. */
const MIN_CHANGES = 6;

/**
 * Renders the output at the end of a run in at most {@link MAX_LINES} lines: verdict, counts, options, changes, and the path of the report.
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
  const shards = namesOfShards(record);
  const head = [
    '',
    `proofsheet: ${renderVerdict(record)} (${renderDuration(record.durationMs)})`,
    ...countLines(record),
    ...(run.selected.length > 0 ? [line('options', run.selected.map(renderPlain).join(' '))] : []),
    ...(shards.length > 0 ? [line(shards.length === 1 ? 'shard' : 'shards', shards.join(' '))] : []),
    ...cutLines(run.problems.slice(0, MAX.problems).map(renderProblem), run.problems.length, 'problem'),
  ];
  const hint = review !== null && shots.some(isDecidable) ? ` (to review and approve: ${review})` : '';
  const quiet = quietLines(shots);
  const end = [...obsoleteLines(record), ...(reportPath === null ? [] : [line('report', `${reportPath}${hint}`)]), ''];
  const changes = listChangesToReview(shots);
  const left = MAX_LINES - linesUsed - head.length - quiet.length - end.length;
  const warnings = warningLines(shots, left - Math.min(changes.length, MIN_CHANGES));
  const tail = [...quiet, ...warnings, ...end];
  const room = left - warnings.length;
  const shown = changes.length <= room ? changes : changes.slice(0, room - 1);
  const rest = changes.slice(shown.length).flatMap((change) => change.shots);
  const more = `${renderCountOf(changes.length - shown.length, 'more change')} on ${renderCountOf(rest.length, 'shot')}: see the report`;
  return [...head, ...shown.map(changeLine), ...(rest.length === 0 ? [] : [line('', more)]), ...tail].join('\n');
}

/** Renders those of shots whose baseline this run wrote first. @param room - how many lines they may take, if there are many */
function warningLines(shots: readonly ShotRecord[], room: number): string[] {
  const all = listRunWarnings(shots);
  const ofWritten = all.filter(({ isOfWritten }) => isOfWritten).slice(0, MAX.warningsOfWritten);
  const others = all.filter(({ isOfWritten }) => !isOfWritten).slice(0, MAX.warnings);
  const shown = [...ofWritten, ...others].slice(0, Math.max(room - 1, MAX.warnings)).map(({ text }) => text);
  return cutLines(shown, all.length, 'warning');
}

/** Renders the first texts of `count`, and how many more there are. */
function cutLines(first: readonly string[], count: number, word: string): string[] {
  const lines = first.map((text) => line(word, renderPlain(text)));
  if (count <= first.length) return lines;
  return [...lines, line('', `${renderCountOf(count - first.length, `more ${word}`)}: see the report`)];
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

function changeLine(change: Change): string {
  const { first, shots } = change;
  const marks = marksOf(change);
  const flags = marks.length > 0 ? ` (${marks.join(', ')})` : '';
  const what = describeChange(change);
  if (shots.length > 1) {
    const where = first.status === 'changed' ? countChange(change) : locateChange(change);
    return line(first.status, `${what}  ${where}${flags}`);
  }
  const url = what.includes(first.url) ? '' : `  ${renderPlain(first.url)}`;
  return line(first.status, `${nameShot(first)}${flags}  ${what}${url}`);
}

function quietLines(shots: readonly ShotRecord[]): string[] {
  return quietShots(shots).map(({ kind, what, shots: found }) =>
    line(kind, `${renderCountOf(found.length, 'shot')} ${what}: ${listSome(found.map(nameShot), 5)}`),
  );
}

function obsoleteLines({ obsolete }: RunRecord): string[] {
  if (obsolete === null || obsolete.length === 0) return [];
  const found = `${renderCountOf(obsolete.length, 'baseline')} without a shot: ${listSome(obsolete.map(renderPlain), 5)}`;
  return [line('obsolete', `${found} (to list or delete: npx proofsheet prune)`)];
}
