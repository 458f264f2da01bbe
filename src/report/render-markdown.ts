import {
  endSentence,
  listSome,
  nameShot,
  type RunRecord,
  renderCount,
  renderCountOf,
  renderPlain,
  renderProblem,
  type ShotRecord,
} from '../model/index.js';
import { type Change, describeChange, listChanges, locateChange, marksOf } from './changes.js';
import { renderComparisonNotices, renderEnvironmentNotices } from './environment.js';
import { isGreen, needsReview, type QuietKind, quietShots, renderCounts, renderVerdict } from './verdict.js';

/** Maximum length in characters. GitHub accepts 65,536 characters in a comment and 1 MiB in a job summary. */
export const MAX_CHARACTERS = 60_000;

/**
 * Renders `summary.md`, the summary of a run for pull requests. Replaces changes that do not fit by "and n more".
 *
 * @param maxLength maximum length in characters. @default {@link MAX_CHARACTERS}
 */
export function renderMarkdown(record: RunRecord, maxLength = MAX_CHARACTERS): string {
  const changes = listChanges(record.shots.filter(needsReview));
  const warnings = renderComparisonNotices(record.shots);
  const head = [
    `## proofsheet: ${isGreen(record) ? 'passed' : 'not passed'}`,
    endSentence(renderVerdict(record)),
    renderCountTable(record),
    ...scopeParagraphs(record),
    ...record.run.problems.slice(0, 10).map((problem) => `**Problem**: ${codeOf(renderProblem(problem))}`),
    ...renderEnvironmentNotices(record.shots).slice(0, 5).map(codeOf),
    ...warnings.slice(0, 5).map((warning) => `**Warning**: ${codeOf(warning)}`),
  ].join('\n\n');
  const tail = quietParagraphs(record.shots).join('\n\n');
  const table = changeTable(changes, maxLength - head.length - tail.length - 200);
  return `${[head, table, tail].filter((part) => part !== '').join('\n\n')}\n`;
}

const MAX_CELL = 400;

function renderCountTable(record: RunRecord): string {
  const counts = renderCounts(record);
  return [
    `| ${counts.map(([name]) => name).join(' | ')} |`,
    `|${counts.map(() => ' --: ').join('|')}|`,
    `| ${counts.map(([, count]) => renderCount(count)).join(' | ')} |`,
  ].join('\n');
}

function scopeParagraphs({ run: { selected, shards } }: RunRecord): string[] {
  const names = shards.map(({ current, total }) => `${current}/${total}`);
  return [
    ...(selected.length > 0 ? [`Options: ${codeOf(selected.join(' '))}`] : []),
    ...(names.length > 0 ? [`Shards: ${listSome(names, 100)}`] : []),
  ];
}

function changeTable(changes: readonly Change[], maxLength: number): string {
  const rows: string[] = [];
  let remaining = maxLength;
  for (const row of changes.map(changeRow)) {
    remaining -= row.length + 1;
    if (remaining < 0) break;
    rows.push(row);
  }
  const rest = changes.slice(rows.length).flatMap(({ shots }) => shots);
  if (rows.length === 0) return changes.length === 0 ? '' : `${renderCountOf(rest.length, 'shot')} did not pass.`;
  const more = `and ${renderCountOf(changes.length - rows.length, 'more change')} on ${renderCountOf(rest.length, 'shot')}`;
  const table = ['| group | status | change | shots |', '| --: | --- | --- | --- |', ...rows].join('\n');
  return rest.length > 0 ? `${table}\n\n${more}` : table;
}

function changeRow(change: Change): string {
  const status = [change.status, ...marksOf(change)].join(', ');
  const { group, shots } = change;
  const number = group !== null && shots.length > 1 ? cellOf(group) : '';
  return `| ${number} | ${status} | ${cellOf(describeChange(change))} | ${cellOf(locateChange(change))} |`;
}

const QUIET_TITLES: Readonly<Record<QuietKind, string>> = {
  written: 'Baselines written',
  flaky: 'Flaky',
  unsteady: 'Unsteady',
  redrawn: 'Redrawn',
  skipped: 'Skipped',
};

function quietParagraphs(shots: readonly ShotRecord[]): string[] {
  return quietShots(shots).flatMap(([kind, group]) => {
    return group.length === 0 ? [] : [`${QUIET_TITLES[kind]}: ${codeOf(listSome(group.map(nameShot), 10))}`];
  });
}

/**
 * Renders untrusted text as a code span. In it Markdown has no links, images, tags, mentions and references, whatever the text is:
 * GitHub also makes links of plain addresses, `@name`, `#12` and hashes of commits.
 */
export function codeOf(text: string): string {
  const plain = renderPlain(text);
  const short = plain.length > MAX_CELL ? `${plain.slice(0, MAX_CELL)}…` : plain;
  if (short === '') return '';
  // A run of backticks ends the span if it is as long as the first one.
  const runs = short.match(/`+/g) ?? [];
  const fence = '`'.repeat(Math.max(0, ...runs.map(({ length }) => length)) + 1);
  // Markdown removes one space on each side.
  return runs.length > 0 ? `${fence} ${short} ${fence}` : `${fence}${short}${fence}`;
}

/** Renders a code span in a table. A pipe ends the cell unless a backslash precedes it, which may not be part of a pair. */
function cellOf(text: string): string {
  return codeOf(text.replace(/\\(?=\|)/g, '\\ ')).replaceAll('|', '\\|');
}
