import { encodeIndexedPng, isWithin, returnBytes, unionOf } from '../image/index.js';
import type { ChangeDescription, ChangeEvent, Pixels, Rectangle, Region, Shift } from '../model/index.js';
import { type Alignment, isMoved } from './align/align-images.js';
import type { MovedColumns } from './align/columns/align-columns.js';
import type { Columns, Segment } from './align/rows/align-rows.js';
import { type ImageArea, placeRegion, placeSegments } from './align/segments.js';
import { renderDiff } from './diff-image/diff-image.js';
import { fingerprintChanges } from './regions/fingerprint.js';
import { findRegions, regionOf, sortRegions } from './regions/regions.js';

/**
 * Describes the changes between two aligned images that differ: moved content, and changed, inserted and removed regions.
 * Renders the diff image.
 */
export async function describeChange(
  { before, after }: { readonly before: Pixels; readonly after: Pixels },
  alignment: Alignment,
  ignoredAreas: readonly Rectangle[],
): Promise<ChangeDescription> {
  const { segments, columns } = alignment;
  const diffSize = unionOf(before, after);
  const movedColumns = alignment.movedColumns.toSorted((a, b) => a.shift.y - b.shift.y || a.shift.x - b.shift.x);
  const regions = sortRegions(regionsOf(alignment));
  const images = { before, after, placed: placeSegments(segments, after, diffSize), movedColumns };
  const regionPlaces = regions.map((region) => placeRegion(region, region.gapOf !== null, images));
  const diffPixels = renderDiff({
    ...{ before, after, ...alignment, ignoredAreas },
    regions: regionPlaces.map(({ diff }) => diff),
  });
  const diff = encodeIndexedPng(diffPixels);
  const shifts = shiftsOf(segments);
  const fingerprint = fingerprintChanges({ before, after, ...alignment, regions, shifts });
  const description = {
    regions: regions.map(({ side, gapOf, ...region }) => (side === 'before' ? { ...region, side } : region)),
    regionPlaces,
    events: [...listRowEvents(segments, columns, regions), ...listColumnEvents(movedColumns, regions)],
    shifts,
    columnShifts: movedColumns.map(({ shift }) => shift),
    mismatchPixelsAfterAlignment: alignment.mismatchPixels,
    diff: await diff,
    diffSize,
    fingerprint,
  };
  returnBytes(diffPixels.data);
  return description;
}

type AlignedRegion = Omit<Region, 'side'> &
  ImageArea & {
    /** The sideways move that inserted or removed the region; null for all other regions. */
    readonly gapOf: MovedColumns | null;
  };

function regionsOf({ mask, gaps, movedColumns }: Alignment): AlignedRegion[] {
  const gapRegion = (side: ImageArea['side'], areas: readonly Rectangle[], gapOf: MovedColumns | null) => {
    const region = regionOf(areas);
    return region ? [{ ...region, side, gapOf }] : [];
  };
  return [
    ...findRegions(mask).map((region) => ({ ...region, side: 'after' as const, gapOf: null })),
    ...gaps.flatMap(({ side, areas }) => gapRegion(side, areas, null)),
    ...movedColumns.flatMap((moved) => gapRegion('after', moved.inserted, moved)),
    ...movedColumns.flatMap((moved) => gapRegion('before', moved.removed, moved)),
  ];
}

/** Returns the vertical shifts, from the top. */
function shiftsOf(segments: readonly Segment[]): Shift[] {
  return segments.filter(isMoved).map(({ before, after, height }) => ({ y: before, height, by: after - before }));
}

/** Rows of both images that are aligned, or rows between them. */
interface RowPair {
  readonly before: number;
  readonly after: number;
  readonly beforeHeight: number;
  readonly afterHeight: number;
}

/**
 * Lists insertions, removals and moves of rows, from the top. A section that moved between rows that did not move is one move.
 * Rows at the bottom that only one image has are not listed: nothing moved because of them.
 */
function listRowEvents(
  segments: readonly Segment[],
  [from, to]: Columns,
  regions: readonly AlignedRegion[],
): ChangeEvent[] {
  const paired = segments.filter(({ kind }) => kind === 'paired');
  const offsetAt = (index: number) => (index < 0 ? 0 : offsetOf(paired[index]));
  const isSection = (index: number) =>
    isShifted(offsetAt(index)) && offsetAt(index - 1) === 0 && offsetAt(index + 1) === 0;
  const listAll = (index: number): ChangeEvent[] => {
    const [rows, below] = [paired[index], paired[index + 1]];
    if (!rows || offsetAt(index) === offsetAt(index - 1) || isSection(index - 1)) return [];
    const gapsAbove = listGaps(gapBetween(paired[index - 1], rows));
    if (!below || !isSection(index)) return gapsAbove;
    const gaps = [...gapsAbove, ...listGaps(gapBetween(rows, below))];
    const [before, after] = [rectangleOf(rows.before, rows.height), rectangleOf(rows.after, rows.height)];
    return [
      {
        kind: 'moved',
        axis: 'rows',
        by: rows.after - rows.before,
        before,
        after,
        regions: gaps.flatMap((gap) => gap.regions),
      },
    ];
  };
  return paired.flatMap((_, index) => listAll(index));

  function rectangleOf(y: number, height: number): Rectangle {
    return { x: from, y, width: to - from, height };
  }

  function listGaps({ before, after, beforeHeight, afterHeight }: RowPair): ChangeEvent[] {
    const inserted = rectangleOf(after, afterHeight);
    const removed = rectangleOf(before, beforeHeight);
    const axis = 'rows' as const;
    return [
      {
        kind: 'inserted' as const,
        axis,
        by: afterHeight,
        before: null,
        after: inserted,
        regions: regionsIn('after', inserted),
      },
      {
        kind: 'removed' as const,
        axis,
        by: -beforeHeight,
        before: removed,
        after: null,
        regions: regionsIn('before', removed),
      },
    ].filter(({ by }) => by !== 0);
  }

  function regionsIn(side: ImageArea['side'], area: Rectangle): number[] {
    return regions.flatMap((region, index) => (region.side === side && isWithin(region, area) ? [index] : []));
  }
}

/** Returns the offset of paired rows. Beyond the last rows, it is not known. */
function offsetOf(rows: Segment | undefined): number | null {
  return rows ? rows.after - rows.before : null;
}

function isShifted(offset: number | null): boolean {
  return offset !== null && offset !== 0;
}

/** Returns the rows between two paired segments. Without a segment above, it starts at the top. */
function gapBetween(above: Segment | undefined, below: Segment): RowPair {
  const before = above ? above.before + above.height : 0;
  const after = above ? above.after + above.height : 0;
  return { before, after, beforeHeight: below.before - before, afterHeight: below.after - after };
}

/**
 * Lists sideways moves. If only one area moved by some distance, and an insertion or removal behind it is the cause, that
 * insertion or removal is listed instead.
 */
function listColumnEvents(moves: readonly MovedColumns[], regions: readonly AlignedRegion[]): ChangeEvent[] {
  return moves.map((moved): ChangeEvent => {
    const { x, y, width, height, by } = moved.shift;
    const before = { x, y, width, height };
    const isAlone = moves.filter(({ shift }) => shift.by === by).length === 1;
    const side = by > 0 ? 'after' : 'before';
    const gap = regions.flatMap((region, index) => (region.gapOf === moved && region.side === side ? [index] : []));
    if (!isAlone || gap.length === 0) {
      return { kind: 'moved', axis: 'columns', by, before, after: moved.content, regions: [] };
    }
    const strip = { x: moved.area.x, width: Math.abs(by), height };
    return by > 0
      ? { kind: 'inserted', axis: 'columns', by, before: null, after: { ...strip, y: moved.content.y }, regions: gap }
      : { kind: 'removed', axis: 'columns', by, before: { ...strip, y }, after: null, regions: gap };
  });
}
