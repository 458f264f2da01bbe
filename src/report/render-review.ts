import {
  type Decided,
  type Decision,
  listSome,
  nameShot,
  type Pruned,
  renderCountOf,
  renderPercentage,
  renderPlain,
  type Undone,
} from '../model/index.js';
import { groupBy } from './group-by.js';
import { codeOf } from './render-markdown.js';

const WORDS = {
  approved: { title: 'approved', done: 'written', kept: 'unchanged', refused: 'refused' },
  rejected: { title: 'rejected', done: 'restored', kept: 'rejected', refused: 'refused' },
  undone: { title: 'undone for', done: 'restored', kept: 'undone', refused: 'not undone' },
};

/** Renders the result of a decision: written or restored baselines with paths, then the other shots and refused ones with reasons. */
export function renderDecided({ written, kept, refused }: Decided | Undone, decision: keyof typeof WORDS): string {
  const words = WORDS[decision];
  const title = `${words.title} ${renderCountOf(written.length, 'shot')}, baselines ${words.done}:`;
  const lines = [
    ...(written.length > 0 ? [title] : []),
    ...written.map((shot) => {
      const compared = 'compared' in shot && decision === 'approved' ? shot.compared : 1;
      const share = compared < 1 ? ` (${renderPercentage(100 * compared)} of the pixels are compared)` : '';
      return `  ${nameShot(shot)}  ${renderPlain(shot.path)}${share}`;
    }),
    ...reasonLines(words.kept, kept),
    ...reasonLines(words.refused, refused),
  ];
  return `${lines.length > 0 ? lines.join('\n') : `nothing is ${decision}`}\n`;
}

function reasonLines(word: string, shots: Decided['kept']): string[] {
  return [...groupBy(shots, ({ reason }) => reason)].map(
    ([reason, group]) => `${word}: ${listSome(group.map(nameShot), 10)}: ${renderPlain(reason)}`,
  );
}

/** A line of a comment, and what came of it: a decision, or the reasons why there is none. */
export interface AnsweredLine {
  readonly line: string;
  readonly decision: Decision;
  readonly decided: Pick<Decided, 'written' | 'kept' | 'refused' | 'warnings'> | null;
  readonly errors: readonly string[];
}

/** Renders the answer to a comment of a pull request. Texts of the comment and of the run are code spans. */
export function renderAnswer(lines: readonly AnsweredLine[]): string {
  return `${['### proofsheet', '', ...lines.flatMap(answerLine)].join('\n')}\n`;
}

function answerLine({ line, decision, decided, errors }: AnsweredLine): string[] {
  const { written, kept, refused, warnings } = decided ?? { written: [], kept: [], refused: [], warnings: [] };
  const words = WORDS[decision];
  const isEmpty = errors.length === 0 && written.length + kept.length + refused.length === 0;
  const answers = [
    ...errors.slice(0, 10).map((why) => `refused: ${codeOf(why)}`),
    ...(isEmpty ? ['nothing to decide'] : []),
    ...(written.length > 0 ? [`${decision}, baseline ${words.done}: ${codeNames(written)}`] : []),
    ...codeReasons(words.kept, kept),
    ...codeReasons('refused', refused),
    ...warnings.slice(0, 10).map((warning) => `warning: ${codeOf(warning)}`),
  ];
  return [`- ${codeOf(line)}`, ...answers.map((answer) => `  - ${answer}`)];
}

function codeReasons(word: string, shots: Decided['kept']): string[] {
  const groups = [...groupBy(shots, ({ reason }) => reason)].slice(0, 10);
  return groups.map(([reason, group]) => `${word}: ${codeNames(group)}: ${codeOf(reason)}`);
}

function codeNames(shots: readonly Pick<Decided['kept'][number], 'project' | 'id'>[]): string {
  return `${renderCountOf(shots.length, 'shot')}: ${codeOf(listSome(shots.map(nameShot), 10))}`;
}

/** Renders obsolete baselines, deleted ones, and the reasons for those that were not deleted. */
export function renderPruned({ obsolete, deleted, kept }: Pruned): string {
  const lines = [
    ...section(obsolete, 'obsolete baseline', ' (delete with --yes)'),
    ...section(deleted, 'deleted baseline'),
    ...kept.map(({ path, reason }) => `not deleted: ${renderPlain(path)}: ${renderPlain(reason)}`),
  ];
  return `${lines.length > 0 ? lines.join('\n') : 'no obsolete baselines'}\n`;
}

/** Renders the temporary files of killed processes; empty if there are none. */
export function renderLeftovers(leftovers: readonly string[], areDeleted: boolean): string {
  const lines = areDeleted
    ? section(leftovers, 'deleted temporary file')
    : section(leftovers, 'temporary file', ' of killed processes (delete with --yes)');
  return lines.map((line) => `${line}\n`).join('');
}

function section(paths: readonly string[], kind: string, hint = ''): string[] {
  if (paths.length === 0) return [];
  return [`${renderCountOf(paths.length, kind)}${hint}:`, ...paths.map((path) => `  ${renderPlain(path)}`)];
}
