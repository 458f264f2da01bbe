import type { Segment } from './align.js';
import type { Rows } from './select-runs.js';

/** Tells whether a row of an image has but one colour. */
export type IsPlain = (side: 'before' | 'after', row: number) => boolean;

/**
 * Moves insertions and removals up to where a person would see them. Where one ends as it begins, there are several places
 * at which the same rows may have been put in: the best is below the tallest space of one colour.
 */
export function slideSegments(segments: readonly Segment[], rows: Rows, isPlain: IsPlain): Segment[] {
  const slid = [...segments];
  for (let index = 1; index < slid.length - 1; index++) {
    const [above, gap, below] = slid.slice(index - 1, index + 2);
    if (!above || !gap || !below || above.kind !== 'paired' || below.kind !== 'paired') continue;
    if (gap.kind !== 'inserted' && gap.kind !== 'removed') continue;
    const up = bestSlide(above, gap, rows, isPlain);
    slid[index - 1] = { ...above, height: above.height - up };
    slid[index] = { ...gap, before: gap.before - up, after: gap.after - up };
    slid[index + 1] = { ...below, before: below.before - up, after: below.after - up, height: below.height + up };
  }
  return slid.filter(({ height }) => height > 0);
}

function bestSlide(above: Segment, gap: Segment, rows: Rows, isPlain: IsPlain): number {
  const side = gap.kind === 'inserted' ? 'after' : 'before';
  const start = gap[side];
  let [best, tallest] = [0, spaceAbove(start, side, rows, isPlain)];
  for (let up = 1; up <= above.height; up++) {
    if (rows[side][start - up] !== rows[side][start + gap.height - up]) break;
    // What is paired above has to be the same in both images, or another row would be told as changed.
    if (rows.before[above.before + above.height - up] !== rows.after[above.after + above.height - up]) break;
    const space = spaceAbove(start - up, side, rows, isPlain);
    if (space > tallest) [best, tallest] = [up, space];
  }
  return best;
}

/** No space tells more when it is taller than that. */
const MOST_SPACE = 64;

function spaceAbove(row: number, side: 'before' | 'after', rows: Rows, isPlain: IsPlain): number {
  if (row === 0 || !isPlain(side, row - 1)) return 0;
  let space = 1;
  while (space < MOST_SPACE && rows[side][row - 1 - space] === rows[side][row - 1]) space++;
  return space;
}
