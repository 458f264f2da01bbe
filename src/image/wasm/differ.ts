/** What a mask has for a pixel that changed, and for one that differs by anti-aliasing only: as in compare/finding.ts. */
const CHANGED: u8 = 1;
const ANTI_ALIASED: u8 = 2;

let smoothedPixels: i32 = 0;

/** Returns how many pixels the last {@link markDifferent} found that differ by anti-aliasing only. */
export function countSmoothed(): i32 {
  return smoothedPixels;
}

/**
 * Marks the pixels of some rows in which two opaque images differ. The arithmetic is pixelmatch's, operation by operation, so
 * that no rounding differs: https://github.com/mapbox/pixelmatch/blob/v7.2.0/index.js.
 *
 * @param left - pixels of the first image
 * @param right - of the second
 * @param marks - takes a byte for each pixel of the rows between `first` and `last`
 * @param height - of what lies in memory: beyond it there is no neighbour
 * @param most - the greatest distance of colors that are the same
 * @param setsApart - what differs by anti-aliasing only is marked as such; otherwise it is marked as changed
 * @returns how many changed
 */
export function markDifferent(
  left: usize,
  right: usize,
  marks: usize,
  width: i32,
  height: i32,
  first: i32,
  last: i32,
  most: f64,
  setsApart: bool,
): i32 {
  let changed = 0;
  smoothedPixels = 0;
  const end = last * width;
  memory.fill(marks, 0, <usize>(end - first * width));
  for (let at = first * width; at < end; at++) {
    const byte = (<usize>at) << 2;
    if (at + 4 <= end && !v128.any_true(v128.xor(v128.load(left + byte), v128.load(right + byte)))) {
      at += 3;
      continue;
    }
    const one = load<u32>(left + byte);
    const other = load<u32>(right + byte);
    if (one === other || distance(one, other) <= most) continue;
    const x = at % width;
    const y = at / width;
    const isAntiAliased =
      setsApart && (isAntialiased(left, right, x, y, width, height) || isAntialiased(right, left, x, y, width, height));
    store<u8>(marks + <usize>(at - first * width), isAntiAliased ? ANTI_ALIASED : CHANGED);
    if (isAntiAliased) smoothedPixels++;
    else changed++;
  }
  return changed;
}

/** The square of how far two colors are from one another in YIQ. */
function distance(one: u32, other: u32): f64 {
  const red = <f64>(<i32>(one & 0xff) - <i32>(other & 0xff));
  const green = <f64>(<i32>((one >> 8) & 0xff) - <i32>((other >> 8) & 0xff));
  const blue = <f64>(<i32>((one >> 16) & 0xff) - <i32>((other >> 16) & 0xff));
  const y = red * 0.29889531 + green * 0.58662247 + blue * 0.11448223;
  const i = red * 0.59597799 - green * 0.2741761 - blue * 0.32180189;
  const q = red * 0.21147017 - green * 0.52261711 + blue * 0.31114694;
  return 0.5053 * y * y + 0.299 * i * i + 0.1957 * q * q;
}

/** By how much the first is brighter. */
function brightness(one: u32, other: u32): f64 {
  const red = <f64>(<i32>(one & 0xff) - <i32>(other & 0xff));
  const green = <f64>(<i32>((one >> 8) & 0xff) - <i32>((other >> 8) & 0xff));
  const blue = <f64>(<i32>((one >> 16) & 0xff) - <i32>((other >> 16) & 0xff));
  return red * 0.29889531 + green * 0.58662247 + blue * 0.11448223;
}

/** Vysniauskas, "Anti-aliased Pixel and Intensity Slope Detector", 2009. */
function isAntialiased(own: usize, other: usize, x: i32, y: i32, width: i32, height: i32): bool {
  const left = max(x - 1, 0);
  const top = max(y - 1, 0);
  const right = min(x + 1, width - 1);
  const bottom = min(y + 1, height - 1);
  const center = pixelAt(own, x, y, width);
  let same = x === left || x === right || y === top || y === bottom ? 1 : 0;
  let darkest: f64 = 0;
  let brightest: f64 = 0;
  let darkX = 0;
  let darkY = 0;
  let brightX = 0;
  let brightY = 0;
  for (let nearX = left; nearX <= right; nearX++) {
    for (let nearY = top; nearY <= bottom; nearY++) {
      if (nearX === x && nearY === y) continue;
      const near = pixelAt(own, nearX, nearY, width);
      const rise: f64 = near === center ? 0 : brightness(center, near);
      if (rise === 0) {
        same++;
        if (same > 2) return false;
      } else if (rise < darkest) {
        darkest = rise;
        darkX = nearX;
        darkY = nearY;
      } else if (rise > brightest) {
        brightest = rise;
        brightX = nearX;
        brightY = nearY;
      }
    }
  }
  if (darkest === 0 || brightest === 0) return false;
  return (
    (hasSiblings(own, darkX, darkY, width, height) && hasSiblings(other, darkX, darkY, width, height)) ||
    (hasSiblings(own, brightX, brightY, width, height) && hasSiblings(other, brightX, brightY, width, height))
  );
}

/** Whether three neighbours or more have the color of a pixel. */
function hasSiblings(image: usize, x: i32, y: i32, width: i32, height: i32): bool {
  const left = max(x - 1, 0);
  const top = max(y - 1, 0);
  const right = min(x + 1, width - 1);
  const bottom = min(y + 1, height - 1);
  const own = pixelAt(image, x, y, width);
  // The pixel itself is counted below as well.
  let same = x === left || x === right || y === top || y === bottom ? 0 : -1;
  for (let nearY = top; nearY <= bottom; nearY++) {
    for (let nearX = left; nearX <= right; nearX++) {
      if (pixelAt(image, nearX, nearY, width) === own) same++;
    }
    if (same > 2) return true;
  }
  return false;
}

function pixelAt(image: usize, x: i32, y: i32, width: i32): u32 {
  return load<u32>(image + ((<usize>(y * width + x)) << 2));
}
