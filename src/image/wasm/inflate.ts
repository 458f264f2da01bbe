import {
  buildTable,
  DISTANCES,
  decode,
  LENGTHS,
  LITERAL,
  LITERALS,
  REACHING,
  startTables,
  TABLES_END,
  UNKNOWN,
} from './huffman';

/** What {@link inflate} came to. */
const FULL: i32 = 0;
const DONE: i32 = 1;
const ENDED: i32 = 2;
const DAMAGED: i32 = 3;

/** How far behind the place where it stops it may write: the longest match, and what is copied at once. */
const MOST_WRITTEN: usize = 258 + 32;

let bits: u64 = 0;
let bitCount: u64 = 0;
let source: usize = 0;
let sourceEnd: usize = 0;
let target: usize = 0;
let isFinal = false;
/** Inside a block of codes. */
let isCoded = false;
/** What is left of a block that is not packed. */
let stored: usize = 0;
let sumLow: u32 = 1;
let sumHigh: u32 = 0;

/**
 * Begins to unpack a zlib stream: https://www.rfc-editor.org/rfc/rfc1950. The tables lie in the first bytes of the memory.
 *
 * @param from - the packed bytes, behind the tables; eight zeros follow them
 * @returns whether it begins as one does
 */
export function startInflate(from: usize, length: i32): bool {
  startTables();
  bits = 0;
  bitCount = 0;
  source = from + 2;
  sourceEnd = from + <usize>length;
  isFinal = false;
  isCoded = false;
  stored = 0;
  sumLow = 1;
  sumHigh = 0;
  if (length < 2) return false;
  const method = <u32>load<u8>(from);
  const flags = <u32>load<u8>(from + 1);
  return (method & 15) === 8 && method >> 4 <= 7 && (flags & 32) === 0 && ((method << 8) | flags) % 31 === 0;
}

/** Returns how many bytes of the memory the tables take. */
export function sizeOfTables(): usize {
  return TABLES_END;
}

/** Returns where the bytes end that were unpacked. */
export function endOfInflated(): usize {
  return target;
}

/**
 * Unpacks more: https://www.rfc-editor.org/rfc/rfc1951.
 *
 * @param begin - what was unpacked before begins here: the last 32 KB, at least
 * @param to - and more is to follow it here
 * @param limit - it stops near here at the latest, and never writes behind it
 * @returns FULL, DONE when the stream ended as it should, ENDED when the bytes did before it, DAMAGED
 */
export function inflate(begin: usize, to: usize, limit: usize): i32 {
  target = to;
  let state = FULL;
  while (target + MOST_WRITTEN <= limit) {
    if (stored > 0) state = copyStored(limit);
    else if (isCoded) state = unpackCodes(begin, limit - MOST_WRITTEN);
    else if (isFinal) break;
    else state = startBlock();
    if (state !== FULL) return state;
  }
  addToSum(to, target);
  if (!isFinal || isCoded || stored > 0) return FULL;
  return checkSum();
}

function refill(): void {
  bits |= load<u64>(source) << bitCount;
  source += <usize>((63 - bitCount) >> 3);
  bitCount |= 56;
}

function take(count: u64): u32 {
  const value = <u32>(bits & (((<u64>1) << count) - 1));
  bits >>= count;
  bitCount -= count;
  return value;
}

/** Whether more was taken than there is. */
function isBeyond(): bool {
  return source - <usize>(bitCount >> 3) > sourceEnd;
}

function startBlock(): i32 {
  refill();
  isFinal = take(1) === 1;
  const kind = take(2);
  if (kind === 0) return startStored();
  if (kind === 3) return DAMAGED;
  isCoded = kind === 1 ? readFixed() : readDynamic();
  if (isBeyond()) return ENDED;
  return isCoded ? FULL : DAMAGED;
}

function startStored(): i32 {
  take(bitCount & 7);
  refill();
  const length = take(16);
  const inverse = take(16);
  if (isBeyond()) return ENDED;
  if (length !== (~inverse & 0xffff)) return DAMAGED;
  giveBackBytes();
  stored = <usize>length;
  return FULL;
}

/** Goes back to the first byte of which nothing was taken. */
function giveBackBytes(): void {
  take(bitCount & 7);
  source -= <usize>(bitCount >> 3);
  bits = 0;
  bitCount = 0;
}

function copyStored(limit: usize): i32 {
  const length = min(min(stored, limit - target), sourceEnd - source);
  if (length === 0) return ENDED;
  memory.copy(target, source, length);
  target += length;
  source += length;
  stored -= length;
  return FULL;
}

function readFixed(): bool {
  memory.fill(LENGTHS, 8, 144);
  memory.fill(LENGTHS + 144, 9, 112);
  memory.fill(LENGTHS + 256, 7, 24);
  memory.fill(LENGTHS + 280, 8, 8);
  buildTable(LITERALS, LENGTHS, 288, false);
  memory.fill(LENGTHS, 5, 32);
  return buildTable(DISTANCES, LENGTHS, 32, false);
}

function readDynamic(): bool {
  const literals = <i32>take(5) + 257;
  const distances = <i32>take(5) + 1;
  const lengths = <i32>take(4) + 4;
  if (literals > 286 || distances > 30) return false;
  memory.fill(LENGTHS, 0, 19);
  for (let i = 0; i < lengths; i++) {
    refill();
    store<u8>(LENGTHS + <usize>placeOfLength(i), <u8>take(3));
  }
  if (!buildTable(LITERALS, LENGTHS, 19, false)) return false;
  if (!readLengths(literals + distances) || load<u8>(LENGTHS + 256) === 0) return false;
  const built = buildTable(LITERALS, LENGTHS, literals, true);
  return built && buildTable(DISTANCES, LENGTHS + <usize>literals, distances, true);
}

/** 16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15 */
function placeOfLength(index: i32): i32 {
  if (index < 3) return 16 + index;
  if (index === 3) return 0;
  return (index & 1) === 0 ? 8 + ((index - 4) >> 1) : 8 - ((index - 3) >> 1);
}

function readLengths(count: i32): bool {
  let last: u32 = 0;
  for (let i = 0; i < count; ) {
    refill();
    const meaning = decode(LITERALS, bits);
    if ((meaning & UNKNOWN) !== LITERAL) return false;
    take(meaning & 15);
    const symbol = meaning >> 16;
    let repeats = 1;
    if (symbol < 16) last = symbol;
    else if (symbol === 16) {
      if (i === 0) return false;
      repeats = 3 + <i32>take(2);
    } else {
      last = 0;
      repeats = symbol === 17 ? 3 + <i32>take(3) : 11 + <i32>take(7);
    }
    if (i + repeats > count || isBeyond()) return false;
    memory.fill(LENGTHS + <usize>i, <u8>last, repeats);
    i += repeats;
  }
  return true;
}

/** This is where unpacking spends its time: what it needs is in variables of its own. */
function unpackCodes(begin: usize, limit: usize): i32 {
  let at = target;
  let own = bits;
  let count = bitCount;
  let from = source;
  const end = sourceEnd + 8;
  let state = FULL;
  while (at <= limit) {
    if (from > end) {
      state = ENDED;
      break;
    }
    own |= load<u64>(from) << count;
    from += <usize>((63 - count) >> 3);
    count |= 56;
    let meaning = decode(LITERALS, own);
    own >>= <u64>(meaning & 15);
    count -= <u64>(meaning & 15);
    const kind = meaning & UNKNOWN;
    if (kind === LITERAL) {
      store<u8>(at++, <u8>(meaning >> 16));
      continue;
    }
    if (kind !== REACHING) {
      isCoded = false;
      if (kind === UNKNOWN) state = DAMAGED;
      break;
    }
    let more = <u64>((meaning >> 4) & 15);
    const length = <usize>(meaning >> 16) + <usize>(own & (((<u64>1) << more) - 1));
    own >>= more;
    count -= more;
    meaning = decode(DISTANCES, own);
    own >>= <u64>(meaning & 15);
    count -= <u64>(meaning & 15);
    more = <u64>((meaning >> 4) & 15);
    const distance = <usize>(meaning >> 16) + <usize>(own & (((<u64>1) << more) - 1));
    own >>= more;
    count -= more;
    if ((meaning & UNKNOWN) === UNKNOWN || distance > at - begin) {
      state = DAMAGED;
      break;
    }
    copyMatch(at, distance, length);
    at += length;
  }
  target = at;
  bits = own;
  bitCount = count;
  source = from;
  return state === FULL && isBeyond() ? ENDED : state;
}

/** Writes up to 31 bytes more. */
function copyMatch(at: usize, distance: usize, length: usize): void {
  const end = at + length;
  if (distance >= 16) {
    for (; at < end; at += 16) v128.store(at, v128.load(at - distance));
    return;
  }
  // What repeats is written out to at least 16 bytes; from there on it is far enough away.
  const start = at - distance;
  let far = distance;
  while (far < 16) far += distance;
  for (const near = start + far; at < near && at < end; at++) store<u8>(at, load<u8>(at - distance));
  for (; at < end; at += 16) v128.store(at, v128.load(at - far));
}

function checkSum(): i32 {
  giveBackBytes();
  if (source + 4 > sourceEnd) return ENDED;
  return bswap(load<u32>(source)) === ((sumHigh << 16) | sumLow) ? DONE : DAMAGED;
}

/** Adler-32: https://www.rfc-editor.org/rfc/rfc1950#page-6. */
function addToSum(from: usize, to: usize): void {
  while (from < to) {
    // As many as fit into 32 bits.
    const end = min(to, from + 5552);
    const near = from + ((end - from) & ~15);
    let sums = i32x4.splat(0);
    let weighed = i32x4.splat(0);
    let before = i32x4.splat(0);
    const blocks = <u32>((near - from) >> 4);
    sumHigh += sumLow * (blocks << 4);
    for (; from < near; from += 16) {
      const block = v128.load(from);
      before = i32x4.add(before, sums);
      const low = i16x8.extend_low_i8x16_u(block);
      const high = i16x8.extend_high_i8x16_u(block);
      sums = i32x4.add(sums, i32x4.extadd_pairwise_i16x8_u(i16x8.add(low, high)));
      weighed = i32x4.add(weighed, i32x4.dot_i16x8_s(low, i16x8(16, 15, 14, 13, 12, 11, 10, 9)));
      weighed = i32x4.add(weighed, i32x4.dot_i16x8_s(high, i16x8(8, 7, 6, 5, 4, 3, 2, 1)));
    }
    sumHigh += addLanes(before) * 16 + addLanes(weighed);
    sumLow += addLanes(sums);
    for (; from < end; from++) {
      sumLow += load<u8>(from);
      sumHigh += sumLow;
    }
    sumLow %= 65521;
    sumHigh %= 65521;
  }
}

function addLanes(four: v128): u32 {
  const halves = i32x4.add(four, v128.shuffle<i32>(four, four, 2, 3, 0, 1));
  return i32x4.extract_lane(halves, 0) + i32x4.extract_lane(halves, 1);
}
