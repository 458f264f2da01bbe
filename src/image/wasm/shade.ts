/**
 * Writes which of the shades of grey from dark to light each pixel of RGBA has, laid on white: Rec. 601 luma.
 *
 * @param first - the byte of the darkest shade
 * @param bits - how many bits a shade has, at most 8
 */
export function shadePixels(from: usize, to: usize, pixels: i32, first: i32, bits: i32): void {
  const opaque = i32x4.splat(0xff000000);
  const weights = i16x8(RED, GREEN, BLUE, 0, RED, GREEN, BLUE, 0);
  const firsts = i32x4.splat(first);
  const end = to + <usize>pixels;
  while (to < end) {
    const four = v128.load(from);
    if (to + 4 <= end && i32x4.all_true(i32x4.eq(v128.and(four, opaque), opaque))) {
      const low = i32x4.dot_i16x8_s(i16x8.extend_low_i8x16_u(four), weights);
      const high = i32x4.dot_i16x8_s(i16x8.extend_high_i8x16_u(four), weights);
      const even = v128.shuffle<i32>(low, high, 0, 2, 4, 6);
      const odd = v128.shuffle<i32>(low, high, 1, 3, 5, 7);
      const shade = i32x4.add(i32x4.shr_u(i32x4.add(even, odd), 16 - bits), firsts);
      const short = i16x8.narrow_i32x4_u(shade, shade);
      store<i32>(to, i32x4.extract_lane(i8x16.narrow_i16x8_u(short, short), 0));
      to += 4;
      from += 16;
    } else {
      store<u8>(to, <u8>(first + shadeOf(load<u32>(from), bits)));
      to++;
      from += 4;
    }
  }
}

/** Their sum is 256. */
const RED: i16 = 77;
const GREEN: i16 = 150;
const BLUE: i16 = 29;

function shadeOf(word: u32, bits: i32): i32 {
  const luma = ((word & 0xff) * <u32>RED + ((word >> 8) & 0xff) * <u32>GREEN + ((word >> 16) & 0xff) * <u32>BLUE) >> 8;
  // To the nearest whole number; a half there is not.
  const onWhite = 255 - ((255 - luma) * (word >> 24) + 127) / 255;
  return <i32>(onWhite >> (8 - bits));
}
