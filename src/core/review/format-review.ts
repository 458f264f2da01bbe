import { nameShot, renderPlain } from '../../model/plain-text.js';
import type { Decided, Pruned, WrittenBaseline } from '../../model/review.js';
import { listSome, renderCountOf, renderPercentage } from '../../model/words.js';

/** Formats the result of an approval: written shots with paths, then unchanged and refused shots with reasons. */
export function formatDecided({ written, kept, refused }: Decided): string {
  const lines = [
    ...(written.length > 0 ? [`approved ${renderCountOf(written.length, 'shot')}, baselines written:`] : []),
    ...written.map((shot) => `  ${nameShot(shot)}  ${renderPlain(shot.path)}${formatCompared(shot)}`),
    ...groupLines('left as it is', kept),
    ...groupLines('refused', refused),
  ];
  return `${lines.length > 0 ? lines.join('\n') : 'there is nothing to approve'}\n`;
}

function formatCompared({ compared }: WrittenBaseline): string {
  return compared < 1 ? ` (${renderPercentage(100 * compared)} of the pixels are compared)` : '';
}

/** Formats one line per reason. */
function groupLines(word: string, shots: Decided['kept']): string[] {
  const byReason = new Map<string, string[]>();
  for (const shot of shots) byReason.set(shot.reason, [...(byReason.get(shot.reason) ?? []), nameShot(shot)]);
  return [...byReason].map(([reason, names]) => `${word}: ${listSome(names, 10)}: ${renderPlain(reason)}`);
}

/** Formats obsolete baselines, deleted ones, and the reasons for those that were not deleted. */
export function formatPruned({ obsolete, deleted, kept }: Pruned): string {
  const lines = [
    ...section(obsolete, 'that no shot claims (delete with --yes):'),
    ...section(deleted, 'deleted:'),
    ...kept.map(({ path, reason }) => `left as it is: ${renderPlain(path)}: ${renderPlain(reason)}`),
  ];
  return `${lines.length > 0 ? lines.join('\n') : 'every baseline is claimed by a shot'}\n`;
}

function section(paths: readonly string[], what: string): string[] {
  if (paths.length === 0) return [];
  return [`${renderCountOf(paths.length, 'baseline')} ${what}`, ...paths.map((path) => `  ${renderPlain(path)}`)];
}
