/** The filters of a row: https://www.w3.org/TR/png-3/#9Filter-types. */
const NONE: u8 = 0;
const SUB: u8 = 1;
const UP: u8 = 2;
const AVERAGE: u8 = 3;
const PAETH: u8 = 4;

/**
 * Undoes the filters of PNG rows of 8 bits a channel and spreads them to RGBA.
 *
 * @param from - the rows as they are filtered, each with the byte of its filter; four bytes behind the last are read as well
 * @param to - takes the pixels; the row before it is the one above the first, or {@link startRows}' where there is none
 * @param channels - bytes of a pixel: 3 or 4
 * @returns how many rows have a filter that there is: fewer than `rows` where one has not
 */
export function unfilterRows(from: usize, to: usize, width: i32, rows: i32, channels: i32): i32 {
  const bytes = <usize>channels;
  const stride: usize = 1 + <usize>width * bytes;
  const length = (<usize>width) << 2;
  for (let row = 0; row < rows; row++, from += stride, to += length) {
    const filter = load<u8>(from);
    if (filter > PAETH) return row;
    const input = from + 1;
    if (filter === NONE) undoUp(input, to, to, length, bytes, false);
    else if (filter === UP) undoUp(input, to, to - length, length, bytes, true);
    else if (filter === SUB) undoSub(input, to, length, bytes);
    else if (filter === AVERAGE) undoAverage(input, to, to - length, length, bytes);
    else undoPaeth(input, to, to - length, length, bytes);
  }
  return rows;
}

/** Writes what PNG has above its first row: zeros, which are opaque where pixels have no alpha. */
export function startRows(to: usize, width: i32, channels: i32): void {
  for (let x = 0; x < width; x++) store<i32>(to + ((<usize>x) << 2), channels === 3 ? OPAQUE : 0);
}

const OPAQUE: i32 = 0xff000000;

/** What is taken of four bytes that begin with a pixel. */
function ownBytes(bytes: usize): v128 {
  return i32x4.splat(bytes === 3 ? 0x00ffffff : -1);
}

/** The pixel to the left of the first. */
function leftOfFirst(bytes: usize): v128 {
  return i32x4.splat(bytes === 3 ? OPAQUE : 0);
}

/** Four pixels at a time; without a row above, they stand as they are. */
function undoUp(from: usize, to: usize, above: usize, length: usize, bytes: usize, hasAbove: bool): void {
  const opaque = leftOfFirst(bytes);
  const own = ownBytes(bytes);
  const end = to + length;
  for (; to + 16 <= end; to += 16, above += 16, from += bytes << 2) {
    const packed = v128.load(from);
    const spread = bytes === 3 ? spreadPixels(packed) : packed;
    v128.store(to, hasAbove ? i8x16.add(spread, v128.load(above)) : v128.or(spread, opaque));
  }
  for (; to < end; to += 4, above += 4, from += bytes) {
    const pixel = v128.and(v128.load32_zero(from), own);
    storePixel(to, hasAbove ? i8x16.add(pixel, v128.load32_zero(above)) : v128.or(pixel, opaque));
  }
}

function undoSub(from: usize, to: usize, length: usize, bytes: usize): void {
  const own = ownBytes(bytes);
  let left = leftOfFirst(bytes);
  for (const end = to + length; to < end; to += 4, from += bytes) {
    left = i8x16.add(left, v128.and(v128.load32_zero(from), own));
    storePixel(to, left);
  }
}

function undoAverage(from: usize, to: usize, above: usize, length: usize, bytes: usize): void {
  const own = ownBytes(bytes);
  const one = i8x16.splat(1);
  let left = leftOfFirst(bytes);
  for (const end = to + length; to < end; to += 4, above += 4, from += bytes) {
    const up = v128.load32_zero(above);
    // The instruction rounds up.
    const mean = i8x16.sub(i8x16.avgr_u(left, up), v128.and(v128.xor(left, up), one));
    left = i8x16.add(mean, v128.and(v128.load32_zero(from), own));
    storePixel(to, left);
  }
}

function undoPaeth(from: usize, to: usize, above: usize, length: usize, bytes: usize): void {
  const own = ownBytes(bytes);
  const byte = i16x8.splat(0xff);
  let left = i16x8.extend_low_i8x16_u(leftOfFirst(bytes));
  let corner = left;
  for (const end = to + length; to < end; to += 4, above += 4, from += bytes) {
    const up = i16x8.extend_low_i8x16_u(v128.load32_zero(above));
    const upLessCorner = i16x8.sub(up, corner);
    const leftLessCorner = i16x8.sub(left, corner);
    const fromLeft = i16x8.abs(upLessCorner);
    const fromUp = i16x8.abs(leftLessCorner);
    const fromCorner = i16x8.abs(i16x8.add(upLessCorner, leftLessCorner));
    const least = i16x8.min_s(fromCorner, i16x8.min_s(fromLeft, fromUp));
    const upOrCorner = v128.bitselect(up, corner, i16x8.eq(least, fromUp));
    const nearest = v128.bitselect(left, upOrCorner, i16x8.eq(least, fromLeft));
    const pixel = i16x8.extend_low_i8x16_u(v128.and(v128.load32_zero(from), own));
    left = v128.and(i16x8.add(nearest, pixel), byte);
    storePixel(to, i8x16.narrow_i16x8_u(left, left));
    corner = up;
  }
}

/** Four pixels of RGB to four of RGBA whose alpha is 0. */
function spreadPixels(packed: v128): v128 {
  return v128.shuffle<u8>(packed, i8x16.splat(0), 0, 1, 2, 16, 3, 4, 5, 16, 6, 7, 8, 16, 9, 10, 11, 16);
}

function storePixel(to: usize, pixel: v128): void {
  store<i32>(to, i32x4.extract_lane(pixel, 0));
}
