import { readFileSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RunRecord, ShotRecord } from '../model/index.js';
import { linksOf, MAX_INLINE_BYTES } from '../report/index.js';
import { INDEX_FILE } from './names.js';
import { findImage } from './read-run.js';

/** As a file path or as bytes; null if it is missing. */
export interface StagedImage {
  readonly link: string;
  readonly from: string | Buffer | null;
}

/** Reads up to `MAX_INLINE_BYTES` of images: all images of a shot or none, worst shot first. */
export function readInlineImages(shots: readonly ShotRecord[], images: readonly StagedImage[]) {
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

/** Reads the images for `index.html` again if the current one has images; otherwise null. */
export async function rereadInlineImages(folder: string, { shots }: Pick<RunRecord, 'shots'>) {
  const index = await readFile(join(folder, INDEX_FILE), 'utf8').catch(() => '');
  if (!HAS_INLINE_IMAGES.test(index)) return null;
  const images = shots.flatMap(linksOf).map(async (link) => ({ link, from: await findImage(folder, link) }));
  return readInlineImages(shots, await Promise.all(images));
}

const HAS_INLINE_IMAGES = /<script type="(image|application)\/(?!json)/;
