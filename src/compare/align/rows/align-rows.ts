import { kernels, SLACK, scratch } from '../../../image/kernels.js';
import type { Pixels } from '../../../model/image.js';
import { matchRows } from './match-rows.js';
import { type Block, offsetOf, type Rows, selectBlocks, unequalRows } from './select-blocks.js';

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
  return releaseBottom(placeGaps(joined, rows, isPlain), blocks.at(-1));
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

/** Checks whether a row of an image has but one color. */
export type IsPlain = (side: 'before' | 'after', row: number) => boolean;

/**
 * Moves insertions and removals up to where a person would see them. Where one ends as it begins, there are several places
 * at which the same rows may have been put in: the best is below the tallest space of one color.
 */
export function placeGaps(segments: readonly Segment[], rows: Rows, isPlain: IsPlain): Segment[] {
  const slid = [...segments];
  for (let index = 1; index < slid.length - 1; index++) {
    const [above, gap, below] = slid.slice(index - 1, index + 2);
    if (!above || !gap || !below || above.kind !== 'paired' || below.kind !== 'paired') continue;
    if (gap.kind !== 'inserted' && gap.kind !== 'removed') continue;
    const up = bestGapPlacement(above, gap, rows, isPlain);
    slid[index - 1] = { ...above, height: above.height - up };
    slid[index] = { ...gap, before: gap.before - up, after: gap.after - up };
    slid[index + 1] = { ...below, before: below.before - up, after: below.after - up, height: below.height + up };
  }
  return slid.filter(({ height }) => height > 0);
}

function bestGapPlacement(above: Segment, gap: Segment, rows: Rows, isPlain: IsPlain): number {
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

/**
 * Returns one number for each row of an image: rows with the same pixels have the same, others practically never (53 bits).
 *
 * @param from - the first column that is looked at
 * @param to - the column after the last one
 */
export function hashRows({ width, height, data }: Pixels, from: number, to: number): Float64Array {
  const hashes = new Float64Array(height);
  const stride = width * 4;
  // The row above is there as well, so that one that repeats it is known.
  for (let first = 0; first < height; first += MOST_ROWS) {
    const above = Math.max(0, first - 1);
    const last = Math.min(height, first + MOST_ROWS);
    const length = (last - above) * stride;
    const place = Math.ceil(length / 8) * 8;
    const memory = scratch(place + (last - above) * 8 + SLACK);
    memory.set(data.subarray(above * stride, last * stride));
    kernels().hashRows(from * 4, place, stride, to - from, last - above);
    hashes.set(new Float64Array(memory.buffer, place, last - above), above);
  }
  return hashes;
}

/** So many rows go through the scratch memory at once. */
const MOST_ROWS = 128;

/** Checks whether a row has but one color between two columns. */
export function isPlainRow({ width, data }: Pixels, row: number, [from, to]: readonly [number, number]): boolean {
  const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  const [start, end] = [(row * width + from) * 4, (row * width + to) * 4];
  return bytes.compare(bytes, start + 4, end, start, end - 4) === 0;
}
