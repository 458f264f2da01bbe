import type { View } from './column-view.js';

/**
 * Tells by how many columns most of what can be known again moved to the right; null where nothing did, or where not all
 * moved by as much. Only some rows are looked at, whatever the height: whether it is so, the alignment has to show.
 *
 * @param before - of the same size as `after`
 */
export function findOffset(before: View, after: View): number | null {
  const votes = new Map<number, number>();
  const count = Math.min(MOST_ROWS, before.height);
  const groups = Math.max(1, Math.floor(count / GROUP));
  for (let group = 0; group < groups; group++) {
    const rows: number[] = [];
    for (let row = Math.floor((group * count) / groups); row < Math.floor(((group + 1) * count) / groups); row++) {
      rows.push(Math.floor(((row + 0.5) * before.height) / count));
    }
    vote(edgesOf(before, rows), edgesOf(after, rows), votes);
  }
  const moved = [...votes].filter(([offset]) => offset !== 0);
  const [offset, most] = moved.reduce((best, own) => (own[1] > best[1] ? own : best), [0, 0]);
  const all = moved.reduce((sum, [, number]) => sum + number, 0);
  return most >= LEAST_VOTES && most >= all * LEAST_SHARE ? offset : null;
}

/** So many rows tell columns apart. */
const MOST_ROWS = 64;
/** So many are looked at together: what changed among the others keeps none of them from being known again. */
const GROUP = 8;

/** Fewer edges than a small icon has are no content that could be known again. */
const LEAST_VOTES = 8;
/** Letters that stand further apart move by other distances each; those of another word fit by chance here and there. */
const LEAST_SHARE = 0.75;

function vote(before: ReadonlyMap<number, number>, after: ReadonlyMap<number, number>, votes: Map<number, number>) {
  for (const [edge, from] of before) {
    const to = after.get(edge);
    if (to === undefined || from === REPEATED || to === REPEATED) continue;
    votes.set(to - from, (votes.get(to - from) ?? 0) + 1);
  }
}

const REPEATED = -1;

/**
 * Gives the places at which a column differs from the next, by a hash of both. Where both are plain it is a step of a
 * gradient, or a side of a box, and tells nothing.
 */
function edgesOf({ words, width, stride, start }: View, rows: readonly number[]): Map<number, number> {
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
  const places = new Map<number, number>();
  for (let x = 0; x + 1 < width; x++) {
    const [own, next] = [hashes[x] ?? 0, hashes[x + 1] ?? 0];
    if (own === next || !(isVaried[x] || isVaried[x + 1])) continue;
    const edge = Math.imul(own, 0x85ebca6b) ^ next;
    places.set(edge, places.has(edge) ? REPEATED : x);
  }
  return places;
}
