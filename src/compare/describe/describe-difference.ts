import { encodeIndexedPng, isWithin, returnBytes, unionOf } from '../../image/index.js';
import type { ChangeDescription, ChangeEvent, Rectangle, Region } from '../../model/index.js';
import type { ImagePair, MovedColumns } from '../align/align-columns.js';
import type { Alignment } from '../align/align-images.js';
import { type Columns, type ImageSide, isMoved, type Segment } from '../align/align-rows.js';
import { type ImageArea, placeRegion, placeSegments } from '../align/segments.js';
import { findRegions, regionOf, sortRegions } from '../regions.js';
import { renderDiff } from './diff-image.js';
import { fingerprintChanges } from './fingerprint.js';

type AlignedRegion = Omit<Region, 'side'> &
  ImageArea & {
    /** The sideways move that inserted or removed the region; null for all other regions. */
    readonly gapOf: MovedColumns | null;
  };

/** Describes the changes between two aligned images that differ, and renders the diff image. */
export async function describeDifference(images: ImagePair, alignment: Alignment): Promise<ChangeDescription> {
  const { before, after } = images;
  const { segments, columns } = alignment;
  const diffSize = unionOf(before, after);
  const movedColumns = alignment.movedColumns.toSorted((a, b) => a.shift.y - b.shift.y || a.shift.x - b.shift.x);
  const regions = sortRegions(listRegions(alignment));
  const aligned = { before, after, placed: placeSegments(segments, after, diffSize), movedColumns };
  const regionPlaces = regions.map((region) => placeRegion(region, region.gapOf !== null, aligned));
  const framed = regionPlaces.map(({ diff }) => diff);
  const diffPixels = renderDiff({ ...images, ...alignment, regions: framed });
  const diff = encodeIndexedPng(diffPixels);
  const moved = segments.filter(isMoved);
  const shifts = moved.map(({ before: y, after: to, height }) => ({ y, height, by: to - y }));
  const description = {
    regions: regions.map(({ side, gapOf, ...region }) => (side === 'before' ? { ...region, side } : region)),
    regionPlaces,
    contentMoves: [...listRowMoves(segments, columns, regions), ...listColumnMoves(movedColumns, regions)],
    shifts,
    columnShifts: movedColumns.map(({ shift }) => shift),
    mismatchPixelsAfterAlignment: alignment.mismatchPixels,
    fingerprint: fingerprintChanges({ ...images, ...alignment, regions, shifts }),
    diff: await diff,
    diffSize,
  };
  returnBytes(diffPixels.data);
  return description;
}

function listRegions({ mask, gaps, movedColumns }: Alignment): AlignedRegion[] {
  const gapRegion = (side: ImageSide, areas: readonly Rectangle[], gapOf: MovedColumns | null) => {
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

/** Lists insertions, removals and moves of rows, from the top. Nothing moved because of rows at the bottom that only one image has. */
function listRowMoves(
  segments: readonly Segment[],
  [from, to]: Columns,
  regions: readonly AlignedRegion[],
): ChangeEvent[] {
  const paired = segments.filter(({ kind }) => kind === 'paired');
  /** Returns the distance by which paired rows moved; null beyond the last ones, where it is not known. */
  const offsetAt = (index: number) => {
    const rows = paired[index];
    return index < 0 ? 0 : rows ? rows.after - rows.before : null;
  };
  const isSection = (index: number) =>
    Boolean(offsetAt(index)) && offsetAt(index - 1) === 0 && offsetAt(index + 1) === 0;
  return paired.flatMap((rows, index): ChangeEvent[] => {
    if (offsetAt(index) === offsetAt(index - 1) || isSection(index - 1)) return [];
    const gapsAbove = listGaps(paired[index - 1], rows);
    const below = paired[index + 1];
    if (!below || !isSection(index)) return gapsAbove;
    const [before, after] = [rectangleOf(rows.before, rows.height), rectangleOf(rows.after, rows.height)];
    const gapRegions = [...gapsAbove, ...listGaps(rows, below)].flatMap((gap) => gap.regions);
    return [{ kind: 'moved', axis: 'rows', by: rows.after - rows.before, before, after, regions: gapRegions }];
  });

  function rectangleOf(y: number, height: number): Rectangle {
    return { x: from, y, width: to - from, height };
  }

  /** Lists what lies between two paired segments. Without a segment above, the gap starts at the top. */
  function listGaps(above: Segment | undefined, below: Segment): ChangeEvent[] {
    const before = above ? above.before + above.height : 0;
    const after = above ? above.after + above.height : 0;
    const gaps = { after: rectangleOf(after, below.after - after), before: rectangleOf(before, below.before - before) };
    return (['after', 'before'] as const).flatMap((side) => {
      const isIn = (region: AlignedRegion) => region.side === side && isWithin(region, gaps[side]);
      return gaps[side].height > 0 ? [gapEvent('rows', side, gaps[side], indexesOf(regions, isIn))] : [];
    });
  }
}

function gapEvent(axis: ChangeEvent['axis'], side: ImageSide, area: Rectangle, regions: number[]): ChangeEvent {
  const size = axis === 'rows' ? area.height : area.width;
  return side === 'after'
    ? { kind: 'inserted', axis, by: size, before: null, after: area, regions }
    : { kind: 'removed', axis, by: -size, before: area, after: null, regions };
}

function indexesOf(regions: readonly AlignedRegion[], matches: (region: AlignedRegion) => boolean): number[] {
  return regions.flatMap((region, index) => (matches(region) ? [index] : []));
}

/** Lists sideways moves, or in place of the only one by some distance, the insertion or removal that is its cause. */
function listColumnMoves(moves: readonly MovedColumns[], regions: readonly AlignedRegion[]): ChangeEvent[] {
  return moves.map((moved): ChangeEvent => {
    const { by, ...before } = moved.shift;
    const isAlone = moves.filter(({ shift }) => shift.by === by).length === 1;
    const side = by > 0 ? 'after' : 'before';
    const gap = indexesOf(regions, (region) => region.gapOf === moved && region.side === side);
    if (!isAlone || gap.length === 0)
      return { kind: 'moved', axis: 'columns', by, before, after: moved.content, regions: [] };
    const { y, height } = by > 0 ? moved.content : before;
    return gapEvent('columns', side, { x: moved.area.x, y, width: Math.abs(by), height }, gap);
  });
}
