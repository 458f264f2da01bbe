import { type Document, isMap, isNode, isScalar, isSeq, type Pair, type YAMLMap } from 'yaml';
import { follow, isMerge, mergeSources, offsetOf, type Targets } from './anchors.js';
import type { Path } from './finding.js';

/**
 * Gives where the value (or the key) at a path begins in the text, through aliases and merges; where there is nothing,
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
