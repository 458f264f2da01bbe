import type { Run } from './match-rows.js';

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
export function selectBlocks(runs: readonly Run[], rows: RowHashes): Block[] {
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

/** Checks whether a run starts at the top of both images: its rows did not move. */
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
