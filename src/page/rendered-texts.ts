import { createHash } from 'node:crypto';
import type { CaptureSettings, RenderedTexts } from '../model/index.js';
import type { CaptureContext } from './capture-context.js';
import { callInFrames } from './in-page/frames.js';
import type { Tools } from './in-page/tools.js';

/** `texts`: a page with more of them has no list. `shown`: characters of a text that a message may quote. */
const MAX = { texts: 20_000, shown: 60 };

/** Bytes of the hash of one text. */
const HASH_BYTES = 3;

/**
 * Lists the texts that a page renders, in all frames, whether its image shows them or not: a slide that is out of view is rendered, a closed
 * menu without a box is not. Texts that `mask`, `ignore` and `texts` exclude are left out.
 *
 * @returns null if the image is not to show all of the page, or if the page has too many texts
 */
export async function readRenderedTexts({
  page,
  settings,
  locator,
  knownTexts,
}: Pick<CaptureContext, 'page' | 'settings' | 'locator' | 'knownTexts'>): Promise<RenderedTexts | null> {
  const { fullSize, expand, format, mask, ignore, texts } = settings;
  // A rectangle excludes texts of frames, too, whose place in the page is not known here.
  if (!fullSize || expand === false || format === 'pdf' || locator || ignore.areas.length > 0) return null;
  const excluded = [...mask, ...ignore.selectors, ...texts.map(({ selector }) => selector)];
  const scope = scopeOf(settings);
  if (knownTexts?.scope === scope) {
    const lists = await callInFrames(page, listTexts, excluded, MAX, false);
    const hashes = lists.flatMap((json): number[] => JSON.parse(json));
    // Most pages have not changed: the rest need not be measured.
    if (encode(hashes) === knownTexts.hashes) return { hashes: knownTexts, texts: [] };
  }
  const lists = await callInFrames(page, listTexts, excluded, MAX, true);
  const found = lists.flatMap((json): RenderedTexts['texts'] => JSON.parse(json));
  if (found.length > MAX.texts) return null;
  const hashesOf = (some: RenderedTexts['texts']) => encode(some.map(({ hash }) => hash));
  const beyond = hashesOf(found.filter(({ isBeyond }) => isBeyond));
  return { hashes: { scope, hashes: hashesOf(found), beyond }, texts: found };
}

/** Encodes hashes in an order that is always the same. */
export function encode(hashes: readonly number[]): string {
  const bytes = Buffer.alloc(hashes.length * HASH_BYTES);
  const sorted = hashes.toSorted((a, b) => a - b);
  for (const [index, hash] of sorted.entries()) bytes.writeUIntBE(hash, index * HASH_BYTES, HASH_BYTES);
  return bytes.toString('base64');
}

/** Returns the hashes that {@link encode} encoded. */
export function decodeHashes(base64: string): number[] {
  const bytes = Buffer.from(base64, 'base64');
  const count = Math.floor(bytes.length / HASH_BYTES);
  return Array.from({ length: count }, (_, index) => bytes.readUIntBE(index * HASH_BYTES, HASH_BYTES));
}

/** A page with other fields has other texts. */
function scopeOf({ mask, ignore, texts }: CaptureSettings): string {
  return createHash('sha256')
    .update(JSON.stringify([mask, ignore, texts]))
    .digest('hex')
    .slice(0, 8);
}

/** Runs in the page. Returns JSON of the texts, or of their hashes: it takes less time than objects. */
function listTexts(
  { findAll, listRoots, parentOf, nameOf }: Tools,
  selectors: readonly string[],
  max: typeof MAX,
  isDetailed: boolean,
): string {
  const NO_CONTENT = /^(script|style|noscript|title|desc|option|textarea|proofsheet-masks)$/i;
  const find = (selector: string): Element[] => {
    try {
      return findAll(selector);
    } catch {
      return []; // The search for masks and ignored areas reports an invalid selector.
    }
  };
  const excluded = new Set<Node>(selectors.flatMap(find));
  const isExcluded = (element: Element) => {
    for (let node: Node | null = excluded.size > 0 ? element : null; node; node = parentOf(node))
      if (excluded.has(node)) return true;
    return false;
  };
  /** FNV-1a of the UTF-16 code units, 24 bits: http://www.isthe.com/chongo/tech/comp/fnv/ */
  const hashOf = (text: string) => {
    let hash = 0x811c9dc5;
    for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
    return (hash ^ (hash >>> 24)) & 0xffffff;
  };
  const root = document.scrollingElement;
  const isPage = window === parent;
  const areas = new Map<Element, boolean>();
  /** Checks whether a visitor can scroll in an element. The page itself is in the image. */
  const isArea = (element: Element) => {
    const { scrollWidth, clientWidth, scrollHeight, clientHeight } = element;
    const [isWide, isTall] = [scrollWidth > clientWidth + 1, scrollHeight > clientHeight + 1];
    if (!(isWide || isTall) || (element === root && isPage)) return false;
    const { overflowX, overflowY } = getComputedStyle(element);
    const scrolls = element === root ? /visible|auto|scroll/ : /auto|scroll/;
    return (isWide && scrolls.test(overflowX)) || (isTall && scrolls.test(overflowY));
  };
  /** Checks whether a visitor can scroll to a part of an element that is out of view. */
  const isBeyond = (element: Element) => {
    const box = element.getBoundingClientRect();
    for (let node: Node | null = element; node instanceof Element; node = parentOf(node)) {
      const is = areas.get(node) ?? isArea(node);
      areas.set(node, is);
      if (!is) continue;
      const { left, top } = node === root ? { left: 0, top: 0 } : node.getBoundingClientRect();
      const [right, bottom] = [left + node.clientLeft + node.clientWidth, top + node.clientTop + node.clientHeight];
      if (box.left < left - 1 || box.top < top - 1 || box.right > right + 1 || box.bottom > bottom + 1) return true;
    }
    return false;
  };
  const found: unknown[] = [];
  const add = (element: Element, whole: string) => {
    const text = whole.replace(/\s+/g, ' ').trim();
    if (text === '' || NO_CONTENT.test(element.localName) || isExcluded(element)) return;
    if (!element.checkVisibility({ visibilityProperty: true })) return;
    const hash = hashOf(text);
    const detailsOf = () => ({ text: text.slice(0, max.shown), element: nameOf(element), isBeyond: isBeyond(element) });
    found.push(isDetailed ? { hash, ...detailsOf() } : hash);
  };
  for (const tree of listRoots()) {
    const walker = document.createTreeWalker(tree, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node && found.length <= max.texts; ) {
      const container = node.parentNode;
      // Scripts may write a text in any number of nodes.
      let text = '';
      let last: Node | null = null;
      for (
        ;
        node && node.parentNode === container && (!last || node.previousSibling === last);
        node = walker.nextNode()
      ) {
        text += node.nodeValue ?? '';
        last = node;
      }
      if (container instanceof Element) add(container, text);
    }
  }
  return JSON.stringify(found);
}
