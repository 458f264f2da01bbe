import type { Pixels, Rectangle } from '../../../model/image.js';

/**
 * Tells by how many columns most of what can be known again moved to the right; null where nothing did, or where not all
 * moved by as much. Only some rows are looked at, whatever the height: whether it is so, the alignment has to show.
 *
 * @param before - of the same size as `after`
 */
export function findOffset(before: View, after: View): number | null {
  const votes = new Map<number, number>();
  const rows = changedRows(before, after);
  for (let first = 0; first === 0 || first + GROUP <= rows.length; first += GROUP) {
    vote(before, after, rows.slice(first, first + 2 * GROUP <= rows.length ? first + GROUP : rows.length), votes);
  }
  const { offset, most, all } = leadOf(votes);
  return most >= LEAST_VOTES && most >= all * LEAST_SHARE ? offset : null;
}

/**
 * Checks whether anything in some rows may have moved sideways, which takes less than to look for what did.
 *
 * @param changed - the rows that are not the same in both, from the top
 */
export function hasOffset(before: View, after: View, changed: readonly number[]): boolean {
  const places = Math.min(PROBES, Math.ceil(changed.length / PROBED));
  for (let place = 0; place < places; place++) {
    const first = Math.floor((place * changed.length) / places);
    const votes = new Map<number, number>();
    vote(before, after, changed.slice(first, first + PROBED), votes);
    const { most, all } = leadOf(votes);
    if (most >= LEAST_PROBED && most * 2 >= all) return true;
  }
  return false;
}

/** Of rows as far apart as each other, those that are not the same in both. */
function changedRows(before: View, after: View): number[] {
  const count = Math.min(MOST_ROWS, before.height);
  const rows = Array.from({ length: count }, (_, index) => Math.floor(((index + 0.5) * before.height) / count));
  return rows.filter((row) => bytesOf(before, row).compare(bytesOf(after, row)) !== 0);
}

function bytesOf({ words, width, stride, start }: View, row: number): Buffer {
  return Buffer.from(words.buffer, words.byteOffset + (start + row * stride) * 4, width * 4);
}

/** So many rows tell columns apart. */
const MOST_ROWS = 64;
/** So many are looked at together: what changed among the others keeps none of them from being known again. */
const GROUP = 8;

/** At so many places some rows below one another are looked at. */
const PROBES = 48;
const PROBED = 4;
/** Fewer fit by chance. */
const LEAST_PROBED = 3;

/** Fewer edges than a small icon has are no content that could be known again. */
const LEAST_VOTES = 8;
/** Letters that stand further apart move by other distances each; those of another word fit by chance here and there. */
const LEAST_SHARE = 0.75;

/** Each edge that is found once in both images, at another place, is a vote for how far it moved. */
function vote(before: View, after: View, rows: readonly number[], votes: Map<number, number>): void {
  const [one, other] = [hashColumns(before, rows), hashColumns(after, rows)];
  const places = edgesOf(other, one);
  for (const [edge, from] of edgesOf(one, other)) {
    const to = places.get(edge);
    if (to === undefined || to === from || from === REPEATED || to === REPEATED) continue;
    votes.set(to - from, (votes.get(to - from) ?? 0) + 1);
  }
}

function leadOf(votes: ReadonlyMap<number, number>): { offset: number; most: number; all: number } {
  const lead = { offset: 0, most: 0, all: 0 };
  for (const [offset, number] of votes) {
    lead.all += number;
    if (number > lead.most) Object.assign(lead, { offset, most: number });
  }
  return lead;
}

const REPEATED = -1;

/** Columns of a few rows, told apart by their hashes. */
interface Hashed {
  readonly hashes: Int32Array;
  /** 1 for a column of more than one color. */
  readonly isVaried: Uint8Array;
}

function hashColumns({ words, width, stride, start }: View, rows: readonly number[]): Hashed {
  const hashes = new Int32Array(width);
  const isVaried = new Uint8Array(width);
  const top = start + (rows[0] ?? 0) * stride;
  for (const row of rows) {
    const from = start + row * stride;
    for (let x = 0; x < width; x++) {
      const word = words[from + x] ?? 0;
      const mixed = Math.imul((hashes[x] ?? 0) ^ word, 0x9e3779b1);
      hashes[x] = mixed ^ (mixed >>> 15);
      if (word !== words[top + x]) isVaried[x] = 1;
    }
  }
  return { hashes, isVaried };
}

/**
 * Returns the places at which a column differs from the next, by a hash of both. Where both are plain it is a step of a
 * gradient, or a side of a box, and tells nothing; what is at its place in the other image as well did not move.
 */
function edgesOf({ hashes, isVaried }: Hashed, { hashes: others }: Hashed): Map<number, number> {
  const places = new Map<number, number>();
  for (let x = 0; x + 1 < hashes.length; x++) {
    const [own, next] = [hashes[x] ?? 0, hashes[x + 1] ?? 0];
    if (own === next || (own === others[x] && next === others[x + 1]) || !(isVaried[x] || isVaried[x + 1])) continue;
    const edge = Math.imul(own, 0x85ebca6b) ^ next;
    places.set(edge, places.has(edge) ? REPEATED : x);
  }
  return places;
}

/** A rectangle of an image as 32-bit words, one a pixel. */
export interface View {
  readonly words: Uint32Array;
  readonly width: number;
  readonly height: number;
  /** Words from one row to the one below it. */
  readonly stride: number;
  /** The word in its top left corner. */
  readonly start: number;
}

/** Returns a rectangle that lies within an image as words; nothing is copied. */
export function viewOf(image: Pixels, { x, y, width, height }: Rectangle): View {
  return { words: wordsOf(image), width, height, stride: image.width, start: y * image.width + x };
}

/** Returns an image as words. */
export function wordsOf({ data, width, height }: Pixels): Uint32Array {
  return new Uint32Array(data.buffer, data.byteOffset, width * height);
}

/** Checks whether some columns are nothing but the one beside them, to the left or to the right, over and over. */
export function isSpace(view: View, from: number, to: number): boolean {
  return [from - 1, to].some((beside) => beside >= 0 && beside < view.width && isAllLike(view, from, to, beside));
}

/** Checks whether a column of one view is that of another. */
export function isSameColumn(one: View, column: number, other: View, otherColumn: number): boolean {
  for (let row = 0; row < one.height; row++) {
    const word = one.words[one.start + row * one.stride + column];
    if (word !== other.words[other.start + row * other.stride + otherColumn]) return false;
  }
  return true;
}

function isAllLike({ words, stride, start, height }: View, from: number, to: number, beside: number): boolean {
  for (let row = start, end = start + height * stride; row < end; row += stride) {
    const own = words[row + beside];
    for (let at = row + from; at < row + to; at++) if (words[at] !== own) return false;
  }
  return true;
}
