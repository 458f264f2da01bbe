import { decodeImage, returnBytes } from '../image/index.js';
import type { EncodedImage, Pixels, Rectangle } from '../model/index.js';

/** The same content in two images. */
export interface SamePlace {
  readonly before: Rectangle;
  readonly after: Rectangle;
  /** Compares the mean colors of the whole rectangles, whatever is written in them. @default false */
  readonly isWhole?: boolean;
}

/** Side of the blocks whose mean colors are compared, and the distance between two blocks, in pixels: a block covers about one glyph. */
const BLOCK = { size: 8, step: 4 };

/**
 * Measures how much two images differ for an eye that does not see how edges and glyphs are smoothed: a low-pass filter, then a color
 * distance, as in S-CIELAB (Zhang and Wandell, 1996). The filter is the mean of a block of 8x8 px, and the distance is that of YIQ, as in
 * pixelmatch.
 *
 * @param places - where to look. Sizes are those of after
 * @param reach - how far the content may have moved, in pixels: each block has the distance of the nearest block of before
 * @returns the largest distance in each place, 0 to 255
 * @throws ProofsheetError `image-damaged`
 */
export async function measureBlurred(
  before: EncodedImage,
  after: EncodedImage,
  places: readonly SamePlace[],
  reach: number,
): Promise<number[]> {
  if (places.length === 0) return [];
  const one = await decodeImage(before, 'the before image');
  const other = await decodeImage(after, 'the after image');
  const distances = places.map((place) =>
    place.isWhole
      ? distanceOf(meanOf(other, place.after), meanOf(one, place.before))
      : largestDistance(one, other, place, reach),
  );
  returnBytes(one.data);
  returnBytes(other.data);
  return distances;
}

function largestDistance(before: Pixels, after: Pixels, place: SamePlace, reach: number): number {
  const { size, step } = BLOCK;
  const [shiftX, shiftY] = [place.before.x - place.after.x, place.before.y - place.after.y];
  const [left, top] = [Math.max(0, place.after.x), Math.max(0, place.after.y)];
  const right = Math.min(after.width - size, Math.max(left, place.after.x + place.after.width - size));
  const bottom = Math.min(after.height - size, Math.max(top, place.after.y + place.after.height - size));
  let largest = 0;
  for (let y = Math.min(top, bottom); y <= bottom; y += step)
    for (let x = Math.min(left, right); x <= right; x += step)
      largest = Math.max(
        largest,
        nearestDistance(before, meanOf(after, blockAt(x, y)), { x: x + shiftX, y: y + shiftY }, reach),
      );
  return largest;
}

function nearestDistance(image: Pixels, color: Mean | null, { x, y }: { x: number; y: number }, reach: number): number {
  let nearest = distanceOf(color, meanOf(image, blockAt(x, y)));
  for (let ring = 1; ring <= reach; ring++)
    for (let dy = -ring; dy <= ring && nearest > NEGLIGIBLE; dy++)
      for (let dx = -ring; dx <= ring; dx += Math.abs(dy) === ring ? 1 : 2 * ring)
        nearest = Math.min(nearest, distanceOf(color, meanOf(image, blockAt(x + dx, y + dy))));
  return nearest;
}

/** A distance that needs no search for a nearer block. */
const NEGLIGIBLE = 4;

type Mean = readonly [red: number, green: number, blue: number];

function blockAt(x: number, y: number): Rectangle {
  return { x, y, width: BLOCK.size, height: BLOCK.size };
}

function meanOf({ data, ...image }: Pixels, { x, y, width, height }: Rectangle): Mean | null {
  if (x < 0 || y < 0 || x + width > image.width || y + height > image.height) return null;
  let [red, green, blue] = [0, 0, 0];
  for (let row = y; row < y + height; row++) {
    for (let at = 4 * (row * image.width + x), end = at + 4 * width; at < end; at += 4) {
      red += data[at] ?? 0;
      green += data[at + 1] ?? 0;
      blue += data[at + 2] ?? 0;
    }
  }
  const count = width * height;
  return [red / count, green / count, blue / count];
}

/** The YIQ distance with the weights of Kotsarenko and Ramos (2010), 0 to about 255; 0 if after has no such block, infinite if before has none. */
function distanceOf(color: Mean | null, other: Mean | null): number {
  if (color === null) return 0;
  if (other === null) return Number.POSITIVE_INFINITY;
  const [r, g, b] = [color[0] - other[0], color[1] - other[1], color[2] - other[2]];
  const y = 0.29889531 * r + 0.58662247 * g + 0.11448223 * b;
  const i = 0.59597799 * r - 0.2741761 * g - 0.32180189 * b;
  const q = 0.21147017 * r - 0.52261711 * g + 0.31114694 * b;
  return Math.sqrt(0.5053 * y * y + 0.299 * i * i + 0.1957 * q * q) * Math.SQRT2;
}
