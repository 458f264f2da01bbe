import type { Decided, WrittenBaseline } from '../model/decided.js';
import { listSome, nameShot, renderCountOf, renderPercentage, renderPlain } from './words.js';

/** Renders what became of an approval: what was written, each with its path, then what was kept and refused, each with its reason. */
export function renderDecided({ written, kept, refused }: Decided): string {
  const lines = [
    ...(written.length > 0 ? [`approved ${renderCountOf(written.length, 'shot')}, baselines written:`] : []),
    ...written.map((shot) => `  ${nameShot(shot)}  ${renderPlain(shot.path)}${renderCompared(shot)}`),
    ...groupLines('left as it is', kept),
    ...groupLines('refused', refused),
  ];
  return `${lines.length > 0 ? lines.join('\n') : 'there is nothing to approve'}\n`;
}

function renderCompared({ compared }: WrittenBaseline): string {
  return compared < 1 ? ` (${renderPercentage(100 * compared)} of the pixels are compared)` : '';
}

/** What is true of many shots is said once. */
function groupLines(word: string, shots: Decided['kept']): string[] {
  const byReason = new Map<string, string[]>();
  for (const shot of shots) byReason.set(shot.reason, [...(byReason.get(shot.reason) ?? []), nameShot(shot)]);
  return [...byReason].map(([reason, names]) => `${word}: ${listSome(names, 10)}: ${renderPlain(reason)}`);
}
