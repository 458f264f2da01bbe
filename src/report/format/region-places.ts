import { isWithin } from '../../image/canvas.js';
import type { Rectangle } from '../../model/image.js';
import type { ShotRecord } from '../../model/run-record.js';

type Images = Pick<ShotRecord, 'before' | 'after' | 'shifts' | 'columnShifts'>;
type Region = ShotRecord['regions'][number];

/** Position of a region in each image; null if the image does not contain it. */
export interface Places {
  readonly before: Rectangle | null;
  readonly after: Rectangle | null;
  readonly diff: Rectangle;
}

/**
 * Returns the positions of a shot's regions in its images. The shifts of the record determine the rows of all three images. Rows
 * between two shifts are unmoved, inserted or removed; the difference of the shifts is the number of inserted or removed rows.
 * Regions in content that moved sideways have their original position in the before image.
 */
export function placeRegions(shot: Images & Pick<ShotRecord, 'regions'>): Places[] {
  const rows = matchRows(shot);
  const moves = listSidewaysMoves(shot);
  return shot.regions.map((region) =>
    placeSideways(dropBeyondWidth(placeRegion(region, rows), region, shot), region, moves),
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

/** A group of rows: their start in each image, or null in an image without them. */
interface Rows {
  readonly before: number | null;
  readonly after: number | null;
  readonly height: number;
  /** Start in the diff image, which shows removed rows only if it has room. */
  readonly diff: number;
  readonly isShown: boolean;
}

function placeRegion({ side, x, y, width, height }: Region, rows: readonly Rows[]): Places {
  const ownSide = side ?? 'after';
  const other = ownSide === 'after' ? 'before' : 'after';
  const first = rowsAt(rows, ownSide, y);
  const last = rowsAt(rows, ownSide, y + height - 1);
  const at = (to: 'before' | 'after' | 'diff') => {
    const [top, bottom] = [rowIn(first, ownSide, to, y), rowIn(last, ownSide, to, y + height - 1)];
    return top === null || bottom === null ? null : { x, y: top, width, height: bottom - top + 1 };
  };
  const place = { x, y, width, height };
  return { before: place, after: place, [other]: at(other), diff: at('diff') ?? place };
}

/** Removes positions beyond the right edge of the narrower image. */
function dropBeyondWidth(places: Places, { x }: Region, { before, after }: Images): Places {
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

/** Matches the rows of both images. */
function matchRows({ before, after, shifts }: Images): Rows[] {
  const heights = { before: before?.height ?? 0, after: after?.height ?? 0 };
  const segments = [...(shifts ?? []), null].reduce<Segments>(
    (matched, shift) => {
      if (!shift) return closeRows(matched, heights);
      const gap = addGap(matched, { before: shift.y, after: shift.y + shift.by });
      return pushRows(gap, { before: shift.y, after: shift.y + shift.by, height: shift.height });
    },
    { before: 0, after: 0, parts: [] },
  );
  return placeInDiff(segments.parts, Math.max(heights.before, heights.after) - heights.after);
}

type Part = Pick<Rows, 'before' | 'after' | 'height'> & { readonly isPushedOut?: true };

/** The matched rows so far, and their end in each image. */
interface Segments {
  readonly before: number;
  readonly after: number;
  readonly parts: readonly Part[];
}

function pushRows(matched: Segments, part: Part): Segments {
  if (part.height <= 0) return matched;
  return {
    before: part.before === null ? matched.before : part.before + part.height,
    after: part.after === null ? matched.after : part.after + part.height,
    parts: [...matched.parts, part],
  };
}

const insert = (matched: Segments, height: number) => pushRows(matched, { before: null, after: matched.after, height });
const remove = (matched: Segments, height: number) =>
  pushRows(matched, { before: matched.before, after: null, height });
const pair = (matched: Segments, height: number) =>
  pushRows(matched, { before: matched.before, after: matched.after, height });

/** Adds the rows between two shifts: insertions or removals only, or unmoved rows with insertions and removals around them. */
function addGap(matched: Segments, until: { before: number; after: number }): Segments {
  const rows = { before: until.before - matched.before, after: until.after - matched.after };
  if (rows.before === 0 || rows.after === 0) return remove(insert(matched, rows.after), rows.before);
  const back = resetOffset(matched);
  const by = until.after - until.before;
  const unmoved = pair(back, (by < 0 ? until.after : until.before) - back.before);
  return remove(insert(unmoved, until.after - unmoved.after), until.before - unmoved.before);
}

/** Adds the rows after the last shift: unmoved rows, rows of one image only, and rows pushed out at the bottom. */
function closeRows(matched: Segments, { before, after }: { before: number; after: number }): Segments {
  const offset = matched.after - matched.before;
  const rest = { before: before - matched.before, after: after - matched.after };
  if (rest.after <= 0 && matched.parts.length > 0) {
    const left = Math.min(rest.before, Math.max(0, offset));
    const removed = remove(matched, rest.before - left);
    return pushRows(removed, { before: removed.before, after: null, height: left, isPushedOut: true });
  }
  if (rest.before <= 0 && matched.parts.length > 0) return insert(matched, rest.after);
  const back = resetOffset(matched);
  const unmoved = pair(back, Math.min(before - back.before, after - back.after));
  return remove(insert(unmoved, after - unmoved.after), before - unmoved.before);
}

/** Adds the insertion or removal that resets the offset to 0 before unmoved rows. */
function resetOffset(matched: Segments): Segments {
  const offset = matched.after - matched.before;
  return offset > 0 ? remove(matched, offset) : insert(matched, -offset);
}

/** Assigns rows of the diff image. It shows all rows of after, and from the top as many removed rows as fit. */
function placeInDiff(parts: readonly Part[], freeRows: number): Rows[] {
  let [y, left] = [0, freeRows];
  return parts.map((part) => {
    const isShown = part.after !== null || (!part.isPushedOut && part.height <= left);
    const placed = { ...part, diff: y, isShown };
    if (isShown) y += part.height;
    if (isShown && part.after === null) left -= part.height;
    return placed;
  });
}

type ColumnShift = NonNullable<ShotRecord['columnShifts']>[number];

/** A sideways move: the content in the after image, its inserted columns in after, and its removed columns in before. */
export interface SidewaysMove {
  readonly shift: ColumnShift;
  readonly after: Rectangle;
  readonly inserted: Rectangle;
  readonly removed: Rectangle;
}

/** Returns the sideways moves in the record of a shot. */
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
