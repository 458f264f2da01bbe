import type { ShotRecord } from '../../model/run-record.js';
import { renderCount, renderCountOf } from '../../model/words.js';

/** How many bytes of images a page holds itself. A browser opens it in a moment, and so does what shows the files of CI. */
export const MAX_INLINE_BYTES = 30_000_000;

/**
 * Returns the links of the images that a page is to hold itself: shot by shot from the worst on, each with all its images or
 * with none, as long as they are within {@link MAX_INLINE_BYTES}.
 *
 * @param sizeOf gives the bytes of an image; null: there is none.
 */
export function selectInline(shots: readonly ShotRecord[], sizeOf: (link: string) => number | null): string[] {
  const selected = new Set<string>();
  let room = MAX_INLINE_BYTES;
  for (const shot of shots) {
    const sizes = linksOf(shot)
      .filter((link) => !selected.has(link))
      .flatMap((link) => {
        const bytes = sizeOf(link);
        return bytes === null ? [] : [{ link, bytes }];
      });
    const bytes = sizes.reduce((sum, size) => sum + size.bytes, 0);
    if (bytes > room) continue;
    room -= bytes;
    for (const { link } of sizes) selected.add(link);
  }
  return [...selected];
}

/** Says how many images a page has no room for; null: none. */
export function renderLeftOut(shots: readonly ShotRecord[], held: ReadonlySet<string>): string | null {
  const links = new Set(shots.flatMap(linksOf));
  const left = [...links].filter((link) => !held.has(link)).length;
  if (left === 0) return null;
  const limit = `this file holds at most ${MAX_INLINE_BYTES / 1_000_000} MB of images, the worst shots first`;
  return `${renderCount(left)} of ${renderCountOf(links.size, 'image')} left out: ${limit}. All are in the folder screenshots of the report.`;
}

/** Returns the links of all images of a shot, each once, those of its earlier attempts at the end. */
export function linksOf({ attempts, ...shot }: ShotRecord): string[] {
  const images = [shot, ...attempts].flatMap(({ before, after, diff }) => [before, after, diff]);
  return [...new Set(images.flatMap((image) => image?.link ?? []))];
}
