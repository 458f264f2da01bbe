/** Rows that exist in both images at one offset, including the changed rows among them. */
export type Block = Run;

/** The row hashes of both images. */
export interface RowHashes {
  readonly before: Float64Array;
  readonly after: Float64Array;
}

/**
 * Groups runs of equal rows into blocks of one offset, and selects the blocks with a significant offset. A few blank rows
 * that match by chance, or a moved hairline, count as changed rows instead.
 */
export function matchBlocks(rows: RowHashes): Block[] {
  const runs = matchRows(rows.before, rows.after);
  const offsets = significantOffsets(runs, rows.before);
  let blocks = joinBlocks(runs.filter((run) => isTop(run) || offsets.has(offsetOf(run))));
  for (let count = Number.POSITIVE_INFINITY; blocks.length < count; ) {
    count = blocks.length;
    blocks = joinBlocks(dropRedundant(blocks, rows));
  }
  return blocks;
}

/** Returns the distance by which a block moved down, in rows; negative means up. */
export function offsetOf({ before, after }: Run): number {
  return after - before;
}

/** Counts the aligned rows that are not equal. */
export function unequalRows({ before, after, height }: Run, rows: RowHashes): number {
  let count = 0;
  for (let y = 0; y < height; y++) if (rows.before[before + y] !== rows.after[after + y]) count++;
  return count;
}

/** The minimum number of rows that differ from the row above. Content with fewer is not recognizable. */
const MIN_DISTINCT_ROWS = 4;

function significantOffsets(runs: readonly Run[], before: Float64Array): Set<number> {
  const counts = new Map<number, number>();
  for (const run of runs) {
    let count = counts.get(offsetOf(run)) ?? 0;
    for (let y = run.before; y < run.before + run.height; y++) if (before[y] !== before[y - 1]) count++;
    counts.set(offsetOf(run), count);
  }
  return new Set([...counts].filter(([, count]) => count >= MIN_DISTINCT_ROWS).map(([offset]) => offset));
}

function isTop({ before, after }: Run): boolean {
  return before === 0 && after === 0;
}

/** Joins adjacent runs of one offset. The rows between them changed in place. */
function joinBlocks(runs: readonly Run[]): Block[] {
  const blocks: Block[] = [];
  for (const run of runs) {
    const last = blocks.at(-1);
    if (!last || offsetOf(last) !== offsetOf(run)) blocks.push(run);
    else blocks[blocks.length - 1] = { ...last, height: run.before + run.height - last.before };
  }
  return blocks;
}

/** Removes blocks that do not reduce the number of differing rows. */
function dropRedundant(blocks: readonly Block[], rows: RowHashes): Block[] {
  const selected: Block[] = [];
  for (const [index, block] of blocks.entries()) {
    const [above, below] = [selected.at(-1), blocks[index + 1]];
    const isRedundant =
      above && below && !isTop(block) && costOf([above, below], rows) <= costOf([above, block, below], rows);
    if (!isRedundant) selected.push(block);
  }
  return selected;
}

/** Counts the differing rows from the end of the first block to the start of the last. */
function costOf(blocks: readonly Block[], rows: RowHashes): number {
  return blocks.reduce((cost, block, index) => {
    const above = blocks[index - 1];
    if (!above) return cost;
    const inner = index < blocks.length - 1 ? unequalRows(block, rows) : 0;
    const { top, bottom } = pairBetween(above, block);
    const extra = Math.abs(offsetOf(block) - offsetOf(above));
    return cost + inner + extra + Math.min(unequalRows(top, rows), unequalRows(bottom, rows));
  }, 0);
}

/** Pairs the rows between two blocks, as far as both images have some: from the top, and from the bottom. */
export function pairBetween(above: Block, below: Block): { readonly top: Block; readonly bottom: Block } {
  const [before, after] = [above.before + above.height, above.after + above.height];
  const height = Math.min(below.before - before, below.after - after);
  return {
    top: { before, after, height },
    bottom: { before: below.before - height, after: below.after - height, height },
  };
}

interface Run {
  readonly before: number;
  readonly after: number;
  readonly height: number;
}

interface Window {
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
function matchRows(before: Float64Array, after: Float64Array): Run[] {
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
  const [[, b1], [, a1]] = [between.before, between.after];
  let [[b0], [a0]] = [between.before, between.after];
  if (b0 === b1 || a0 === a1) return [head, tail];
  const anchors = longestIncreasing(uniquePairs(before, after, between));
  if (anchors.length === 0) return [head, ...matchByEdits(before, after, between), tail];
  const parts: (Window | Run)[] = [head];
  for (const [b, a] of anchors) {
    parts.push({ before: [b0, b], after: [a0, a] }, { before: b, after: a, height: 1 });
    [b0, a0] = [b + 1, a + 1];
  }
  return [...parts, { before: [b0, b1], after: [a0, a1] }, tail];
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

/**
 * Matches equal rows with the fewest insertions and removals. Returns none if more than MAX_EDITS are required.
 *
 * Eugene W. Myers, "An O(ND) Difference Algorithm and Its Variations", 1986.
 */
function matchByEdits(before: Float64Array, after: Float64Array, window: Window): Run[] {
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
