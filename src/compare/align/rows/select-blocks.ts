import type { Run } from './match-rows.js';

/** What stands in both images at one offset, what changed within included. */
export type Block = Run;

/** The hashes of the rows of both images. */
export interface Rows {
  readonly before: Float64Array;
  readonly after: Float64Array;
}

/**
 * Gathers runs of equal rows into blocks of one offset, and keeps those whose offset tells something: a few blank rows
 * that happen to fit, or a hairline that moved, are told as changed instead.
 */
export function selectBlocks(runs: readonly Run[], rows: Rows): Block[] {
  const telling = tellingOffsets(runs, rows.before);
  let blocks = joinBlocks(runs.filter((run) => isTop(run) || telling.has(offsetOf(run))));
  for (let count = Number.POSITIVE_INFINITY; blocks.length < count; ) {
    count = blocks.length;
    blocks = joinBlocks(dropIdle(blocks, rows));
  }
  return blocks;
}

/** Tells how far down a block moved. */
export function offsetOf({ before, after }: Run): number {
  return after - before;
}

/** Counts the rows that are laid on one another and are not the same. */
export function unequalRows({ before, after, height }: Run, rows: Rows): number {
  let count = 0;
  for (let y = 0; y < height; y++) if (rows.before[before + y] !== rows.after[after + y]) count++;
  return count;
}

/** Fewer rows that differ from the one above are no content that could be known again. */
const LEAST_TELLING = 4;

function tellingOffsets(runs: readonly Run[], before: Float64Array): Set<number> {
  const telling = new Map<number, number>();
  for (const run of runs) {
    let count = telling.get(offsetOf(run)) ?? 0;
    for (let y = run.before; y < run.before + run.height; y++) if (before[y] !== before[y - 1]) count++;
    telling.set(offsetOf(run), count);
  }
  return new Set([...telling].filter(([, count]) => count >= LEAST_TELLING).map(([offset]) => offset));
}

/** What is equal from the top on is where it was. */
function isTop({ before, after }: Run): boolean {
  return before === 0 && after === 0;
}

/** Joins neighbours of one offset: what lies between them changed at its place. */
function joinBlocks(runs: readonly Run[]): Block[] {
  const blocks: Block[] = [];
  for (const run of runs) {
    const last = blocks.at(-1);
    if (!last || offsetOf(last) !== offsetOf(run)) blocks.push(run);
    else blocks[blocks.length - 1] = { ...last, height: run.before + run.height - last.before };
  }
  return blocks;
}

/** Leaves out blocks without which no more rows are told as different. */
function dropIdle(blocks: readonly Block[], rows: Rows): Block[] {
  const kept: Block[] = [];
  for (const [index, block] of blocks.entries()) {
    const [above, below] = [kept.at(-1), blocks[index + 1]];
    const isIdle =
      above && below && !isTop(block) && costOf([above, below], rows) <= costOf([above, block, below], rows);
    if (!isIdle) kept.push(block);
  }
  return kept;
}

/** Counts the rows that differ from the end of the first to the start of the last. */
function costOf(blocks: readonly Block[], rows: Rows): number {
  return blocks.reduce((cost, block, index) => {
    const above = blocks[index - 1];
    const inner = above && index < blocks.length - 1 ? unequalRows(block, rows) : 0;
    return cost + inner + (above ? gapCost(above, block, rows) : 0);
  }, 0);
}

function gapCost(above: Block, below: Block, rows: Rows): number {
  const before = below.before - above.before - above.height;
  const after = below.after - above.after - above.height;
  const height = Math.min(before, after);
  const top = { before: above.before + above.height, after: above.after + above.height, height };
  const bottom = { before: below.before - height, after: below.after - height, height };
  return Math.abs(before - after) + Math.min(unequalRows(top, rows), unequalRows(bottom, rows));
}
