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

/** Formats the result of a decision: written baselines with paths, then the other shots and refused ones with reasons. */
export function formatDecided({ written, kept, refused }: Decided, decision: Decision): string {
  const isApproval = decision === 'approved';
  const count = renderCountOf(written.length, 'shot');
  const title = isApproval ? `approved ${count}, baselines written:` : `rejected ${count}, baselines restored:`;
  const lines = [
    ...(written.length > 0 ? [title] : []),
    ...written.map((shot) => {
      const share = `${renderPercentage(100 * shot.compared)} of the pixels are compared`;
      return `  ${nameShot(shot)}  ${renderPlain(shot.path)}${isApproval && shot.compared < 1 ? ` (${share})` : ''}`;
    }),
    ...reasonLines(isApproval ? 'unchanged' : 'rejected', kept),
    ...reasonLines('refused', refused),
  ];
  return `${lines.length > 0 ? lines.join('\n') : `nothing to ${isApproval ? 'approve' : 'reject'}`}\n`;
}

/** Formats an undone decision: restored baselines with paths, then the other shots and those that were not restored. */
export function formatUndone({ written, kept, refused }: Undone): string {
  const lines = [
    ...(written.length > 0 ? [`undone for ${renderCountOf(written.length, 'shot')}, baselines restored:`] : []),
    ...written.map((shot) => `  ${nameShot(shot)}  ${renderPlain(shot.path)}`),
    ...reasonLines('undone', kept),
    ...reasonLines('not undone', refused),
  ];
  return `${lines.join('\n')}\n`;
}

function reasonLines(word: string, shots: Decided['kept']): string[] {
  return [...groupBy(shots, ({ reason }) => reason)].map(
    ([reason, group]) => `${word}: ${listSome(group.map(nameShot), 10)}: ${renderPlain(reason)}`,
  );
}

/** Formats obsolete baselines, deleted ones, and the reasons for those that were not deleted. */
export function formatPruned({ obsolete, deleted, kept }: Pruned): string {
  const lines = [
    ...section(obsolete, 'obsolete baseline', ' (delete with --yes)'),
    ...section(deleted, 'deleted baseline'),
    ...kept.map(({ path, reason }) => `not deleted: ${renderPlain(path)}: ${renderPlain(reason)}`),
  ];
  return `${lines.length > 0 ? lines.join('\n') : 'no obsolete baselines'}\n`;
}

/** Formats the temporary files of killed processes; empty if there are none. */
export function formatLeftovers(leftovers: readonly string[], areDeleted: boolean): string {
  const lines = areDeleted
    ? section(leftovers, 'deleted temporary file')
    : section(leftovers, 'temporary file', ' of killed processes (delete with --yes)');
  return lines.map((line) => `${line}\n`).join('');
}

function section(paths: readonly string[], kind: string, hint = ''): string[] {
  if (paths.length === 0) return [];
  return [`${renderCountOf(paths.length, kind)}${hint}:`, ...paths.map((path) => `  ${renderPlain(path)}`)];
}
