/** Rows that exist in both images at one offset, including the changed rows among them. */
export interface Block {
  readonly before: number;
  readonly after: number;
  readonly height: number;
}

export interface RowHashes {
  readonly before: Float64Array;
  readonly after: Float64Array;
}

/** Groups runs of equal rows into blocks of one significant offset. Blank rows that match by chance, or a moved hairline, have none. */
export function matchBlocks(rows: RowHashes): Block[] {
  const runs = matchRows(rows);
  const offsets = significantOffsets(runs, rows.before);
  let blocks = joinBlocks(runs.filter((run) => isTop(run) || offsets.has(offsetOf(run))));
  for (let count = Number.POSITIVE_INFINITY; blocks.length < count; ) {
    count = blocks.length;
    blocks = joinBlocks(dropRedundant(blocks, rows));
  }
  return blocks;
}

/** Returns the distance by which a block moved down, in rows; negative means up. */
export function offsetOf({ before, after }: Block): number {
  return after - before;
}

/** Counts the aligned rows that are not equal. */
export function unequalRows({ before, after, height }: Block, rows: RowHashes): number {
  let count = 0;
  for (let y = 0; y < height; y++) if (rows.before[before + y] !== rows.after[after + y]) count++;
  return count;
}

/** The minimum number of rows that differ from the row above. Content with fewer is not recognizable. */
const MIN_DISTINCT_ROWS = 4;

function significantOffsets(runs: readonly Block[], before: Float64Array): Set<number> {
  const counts = new Map<number, number>();
  for (const run of runs) {
    let count = counts.get(offsetOf(run)) ?? 0;
    for (let y = run.before; y < run.before + run.height; y++) if (before[y] !== before[y - 1]) count++;
    counts.set(offsetOf(run), count);
  }
  return new Set([...counts].filter(([, count]) => count >= MIN_DISTINCT_ROWS).map(([offset]) => offset));
}

function isTop({ before, after }: Block): boolean {
  return before === 0 && after === 0;
}

/** Joins adjacent blocks of one offset and kind. The rows between them changed in place. */
export function joinBlocks<B extends Block & { readonly kind?: string }>(blocks: readonly B[]): B[] {
  const joined: B[] = [];
  for (const block of blocks) {
    const last = joined.at(-1);
    if (!last || offsetOf(last) !== offsetOf(block) || last.kind !== block.kind) joined.push(block);
    else joined[joined.length - 1] = { ...last, height: block.before + block.height - last.before };
  }
  return joined;
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

/** Rows `[from, to)` of an image. */
type Range = readonly [from: number, to: number];

/**
 * Matches equal rows in the same order in both images, in O(n log n): those at both ends, then the longest increasing subsequence of rows
 * that occur once, and so on between the matches. If no row is unique, rows that occur equally often are paired in their order.
 *
 * Based on Bram Cohen's patience diff, https://bramcohen.livejournal.com/73318.html.
 */
function matchRows(rows: RowHashes): Block[] {
  const { before, after } = rows;
  const matches: Block[] = [];
  matchWithin([0, before.length], [0, after.length]);
  return matches.filter(({ height }) => height > 0);

  function matchWithin([b0, b1]: Range, [a0, a1]: Range): void {
    const most = Math.min(b1 - b0, a1 - a0);
    let top = 0;
    while (top < most && before[b0 + top] === after[a0 + top]) top++;
    let bottom = 0;
    while (bottom < most - top && before[b1 - 1 - bottom] === after[a1 - 1 - bottom]) bottom++;
    matches.push({ before: b0, after: a0, height: top });
    if (top + bottom < most) matchBetween([b0 + top, b1 - bottom], [a0 + top, a1 - bottom]);
    matches.push({ before: b1 - bottom, after: a1 - bottom, height: bottom });
  }

  function matchBetween([b0, b1]: Range, [a0, a1]: Range): void {
    const anchors = longestIncreasing(pairRows(rows, [b0, b1], [a0, a1]));
    let [b, a] = [b0, a0];
    for (const [nextB, nextA] of anchors) {
      matchWithin([b, nextB], [a, nextA]);
      matches.push({ before: nextB, after: nextA, height: 1 });
      [b, a] = [nextB + 1, nextA + 1];
    }
    if (anchors.length > 0) matchWithin([b, b1], [a, a1]);
  }
}

function pairRows({ before, after }: RowHashes, inBefore: Range, inAfter: Range): (readonly [number, number])[] {
  const places = rowsByHash(after, inAfter);
  const alike = [...rowsByHash(before, inBefore)]
    .map(([hash, rows]) => [rows, places.get(hash) ?? []] as const)
    .filter(([rows, others]) => rows.length === others.length);
  const unique = alike.filter(([rows]) => rows.length === 1);
  return (unique.length > 0 ? unique : alike)
    .flatMap(([rows, others]) => rows.map((row, index) => [row, others[index] ?? 0] as const))
    .sort(([one], [other]) => one - other);
}

function rowsByHash(hashes: Float64Array, [from, to]: Range): Map<number, number[]> {
  const rows = new Map<number, number[]>();
  for (let row = from; row < to; row++) {
    const same = rows.get(hashes[row] ?? 0);
    if (same) same.push(row);
    else rows.set(hashes[row] ?? 0, [row]);
  }
  return rows;
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
