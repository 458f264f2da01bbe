import type { Pixels } from '../../../src/model/image.js';
import { fill, type Hex, plot, sheet } from '../image/paint.js';

/** A pair, and what is counted in it: pixels that changed, pixels that anti-aliasing explains. */
export interface Golden {
  readonly name: string;
  readonly before: Pixels;
  readonly after: Pixels;
  readonly threshold?: number;
  readonly counts: readonly [mismatchPixels: number, antialiasedPixels: number];
}

const patch = { x: 40, y: 30, width: 20, height: 20 };
const white = sheet(120, 90);

function recolor(from: Hex, to: Hex, counted: number, threshold?: number): Golden {
  return {
    name: `20x20 of ${from} turn ${to}${threshold === undefined ? '' : ` at ${threshold}`}`,
    before: fill(white, patch, from),
    after: fill(white, patch, to),
    counts: [counted, 0],
    ...(threshold === undefined ? {} : { threshold }),
  };
}

// The table of field/pains.md, "What the default comparator does not see": at our default all of them count.
const seen: readonly (readonly [Hex, Hex])[] = [
  ['#ffffff', '#f0f0f0'],
  ['#ffffff', '#cccccc'],
  ['#ffffff', '#c0c0c0'],
  ['#ffffff', '#fee2e2'],
  ['#ffffff', '#fffbe6'],
  ['#666666', '#999999'],
  ['#000000', '#333333'],
  ['#3b82f6', '#1d4ed8'],
  ['#007bff', '#0056b3'],
  ['#ef4444', '#dc2626'],
  ['#22c55e', '#16a34a'],
  ['#0000ee', '#551a8b'],
  ['#28a745', '#dc3545'],
  ['#ffffff', '#e5e7eb'],
];

const edge = (smooth: boolean) =>
  plot(100, 100, (x, y) => (smooth && x === y ? [128, 128, 128] : x < y ? [0, 0, 0] : [255, 255, 255]));
const stripes = plot(1280, 60, (x, y) => (y % 20 < 10 ? [x % 256, 200, y] : [255, 255, 255]));
const cut = (pixels: Pixels, width: number, height: number) =>
  plot(width, height, (x, y) => [...pixels.data.subarray((y * pixels.width + x) * 4, (y * pixels.width + x) * 4 + 4)]);
const logo = (x: number) => fill(sheet(60, 40, '#00000000'), { x, y: 10, width: 10, height: 10 }, '#ffffff');

/** Pairs of images with what is counted in them. */
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
  {
    name: 'a hairline of #e5e7eb goes',
    before: fill(white, { x: 10, y: 40, width: 100, height: 1 }, '#e5e7eb'),
    after: white,
    counts: [100, 0],
  },
  {
    name: 'a dot of 1 pixel comes',
    before: white,
    after: fill(white, { x: 60, y: 45, width: 1, height: 1 }, '#000000'),
    counts: [1, 0],
  },
  {
    name: 'a dot of 1 pixel comes in a corner',
    before: white,
    after: fill(white, { x: 119, y: 89, width: 1, height: 1 }, '#e5e7eb'),
    counts: [1, 0],
  },
  { name: 'a diagonal edge gains its smoothing', before: edge(false), after: edge(true), counts: [0, 100] },
  {
    name: '7 white rows more at the bottom',
    before: stripes,
    after: plot(1280, 67, (x, y) =>
      y < 60 ? [...stripes.data.subarray((y * 1280 + x) * 4, (y * 1280 + x) * 4 + 4)] : [255, 255, 255],
    ),
    counts: [7 * 1280, 0],
  },
  { name: '7 white rows more at the top of a white page', before: white, after: sheet(120, 97), counts: [7 * 120, 0] },
  { name: '300 rows less', before: sheet(120, 400), after: sheet(120, 100), counts: [300 * 120, 0] },
  { name: '1 row more', before: white, after: sheet(120, 91), counts: [120, 0] },
  { name: '1265 wide, not 1280', before: stripes, after: cut(stripes, 1265, 60), counts: [15 * 60, 0] },
  {
    name: 'wider and lower: neither covers a corner',
    before: sheet(100, 80),
    after: sheet(120, 70),
    counts: [2400, 0],
  },
  {
    name: 'extra rows that are transparent count as well',
    before: white,
    after: fill(sheet(120, 92), { x: 0, y: 90, width: 120, height: 2 }, '#00000000'),
    counts: [240, 0],
  },
  { name: 'a white logo moves on transparency', before: logo(10), after: logo(30), counts: [200, 0] },
  {
    name: 'a white panel comes on transparency',
    before: sheet(30, 30, '#00000000'),
    after: fill(sheet(30, 30, '#00000000'), { x: 5, y: 5, width: 10, height: 10 }, '#ffffff'),
    counts: [100, 0],
  },
  {
    name: 'a black panel turns half transparent',
    before: sheet(30, 30, '#000000'),
    after: fill(sheet(30, 30, '#000000'), { x: 5, y: 5, width: 10, height: 10 }, '#00000080'),
    counts: [100, 0],
  },
  {
    name: 'the color of what is wholly transparent turns',
    before: sheet(30, 30, '#ff000000'),
    after: sheet(30, 30, '#0000ff00'),
    counts: [0, 0],
  },
];
