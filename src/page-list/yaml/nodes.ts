import { type Alias, type Document, isAlias, isMap, isNode, isPair, isScalar, isSeq, type Node, visit } from 'yaml';
import type { Path } from '../issue.js';
import { isSecret } from '../secrets.js';
import type { Fault } from './syntax.js';

/** Returns a fault for each alias (`*name`) without an anchor, or inside the value that it repeats. */
export function readAliasFaults(document: Document): readonly Fault[] {
  const anchors = new Set<string>();
  const faults: Fault[] = [];
  visit(document, (_key, node, ancestors) => {
    if (!isNode(node)) return;
    if (!isAlias(node)) {
      if (node.anchor) anchors.add(node.anchor);
    } else if (!anchors.has(node.source)) {
      faults.push(unresolved(node, isSecret(ancestors.flatMap(keyOf))));
    } else if (ancestors.some((ancestor) => 'anchor' in ancestor && ancestor.anchor === node.source)) {
      faults.push(circular(node));
    }
  });
  return faults;
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

function offsetOf(node: Node): number {
  return node.range?.[0] ?? 0;
}

/**
 * Returns the offset of the value (or the key) at a path in the text. Below an alias, it is that of the repeated value. If the
 * path does not exist, for example because a merge (`<<`) adds it, returns the offset of its nearest existing ancestor.
 */
export function offsetAt(document: Document, path: Path, at: 'key' | 'value'): number {
  let node: unknown = document.contents;
  let offset = isNode(node) ? offsetOf(node) : 0;
  for (const [depth, step] of path.entries()) {
    const parent = isAlias(node) ? node.resolve(document) : node;
    const pair = isMap(parent) ? parent.items.findLast(({ key }) => isScalar(key) && key.value === step) : undefined;
    const wanted = pair && at === 'key' && depth === path.length - 1 ? pair.key : pair?.value;
    node = pair ? (wanted ?? pair.key) : isSeq(parent) ? parent.items[Number(step)] : undefined;
    if (!isNode(node)) break;
    offset = offsetOf(node);
  }
  return offset;
}
