import { isWithin } from '../../image/canvas.js';
import type { Rectangle } from '../../model/image.js';
import type { ShotRecord } from '../../model/run-record.js';

type Images = Pick<ShotRecord, 'before' | 'after' | 'shifts' | 'columnShifts'>;
type Region = ShotRecord['regions'][number];

/** Where a region lies in each image; null where an image does not have it. */
export interface Places {
  readonly before: Rectangle | null;
  readonly after: Rectangle | null;
  readonly diff: Rectangle;
}

/**
 * Returns where the regions of a shot lie in its images. A record tells what moved; the rows of the three images follow from
 * it: what is between two shifts stayed, or is as many rows as their difference, inserted or removed. What changed in what
 * moved sideways has its place in before where it came from.
 */
export function placeRegions(shot: Images & Pick<ShotRecord, 'regions'>): Places[] {
  const rows = layRows(shot);
  const moves = listSidewaysMoves(shot);
  return shot.regions.map((region) =>
    placeSideways(dropBeside(placeRegion(region, rows), region, shot), region, moves),
  );
}

function placeSideways(places: Places, region: Region, moves: readonly SidewaysMove[]): Places {
  if (region.side === 'before') {
    return moves.some(({ removed }) => isWithin(region, removed)) ? { ...places, after: null } : places;
  }
  if (moves.some(({ inserted }) => isWithin(region, inserted))) return { ...places, before: null };
  const move = moves.find(({ after }) => isWithin(region, after));
  return move && places.before ? { ...places, before: { ...places.before, x: region.x - move.shift.by } } : places;
}

/** Rows of one kind, from the top: where they begin in each image, null in one that does not have them. */
interface Rows {
  readonly before: number | null;
  readonly after: number | null;
  readonly height: number;
  /** Where they begin in the diff image, which shows removed rows only where it has room. */
  readonly diff: number;
  readonly isShown: boolean;
}

function placeRegion({ side, x, y, width, height }: Region, rows: readonly Rows[]): Places {
  const own = side ?? 'after';
  const other = own === 'after' ? 'before' : 'after';
  const first = rowsAt(rows, own, y);
  const last = rowsAt(rows, own, y + height - 1);
  const at = (to: 'before' | 'after' | 'diff') => {
    const [top, bottom] = [rowIn(first, own, to, y), rowIn(last, own, to, y + height - 1)];
    return top === null || bottom === null ? null : { x, y: top, width, height: bottom - top + 1 };
  };
  const place = { x, y, width, height };
  return { before: place, after: place, [other]: at(other), diff: at('diff') ?? place };
}

/** What is beside the narrower image is only in the wider. */
function dropBeside(places: Places, { x }: Region, { before, after }: Images): Places {
  return {
    ...places,
    before: before && x < before.width ? places.before : null,
    after: after && x < after.width ? places.after : null,
  };
}

function rowsAt(rows: readonly Rows[], side: 'before' | 'after', row: number): Rows | undefined {
  return rows.find((part) => {
    const start = part[side];
    return start !== null && row >= start && row < start + part.height;
  });
}

function rowIn(
  part: Rows | undefined,
  from: 'before' | 'after',
  to: 'before' | 'after' | 'diff',
  row: number,
): number | null {
  const [start, target] = [part?.[from] ?? null, part?.[to] ?? null];
  if (!part || start === null || target === null) return null;
  return to === 'diff' && !part.isShown ? target : target + row - start;
}

/** Lays the rows of both images on one another. */
function layRows({ before, after, shifts }: Images): Rows[] {
  const heights = { before: before?.height ?? 0, after: after?.height ?? 0 };
  const segments = [...(shifts ?? []), null].reduce<Segments>(
    (laid, shift) => {
      if (!shift) return closeRows(laid, heights);
      const gap = layGap(laid, { before: shift.y, after: shift.y + shift.by });
      return pushRows(gap, { before: shift.y, after: shift.y + shift.by, height: shift.height });
    },
    { before: 0, after: 0, parts: [] },
  );
  return placeInDiff(segments.parts, Math.max(heights.before, heights.after) - heights.after);
}

type Part = Pick<Rows, 'before' | 'after' | 'height'> & { readonly hasLeft?: true };

/** What was laid so far, and how far it reaches in each image. */
interface Segments {
  readonly before: number;
  readonly after: number;
  readonly parts: readonly Part[];
}

function pushRows(laid: Segments, part: Part): Segments {
  if (part.height <= 0) return laid;
  return {
    before: part.before === null ? laid.before : part.before + part.height,
    after: part.after === null ? laid.after : part.after + part.height,
    parts: [...laid.parts, part],
  };
}

const insert = (laid: Segments, height: number) => pushRows(laid, { before: null, after: laid.after, height });
const remove = (laid: Segments, height: number) => pushRows(laid, { before: laid.before, after: null, height });
const pair = (laid: Segments, height: number) => pushRows(laid, { before: laid.before, after: laid.after, height });

/** Between two shifts: only inserted or only removed rows, or some that stayed and what leads to them and away. */
function layGap(laid: Segments, until: { before: number; after: number }): Segments {
  const rows = { before: until.before - laid.before, after: until.after - laid.after };
  if (rows.before === 0 || rows.after === 0) return remove(insert(laid, rows.after), rows.before);
  const back = stepBack(laid);
  const by = until.after - until.before;
  const stayed = pair(back, (by < 0 ? until.after : until.before) - back.before);
  return remove(insert(stayed, until.after - stayed.after), until.before - stayed.before);
}

/** After the last shift: what stayed, what only one image has, and what left at the bottom because all above moved. */
function closeRows(laid: Segments, { before, after }: { before: number; after: number }): Segments {
  const offset = laid.after - laid.before;
  const rest = { before: before - laid.before, after: after - laid.after };
  if (rest.after <= 0 && laid.parts.length > 0) {
    const left = Math.min(rest.before, Math.max(0, offset));
    const removed = remove(laid, rest.before - left);
    return pushRows(removed, { before: removed.before, after: null, height: left, hasLeft: true });
  }
  if (rest.before <= 0 && laid.parts.length > 0) return insert(laid, rest.after);
  const back = stepBack(laid);
  const stayed = pair(back, Math.min(before - back.before, after - back.after));
  return remove(insert(stayed, after - stayed.after), before - stayed.before);
}

/** Where rows stay after others that moved, as many come in or go out between them. */
function stepBack(laid: Segments): Segments {
  const offset = laid.after - laid.before;
  return offset > 0 ? remove(laid, offset) : insert(laid, -offset);
}

/** The diff image has all rows of after, and of those that were removed as many as it has room for, from the top. */
function placeInDiff(parts: readonly Part[], room: number): Rows[] {
  let [y, left] = [0, room];
  return parts.map((part) => {
    const isShown = part.after !== null || (!part.hasLeft && part.height <= left);
    const placed = { ...part, diff: y, isShown };
    if (isShown) y += part.height;
    if (isShown && part.after === null) left -= part.height;
    return placed;
  });
}

type ColumnShift = NonNullable<ShotRecord['columnShifts']>[number];

/** Where content that moved sideways is in after, and the columns beside it that came in, in after, and went out, in before. */
export interface SidewaysMove {
  readonly shift: ColumnShift;
  readonly after: Rectangle;
  readonly inserted: Rectangle;
  readonly removed: Rectangle;
}

/** Returns what moved sideways in a shot, as its record tells it. */
export function listSidewaysMoves({
  shifts,
  columnShifts,
}: Pick<ShotRecord, 'shifts' | 'columnShifts'>): SidewaysMove[] {
  return (columnShifts ?? []).map((shift) => {
    const { x, y, width, height, by } = shift;
    const down = shifts?.find((rows) => y >= rows.y && y < rows.y + rows.height)?.by ?? 0;
    const [behind, ahead] = by > 0 ? [x, x + width] : [x + width + by, x + by];
    return {
      shift,
      after: { x: x + by, y: y + down, width, height },
      inserted: { x: behind, y: y + down, width: Math.abs(by), height },
      removed: { x: ahead, y, width: Math.abs(by), height },
    };
  });
}
