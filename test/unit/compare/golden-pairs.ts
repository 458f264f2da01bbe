import { cropPixels } from '../../../src/image/canvas.js';
import type { Pixels } from '../../../src/model/image.js';
import { DEFAULTS } from '../../../src/model/page-fields.js';
import { fill, type Hex, plot, sheet } from '../image/paint.js';
import { put } from './paint-page.js';

/** A pair, and what is counted in it: pixels that changed, pixels that anti-aliasing explains. */
export interface Golden {
  readonly name: string;
  readonly before: Pixels;
  readonly after: Pixels;
  readonly threshold: number;
  readonly counts: readonly [mismatchPixels: number, antialiasedPixels: number];
}

const patch = { x: 40, y: 30, width: 20, height: 20 };
const white = sheet(120, 90);

export function golden(
  name: string,
  before: Pixels,
  after: Pixels,
  counts: Golden['counts'],
  threshold: number = DEFAULTS.threshold,
): Golden {
  return { name, before, after, counts, threshold };
}

function recolor(from: Hex, to: Hex, counted: number, threshold?: number): Golden {
  const name = `20x20 of ${from} turn ${to}${threshold === undefined ? '' : ` at ${threshold}`}`;
  return golden(name, fill(white, patch, from), fill(white, patch, to), [counted, 0], threshold);
}

// The table of field/pains.md, "What the default comparator does not see": at our default all of them count.
const seen: readonly (readonly [Hex, Hex])[] = [
  ['#ffffff', '#f0f0f0'],
  ['#ffffff', '#fee2e2'],
  ['#ffffff', '#fffbe6'],
  ['#666666', '#999999'],
  ['#000000', '#333333'],
  ['#3b82f6', '#1d4ed8'],
  ['#ef4444', '#dc2626'],
  ['#0000ee', '#551a8b'],
  ['#28a745', '#dc3545'],
  ['#ffffff', '#e5e7eb'],
];

const edge = (smooth: boolean) =>
  plot(100, 100, (x, y) => (smooth && x === y ? [128, 128, 128] : x < y ? [0, 0, 0] : [255, 255, 255]));
const stripes = plot(1280, 60, (x, y) => (y % 20 < 10 ? [x % 256, 200, y] : [255, 255, 255]));
const taller = (pixels: Pixels, by: number, color: Hex = '#ffffff') =>
  put(sheet(pixels.width, pixels.height + by, color), pixels, 0);
const dot = (x: number, y: number, color: Hex) => fill(white, { x, y, width: 1, height: 1 }, color);
const [clear, black] = [sheet(30, 30, '#00000000'), sheet(30, 30, '#000000')];
const panel = { x: 5, y: 5, width: 10, height: 10 };
const logo = (x: number) => fill(sheet(60, 40, '#00000000'), { x, y: 10, width: 10, height: 10 }, '#ffffff');

export const PAIRS: readonly Golden[] = [
  ...seen.map(([from, to]) => recolor(from, to, 400)),
  recolor('#ffffff', '#fefefe', 400, 0),
  recolor('#ffffff', '#fffffe', 400, 0),
  recolor('#ffffff', '#fefefe', 0),
  recolor('#ffffff', '#fdfdfd', 400),
  recolor('#808080', '#828080', 400),
  recolor('#808080', '#808082', 400),
  recolor('#808080', '#827f83', 400),
  recolor('#808080', '#817f81', 0),
  recolor('#808080', '#827f83', 0, 0.006),
  recolor('#ffffff', '#f0f0f0', 0, 0.1),
  recolor('#ffffff', '#c0c0c0', 400, 0.2),
  recolor('#ffffff', '#000000', 0, 1),
  golden(
    'a hairline of #e5e7eb goes',
    fill(white, { x: 10, y: 40, width: 100, height: 1 }, '#e5e7eb'),
    white,
    [100, 0],
  ),
  golden('a dot of 1 pixel comes in a corner', white, dot(119, 89, '#e5e7eb'), [1, 0]),
  golden('an image of 1x1 turns black', sheet(1, 1), sheet(1, 1, '#000000'), [1, 0]),
  golden('all but one pixel of an image goes', white, sheet(1, 1), [120 * 90 - 1, 0]),
  golden('a diagonal edge gains its smoothing', edge(false), edge(true), [0, 100]),
  golden('7 white rows more at the bottom', stripes, taller(stripes, 7), [7 * 1280, 0]),
  golden('7 white rows more at the top of a white page', white, sheet(120, 97), [7 * 120, 0]),
  golden('300 rows less', sheet(120, 400), sheet(120, 100), [300 * 120, 0]),
  golden('1 row more', white, sheet(120, 91), [120, 0]),
  golden('1265 wide, not 1280', stripes, cropPixels(stripes, { x: 0, y: 0, width: 1265, height: 60 }), [15 * 60, 0]),
  golden('wider and lower: neither covers a corner', sheet(100, 80), sheet(120, 70), [2400, 0]),
  golden('extra rows that are transparent count as well', white, taller(white, 2, '#00000000'), [240, 0]),
  golden('a white logo moves on transparency', logo(10), logo(30), [200, 0]),
  golden('a white panel comes on transparency', clear, fill(clear, panel, '#ffffff'), [100, 0]),
  golden('a black panel turns half transparent', black, fill(black, panel, '#00000080'), [100, 0]),
  golden('a transparent color turns', sheet(30, 30, '#ff000000'), sheet(30, 30, '#0000ff00'), [0, 0]),
];
