import {
  type Alias,
  type Document,
  isAlias,
  isMap,
  isNode,
  isPair,
  isScalar,
  isSeq,
  type Node,
  type Pair,
  visit,
  type YAMLMap,
} from 'yaml';
import type { Path } from '../issue.js';
import { isSecret } from '../secrets.js';
import type { Fault } from './syntax.js';

/** What each alias (`*name`) of a document stands for. */
export type Targets = ReadonlyMap<Alias, Node>;

/** Finds what every alias stands for; one that stands for nothing, or for what it lies in, is a fault. */
export function readAnchors(document: Document): { targets: Targets; faults: readonly Fault[] } {
  const anchors = new Map<string, Node>();
  const targets = new Map<Alias, Node>();
  const faults: Fault[] = [];
  const merges: Pair[] = [];
  visit(document, (_key, node, around) => {
    if (isAlias(node)) {
      const target = anchors.get(node.source);
      if (target && !around.includes(target)) targets.set(node, target);
      else faults.push(target ? endless(node) : unresolved(node, isSecret(around.flatMap(keyOf))));
    } else if (isPair(node)) {
      if (isMerge(node)) merges.push(node);
    } else if (isNode(node) && 'anchor' in node && node.anchor) anchors.set(node.anchor, node);
  });
  const wrong = merges.filter((merge) => faults.length === 0 && !mergeSources(merge, targets).every(isMap));
  return { targets, faults: [...faults, ...wrong.map(unmergeable)] };
}

/** Is it a merge key, a plain `<<`? */
export function isMerge({ key }: Pair): boolean {
  return isScalar(key) && key.type === 'PLAIN' && key.value === '<<';
}

/** Returns what a merge key merges, in the order in which it counts. */
export function mergeSources({ value }: Pair, targets: Targets): unknown[] {
  const source = follow(value, targets);
  return isSeq(source) ? source.items.map((item) => follow(item, targets)) : [source];
}

/** Returns what a node is, through the alias that it may be. */
export function follow(node: unknown, targets: Targets): unknown {
  return isAlias(node) ? targets.get(node) : node;
}

function keyOf(node: unknown): string[] {
  return isPair(node) && isScalar(node.key) ? [String(node.key.value)] : [];
}

/** A password that begins with * is not shown. */
function unresolved(alias: Alias, isHidden: boolean): Fault {
  return {
    offset: offsetOf(alias),
    found: isHidden
      ? 'a YAML alias (*name) stands here, and nothing above is anchored by its name'
      : `"*${alias.source}" is a YAML alias, and nothing above is anchored as "&${alias.source}"`,
    advice: 'If it is a text that begins with *, put it in quotes.',
  };
}

function endless(alias: Alias): Fault {
  return {
    offset: offsetOf(alias),
    found: `"*${alias.source}" stands inside of what it is an alias for`,
    advice: 'Take it out: a list cannot contain itself.',
  };
}

function unmergeable({ key }: Pair): Fault {
  return {
    offset: isNode(key) ? offsetOf(key) : 0,
    found: '"<<" merges what is not a mapping',
    advice: 'Write <<: *name, where &name anchors a mapping.',
  };
}

/** Returns where a node begins in the text. */
export function offsetOf(node: Node): number {
  return node.range?.[0] ?? 0;
}

/**
 * Returns where the value (or the key) at a path begins in the text, through aliases and merges; where there is nothing,
 * the nearest thing around it.
 */
export function offsetAt(document: Document, targets: Targets, path: Path, at: 'key' | 'value'): number {
  let node: unknown = document.contents;
  let offset = isNode(node) ? offsetOf(node) : 0;
  for (const [depth, step] of path.entries()) {
    const around = follow(node, targets);
    const pair = isMap(around) ? pairOf(around, String(step), targets) : undefined;
    const wanted = pair && at === 'key' && depth === path.length - 1 ? pair.key : pair?.value;
    node = pair ? (wanted ?? pair.key) : isSeq(around) ? around.items[Number(step)] : undefined;
    if (!isNode(node)) break;
    offset = offsetOf(node);
  }
  return offset;
}

/** Finds the pair that counts for a key: the map's own, the last of them, before what it merges. */
function pairOf(map: YAMLMap, key: string, targets: Targets): Pair | undefined {
  const own = map.items.findLast((pair) => isScalar(pair.key) && pair.key.value === key);
  return own ?? map.items.filter(isMerge).flatMap((merge) => mergedPair(merge, key, targets))[0];
}

function mergedPair(merge: Pair, key: string, targets: Targets): Pair[] {
  return mergeSources(merge, targets)
    .filter(isMap)
    .flatMap((source) => pairOf(source, key, targets) ?? []);
}
