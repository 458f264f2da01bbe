import { hash } from 'node:crypto';
import { toBuffer } from '../../image/index.js';
import type { Pixels } from '../../model/index.js';
import { isEmptySpace, rowsOf } from './lines.js';
import {
  type Block,
  joinBlocks,
  matchBlocks,
  offsetOf,
  pairBetween,
  type RowHashes,
  unequalRows,
} from './match-rows.js';

/**
 * A range of rows of one kind, ordered from the top of both images. Inserted and removed rows exist in one image only. Rows that entered or
 * left did so at the bottom of the image, because all content above them moved.
 */
export interface Segment extends Block {
  readonly kind: 'paired' | 'inserted' | 'removed' | 'entered' | 'left';
  /** Whether inserted or removed rows are empty space that grew or shrank. */
  readonly isSpace: boolean;
}

/** One of two compared images. */
export type ImageSide = 'before' | 'after';

/** Columns `[from, to)` of an image. */
export type Columns = readonly [from: number, to: number];

export function isMoved({ kind, before, after }: Segment): boolean {
  return kind === 'paired' && before !== after;
}

/** Checks whether an image contains the rows of a segment. */
export function hasRows({ kind }: Segment, side: ImageSide): boolean {
  return side === 'before' ? kind !== 'inserted' && kind !== 'entered' : kind !== 'removed' && kind !== 'left';
}

/** Aligns the rows of two images by their pixels in some columns. The segments cover all rows of both images. */
export function alignRows(before: Pixels, after: Pixels, columns: Columns): Segment[] {
  const [one, other] = [hashRows(before, columns), hashRows(after, columns)];
  // A fixed order makes ties independent of the argument order: swapped images return the mirrored segments.
  const isInOrder =
    one.length === other.length ? toBuffer(one).compare(toBuffer(other)) <= 0 : one.length < other.length;
  return isInOrder
    ? alignHashed({ before: one, after: other, images: { before, after }, columns })
    : alignHashed({ before: other, after: one, images: { before: after, after: before }, columns }).map(mirror);
}

interface Rows extends RowHashes {
  readonly images: { readonly before: Pixels; readonly after: Pixels };
  readonly columns: Columns;
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

function alignHashed(rows: Rows): Segment[] {
  const blocks = matchBlocks(rows);
  const end = { before: rows.before.length, after: rows.after.length, height: 0 };
  let above: Block = { before: 0, after: 0, height: 0 };
  const segments: Segment[] = [];
  for (const block of [...blocks, end]) {
    segments.push(...fillGap(above, block, rows, block === end), paired(block));
    above = block;
  }
  const joined = joinBlocks(segments.filter(({ height }) => height > 0));
  return splitBottom(placeGaps(joined, rows), blocks.at(-1));
}

function paired({ before, after, height }: Block): Segment {
  return { kind: 'paired', before, after, height, isSpace: false };
}

/** Pairs the rows between two blocks from the top or from the bottom, whichever leaves fewer unequal rows. */
function fillGap(above: Block, below: Block, rows: Rows, isLast: boolean): Segment[] {
  const { top, bottom } = pairBetween(above, below);
  if (isLast || unequalRows(top, rows) <= unequalRows(bottom, rows)) {
    return [paired(top), extraRows(top.before + top.height, top.after + top.height, below, rows)];
  }
  return [extraRows(top.before, top.after, bottom, rows), paired(bottom)];
}

function extraRows(before: number, after: number, until: Block, rows: Rows): Segment {
  const [removed, inserted] = [until.before - before, until.after - after];
  return removed > 0
    ? { kind: 'removed', before, after, height: removed, isSpace: isSpace(rows, 'before', before, until.before) }
    : { kind: 'inserted', before, after, height: inserted, isSpace: isSpace(rows, 'after', after, until.after) };
}

function isSpace({ images, columns: [left, right] }: Rows, side: ImageSide, from: number, to: number): boolean {
  const area = { x: left, y: 0, width: right - left, height: images[side].height };
  return isEmptySpace(rowsOf(images[side], area), from, to);
}

/** Splits the last segment: as many rows as the content above it moved by left or entered at the bottom of the image. */
function splitBottom(segments: readonly Segment[], lastBlock: Block | undefined): Segment[] {
  const last = segments.at(-1);
  if (!last || !lastBlock || last.kind === 'paired') return [...segments];
  const isRemoved = last.kind === 'removed';
  const moved = isRemoved ? offsetOf(lastBlock) : -offsetOf(lastBlock);
  const height = Math.min(last.height, Math.max(0, moved));
  const rest = { ...last, height: last.height - height };
  const [before, after] = isRemoved ? [last.before + rest.height, last.after] : [last.before, last.after + rest.height];
  const beyond = { kind: isRemoved ? 'left' : 'entered', before, after, height, isSpace: false } as const;
  return [...segments.slice(0, -1), rest, beyond].filter((segment) => segment.height > 0);
}

/**
 * Moves insertions and removals up to where a reader sees them. A gap that ends with the same rows as those above it has several
 * equivalent positions: the best is below the tallest space of a solid color.
 */
function placeGaps(segments: readonly Segment[], rows: Rows): Segment[] {
  const placed = [...segments];
  for (let index = 1; index < placed.length - 1; index++) {
    const [above, gap, below] = placed.slice(index - 1, index + 2);
    if (!above || !gap || !below || above.kind !== 'paired' || below.kind !== 'paired') continue;
    if (gap.kind !== 'inserted' && gap.kind !== 'removed') continue;
    const up = bestGapPlacement(above, gap, rows);
    placed[index - 1] = { ...above, height: above.height - up };
    placed[index] = { ...gap, before: gap.before - up, after: gap.after - up };
    placed[index + 1] = { ...below, before: below.before - up, after: below.after - up, height: below.height + up };
  }
  return placed.filter(({ height }) => height > 0);
}

function bestGapPlacement(above: Segment, gap: Segment, rows: Rows): number {
  const side = gap.kind === 'inserted' ? 'after' : 'before';
  const start = gap[side];
  let [best, tallest] = [0, spaceAbove(start, side, rows)];
  for (let up = 1; up <= above.height; up++) {
    if (rows[side][start - up] !== rows[side][start + gap.height - up]) break;
    // The paired row above must be equal in both images. Otherwise the new pairing would report another row as changed.
    if (rows.before[above.before + above.height - up] !== rows.after[above.after + above.height - up]) break;
    const space = spaceAbove(start - up, side, rows);
    if (space > tallest) [best, tallest] = [up, space];
  }
  return best;
}

/** The maximum space that is measured, in rows. Taller space does not improve the placement. */
const MAX_SPACE = 64;

function spaceAbove(row: number, side: ImageSide, { images, columns, ...rows }: Rows): number {
  if (row === 0 || !isSolid(images[side], row - 1, columns)) return 0;
  let space = 1;
  while (space < MAX_SPACE && rows[side][row - 1 - space] === rows[side][row - 1]) space++;
  return space;
}

function isSolid({ width, data }: Pixels, row: number, [from, to]: Columns): boolean {
  const bytes = toBuffer(data);
  const [start, end] = [(row * width + from) * 4, (row * width + to) * 4];
  return bytes.compare(bytes, start + 4, end, start, end - 4) === 0;
}

/** Returns one hash per row. Rows with the same pixels have the same hash. Other rows practically never do (53 bits). */
function hashRows({ width, height, data }: Pixels, [from, to]: Columns): Float64Array<ArrayBuffer> {
  const hashes = new Float64Array(height);
  const bytes = toBuffer(data);
  const length = (to - from) * 4;
  for (let row = 0; row < height; row++) {
    const start = (row * width + from) * 4;
    const above = start - width * 4;
    // Most rows of a page repeat the row above.
    const isRepeated = row > 0 && bytes.compare(bytes, above, above + length, start, start + length) === 0;
    hashes[row] = isRepeated ? (hashes[row - 1] ?? 0) : hashBytes(bytes.subarray(start, start + length));
  }
  return hashes;
}

/** The first 53 bits of the SHA-1 hash: the largest integers that a number holds exactly. */
function hashBytes(bytes: Buffer): number {
  const digest = hash('sha1', bytes, 'buffer');
  return digest.readUInt32BE(0) * 2 ** 21 + (digest.readUInt32BE(4) >>> 11);
}
