/**
 * Returns one number for each row of pixels: rows with the same pixels have the same, others practically never (53 bits).
 *
 * @param from - the first pixel of the first row that is looked at
 * @param to - takes eight bytes for each row
 * @param stride - bytes from one row to the next
 * @param pixels - how many of a row are looked at
 */
export function hashRows(from: usize, to: usize, stride: usize, pixels: i32, rows: i32): void {
  let waiting = -1;
  for (let row = 0; row < rows; row++) {
    const start = from + <usize>row * stride;
    if (row > 0 && isSame(start - stride, start, pixels)) {
      store<f64>(place(to, row), REPEATED);
      continue;
    }
    // Each step of a hash waits for the one before it: two rows at once take little longer than one.
    if (waiting >= 0) hashTwo(from + <usize>waiting * stride, start, place(to, waiting), place(to, row), pixels);
    waiting = waiting < 0 ? row : -1;
  }
  if (waiting >= 0) {
    const start = from + <usize>waiting * stride;
    hashTwo(start, start, place(to, waiting), place(to, waiting), pixels);
  }
  for (let row = 1; row < rows; row++) {
    if (load<f64>(place(to, row)) === REPEATED) store<f64>(place(to, row), load<f64>(place(to, row - 1)));
  }
}

/** No hash is that: of a row that is the one above. */
const REPEATED: f64 = -1;

function place(to: usize, row: i32): usize {
  return to + ((<usize>row) << 3);
}

function isSame(one: usize, other: usize, pixels: i32): bool {
  const end = one + ((<usize>pixels) << 2);
  for (; one + 16 <= end; one += 16, other += 16) {
    if (v128.any_true(v128.xor(v128.load(one), v128.load(other)))) return false;
  }
  for (; one < end; one += 4, other += 4) if (load<i32>(one) !== load<i32>(other)) return false;
  return true;
}

/** For each row two multiplicative hashes with the constants of MurmurHash3's finaliser, joined. */
function hashTwo(one: usize, other: usize, toOne: usize, toOther: usize, pixels: i32): void {
  let a: u32 = pixels;
  let b: u32 = 0x9e3779b9;
  let c: u32 = a;
  let d: u32 = b;
  const end = one + ((<usize>pixels) << 2);
  for (; one < end; one += 4, other += 4) {
    const word = load<u32>(one);
    const second = load<u32>(other);
    a = (a ^ word) * 0x85ebca6b;
    c = (c ^ second) * 0x85ebca6b;
    b = (b + word) * 0xc2b2ae35;
    d = (d + second) * 0xc2b2ae35;
    a ^= a >> 13;
    c ^= c >> 13;
    b ^= b >> 16;
    d ^= d >> 16;
  }
  store<f64>(toOne, joinHalves(a, b));
  store<f64>(toOther, joinHalves(c, d));
}

function joinHalves(high: u32, low: u32): f64 {
  return <f64>high * 2097152.0 + <f64>(low >> 11);
}
