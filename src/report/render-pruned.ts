import type { Pruned } from '../model/pruned.js';
import { renderCountOf, renderPlain } from './words.js';

/** Renders which baselines are obsolete, which were deleted, and which stay and why. */
export function renderPruned({ obsolete, deleted, kept }: Pruned): string {
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
