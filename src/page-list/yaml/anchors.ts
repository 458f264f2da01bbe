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

/** The target node of each alias (`*name`) of a document. */
export type Targets = ReadonlyMap<Alias, Node>;

/** Resolves every alias. An alias without an anchor, or inside its own target, is a fault. */
export function readAnchors(document: Document): { targets: Targets; faults: readonly Fault[] } {
  const anchors = new Map<string, Node>();
  const targets = new Map<Alias, Node>();
  const faults: Fault[] = [];
  const merges: Pair[] = [];
  visit(document, (_key, node, ancestors) => {
    if (isAlias(node)) {
      const target = anchors.get(node.source);
      if (target && !ancestors.includes(target)) targets.set(node, target);
      else faults.push(target ? circular(node) : unresolved(node, isSecret(ancestors.flatMap(keyOf))));
    } else if (isPair(node)) {
      if (isMerge(node)) merges.push(node);
    } else if (isNode(node) && 'anchor' in node && node.anchor) anchors.set(node.anchor, node);
  });
  const invalidMerges = merges.filter((merge) => faults.length === 0 && !mergeSources(merge, targets).every(isMap));
  return { targets, faults: [...faults, ...invalidMerges.map(unmergeable)] };
}

/** Checks whether a pair is a merge: its key is an unquoted `<<`. */
export function isMerge({ key }: Pair): boolean {
  return isScalar(key) && key.type === 'PLAIN' && key.value === '<<';
}

/** Returns the nodes that a merge key merges, in order of precedence. */
export function mergeSources({ value }: Pair, targets: Targets): unknown[] {
  const source = follow(value, targets);
  return isSeq(source) ? source.items.map((item) => follow(item, targets)) : [source];
}

/** Returns the target of an alias; any other node unchanged. */
export function follow(node: unknown, targets: Targets): unknown {
  return isAlias(node) ? targets.get(node) : node;
}

function keyOf(node: unknown): string[] {
  return isPair(node) && isScalar(node.key) ? [String(node.key.value)] : [];
}

/** @param isHidden true if the alias name may be a secret: YAML reads a password that begins with * as an alias. */
function unresolved(alias: Alias, isHidden: boolean): Fault {
  return {
    offset: offsetOf(alias),
    found: isHidden
      ? 'a YAML alias (*name) stands here, and nothing above is anchored by its name'
      : `"*${alias.source}" is a YAML alias, and nothing above is anchored as "&${alias.source}"`,
    advice: 'If it is a text that begins with *, put it in quotes.',
  };
}

function circular(alias: Alias): Fault {
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

/** Returns the offset of a node in the text. */
export function offsetOf(node: Node): number {
  return node.range?.[0] ?? 0;
}

/**
 * Returns the offset of the value (or the key) at a path in the text. Follows aliases and merges. If the path does not
 * exist, returns the offset of its nearest existing ancestor.
 */
export function offsetAt(document: Document, targets: Targets, path: Path, at: 'key' | 'value'): number {
  let node: unknown = document.contents;
  let offset = isNode(node) ? offsetOf(node) : 0;
  for (const [depth, step] of path.entries()) {
    const parent = follow(node, targets);
    const pair = isMap(parent) ? pairOf(parent, String(step), targets) : undefined;
    const wanted = pair && at === 'key' && depth === path.length - 1 ? pair.key : pair?.value;
    node = pair ? (wanted ?? pair.key) : isSeq(parent) ? parent.items[Number(step)] : undefined;
    if (!isNode(node)) break;
    offset = offsetOf(node);
  }
  return offset;
}

/** Finds the effective pair of a key: the last one of the map itself, otherwise one that it merges. */
function pairOf(map: YAMLMap, key: string, targets: Targets): Pair | undefined {
  const ownPair = map.items.findLast((pair) => isScalar(pair.key) && pair.key.value === key);
  return ownPair ?? map.items.filter(isMerge).flatMap((merge) => mergedPair(merge, key, targets))[0];
}

function mergedPair(merge: Pair, key: string, targets: Targets): Pair[] {
  return mergeSources(merge, targets)
    .filter(isMap)
    .flatMap((source) => pairOf(source, key, targets) ?? []);
}
