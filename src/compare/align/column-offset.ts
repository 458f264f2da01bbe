import { isSameLine, type Lines, sampleLines } from './lines.js';

/**
 * Returns by how many columns most of the recognizable content moved to the right. Reads only some rows, so the caller must verify it.
 *
 * @param before - rows, as many and as long as those of `after`
 * @returns null if no content moved, or if content moved by different distances
 */
export function findOffset(before: Lines, after: Lines): number | null {
  const votes = new Map<number, number>();
  const rows = changedRows(before, after);
  for (let first = 0; first === 0 || first + GROUP <= rows.length; first += GROUP) {
    vote(before, after, rows.slice(first, first + 2 * GROUP <= rows.length ? first + GROUP : rows.length), votes);
  }
  const { offset, most, all } = countVotes(votes);
  return most >= MIN_VOTES && most >= all * MIN_VOTE_SHARE ? offset : null;
}

/** Checks faster whether any content may have moved sideways. @param changed - the rows that differ, from the top */
export function hasOffset(before: Lines, after: Lines, changed: readonly number[]): boolean {
  const places = Math.min(PROBES, Math.ceil(changed.length / ROWS_PER_PROBE));
  for (let place = 0; place < places; place++) {
    const first = Math.floor((place * changed.length) / places);
    const votes = new Map<number, number>();
    vote(before, after, changed.slice(first, first + ROWS_PER_PROBE), votes);
    const { most, all } = countVotes(votes);
    if (most >= MIN_PROBE_VOTES && most * 2 >= all) return true;
  }
  return false;
}

function changedRows(before: Lines, after: Lines): number[] {
  return sampleLines(before.lines.count, MAX_SAMPLED_ROWS).filter((row) => !isSameLine(before, row, after, row));
}

/** Enough rows to distinguish columns. */
const MAX_SAMPLED_ROWS = 64;
/** The number of rows that are hashed together. Changes in other groups do not affect the hashes of a group. */
const GROUP = 8;

const PROBES = 48;
const ROWS_PER_PROBE = 4;
/** Fewer votes per probe match by chance. */
const MIN_PROBE_VOTES = 3;

/** The minimum number of votes: content with fewer edges than a small icon is not recognizable. */
const MIN_VOTES = 8;
/** The minimum share of votes for one offset: with wider letter spacing, each letter moves by another distance. */
const MIN_VOTE_SHARE = 0.75;

/** Adds one vote for a distance for each edge that occurs once in both images, at different positions. */
function vote(before: Lines, after: Lines, rows: readonly number[], votes: Map<number, number>): void {
  const [one, other] = [hashColumns(before, rows), hashColumns(after, rows)];
  const places = edgesOf(other, one);
  for (const [edge, from] of edgesOf(one, other)) {
    const to = places.get(edge);
    if (to === undefined || to === from || from === REPEATED || to === REPEATED) continue;
    votes.set(to - from, (votes.get(to - from) ?? 0) + 1);
  }
}

function countVotes(votes: ReadonlyMap<number, number>): { offset: number; most: number; all: number } {
  const lead = { offset: 0, most: 0, all: 0 };
  for (const [offset, number] of votes) {
    lead.all += number;
    if (number > lead.most) Object.assign(lead, { offset, most: number });
  }
  return lead;
}

const REPEATED = -1;

interface Hashed {
  readonly hashes: Int32Array;
  /** 1 for a column with more than one color. */
  readonly isVaried: Uint8Array;
}

function hashColumns({ words, start, lines, pixels }: Lines, rows: readonly number[]): Hashed {
  const width = pixels.count;
  const hashes = new Int32Array(width);
  const isVaried = new Uint8Array(width);
  const top = start + (rows[0] ?? 0) * lines.step;
  for (const row of rows) {
    const from = start + row * lines.step;
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
 * Returns the positions at which a column differs from the next, by a hash of both. Two columns of a solid color are skipped: a step of a
 * gradient or a side of a box. So are edges at the same position in the other image, which did not move.
 */
function edgesOf({ hashes, isVaried }: Hashed, { hashes: others }: Hashed): Map<number, number> {
  const places = new Map<number, number>();
  for (let x = 0; x + 1 < hashes.length; x++) {
    const [current, next] = [hashes[x] ?? 0, hashes[x + 1] ?? 0];
    if (current === next || (current === others[x] && next === others[x + 1]) || !(isVaried[x] || isVaried[x + 1]))
      continue;
    const edge = Math.imul(current, 0x85ebca6b) ^ next;
    places.set(edge, places.has(edge) ? REPEATED : x);
  }
  return places;
}
