import { readFileSync, statSync } from 'node:fs';
import type { StagedImage } from '../baselines/index.js';
import type { ShotRecord } from '../model/index.js';
import { linksOf, MAX_INLINE_BYTES } from '../report/index.js';

/**
 * Reads the images to embed in a page, up to `MAX_INLINE_BYTES`: all images of a shot or none, in the order of the shots (worst first).
 * Images without a file are left out.
 */
export function readInlineImages(
  shots: readonly ShotRecord[],
  images: readonly StagedImage[],
): ReadonlyMap<string, Buffer> {
  const places = new Map(images.map(({ link, from }) => [link, from]));
  const chosen = new Map<string, string | Buffer>();
  let remaining = MAX_INLINE_BYTES;
  for (const shot of shots) {
    const found = linksOf(shot).flatMap((link) => {
      const from = places.get(link) ?? null;
      const bytes = from === null || chosen.has(link) ? null : sizeOf(from);
      return from === null || bytes === null ? [] : [{ link, from, bytes }];
    });
    const total = found.reduce((sum, { bytes }) => sum + bytes, 0);
    if (total > remaining) continue;
    remaining -= total;
    for (const { link, from } of found) chosen.set(link, from);
  }
  return new Map([...chosen].map(([link, from]) => [link, typeof from === 'string' ? readFileSync(from) : from]));
}

function sizeOf(from: string | Buffer): number | null {
  if (typeof from !== 'string') return from.length;
  return statSync(from, { throwIfNoEntry: false })?.size ?? null;
}
