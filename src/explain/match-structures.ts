import type { Structure, StructureElement } from '../model/index.js';

/** Which element of one structure is which element of the other. -1: none. */
export interface Matching {
  /** For each element of before, its index in after. */
  readonly toAfter: Int32Array;
  /** For each element of after, its index in before. */
  readonly toBefore: Int32Array;
  /** Elements of after that have another parent or another place among their siblings, without their descendants. */
  readonly moved: ReadonlySet<number>;
}

/**
 * Matches the elements of two structures.
 *
 * The signatures of subtrees, and the order of ids, equal subtrees, and propagation to parents and children, follow XyDiff (Cobéna,
 * Abiteboul and Marian, "Detecting Changes in XML Documents", ICDE 2002). Unlike it, the children of matched elements are aligned
 * first, because most pages keep their places, and repeated content such as cards has equal subtrees.
 *
 * 1. From the roots down, the children of each matched pair are aligned by id, subtree, classes and tag.
 * 2. Each remaining subtree is matched with an equal one anywhere: it moved. Its parents are matched if they have the same tag.
 */
export function matchStructures(before: Structure, after: Structure): Matching {
  const intern = new Map<string, number>();
  const [one, other] = [treeOf(before, intern), treeOf(after, intern)];
  const toAfter = new Int32Array(before.elements.length).fill(-1);
  const toBefore = new Int32Array(after.elements.length).fill(-1);
  const moved = new Set<number>();

  const link = (b: number, a: number) => {
    toAfter[b] = a;
    toBefore[a] = b;
  };
  const descend = (b: number, a: number) => {
    const open: Pair[] = [[b, a]];
    for (let pair = open.pop(); pair; pair = open.pop()) {
      const free = [
        (one.children[pair[0]] ?? []).filter((child) => toAfter[child] === -1),
        (other.children[pair[1]] ?? []).filter((child) => toBefore[child] === -1),
      ] as const;
      for (const [childBefore, childAfter] of alignChildren(free[0], free[1], one, other)) {
        link(childBefore, childAfter);
        open.push([childBefore, childAfter]);
      }
    }
  };
  /** Returns the parents of two elements if they can match. */
  const parentsOf = (b: number, a: number): Pair | null => {
    const [upperBefore, upperAfter] = [parentOf(one, b), parentOf(other, a)];
    const isFree = toAfter[upperBefore] === -1 && toBefore[upperAfter] === -1;
    return isFree && one.elements[upperBefore]?.tag === other.elements[upperAfter]?.tag
      ? [upperBefore, upperAfter]
      : null;
  };
  const isMostOf = ([upperBefore, upperAfter]: Pair, b: number, a: number) =>
    2 * (one.weight[b] ?? 0) >= (one.weight[upperBefore] ?? 0) &&
    2 * (other.weight[a] ?? 0) >= (other.weight[upperAfter] ?? 0);
  if (before.elements.length > 0 && after.elements.length > 0) {
    link(0, 0);
    descend(0, 0);
  }
  for (const [b, a] of equalSubtrees(one, other, toAfter, toBefore)) {
    if (toAfter[b] !== -1 || toBefore[a] !== -1) continue;
    link(b, a);
    descend(b, a);
    moved.add(a);
    for (let pair = parentsOf(b, a); pair && isMostOf(pair, b, a); pair = parentsOf(...pair)) {
      link(...pair);
      descend(...pair);
      moved.delete(a);
      moved.add(pair[1]);
    }
  }
  for (const a of moved) if (hasMovedParent(other, moved, a)) moved.delete(a);
  return { toAfter, toBefore, moved };
}

type Pair = readonly [before: number, after: number];

interface Tree {
  readonly elements: readonly StructureElement[];
  readonly children: readonly (readonly number[])[];
  /** Number of each subtree: equal content has equal numbers, in both structures. Styles and boxes are not content. */
  readonly subtree: Int32Array;
  /** Number of elements in each subtree. */
  readonly weight: Int32Array;
}

function treeOf({ elements }: Structure, intern: Map<string, number>): Tree {
  const children: number[][] = elements.map(() => []);
  for (const [index, { parent }] of elements.entries()) children[parent]?.push(index);
  const subtree = new Int32Array(elements.length);
  const weight = new Int32Array(elements.length).fill(1);
  // Children come after their parents.
  for (const [index, element] of [...elements.entries()].reverse()) {
    const own = [element.tag, element.hash ?? '', element.image ?? '', element.name ?? ''];
    const key = JSON.stringify([...own, ...(children[index] ?? []).map((child) => subtree[child])]);
    const known = intern.get(key) ?? intern.size;
    intern.set(key, known);
    subtree[index] = known;
    for (const child of children[index] ?? []) weight[index] = (weight[index] ?? 0) + (weight[child] ?? 0);
  }
  return { elements, children, subtree, weight };
}

function parentOf({ elements }: Tree, index: number): number {
  return elements[index]?.parent ?? -1;
}

function hasMovedParent(tree: Tree, moved: ReadonlySet<number>, index: number): boolean {
  for (let at = parentOf(tree, index); at >= 0; at = parentOf(tree, at)) if (moved.has(at)) return true;
  return false;
}

/** The largest table of an alignment, in cells. Longer lists of children are aligned in order, without a table. */
const MAX_CELLS = 40_000;

/** Aligns two lists of siblings. The order of both is kept. */
function alignChildren(before: readonly number[], after: readonly number[], one: Tree, other: Tree): Pair[] {
  const isSame = (b = -1, a = -1) =>
    one.subtree[b] === other.subtree[a] && classesOf(one.elements[b]) === classesOf(other.elements[a]);
  let start = 0;
  while (start < before.length && start < after.length && isSame(before[start], after[start])) start++;
  let end = 0;
  while (
    end < before.length - start &&
    end < after.length - start &&
    isSame(before[before.length - 1 - end], after[after.length - 1 - end])
  )
    end++;
  const head: Pair[] = before.slice(0, start).map((b, index) => [b, after[index] ?? -1]);
  const tail: Pair[] = after
    .slice(after.length - end)
    .map((a, index) => [before[before.length - end + index] ?? -1, a]);
  const [innerBefore, innerAfter] = [before.slice(start, before.length - end), after.slice(start, after.length - end)];
  const align = innerBefore.length * innerAfter.length > MAX_CELLS ? alignInOrder : alignByTable;
  return [...head, ...align(innerBefore, innerAfter, (b, a) => similarity(one, b, other, a)), ...tail];
}

function classesOf(element: StructureElement | undefined): string {
  return element?.classes?.join(' ') ?? '';
}

/** Returns how much two elements resemble each other; 0: they are different elements. */
function similarity(one: Tree, b: number, other: Tree, a: number): number {
  const [first, second] = [one.elements[b], other.elements[a]];
  if (!first || !second || first.tag !== second.tag) return 0;
  const isSameContent = one.subtree[b] === other.subtree[a] ? 4 : 0;
  const isSameId = first.id !== undefined && first.id === second.id ? 4 : 0;
  const isOtherId = first.id !== second.id ? -0.5 : 0;
  return 1 + isSameContent + isSameId + isOtherId + sharedClasses(first.classes, second.classes);
}

/** Returns a share from 0 to 2. */
function sharedClasses(classes: readonly string[] = [], others: readonly string[] = []): number {
  if (classes.length + others.length === 0) return 1;
  const shared = classes.filter((name) => others.includes(name)).length;
  return (2 * shared) / (classes.length + others.length - shared);
}

type Similarity = (b: number, a: number) => number;

/** Returns the alignment with the largest sum of similarity (Needleman and Wunsch, without gap costs). */
function alignByTable(before: readonly number[], after: readonly number[], similarityOf: Similarity): Pair[] {
  const width = after.length + 1;
  const best = new Float32Array((before.length + 1) * width);
  const scores = new Float32Array(before.length * after.length);
  for (let i = before.length - 1; i >= 0; i--)
    for (let j = after.length - 1; j >= 0; j--) {
      const score = similarityOf(before[i] ?? -1, after[j] ?? -1);
      scores[i * after.length + j] = score;
      const skip = Math.max(best[(i + 1) * width + j] ?? 0, best[i * width + j + 1] ?? 0);
      best[i * width + j] = score > 0 ? Math.max(skip, score + (best[(i + 1) * width + j + 1] ?? 0)) : skip;
    }
  const pairs: Pair[] = [];
  for (let [i, j] = [0, 0]; i < before.length && j < after.length; ) {
    const score = scores[i * after.length + j] ?? 0;
    const here = best[i * width + j] ?? 0;
    if (score > 0 && here === Math.fround(score + (best[(i + 1) * width + j + 1] ?? 0)))
      pairs.push([before[i++] ?? -1, after[j++] ?? -1]);
    else if (here === best[(i + 1) * width + j]) i++;
    else j++;
  }
  return pairs;
}

/** Pairs each element with the next one that resembles it. Looks ahead by at most {@link LOOK_AHEAD} elements. */
function alignInOrder(before: readonly number[], after: readonly number[], similarityOf: Similarity): Pair[] {
  const pairs: Pair[] = [];
  let from = 0;
  for (const b of before) {
    let [most, at] = [0, -1];
    for (let next = from; next < Math.min(after.length, from + LOOK_AHEAD); next++) {
      const similarity = similarityOf(b, after[next] ?? -1);
      if (similarity > most) [most, at] = [similarity, next];
    }
    if (at === -1) continue;
    pairs.push([b, after[at] ?? -1]);
    from = at + 1;
  }
  return pairs;
}

/** Number of siblings. */
const LOOK_AHEAD = 20;

/** Lists equal subtrees without a match, the heaviest first. */
function equalSubtrees(one: Tree, other: Tree, toAfter: Int32Array, toBefore: Int32Array): Pair[] {
  const free = new Map<number, number[]>();
  for (const [index, match] of toAfter.entries()) {
    if (match !== -1 || !isDistinct(one, index)) continue;
    const same = free.get(one.subtree[index] ?? -1) ?? [];
    same.push(index);
    free.set(one.subtree[index] ?? -1, same);
  }
  const open = [...toBefore.keys()].filter((index) => toBefore[index] === -1 && isDistinct(other, index));
  const heaviestFirst = open.toSorted((a, b) => (other.weight[b] ?? 0) - (other.weight[a] ?? 0) || a - b);
  return heaviestFirst.flatMap((a): Pair[] => {
    const b = free.get(other.subtree[a] ?? -1)?.shift();
    return b === undefined ? [] : [[b, a]];
  });
}

/** A text or an element without content is too common to be recognized at another place. */
function isDistinct(tree: Tree, index: number): boolean {
  return (tree.weight[index] ?? 0) > 2 || tree.elements[index]?.image !== undefined;
}
