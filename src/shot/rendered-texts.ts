import {
  BASELINE_WARNINGS,
  type Capture,
  listFew,
  type RenderedHashes,
  renderCountOf,
  type Warning,
} from '../model/index.js';
import { allowsText, decodeHashes } from '../page/index.js';
import type { ComparedLoad, TextChange } from './observation.js';

/**
 * Compares the texts of two captures that look the same. A text that differs is then not in the image: it is in a slide that is out of view,
 * or in an area that does not show all of its content. Dates and times do not count.
 */
export function compareTexts(before: RenderedHashes | undefined, { rendered: after }: Capture): TextChange | null {
  if (!before || !after || before.scope !== after.hashes.scope || before.hashes === after.hashes.hashes) return null;
  const left = countHashes(before.hashes);
  const added = after.texts.filter(({ hash }) => !left.delete(hash));
  const isTime = ({ text }: { text: string }) => allowsText('date', text);
  const [times, others] = [added.filter(isTime), added.filter((one) => !isTime(one))];
  // Each new time stands for one that is gone.
  const removed = Math.max(0, left.size() - times.length);
  if (others.length === 0 && removed === 0) return null;
  const beyond = countHashes(before.beyond);
  for (const hash of decodeHashes(after.hashes.beyond)) beyond.delete(hash);
  const removedBeyond = beyond.list().filter(left.has).length - times.filter((one) => one.isBeyond).length;
  const isBeyond = others.some((one) => one.isBeyond) || removedBeyond > 0;
  return { added: others.map(({ text, element }) => ({ text, element })), removed, isBeyond };
}

/** Counts hashes, each of which may be there several times. */
function countHashes(base64: string) {
  const counts = new Map<number, number>();
  for (const hash of decodeHashes(base64)) counts.set(hash, (counts.get(hash) ?? 0) + 1);
  const has = (hash: number) => (counts.get(hash) ?? 0) > 0;
  return {
    has,
    delete(hash: number): boolean {
      if (!has(hash)) return false;
      counts.set(hash, (counts.get(hash) ?? 0) - 1);
      return true;
    },
    list: () => [...counts.keys()].filter(has),
    size: () => [...counts.values()].reduce((sum, count) => sum + count, 0),
  };
}

/** Names texts that differ, unless a visitor can scroll to them: then the shot is changed. */
export function warnOfTexts(change: TextChange | null, advice: string): Warning[] {
  if (!change || change.isBeyond) return [];
  const { added, removed } = change;
  const parts = [
    ...(added.length > 0 ? [`new: ${listFew(added.map(({ text, element }) => `"${text}" (${element})`))}`] : []),
    ...(removed > 0 ? [`${renderCountOf(removed, 'text')} not there any more`] : []),
  ];
  const message = `the image is the same, but the page has other texts that the image does not show: ${parts.join('; ')}${advice}`;
  return [{ code: BASELINE_WARNINGS.texts, message }];
}

export function hasOtherTexts({ before }: ComparedLoad): boolean {
  return 'textChange' in before && before.textChange !== null;
}

/** Forgets the texts of a load unless another load that looks the same has the same: else they may differ by chance. */
export function withSteadyTexts(load: ComparedLoad, other: Capture | null): ComparedLoad {
  const { capture, before } = load;
  const [one, two] = [capture.rendered, other?.rendered];
  if (one && two && one.hashes.hashes === two.hashes.hashes) return load;
  const { rendered: _, ...rest } = capture;
  const isOther = ({ code }: Warning) => code !== BASELINE_WARNINGS.texts;
  const without = { ...load, capture: { ...rest, warnings: capture.warnings.filter(isOther) } };
  if (before.kind === 'live') return { ...without, before: { ...before, textChange: null } };
  if (before.kind !== 'baseline') return without;
  return { ...without, before: { ...before, textChange: null, outdated: before.outdated.filter(isOther) } };
}
