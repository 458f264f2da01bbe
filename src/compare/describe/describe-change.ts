import { encodeIndexedPng, returnBytes, unionOf } from '../../image/index.js';
import type { ChangeDescription, Pixels, Rectangle, Shift } from '../../model/index.js';
import type { MovedColumns } from '../align/align-columns.js';
import { type Alignment, isMoved } from '../align/align-images.js';
import type { ImageSide, Segment } from '../align/align-rows.js';
import { placeRegion, placeSegments } from '../align/segments.js';
import { findRegions, regionOf, sortRegions } from '../regions.js';
import { type AlignedRegion, listColumnMoves, listRowMoves } from './content-moves.js';
import { renderDiff } from './diff-image.js';
import { fingerprintChanges } from './fingerprint.js';

/**
 * Describes the changes between two aligned images that differ: moved content, and changed, inserted and removed regions.
 * Renders the diff image.
 */
export async function describeChange(
  images: { readonly before: Pixels; readonly after: Pixels },
  alignment: Alignment,
  ignoredAreas: readonly Rectangle[],
): Promise<ChangeDescription> {
  const { before, after } = images;
  const { segments, columns } = alignment;
  const diffSize = unionOf(before, after);
  const movedColumns = alignment.movedColumns.toSorted((a, b) => a.shift.y - b.shift.y || a.shift.x - b.shift.x);
  const regions = sortRegions(listRegions(alignment));
  const aligned = { before, after, placed: placeSegments(segments, after, diffSize), movedColumns };
  const regionPlaces = regions.map((region) => placeRegion(region, region.gapOf !== null, aligned));
  const numbered = regionPlaces.map(({ diff }) => diff);
  const diffPixels = renderDiff({ ...images, ...alignment, ignoredAreas, regions: numbered });
  const diff = encodeIndexedPng(diffPixels);
  const shifts = shiftsOf(segments);
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

function shiftsOf(segments: readonly Segment[]): Shift[] {
  return segments.filter(isMoved).map(({ before, after, height }) => ({ y: before, height, by: after - before }));
}
