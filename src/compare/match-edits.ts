import type { Run, Window } from './match-rows.js';

/**
 * Finds equal rows by the fewest insertions and removals, where there are at most MOST_EDITS; none where it takes more.
 *
 * Eugene W. Myers, "An O(ND) Difference Algorithm and Its Variations", 1986.
 */
export function matchByEdits(before: Float64Array, after: Float64Array, window: Window): Run[] {
  const [b0, b1] = window.before;
  const [a0, a1] = window.after;
  const [rows, columns] = [b1 - b0, a1 - a0];
  const most = Math.min(MOST_EDITS, rows + columns);
  if (Math.abs(rows - columns) > most) return [];
  const reach: Reach = { rows: new Int32Array(2 * most + 3), zero: most + 1 };
  const trace: Reach[] = [];
  for (let edits = 0; edits <= most; edits++) {
    trace.push({ rows: reach.rows.slice(most - edits, most + edits + 3), zero: edits + 1 });
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      let b = enter(reach, diagonal, edits);
      while (b < rows && b - diagonal < columns && before[b0 + b] === after[a0 + b - diagonal]) b++;
      reach.rows[reach.zero + diagonal] = b;
      if (b >= rows && b - diagonal >= columns) return walkBack(trace, rows, columns, b0, a0);
    }
  }
  return [];
}

/** Where more than that many rows differ and none can be told by itself, nothing can be said: 4 MB of trace, 10 ms. */
const MOST_EDITS = 1024;

/** How many rows of before are reached on each diagonal; `zero` is the place of diagonal 0. */
interface Reach {
  readonly rows: Int32Array;
  readonly zero: number;
}

/** Gives the row of before at which a diagonal is entered, by its last edit. */
function enter(reach: Reach, diagonal: number, edits: number): number {
  if (edits === 0) return 0;
  const { rows, zero } = reach;
  if (isInsertion(reach, diagonal, edits)) return rows[zero + diagonal + 1] ?? 0;
  return (rows[zero + diagonal - 1] ?? 0) + 1;
}

function isInsertion({ rows, zero }: Reach, diagonal: number, edits: number): boolean {
  if (diagonal === -edits) return true;
  return diagonal !== edits && (rows[zero + diagonal - 1] ?? 0) < (rows[zero + diagonal + 1] ?? 0);
}

/** @param trace - the reach before each number of edits */
function walkBack(trace: readonly Reach[], rows: number, columns: number, b0: number, a0: number): Run[] {
  const runs: Run[] = [];
  let [b, a] = [rows, columns];
  for (const [edits, reach] of [...trace.entries()].reverse()) {
    const diagonal = b - a;
    const start = enter(reach, diagonal, edits);
    if (b > start) runs.push({ before: b0 + start, after: a0 + start - diagonal, height: b - start });
    [b, a] = isInsertion(reach, diagonal, edits) ? [start, start - diagonal - 1] : [start - 1, start - diagonal];
  }
  return runs.reverse();
}
