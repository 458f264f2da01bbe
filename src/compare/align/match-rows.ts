/** Consecutive rows that are equal in both images. */
export interface Run {
  readonly before: number;
  readonly after: number;
  readonly height: number;
}

/** Rows `[from, to)` of both images. */
export interface Window {
  readonly before: readonly [from: number, to: number];
  readonly after: readonly [from: number, to: number];
}

/**
 * Matches equal rows of two images by their hashes, in the same order in both. It first matches equal rows at both ends, then
 * the longest increasing subsequence of rows that occur once in each image. It repeats this between the matches. If no row
 * is unique, it finds the fewest edits, up to MAX_EDITS. For unique rows it takes O(n log n).
 *
 * Based on Bram Cohen's patience diff, https://bramcohen.livejournal.com/73318.html.
 */
export function matchRows(before: Float64Array, after: Float64Array): Run[] {
  const runs: Run[] = [];
  const open: (Window | Run)[] = [{ before: [0, before.length], after: [0, after.length] }];
  for (let next = open.pop(); next; next = open.pop()) {
    if ('height' in next) runs.push(next);
    // The stack is reversed, so that the topmost part is taken first.
    else open.push(...split(before, after, next).reverse());
  }
  return joinRuns(runs);
}

function joinRuns(runs: readonly Run[]): Run[] {
  const joined: Run[] = [];
  for (const run of runs) {
    const last = joined.at(-1);
    const follows =
      last && last.before + last.height === run.before && last.after + last.height === run.after && run.height > 0;
    if (follows) joined[joined.length - 1] = { ...last, height: last.height + run.height };
    else if (run.height > 0) joined.push(run);
  }
  return joined;
}

function split(before: Float64Array, after: Float64Array, window: Window): (Window | Run)[] {
  const [head, between, tail] = trim(before, after, window);
  if (isEmpty(between)) return [head, tail];
  const anchors = longestIncreasing(uniquePairs(before, after, between));
  if (anchors.length === 0) return [head, ...matchByEdits(before, after, between), tail];
  return [head, ...splitAtAnchors(anchors, between), tail];
}

function trim(before: Float64Array, after: Float64Array, { before: [b0, b1], after: [a0, a1] }: Window) {
  const maxRows = Math.min(b1 - b0, a1 - a0);
  let top = 0;
  while (top < maxRows && before[b0 + top] === after[a0 + top]) top++;
  let bottom = 0;
  while (bottom < maxRows - top && before[b1 - 1 - bottom] === after[a1 - 1 - bottom]) bottom++;
  const between: Window = { before: [b0 + top, b1 - bottom], after: [a0 + top, a1 - bottom] };
  return [
    { before: b0, after: a0, height: top },
    between,
    { before: b1 - bottom, after: a1 - bottom, height: bottom },
  ] as const;
}

function isEmpty({ before, after }: Window): boolean {
  return before[0] === before[1] || after[0] === after[1];
}

function uniquePairs(before: Float64Array, after: Float64Array, window: Window): (readonly [number, number])[] {
  const positions = positionsByHash(after, window.after);
  return [...positionsByHash(before, window.before)].flatMap(([hash, b]) => {
    const a = positions.get(hash);
    return a === undefined || a === REPEATED || b === REPEATED ? [] : [[b, a] as const];
  });
}

const REPEATED = -1;

function positionsByHash(hashes: Float64Array, [from, to]: readonly [number, number]): Map<number, number> {
  const positions = new Map<number, number>();
  for (let i = from; i < to; i++) {
    const hash = hashes[i] ?? 0;
    positions.set(hash, positions.has(hash) ? REPEATED : i);
  }
  return positions;
}

/** Finds the longest increasing subsequence by patience sorting: https://en.wikipedia.org/wiki/Longest_increasing_subsequence. */
function longestIncreasing(pairs: readonly (readonly [number, number])[]): (readonly [number, number])[] {
  const ends: number[] = [];
  const previous = new Int32Array(pairs.length);
  for (const [index, [, a]] of pairs.entries()) {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((pairs[ends[middle] ?? 0]?.[1] ?? 0) < a) low = middle + 1;
      else high = middle;
    }
    previous[index] = low === 0 ? -1 : (ends[low - 1] ?? -1);
    ends[low] = index;
  }
  const increasing: (readonly [number, number])[] = [];
  for (let index = ends.at(-1) ?? -1; index >= 0; index = previous[index] ?? -1) {
    const pair = pairs[index];
    if (pair) increasing.push(pair);
  }
  return increasing.reverse();
}

function splitAtAnchors(anchors: readonly (readonly [number, number])[], { before, after }: Window): (Window | Run)[] {
  const parts: (Window | Run)[] = [];
  let [b0, a0] = [before[0], after[0]];
  for (const [b, a] of anchors) {
    parts.push({ before: [b0, b], after: [a0, a] }, { before: b, after: a, height: 1 });
    [b0, a0] = [b + 1, a + 1];
  }
  return [...parts, { before: [b0, before[1]], after: [a0, after[1]] }];
}

/**
 * Matches equal rows with the fewest insertions and removals. Returns none if more than MAX_EDITS are required.
 *
 * Eugene W. Myers, "An O(ND) Difference Algorithm and Its Variations", 1986.
 */
export function matchByEdits(before: Float64Array, after: Float64Array, window: Window): Run[] {
  const [b0, b1] = window.before;
  const [a0, a1] = window.after;
  const [rows, columns] = [b1 - b0, a1 - a0];
  const maxEdits = Math.min(MAX_EDITS, rows + columns);
  if (Math.abs(rows - columns) > maxEdits) return [];
  const reach: Reach = { rows: new Int32Array(2 * maxEdits + 3), zero: maxEdits + 1 };
  const trace: Reach[] = [];
  for (let edits = 0; edits <= maxEdits; edits++) {
    trace.push({ rows: reach.rows.slice(maxEdits - edits, maxEdits + edits + 3), zero: edits + 1 });
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      let b = startRow(reach, diagonal, edits);
      while (b < rows && b - diagonal < columns && before[b0 + b] === after[a0 + b - diagonal]) b++;
      reach.rows[reach.zero + diagonal] = b;
      if (b >= rows && b - diagonal >= columns) return walkBack(trace, rows, columns, b0, a0);
    }
  }
  return [];
}

/** The maximum number of edits between rows of which none is unique. Limits the trace to 4 MB and the time to 10 ms. */
const MAX_EDITS = 1024;

/** The furthest row of before on each diagonal. `zero` is the index of diagonal 0. */
interface Reach {
  readonly rows: Int32Array;
  readonly zero: number;
}

/** Returns the row of before at which the last edit enters a diagonal. */
function startRow(reach: Reach, diagonal: number, edits: number): number {
  if (edits === 0) return 0;
  const { rows, zero } = reach;
  if (isInsertion(reach, diagonal, edits)) return rows[zero + diagonal + 1] ?? 0;
  return (rows[zero + diagonal - 1] ?? 0) + 1;
}

function isInsertion({ rows, zero }: Reach, diagonal: number, edits: number): boolean {
  if (diagonal === -edits) return true;
  return diagonal !== edits && (rows[zero + diagonal - 1] ?? 0) < (rows[zero + diagonal + 1] ?? 0);
}

/** Reconstructs the runs from the end of the path. @param trace - the reach before each number of edits */
function walkBack(trace: readonly Reach[], rows: number, columns: number, b0: number, a0: number): Run[] {
  const runs: Run[] = [];
  let [b, a] = [rows, columns];
  for (const [edits, reach] of [...trace.entries()].reverse()) {
    const diagonal = b - a;
    const start = startRow(reach, diagonal, edits);
    if (b > start) runs.push({ before: b0 + start, after: a0 + start - diagonal, height: b - start });
    [b, a] = isInsertion(reach, diagonal, edits) ? [start, start - diagonal - 1] : [start - 1, start - diagonal];
  }
  return runs.reverse();
}
