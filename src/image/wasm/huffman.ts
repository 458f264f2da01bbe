/** Codes of up to so many bits are looked up; the few longer ones are searched. */
const FAST_BITS: u32 = 10;
const FAST: u32 = 1 << FAST_BITS;
const MOST_BITS: u32 = 15;

/**
 * What a code means, in 32 bits: how many bits it has (4), how many more follow it (4), what it is (2), and from bit 16 on its
 * byte, or the least length or distance.
 */
export const LITERAL: u32 = 0;
export const REACHING: u32 = 1 << 8;
export const END: u32 = 2 << 8;
export const UNKNOWN: u32 = 3 << 8;

/** Two sets of codes, each: what to look up, what each symbol means, and what it takes to search. */
export const LITERALS: usize = 0;
export const DISTANCES: usize = 6144;
const MEANINGS: usize = FAST << 2;
/** After the last code of each length, at 16 bits. */
const ENDS: usize = MEANINGS + 288 * 4;
/** What to add to a code of each length to have the place of its symbol. */
const OFFSETS: usize = ENDS + 64;
const SORTED: usize = OFFSETS + 64;
/** Where the lengths of codes are put together. */
export const LENGTHS: usize = 12288;
const COUNTS: usize = LENGTHS + 320;
const PLACES: usize = COUNTS + 64;
export const TABLES_END: usize = PLACES + 64;

/** Writes what the symbols mean: https://www.rfc-editor.org/rfc/rfc1951#page-12. */
export function startTables(): void {
  for (let symbol: u32 = 0; symbol < 288; symbol++) setMeaning(LITERALS, symbol, meaningOfLiteral(symbol));
  for (let symbol: u32 = 0; symbol < 32; symbol++) setMeaning(DISTANCES, symbol, meaningOfDistance(symbol));
}

/**
 * Makes a set of codes of the lengths of its symbols, which stand at `lengths`.
 *
 * @param mayBeOne - a single code of one bit is enough
 * @returns whether there is such a set
 */
export function buildTable(table: usize, lengths: usize, symbols: i32, mayBeOne: bool): bool {
  memory.fill(COUNTS, 0, 64);
  for (let symbol = 0; symbol < symbols; symbol++) {
    const count = COUNTS + ((<usize>load<u8>(lengths + <usize>symbol)) << 2);
    store<u32>(count, load<u32>(count) + 1);
  }
  let longest: u32 = 0;
  let left: i32 = 1;
  let code: u32 = 0;
  let place: u32 = 0;
  for (let length: u32 = 1; length <= MOST_BITS; length++) {
    const count = load<u32>(COUNTS + (length << 2));
    if (count > 0) longest = length;
    left = (left << 1) - <i32>count;
    if (left < 0) return false;
    code <<= 1;
    store<u32>(OFFSETS + table + (length << 2), place - code);
    store<u32>(PLACES + (length << 2), place);
    code += count;
    place += count;
    store<u32>(ENDS + table + (length << 2), code << (16 - length));
  }
  if (left > 0 && !(mayBeOne && longest <= 1)) return false;
  memory.fill(table, 0, FAST << 2);
  for (let symbol = 0; symbol < symbols; symbol++) placeSymbol(table, symbol, load<u8>(lengths + <usize>symbol));
  return true;
}

/** Returns what the code means that the bits begin with, and its length. */
export function decode(table: usize, bits: u64): u32 {
  const meaning = load<u32>(table + ((<usize>bits & (FAST - 1)) << 2));
  return (meaning & 15) !== 0 ? meaning : search(table, <u32>bits & 0xffff);
}

function search(table: usize, bits: u32): u32 {
  const code = reverse(bits, 16);
  for (let length: u32 = 1; length <= MOST_BITS; length++) {
    if (code >= load<u32>(table + ENDS + (length << 2))) continue;
    const place = (code >> (16 - length)) + load<u32>(table + OFFSETS + (length << 2));
    const symbol = load<u16>(table + SORTED + (place << 1));
    return load<u32>(table + MEANINGS + ((<u32>symbol) << 2)) | length;
  }
  return UNKNOWN;
}

function placeSymbol(table: usize, symbol: i32, length: u32): void {
  if (length === 0) return;
  const place = load<u32>(PLACES + (length << 2));
  store<u32>(PLACES + (length << 2), place + 1);
  store<u16>(table + SORTED + (place << 1), <u16>symbol);
  if (length > FAST_BITS) return;
  const meaning = load<u32>(table + MEANINGS + ((<usize>symbol) << 2)) | length;
  const code = place - load<u32>(table + OFFSETS + (length << 2));
  for (let bits = reverse(code, length); bits < FAST; bits += 1 << length) store<u32>(table + (bits << 2), meaning);
}

function reverse(code: u32, length: u32): u32 {
  let reversed: u32 = 0;
  for (let i: u32 = 0; i < length; i++) reversed |= ((code >> i) & 1) << (length - 1 - i);
  return reversed;
}

function setMeaning(table: usize, symbol: u32, meaning: u32): void {
  store<u32>(table + MEANINGS + (symbol << 2), meaning);
}

function meaningOfLiteral(symbol: u32): u32 {
  if (symbol < 256) return LITERAL | (symbol << 16);
  if (symbol === 256) return END;
  if (symbol > 285) return UNKNOWN;
  if (symbol === 285) return REACHING | (258 << 16);
  const step = symbol - 257;
  if (step < 8) return REACHING | ((3 + step) << 16);
  const more = (step >> 2) - 1;
  return REACHING | (more << 4) | ((3 + ((4 + (step & 3)) << more)) << 16);
}

function meaningOfDistance(symbol: u32): u32 {
  if (symbol > 29) return UNKNOWN;
  if (symbol < 4) return REACHING | ((1 + symbol) << 16);
  const more = (symbol >> 1) - 1;
  return REACHING | (more << 4) | ((1 + ((2 + (symbol & 1)) << more)) << 16);
}
