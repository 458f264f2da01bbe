import { type Color, type IndexedPixels, overlapOf } from '../../image/index.js';
import type { Rectangle, Size } from '../../model/index.js';
import { clipAreas, spansOf } from '../areas.js';

/** Fills a rectangle, as far as it is within the diff image. */
export function fillArea(diffPixels: IndexedPixels, area: Rectangle, color: number): void {
  for (const inside of clipAreas([area], diffPixels)) {
    for (const [from, to] of spansOf(inside, diffPixels.width)) diffPixels.data.fill(color, from, to);
  }
}

/** Draws a frame around each area and its number next to it, from 1. Frames never cover changes, numbers rarely do. */
export function drawNumbered(diffPixels: IndexedPixels, areas: readonly Rectangle[]): void {
  frameAreas(diffPixels, areas);
  for (const [index, area] of areas.entries()) label(diffPixels, area, String(index + 1));
}

/** Draws a frame around each area, outside of its changed pixels. */
export function frameAreas(diffPixels: IndexedPixels, areas: readonly Rectangle[]): void {
  for (const area of areas) {
    frame(diffPixels, area, GAP + 1, PALETTE_INDEX.paper);
    frame(diffPixels, area, GAP, PALETTE_INDEX.ink);
  }
}

const GAP = 2;

function frame(diffPixels: IndexedPixels, area: Rectangle, gap: number, color: number): void {
  const left = Math.max(0, area.x - gap);
  const top = Math.max(0, area.y - gap);
  const width = Math.min(diffPixels.width - 1, area.x + area.width - 1 + gap) - left + 1;
  const height = Math.min(diffPixels.height - 1, area.y + area.height - 1 + gap) - top + 1;
  const sides = [
    { x: left, y: top, width, height: 1 },
    { x: left, y: top + height - 1, width, height: 1 },
    { x: left, y: top, width: 1, height },
    { x: left + width - 1, y: top, width: 1, height },
  ];
  for (const side of sides) {
    for (const [from, to] of spansOf(side, diffPixels.width)) {
      for (let at = from; at < to; at++) if (!isMark(diffPixels.data[at])) diffPixels.data[at] = color;
    }
  }
}

function isMark(color: number | undefined): boolean {
  return color === PALETTE_INDEX.changed || color === PALETTE_INDEX.antialiased;
}

function label(diffPixels: IndexedPixels, area: Rectangle, number: string): void {
  const box = placeLabel(diffPixels, area, {
    width: 2 * PADDING + number.length * (DIGIT_WIDTH + 1) * DOT - DOT,
    height: 2 * PADDING + DIGIT_HEIGHT * DOT,
  });
  fillArea(diffPixels, box, PALETTE_INDEX.ink);
  for (const [index, digit] of [...number].entries()) {
    const x = box.x + PADDING + index * (DIGIT_WIDTH + 1) * DOT;
    drawDigit(diffPixels, Number(digit), x, box.y + PADDING);
  }
}

function placeLabel({ width, height, data }: IndexedPixels, area: Rectangle, size: Size): Rectangle {
  const [left, top] = [area.x - GAP, area.y - GAP];
  const positions = [
    { x: left, y: top - size.height },
    { x: left, y: area.y + area.height + GAP },
    { x: left - size.width, y: top },
    { x: area.x + area.width + GAP, y: top },
  ].map(({ x, y }) => ({
    x: Math.max(0, Math.min(x, width - size.width)),
    y: Math.max(0, Math.min(y, height - size.height)),
    // A diff image may be smaller than a label.
    ...overlapOf(size, { width, height }),
  }));
  const isFree = (box: Rectangle) =>
    [...spansOf(box, width)].every(([from, to]) => !data.subarray(from, to).some(isMark));
  const [first = { x: 0, y: 0, width: 0, height: 0 }] = positions;
  return positions.find(isFree) ?? first;
}

const DOT = 2;
const DIGIT_WIDTH = 3;
const DIGIT_HEIGHT = 5;
const PADDING = 3;

/** The glyphs of 0 to 9: five rows of three dots, one octal digit per row. */
const DIGITS = [0o75557, 0o26227, 0o71747, 0o71717, 0o55711, 0o74717, 0o74757, 0o71111, 0o75757, 0o75717];

function drawDigit(diffPixels: IndexedPixels, digit: number, left: number, top: number): void {
  const last = DIGIT_WIDTH * DIGIT_HEIGHT - 1;
  for (let dot = 0; dot <= last; dot++) {
    if ((((DIGITS[digit] ?? 0) >> (last - dot)) & 1) === 0) continue;
    const [x, y] = [left + (dot % DIGIT_WIDTH) * DOT, top + Math.floor(dot / DIGIT_WIDTH) * DOT];
    fillArea(diffPixels, { x, y, width: DOT, height: DOT }, PALETTE_INDEX.paper);
  }
}

/** The number of bits per shade. A low number of shades compresses well. */
const SHADE_BITS = 5;
const SHADES = 2 ** SHADE_BITS;

/**
 * Indexes into {@link DIFF_PALETTE}; 0 is transparent. Changed, inserted and removed content also differ in lightness, and unchanged content
 * is grey, so that the diff image is readable with every color vision.
 */
export const PALETTE_INDEX = {
  /** Magenta. */
  changed: 1,
  /** Pale violet: differs by anti-aliasing only. */
  antialiased: 2,
  hatchLine: 3,
  hatchGround: 4,
  ink: 5,
  paper: 6,
  /** Orange: the position of removed content without room. */
  removedBar: 7,
  /** The first of SHADES greys, from dark to light. */
  faint: 8,
  /** The first of SHADES shades of orange. */
  removed: 8 + SHADES,
  /** The first of SHADES shades of blue. */
  inserted: 8 + 2 * SHADES,
} as const;

/** The colors of the diff image. */
export const DIFF_PALETTE: readonly Color[] = [
  [0, 0, 0],
  [214, 0, 147],
  [205, 180, 235],
  [196, 196, 196],
  [232, 232, 232],
  [24, 24, 24],
  [255, 255, 255],
  [196, 98, 0],
  ...shadesOf([178, 178, 178], [255, 255, 255]),
  ...shadesOf([150, 75, 0], [255, 214, 153]),
  ...shadesOf([0, 60, 130], [173, 216, 255]),
];

/**
 * Writes the palette indexes of RGBA pixels, composited onto white, as shades by Rec. 601 luma.
 *
 * @param words - one word per pixel, red in the lowest byte
 * @param first - the palette index of the darkest shade
 * @param target - receives one byte per pixel
 */
export function shadePixels(words: Uint32Array, first: number, target: Uint8Array): void {
  let last = words[0] ?? 0;
  let shade = shadeOf(last);
  for (let i = 0; i < words.length; i++) {
    const word = words[i] ?? 0;
    // Most pixels of a page repeat the pixel to their left.
    if (word !== last) shade = shadeOf(word);
    last = word;
    target[i] = first + shade;
  }
}

function shadeOf(word: number): number {
  const luma = ((word & 0xff) * RED + ((word >>> 8) & 0xff) * GREEN + ((word >>> 16) & 0xff) * BLUE) >> 8;
  const onWhite = 255 - Math.round(((255 - luma) * (word >>> 24)) / 255);
  return onWhite >> (8 - SHADE_BITS);
}

/** Weights of Rec. 601 luma. Their sum is 256. */
const [RED, GREEN, BLUE] = [77, 150, 29];

function shadesOf(dark: Color, light: Color): Color[] {
  return Array.from({ length: SHADES }, (_, shade) => {
    const channel = (index: 0 | 1 | 2) =>
      Math.round(dark[index] + ((light[index] - dark[index]) * shade) / (SHADES - 1));
    return [channel(0), channel(1), channel(2)] as const;
  });
}
