import { renderCount, renderCountOf, type ShotRecord } from '../../model/index.js';

/** Maximum total size of inline images, in bytes. Browsers and CI artifact viewers open such a page without delay. */
export const MAX_INLINE_BYTES = 30_000_000;

/**
 * Selects the images to embed in a page, up to {@link MAX_INLINE_BYTES}. Selects all images of a shot or none, in the order of
 * the shots (worst first).
 *
 * @param sizeOf returns the size of an image in bytes; null if the file does not exist.
 */
export function selectInline(shots: readonly ShotRecord[], sizeOf: (link: string) => number | null): string[] {
  const selected = new Set<string>();
  let remaining = MAX_INLINE_BYTES;
  for (const shot of shots) {
    const sizes = linksOf(shot)
      .filter((link) => !selected.has(link))
      .flatMap((link) => {
        const bytes = sizeOf(link);
        return bytes === null ? [] : [{ link, bytes }];
      });
    const bytes = sizes.reduce((sum, size) => sum + size.bytes, 0);
    if (bytes > remaining) continue;
    remaining -= bytes;
    for (const { link } of sizes) selected.add(link);
  }
  return [...selected];
}

/** Renders the number of images that are not embedded; null if all are. */
export function renderOmittedImages(shots: readonly ShotRecord[], embedded: ReadonlySet<string>): string | null {
  const links = new Set(shots.flatMap(linksOf));
  const omitted = [...links].filter((link) => !embedded.has(link)).length;
  if (omitted === 0) return null;
  const counts = `${renderCount(omitted)} of ${renderCountOf(links.size, 'image')}`;
  const limit = `the limit is ${MAX_INLINE_BYTES / 1_000_000} MB, and the worst shots come first`;
  return `${counts} are not embedded: ${limit}. The "screenshots" folder of the report has all images.`;
}

/** Returns the distinct image links of a shot. Links of earlier attempts are last. */
export function linksOf({ attempts, ...shot }: ShotRecord): string[] {
  const images = [shot, ...attempts].flatMap(({ before, after, diff }) => [before, after, diff]);
  return [...new Set(images.flatMap((image) => image?.link ?? []))];
}
