import { createHash, type Hash } from 'node:crypto';
import { isWithin } from '../../image/canvas.js';
import type { Mask, Shift } from '../../model/comparison.js';
import type { Pixels } from '../../model/image.js';
import type { MovedColumns } from '../align/columns/align-columns.js';
import { wordsOf } from '../align/columns/column-offset.js';
import type { Found } from '../align/judge-moved.js';
import type { Segment } from '../align/rows/align-rows.js';
import { CHANGED } from '../engines/pixel-diff.js';
import { doMeet } from './areas.js';

/** Two images, how their rows lie on one another, and what was found. */
interface Findings {
  readonly before: Pixels;
  readonly after: Pixels;
  readonly segments: readonly Segment[];
  /** What changed in paired rows, by the rows of after. */
  readonly mask: Mask;
  readonly found: readonly Found[];
  readonly shifts: readonly Shift[];
  readonly movedColumns: readonly MovedColumns[];
}

/**
 * Returns one hash of all that changed: the same for two comparisons in which the same pixels became the same others, at the
 * same distance from the left and at any from the top, and moved what is below by as much. So a header that changed on
 * pages of many heights is one change, and a page on which anything else changed as well has another hash. Empty space
 * that came or went looks the same everywhere: its place counts too. Of what moved sideways, how far it did and from where
 * on, from the left.
 */
export function fingerprintChanges(findings: Findings): string {
  const regions = findings.found.map((region) => fingerprintRegion(region, findings)).sort();
  const moves = findings.shifts.map(({ by }) => by);
  return createHash('sha256')
    .update(JSON.stringify([regions, moves, ...sidewaysOf(findings.movedColumns)]))
    .digest('hex');
}

/** One content moves in more pieces than another: each distance counts once. */
function sidewaysOf(moved: readonly MovedColumns[]): (readonly [by: number, x: number])[] {
  const first = new Map<number, number>();
  for (const { shift } of moved) first.set(shift.by, Math.min(first.get(shift.by) ?? shift.x, shift.x));
  return [...first].sort(([one], [other]) => one - other);
}

function fingerprintRegion(region: Found, { before, after, segments, mask, movedColumns }: Findings): string {
  const { side, x, y, width, height } = isWithinGap(region, segments) ? { ...region, x: 0, width: mask.width } : region;
  const hash = createHash('sha256').update(JSON.stringify([side, x, width, height]));
  const words = { before: wordsOf(before), after: wordsOf(after) };
  const rows = gatherWords(hash);
  const isPutIn =
    side === 'after' && movedColumns.some(({ inserted }) => inserted.some((area) => isWithin(area, region)));
  const moved = movedColumns.filter(({ area }) => doMeet(area, region));
  for (const segment of segments) {
    const top = Math.max(y, segment[side]);
    const bottom = Math.min(y + height, segment[side] + (hasRows(segment, side) ? segment.height : 0));
    if (top < bottom && segment.isSpace) rows.push(SPACE, top);
    for (let line = top; line < bottom; line++) {
      if (segment.kind === 'paired' && side === 'after' && !isPutIn)
        updateByMask(line, line - segment.after + segment.before);
      else updateWhole(line);
    }
  }
  rows.end();
  return hash.digest('hex');

  /** Of a row that both have, only what changed: what is beside it may be another on every page. */
  function updateByMask(line: number, beforeLine: number): void {
    const [one, other] = [beforeLine * before.width, line * after.width];
    const marks = mask.data.subarray(line * mask.width + x, (line + 1) * mask.width);
    const first = marks.indexOf(CHANGED);
    const last = x + width > mask.width ? width : Math.min(width, marks.lastIndexOf(CHANGED) + 1);
    if (first < 0 && last < width) return;
    rows.push(ROW, line - y);
    for (let at = first < 0 ? marks.length : first; at < last; at++) {
      const isBeyond = x + at >= mask.width;
      if (!isBeyond && marks[at] !== CHANGED) continue;
      rows.push(at, isBeyond ? 0 : (words.before[one + x + at - byAt(x + at, line)] ?? 0));
      rows.push(at, words.after[other + x + at] ?? 0);
    }
  }

  function byAt(column: number, line: number): number {
    if (moved.length === 0) return 0;
    const pixel = { x: column, y: line, width: 1, height: 1 };
    return moved.find(({ area }) => isWithin(pixel, area))?.shift.by ?? 0;
  }

  function updateWhole(line: number): void {
    const start = line * (side === 'before' ? before : after).width + x;
    rows.push(WHOLE, line - y);
    rows.pushAll(words[side].subarray(start, start + width));
  }
}

/** What follows a mark: pixels of a row that changed, each with its place; a whole row; nothing. No place is as large. */
const [ROW, WHOLE, SPACE] = [0xffff_ffff, 0xffff_fffe, 0xffff_fffd];

/** Hands words to a hash, many at a time: a call for each row takes longer than the hash itself. */
function gatherWords(hash: Hash) {
  const gathered = new Uint32Array(4096);
  let length = 0;
  const hand = (words: Uint32Array) =>
    void hash.update(new Uint8Array(words.buffer, words.byteOffset, words.byteLength));
  const end = () => {
    hand(gathered.subarray(0, length));
    length = 0;
  };
  return {
    push(one: number, other: number): void {
      if (length + 2 > gathered.length) end();
      gathered[length++] = one;
      gathered[length++] = other;
    },
    pushAll(words: Uint32Array): void {
      end();
      hand(words);
    },
    end,
  };
}

/** In how many columns rows came in depends on what moved below them: such rows are told by their whole width. */
function isWithinGap({ side, y, height }: Found, segments: readonly Segment[]): boolean {
  const kind = side === 'after' ? 'inserted' : 'removed';
  return segments.some((gap) => gap.kind === kind && y >= gap[side] && y + height <= gap[side] + gap.height);
}

function hasRows({ kind }: Segment, side: Found['side']): boolean {
  return side === 'before' ? kind !== 'inserted' && kind !== 'entered' : kind !== 'removed' && kind !== 'left';
}
