import { areaOf, overlapOf, unionOf } from '../image/canvas.js';
import type { Mask } from '../model/comparison.js';
import type { Pixels, Rectangle, Size } from '../model/image.js';
import { areasBeyond, clipAreas, spansOf } from './areas.js';
import { CHANGED } from './finding.js';

/**
 * Paints what differs, on the canvas that holds both images: what changed magenta, what did not a faint grey picture of
 * after, what only before covers in shades of orange, what only after covers in shades of blue, what neither covers
 * transparent. For readers of every colour vision: these three also differ in lightness, and the picture has no colour.
 * What is masked is hatched, light grey.
 *
 * @param mask - of the overlap; where the images have one size, nothing of `before` is read
 * @param masked - areas that did not count; what of them no image covers stays transparent
 */
export function renderDiff(before: Pixels, after: Pixels, mask: Mask, masked: readonly Rectangle[]): Pixels {
  const canvas = unionOf(before, after);
  const overlap = overlapOf(before, after);
  const colors = new Uint32Array(areaOf(canvas));
  for (const part of areasBeyond(after, before)) shade(colors, canvas, before, part, ORANGES);
  for (const part of areasBeyond(before, after)) shade(colors, canvas, after, part, BLUES);
  shade(colors, canvas, after, { x: 0, y: 0, ...overlap }, FAINT_GREYS);
  mark(colors, canvas, mask);
  for (const size of [before, after]) hatch(colors, canvas, clipAreas(masked, size));
  return { ...canvas, data: new Uint8Array(colors.buffer) };
}

type Color = readonly [red: number, green: number, blue: number];

const MAGENTA = packColor([214, 0, 147]);

// Few shades compress well.
const FAINT_GREYS = shadesOf([178, 178, 178], [255, 255, 255], 1);
const ORANGES = shadesOf([150, 75, 0], [255, 214, 153], 4);
const BLUES = shadesOf([0, 60, 130], [173, 216, 255], 4);

const HATCH_LINE = packColor([196, 196, 196]);
const HATCH_GROUND = packColor([232, 232, 232]);

/** Makes one colour for each lightness 0..255, from dark to light, every `step` of them the same. */
function shadesOf(dark: Color, light: Color, step: number): Uint32Array {
  return Uint32Array.from({ length: 256 }, (_, lightness) => {
    const share = (lightness - (lightness % step)) / (256 - step);
    const channel = (index: 0 | 1 | 2) => Math.round(dark[index] + (light[index] - dark[index]) * share);
    return packColor([channel(0), channel(1), channel(2)]);
  });
}

/** Packs an opaque colour as it lies in memory, whichever end this machine begins at. */
function packColor([red, green, blue]: Color): number {
  return new Uint32Array(Uint8Array.of(red, green, blue, 255).buffer)[0] ?? 0;
}

function shade(colors: Uint32Array, canvas: Size, image: Pixels, part: Rectangle, shades: Uint32Array): void {
  for (let y = part.y; y < part.y + part.height; y++) {
    let from = (y * image.width + part.x) * 4;
    const start = y * canvas.width + part.x;
    for (let to = start; to < start + part.width; to++, from += 4) {
      colors[to] = shades[lightnessAt(image.data, from)] ?? 0;
    }
  }
}

// Rec. 601 luma in 8 bits, on white where it is transparent.
function lightnessAt(data: Uint8Array, at: number): number {
  const luma = ((data[at] ?? 0) * 77 + (data[at + 1] ?? 0) * 150 + (data[at + 2] ?? 0) * 29) >> 8;
  const alpha = data[at + 3] ?? 255;
  return alpha === 255 ? luma : 255 - Math.round(((255 - luma) * alpha) / 255);
}

function mark(colors: Uint32Array, canvas: Size, mask: Mask): void {
  for (let at = mask.data.indexOf(CHANGED); at >= 0; at = mask.data.indexOf(CHANGED, at + 1)) {
    const y = Math.floor(at / mask.width);
    colors[y * canvas.width + (at % mask.width)] = MAGENTA;
  }
}

// Where areas overlap, their lines meet: they run by the canvas, not by the area.
function hatch(colors: Uint32Array, canvas: Size, areas: readonly Rectangle[]): void {
  for (const area of areas) {
    for (const [from, to] of spansOf(area, canvas.width)) {
      const slant = Math.floor(from / canvas.width) + (from % canvas.width);
      for (let at = from; at < to; at++) colors[at] = (slant + at - from) % 8 < 2 ? HATCH_LINE : HATCH_GROUND;
    }
  }
}
