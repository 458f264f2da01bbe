import type { ShotRecord } from '../model/record.js';
import { listSome, nameShot, renderCountOf } from './words.js';

/** The codes of the warnings that a comparison finds less than one would think, or more than in the run before. */
export const COMPARISON_WARNINGS = {
  fewCompared: 'few-pixels-compared',
  masksGrown: 'masks-grown',
  masksDropped: 'masks-dropped',
  limitTooLarge: 'limit-too-large',
} as const;

/** Says what weakens comparisons, or makes them other than their baselines' own, each once for all shots it is true of. */
export function renderComparisonNotices(shots: readonly ShotRecord[]): string[] {
  const codes: ReadonlySet<string> = new Set(Object.values(COMPARISON_WARNINGS));
  const byMessage = new Map<string, Set<string>>();
  for (const shot of shots) {
    for (const { message } of shot.warnings.filter(({ code }) => codes.has(code))) {
      byMessage.set(message, (byMessage.get(message) ?? new Set()).add(nameShot(shot)));
    }
  }
  return [...byMessage].map(
    ([message, names]) => `${message} (${renderCountOf(names.size, 'shot')}: ${listSome([...names], 5)})`,
  );
}
