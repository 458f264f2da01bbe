import { type Decided, type Decision, listSome, nameShot, renderCountOf } from '../model/index.js';
import { groupBy } from './group-by.js';
import { codeOf } from './render-markdown.js';

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
  const title = `${decision}, ${decision === 'approved' ? 'baseline written' : 'baseline restored'}`;
  const isEmpty = errors.length === 0 && written.length + kept.length + refused.length === 0;
  return [
    `- ${codeOf(line)}`,
    ...errors.slice(0, 10).map((why) => `  - refused: ${codeOf(why)}`),
    ...(isEmpty ? ['  - nothing to decide'] : []),
    ...(written.length > 0 ? [`  - ${title}: ${nameShots(written)}`] : []),
    ...reasonLines(decision === 'approved' ? 'unchanged' : 'rejected', kept),
    ...reasonLines('refused', refused),
    ...warnings.slice(0, 10).map((warning) => `  - warning: ${codeOf(warning)}`),
  ];
}

function reasonLines(word: string, shots: Decided['kept']): string[] {
  return [...groupBy(shots, ({ reason }) => reason)]
    .slice(0, 10)
    .map(([reason, group]) => `  - ${word}: ${nameShots(group)}: ${codeOf(reason)}`);
}

function nameShots(shots: readonly Pick<Decided['kept'][number], 'project' | 'id'>[]): string {
  return `${renderCountOf(shots.length, 'shot')}: ${codeOf(listSome(shots.map(nameShot), 10))}`;
}
