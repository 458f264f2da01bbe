import type { Rectangle, Size } from '../model/image.js';
import type { Segment } from './align.js';

/** A segment in its place in the diff image. */
export interface Placed extends Segment {
  readonly y: number;
  /** Whether its rows are shown; else there is only a mark at `y`. */
  readonly isShown: boolean;
}

/** A rectangle of one of the images. */
export interface Found extends Rectangle {
  readonly side: 'before' | 'after';
}

/** Gives the segments of two images of which nothing moved; what one has alone at the bottom is inserted or removed. */
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

/** Lays segments below one another: all that after has, and between it what was removed, as long as there is room. */
export function placeSegments(segments: readonly Segment[], after: Size, canvas: Size): Placed[] {
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

/** Gives where a rectangle of an image lies in the diff image; of rows that are not shown, the mark. */
export function placeFound(found: Found, placed: readonly Placed[]): Rectangle {
  const { side, x, width } = found;
  const top = placeRow(found.y, side, placed);
  const bottom = placeRow(found.y + found.height - 1, side, placed);
  return { x, y: top, width, height: bottom - top + 1 };
}

function placeRow(row: number, side: Found['side'], placed: readonly Placed[]): number {
  const other = side === 'before' ? 'inserted' : 'removed';
  const holder = placed.find(
    (part) => part.kind !== other && row >= part[side] && row < part[side] + part.height && ownsRows(part, side),
  );
  if (!holder) return row;
  return holder.isShown ? holder.y + row - holder[side] : holder.y;
}

function ownsRows({ kind }: Placed, side: Found['side']): boolean {
  return side === 'before' ? kind !== 'entered' : kind !== 'left';
}
