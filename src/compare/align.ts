import type { Pixels } from '../model/image.js';
import { matchRows } from './match-rows.js';
import { hashRows, isPlainRow } from './row-hashes.js';
import { type Block, offsetOf, type Rows, selectBlocks, unequalRows } from './select-runs.js';
import { type IsPlain, slideSegments } from './slide.js';

/**
 * Rows of one kind, from the top of both images: `paired`, each with the row it became; `inserted` and `removed`, which only
 * one image has; `entered` and `left`, which came in or went out at the bottom because all above them moved.
 */
export interface Segment {
  readonly kind: 'paired' | 'inserted' | 'removed' | 'entered' | 'left';
  readonly before: number;
  readonly after: number;
  readonly height: number;
  /** Inserted or removed, and nothing but the row above or below it over and over: space that grew or shrank. */
  readonly isSpace: boolean;
}

/** Columns of an image, from the first to the one after the last. */
export type Columns = readonly [from: number, to: number];

/** Aligns the rows of two images by what they are in some columns; the segments cover all rows of both. */
export function alignRows(before: Pixels, after: Pixels, columns: Columns): Segment[] {
  const one = { image: before, hashes: hashRows(before, ...columns) };
  const other = { image: after, hashes: hashRows(after, ...columns) };
  // Swapped images must come out as the mirror image, whatever a tie would be decided by.
  return comesFirst(one.hashes, other.hashes)
    ? alignHashed(one, other, columns)
    : alignHashed(other, one, columns).map(mirror);
}

interface Hashed {
  readonly image: Pixels;
  readonly hashes: Float64Array;
}

function comesFirst(before: Float64Array, after: Float64Array): boolean {
  if (before.length !== after.length) return before.length < after.length;
  return Buffer.compare(Buffer.from(before.buffer), Buffer.from(after.buffer)) <= 0;
}

const MIRRORED = {
  paired: 'paired',
  inserted: 'removed',
  removed: 'inserted',
  entered: 'left',
  left: 'entered',
} as const;

function mirror({ kind, before, after, height, isSpace }: Segment): Segment {
  return { kind: MIRRORED[kind], before: after, after: before, height, isSpace };
}

function alignHashed(one: Hashed, other: Hashed, columns: Columns): Segment[] {
  const [before, after] = [one.hashes, other.hashes];
  const rows = { before, after };
  const blocks = selectBlocks(matchRows(before, after), rows);
  const end = { before: before.length, after: after.length, height: 0 };
  let above: Block = { before: 0, after: 0, height: 0 };
  const segments: Segment[] = [];
  for (const block of [...blocks, end]) {
    segments.push(...fillGap(above, block, rows, block === end), paired(block));
    above = block;
  }
  const joined = joinPaired(segments.filter(({ height }) => height > 0));
  const isPlain: IsPlain = (side, row) => isPlainRow(side === 'before' ? one.image : other.image, row, columns);
  return releaseBottom(slideSegments(joined, rows, isPlain), blocks.at(-1));
}

function paired({ before, after, height }: Block): Segment {
  return { kind: 'paired', before, after, height, isSpace: false };
}

/**
 * Pairs what lies between two blocks from the top or from the bottom; what is left over only one image has. Where nothing
 * is known again below, what is there stayed with what is above.
 */
function fillGap(above: Block, below: Block, rows: Rows, isLast: boolean): Segment[] {
  const [b0, a0] = [above.before + above.height, above.after + above.height];
  const [before, after] = [below.before - b0, below.after - a0];
  const height = Math.min(before, after);
  const top = { before: b0, after: a0, height };
  const bottom = { before: below.before - height, after: below.after - height, height };
  if (isLast || unequalRows(top, rows) <= unequalRows(bottom, rows)) {
    return [paired(top), leftOver(b0 + height, a0 + height, below, rows)];
  }
  return [leftOver(b0, a0, bottom, rows), paired(bottom)];
}

function leftOver(before: number, after: number, until: Block, rows: Rows): Segment {
  const removed = until.before - before;
  return removed > 0
    ? { kind: 'removed', before, after, height: removed, isSpace: isSpace(rows.before, before, until.before) }
    : {
        kind: 'inserted',
        before,
        after,
        height: until.after - after,
        isSpace: isSpace(rows.after, after, until.after),
      };
}

function isSpace(rows: Float64Array, from: number, to: number): boolean {
  const own = rows.subarray(from, to);
  return [rows[from - 1], rows[to]].some((beside) => own.every((row) => row === beside));
}

function joinPaired(segments: readonly Segment[]): Segment[] {
  const joined: Segment[] = [];
  for (const segment of segments) {
    const last = joined.at(-1);
    const isOne = last?.kind === 'paired' && segment.kind === 'paired' && offsetOf(last) === offsetOf(segment);
    if (isOne) joined[joined.length - 1] = { ...last, height: last.height + segment.height };
    else joined.push(segment);
  }
  return joined;
}

/** Where all that is above moved, as much has to leave or to enter at the bottom of an image that did not grow with it. */
function releaseBottom(segments: readonly Segment[], lastBlock: Block | undefined): Segment[] {
  const last = segments.at(-1);
  if (!last || !lastBlock || last.kind === 'paired') return [...segments];
  const moved = last.kind === 'removed' ? offsetOf(lastBlock) : -offsetOf(lastBlock);
  const height = Math.min(last.height, Math.max(0, moved));
  const stays = { ...last, height: last.height - height };
  const kind = last.kind === 'removed' ? 'left' : 'entered';
  const [before, after] =
    kind === 'left' ? [last.before + stays.height, last.after] : [last.before, last.after + stays.height];
  return [...segments.slice(0, -1), stays, { kind, before, after, height, isSpace: false } as const].filter(
    (segment) => segment.height > 0,
  );
}
