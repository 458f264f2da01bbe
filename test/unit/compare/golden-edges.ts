import type { Pixels } from '../../../src/model/image.js';
import { plot } from '../image/paint.js';
import { type Golden, golden } from './golden-pairs.js';

type Shape = (x: number, y: number) => boolean;

const SIZE = 80;
const disc =
  (cx: number, cy: number, r: number): Shape =>
  (x, y) =>
    (x - cx) ** 2 + (y - cy) ** 2 < r * r;
const ring =
  (cx: number, cy: number, r: number, stroke: number): Shape =>
  (x, y) =>
    Math.abs(Math.sqrt((x - cx) ** 2 + (y - cy) ** 2) - r) < stroke / 2;
const slope =
  (rise: number, from: number): Shape =>
  (x, y) =>
    y > rise * x + from;

/** Paints a shape on white, its edges smoothed by so many samples each way; by 1, not at all. */
function paint(isIn: Shape, samples = 8, ink: readonly number[] = [0, 0, 0]): Pixels {
  return plot(SIZE, SIZE, (x, y) => {
    let inside = 0;
    for (let i = 0; i < samples * samples; i++) {
      const [dx, dy] = [(i % samples) + 0.5, Math.floor(i / samples) + 0.5];
      if (isIn(x + dx / samples, y + dy / samples)) inside++;
    }
    return ink.map((channel) => Math.round(255 + ((channel - 255) * inside) / samples ** 2));
  });
}

const hairline = (at: number) =>
  plot(SIZE, SIZE, (_, y) => (y === at ? [229, 231, 235] : y > 40 ? [209, 213, 219] : [255, 255, 255]));

const blue = [59, 130, 246];
const disc12 = paint(disc(40, 40, 12));
const disc33 = paint(disc(40, 40, 33.3));
const ring2 = paint(ring(40, 40, 20, 2));
const edge = paint(slope(0.5, 9));

/** Where the line runs between an edge that was smoothed otherwise and a change. */
export const EDGES: readonly Golden[] = [
  // Smoothed otherwise: passed.
  golden('a disc is smoothed by fewer samples', disc12, paint(disc(40, 40, 12), 4), [0, 52]),
  golden('a large disc is smoothed by fewer samples', disc33, paint(disc(40, 40, 33.3), 4), [0, 148]),
  golden('a ring is smoothed by fewer samples', ring2, paint(ring(40, 40, 20, 2), 4), [0, 216]),
  golden('a disc lies 0.2 pixels further', disc12, paint(disc(40.2, 40, 12)), [0, 92]),
  golden('an edge lies 0.25 pixels lower', edge, paint(slope(0.5, 9.25)), [0, 120]),
  golden('an edge loses its smoothing', edge, paint(slope(0.5, 9), 1), [0, 80]),
  golden('a diagonal edge loses its smoothing', paint(slope(1, 9)), paint(slope(1, 9), 1), [0, 71]),
  golden('a shallow edge loses its smoothing', paint(slope(0.05, 9)), paint(slope(0.05, 9), 1), [0, 72]),
  // A shape that lost its smoothing: changed.
  golden('a small disc loses its smoothing', paint(disc(40, 40, 5)), paint(disc(40, 40, 5), 1), [28, 0]),
  golden('a disc loses its smoothing', disc12, paint(disc(40, 40, 12), 1), [76, 0]),
  golden('a large disc loses its smoothing', disc33, paint(disc(40, 40, 33.3), 1), [220, 0]),
  golden('a ring loses its smoothing', ring2, paint(ring(40, 40, 20, 2), 1), [280, 0]),
  // Moved by a pixel: changed.
  golden('a disc moves by a pixel', disc12, paint(disc(41, 40, 12)), [80, 44]),
  golden('a large disc moves by a pixel', disc33, paint(disc(41, 40, 33.3)), [240, 108]),
  golden('a ring moves by a pixel', ring2, paint(ring(40, 41, 20, 2)), [326, 106]),
  golden('an edge moves by a pixel', edge, paint(slope(0.5, 10)), [160, 0]),
  // Another color, another weight, another shape: changed.
  golden('a disc turns blue', disc12, paint(disc(40, 40, 12), 8, blue), [448, 36]),
  golden('a ring turns blue', ring2, paint(ring(40, 40, 20, 2), 8, blue), [240, 152]),
  golden('a stroke turns heavier', ring2, paint(ring(40, 40, 20, 2.6)), [43, 325]),
  golden('a disc opens to a ring', paint(disc(40, 40, 4)), paint(ring(40, 40, 3, 2)), [16, 0]),
  golden('a hairline comes beside a border', hairline(-1), hairline(40), [80, 0]),
];
