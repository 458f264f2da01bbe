import { createHash } from 'node:crypto';
import { isWithin, wordsOf } from '../../image/index.js';
import type { Pixels, Shift } from '../../model/index.js';
import type { MovedColumns } from '../align/align-columns.js';
import type { Alignment } from '../align/align-images.js';
import { hasRows, type Segment } from '../align/align-rows.js';
import type { ImageArea } from '../align/segments.js';
import { isIntersecting } from '../areas.js';
import { CHANGED } from '../engines/pixel-diff.js';

interface AlignedChanges extends Pick<Alignment, 'segments' | 'mask' | 'movedColumns'> {
  readonly before: Pixels;
  readonly after: Pixels;
  readonly regions: readonly ImageArea[];
  readonly shifts: readonly Shift[];
}

/**
 * Returns one hash of all changes. Two comparisons have the same hash if the same old pixels became the same new pixels, at the same x and
 * any y, and the content below moved by the same distance. Inserted or removed empty space looks the same everywhere, so its y counts.
 */
export function fingerprintChanges(changes: AlignedChanges): string {
  const regions = changes.regions.map((region) => fingerprintRegion(region, changes)).sort();
  const moves = changes.shifts.map(({ by }) => by);
  return createHash('sha256')
    .update(JSON.stringify([regions, moves, ...columnOffsetsOf(changes.movedColumns)]))
    .digest('hex');
}

/** Returns each horizontal distance once, because the same content may move in one piece or in several. */
function columnOffsetsOf(moved: readonly MovedColumns[]): (readonly [by: number, x: number])[] {
  const first = new Map<number, number>();
  for (const { shift } of moved) first.set(shift.by, Math.min(first.get(shift.by) ?? shift.x, shift.x));
  return [...first].sort(([one], [other]) => one - other);
}

function fingerprintRegion(region: ImageArea, { before, after, segments, mask, movedColumns }: AlignedChanges): string {
  const { side, x, y, width, height } = isWithinGap(region, segments) ? { ...region, x: 0, width: mask.width } : region;
  const hash = createHash('sha256').update(JSON.stringify([side, x, width, height]));
  const words = { before: wordsOf(before), after: wordsOf(after) };
  const row = new Uint32Array(2 + 4 * width);
  const isInserted =
    side === 'after' && movedColumns.some(({ inserted }) => inserted.some((area) => isWithin(area, region)));
  const moved = movedColumns.filter(({ area }) => isIntersecting(area, region));
  for (const segment of segments) {
    const top = Math.max(y, segment[side]);
    const bottom = Math.min(y + height, segment[side] + (hasRows(segment, side) ? segment.height : 0));
    if (top < bottom && segment.isSpace) hash.update(Uint32Array.of(SPACE, top));
    for (let line = top; line < bottom; line++) {
      if (segment.kind === 'paired' && side === 'after' && !isInserted)
        updateByMask(line, line - segment.after + segment.before);
      else updateWhole(line);
    }
  }
  return hash.digest('hex');

  /** Hashes only the changed pixels of a paired row: unchanged pixels may differ from page to page. */
  function updateByMask(line: number, beforeLine: number): void {
    const [one, other] = [beforeLine * before.width, line * after.width];
    const marks = mask.data.subarray(line * mask.width + x, (line + 1) * mask.width);
    const first = marks.indexOf(CHANGED);
    const last = x + width > mask.width ? width : Math.min(width, marks.lastIndexOf(CHANGED) + 1);
    if (first < 0 && last < width) return;
    row.set([ROW, line - y]);
    let length = 2;
    for (let at = first < 0 ? marks.length : first; at < last; at++) {
      const isBeyond = x + at >= mask.width;
      if (!isBeyond && marks[at] !== CHANGED) continue;
      row[length++] = at;
      row[length++] = isBeyond ? 0 : (words.before[one + x + at - offsetAt(x + at, line)] ?? 0);
      row[length++] = at;
      row[length++] = words.after[other + x + at] ?? 0;
    }
    hash.update(row.subarray(0, length));
  }

  function offsetAt(column: number, line: number): number {
    if (moved.length === 0) return 0;
    const pixel = { x: column, y: line, width: 1, height: 1 };
    return moved.find(({ area }) => isWithin(pixel, area))?.shift.by ?? 0;
  }

  function updateWhole(line: number): void {
    const start = line * (side === 'before' ? before : after).width + x;
    hash.update(Uint32Array.of(WHOLE, line - y));
    hash.update(words[side].subarray(start, start + width));
  }
}

/** Markers for what follows: changed pixels of a row, each with its x; a whole row; nothing. No x is as large. */
const [ROW, WHOLE, SPACE] = [0xffff_ffff, 0xffff_fffe, 0xffff_fffd];

/** Inserted or removed rows are hashed in their whole width: that of the region depends on what moved below it. */
function isWithinGap({ side, y, height }: ImageArea, segments: readonly Segment[]): boolean {
  const kind = side === 'after' ? 'inserted' : 'removed';
  return segments.some((gap) => gap.kind === kind && y >= gap[side] && y + height <= gap[side] + gap.height);
}
