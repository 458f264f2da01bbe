import { unionOf } from '../image/canvas.js';
import type { IndexedPixels } from '../image/encode-indexed-png.js';
import type { Mask } from '../model/comparison.js';
import type { Pixels, Rectangle } from '../model/image.js';
import type { Columns, Segment } from './align.js';
import { clipAreas, spansOf } from './areas.js';
import { DIFF_PALETTE, PLACE, shadeAt } from './diff-colors.js';
import { drawNumbered } from './diff-numbers.js';
import { CHANGED } from './finding.js';
import { type Found, type Placed, placeFound, placeSegments } from './layout.js';

/** What a diff image shows. */
export interface Scene {
  /** Read only where it shows something that after has not. */
  readonly before: Pixels;
  readonly after: Pixels;
  readonly segments: readonly Segment[];
  /** Between which rows were inserted and removed; outside, all stayed. */
  readonly columns: Columns;
  /** What changed in the rows of after that are paired. */
  readonly mask: Mask;
  /** What did not count. */
  readonly masked: readonly Rectangle[];
  /** What is numbered, in this order. */
  readonly found: readonly Found[];
}

/**
 * Paints what happened, on the canvas that holds both images: after as a faint grey picture, in it what changed magenta and
 * what was inserted blue; what was removed orange, where there is room, else a bar at its place; what differs by anti-aliasing
 * only pale violet; what is masked hatched; what neither covers transparent. Regions are framed and numbered.
 */
export function renderDiff(scene: Scene): IndexedPixels {
  const { before, after, segments, found, mask, masked } = scene;
  const canvas = unionOf(before, after);
  const picture = { ...canvas, data: new Uint8Array(canvas.width * canvas.height), palette: DIFF_PALETTE };
  const placed = placeSegments(segments, after, canvas);
  for (const part of placed) if (part.isShown) paintRows(picture, part, scene);
  for (const part of placed) hatch(picture, clipAreas(masked, part.kind === 'removed' ? before : after), part);
  for (const part of placed) if (part.kind === 'removed' && !part.isShown) paintBar(picture, part, scene.columns);
  for (const part of placed) if (part.kind === 'paired') paintMarks(picture, mask, part);
  drawNumbered(
    picture,
    found.map((region) => placeFound(region, placed)),
  );
  return picture;
}

function paintRows(picture: IndexedPixels, part: Placed, { before, after, columns: [from, to] }: Scene): void {
  const shared = Math.min(before.width, after.width);
  for (let row = 0; row < part.height; row++) {
    const at = (part.y + row) * picture.width;
    const [b, a] = [part.before + row, part.after + row];
    if (part.kind === 'removed') shade(picture, at, before, b, [0, before.width], PLACE.removed);
    else {
      shade(picture, at, after, a, [0, shared], PLACE.faint);
      if (part.kind === 'inserted') shade(picture, at, after, a, [from, to], PLACE.inserted);
      if (part.kind === 'paired') shade(picture, at, before, b, [shared, before.width], PLACE.removed);
      shade(picture, at, after, a, [shared, after.width], PLACE.inserted);
    }
  }
}

function shade(
  picture: IndexedPixels,
  at: number,
  image: Pixels,
  row: number,
  [from, to]: Columns,
  first: number,
): void {
  const { data, width } = image;
  const words = new Uint32Array(data.buffer, data.byteOffset, width * image.height);
  const start = row * width;
  const places = picture.data;
  let last = -1;
  let place = 0;
  for (let x = from; x < to; x++) {
    const word = words[start + x] ?? 0;
    if (word !== last) {
      last = word;
      place = first + shadeAt(data, (start + x) * 4);
    }
    places[at + x] = place;
  }
}

function paintMarks({ data, width }: IndexedPixels, mask: Mask, { y, after, height }: Placed): void {
  const end = (after + height) * mask.width;
  for (let at = after * mask.width; at < end; at++) {
    const kind = mask.data[at];
    if (kind === 0) continue;
    const row = Math.floor(at / mask.width);
    data[(row - after + y) * width + (at % mask.width)] = kind === CHANGED ? PLACE.changed : PLACE.smoothed;
  }
}

const BAR = 2;

function paintBar({ data, width, height }: IndexedPixels, { y }: Placed, [from, to]: Columns): void {
  for (let row = Math.max(0, y - BAR); row < Math.min(height, y + BAR); row++) {
    data.fill(PLACE.removedBar, row * width + from, row * width + to);
  }
}

// Where areas overlap, their lines meet: they run by the canvas, not by the area.
function hatch({ data, width }: IndexedPixels, areas: readonly Rectangle[], part: Placed): void {
  if (!part.isShown) return;
  const start = part.kind === 'removed' ? part.before : part.after;
  for (const area of areas) {
    const top = Math.max(area.y, start);
    const height = Math.min(area.y + area.height, start + part.height) - top;
    for (const [from, to] of spansOf({ ...area, y: top - start + part.y, height }, width)) {
      const slant = Math.floor(from / width) + (from % width);
      for (let at = from; at < to; at++) {
        data[at] = (slant + at - from) % 8 < 2 ? PLACE.hatchLine : PLACE.hatchGround;
      }
    }
  }
}
