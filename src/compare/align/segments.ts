import { isWithin } from '../../image/index.js';
import type { Rectangle, RegionPlace, Size } from '../../model/index.js';
import type { MovedColumns } from './align-columns.js';
import { hasRows, type ImageSide, type Segment } from './align-rows.js';

export interface ImageArea extends Rectangle {
  readonly side: ImageSide;
}

/** A segment and its position in the diff image. */
export interface PlacedSegment extends Segment {
  /** First row in the diff image. */
  readonly y: number;
  /** Whether its rows are shown. Otherwise there is only a bar at `y`. */
  readonly isShown: boolean;
}

/** Returns the segments of two images without movement. */
export function unmovedSegments(before: Size, after: Size): Segment[] {
  const height = Math.min(before.height, after.height);
  const beyond = { before: height, after: height, isSpace: false } as const;
  const segments: Segment[] = [
    { kind: 'paired', before: 0, after: 0, height, isSpace: false },
    { kind: 'inserted', ...beyond, height: after.height - height },
    { kind: 'removed', ...beyond, height: before.height - height },
  ];
  return segments.filter((segment) => segment.height > 0);
}

/** Positions segments from the top: all rows of after and, as far as the canvas has room, the removed rows between them. */
export function placeSegments(segments: readonly Segment[], after: Size, canvas: Size): PlacedSegment[] {
  let room = canvas.height - after.height;
  let y = 0;
  return segments.map((segment) => {
    const isShown = segment.kind !== 'left' && (segment.kind !== 'removed' || segment.height <= room);
    const placed = { ...segment, y, isShown };
    if (isShown && segment.kind === 'removed') room -= segment.height;
    if (isShown) y += segment.height;
    return placed;
  });
}

/** Returns the position of a rectangle in the diff image. Rows that are not shown have the position of their bar. */
export function placeInDiff({ side, x, y, width, height }: ImageArea, placed: readonly PlacedSegment[]): Rectangle {
  const [top = y, bottom = y] = [y, y + height - 1].map((row) => {
    const segment = segmentAt(row, side, placed);
    if (!segment) return row;
    return segment.isShown ? segment.y + row - segment[side] : segment.y;
  });
  return { x, y: top, width, height: bottom - top + 1 };
}

interface PlacedImages {
  readonly before: Size;
  readonly after: Size;
  readonly placed: readonly PlacedSegment[];
  readonly movedColumns: readonly MovedColumns[];
}

/**
 * Returns the rectangle of a region in both images and in the diff image.
 *
 * @param isColumnGap - the region consists of columns that one image has in addition
 */
export function placeRegion(region: ImageArea, isColumnGap: boolean, images: PlacedImages): RegionPlace {
  const { side, x, y, width, height } = region;
  const otherSide = side === 'after' ? 'before' : 'after';
  const isBeyond = x >= images[otherSide].width;
  const other = isColumnGap || isBeyond ? null : placeInOther(region, otherSide, images);
  const own = { x, y, width, height };
  const diff = placeInDiff(region, images.placed);
  return side === 'after' ? { before: other, after: own, diff } : { before: own, after: other, diff };
}

/** Returns the position of a rectangle in the other image; null if that image does not contain its first or last row. */
function placeInOther(region: ImageArea, otherSide: ImageSide, images: PlacedImages): Rectangle | null {
  const { placed, movedColumns } = images;
  const { side, x, y, width, height } = region;
  const [top = null, bottom = null] = [y, y + height - 1].map((row) => {
    const segment = segmentAt(row, side, placed);
    return segment && hasRows(segment, otherSide) ? segment[otherSide] + row - segment[side] : null;
  });
  if (top === null || bottom === null) return null;
  const moved = side === 'after' && movedColumns.find(({ content }) => isWithin(region, content));
  return { x: moved ? x - moved.shift.by : x, y: top, width, height: bottom - top + 1 };
}

function segmentAt(row: number, side: ImageSide, placed: readonly PlacedSegment[]): PlacedSegment | undefined {
  return placed.find((part) => hasRows(part, side) && row >= part[side] && row < part[side] + part.height);
}
