import {
  BASELINE_WARNINGS,
  type BaselineRecord,
  type Capture,
  listFew,
  type RenderedTexts,
  renderCountOf,
  type Warning,
} from '../model/index.js';
import { allowsText } from '../page/index.js';
import type { ComparedLoad } from './observation.js';

type RenderedHashes = NonNullable<BaselineRecord['rendered']>;

/** Bytes of the hash of one text. */
const HASH_BYTES = 3;

/** Returns what a baseline keeps of the texts of its page: hashes, because a text may be secret. */
export function toHashes({ scope, texts }: RenderedTexts): RenderedHashes {
  const bytes = Buffer.alloc(texts.length * HASH_BYTES);
  const sorted = texts.map(({ hash }) => hash).sort((a, b) => a - b);
  for (const [index, hash] of sorted.entries()) bytes.writeUIntBE(hash, index * HASH_BYTES, HASH_BYTES);
  return { scope, hashes: bytes.toString('base64') };
}

/**
 * Compares the texts of two captures that look the same. A text that differs is then not in the image: in a slide that is out of view, or in
 * an area that hides a part of its content. Times and dates do not count.
 */
export function warnOfTexts(before: RenderedHashes | undefined, { rendered: after }: Capture, update = ''): Warning[] {
  if (!before || !after || before.scope !== after.scope) return [];
  const left = countHashes(before);
  const added = after.texts.filter(({ hash }) => {
    const count = left.get(hash) ?? 0;
    left.set(hash, count - 1);
    return count <= 0;
  });
  const removed = [...left.values()].reduce((sum, count) => sum + Math.max(0, count), 0);
  const isTime = ({ text }: { text: string }) => allowsText('date', text);
  const times = added.filter(isTime).length;
  const shown = added.filter((one) => !isTime(one)).map(({ text, element }) => `"${text}" (${element})`);
  const gone = Math.max(0, removed - times);
  if (shown.length === 0 && gone === 0) return [];
  const parts = [
    ...(shown.length > 0 ? [`new: ${listFew(shown)}`] : []),
    ...(gone > 0 ? [`${renderCountOf(gone, 'text')} not there any more`] : []),
  ];
  const message = `the image is the same, but the page has other texts that the image does not show: ${parts.join('; ')}${update}`;
  return [{ code: BASELINE_WARNINGS.texts, message }];
}

function countHashes({ hashes }: RenderedHashes): Map<number, number> {
  const bytes = Buffer.from(hashes, 'base64');
  const counts = new Map<number, number>();
  for (let at = 0; at + HASH_BYTES <= bytes.length; at += HASH_BYTES) {
    const hash = bytes.readUIntBE(at, HASH_BYTES);
    counts.set(hash, (counts.get(hash) ?? 0) + 1);
  }
  return counts;
}

export function hasOtherTexts({ capture, before }: ComparedLoad): boolean {
  return [...capture.warnings, ...(before.kind === 'baseline' ? before.outdated : [])].some(isAboutTexts);
}

/** Forgets the texts of a load unless another load that looks the same has the same: else they may differ by chance. */
export function withSteadyTexts(load: ComparedLoad, other: Capture | null): ComparedLoad {
  const { capture, before } = load;
  const [one, two] = [capture.rendered, other?.rendered];
  if (one && two && toHashes(one).hashes === toHashes(two).hashes) return load;
  const { rendered: _, ...rest } = capture;
  return {
    ...load,
    capture: { ...rest, warnings: capture.warnings.filter((warning) => !isAboutTexts(warning)) },
    before:
      before.kind === 'baseline'
        ? { ...before, outdated: before.outdated.filter((warning) => !isAboutTexts(warning)) }
        : before,
  };
}

function isAboutTexts({ code }: Warning): boolean {
  return code === BASELINE_WARNINGS.texts;
}
