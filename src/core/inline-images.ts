import { readFileSync, statSync } from 'node:fs';
import type { ShotRecord } from '../model/record.js';
import { selectInline } from '../report/inline.js';
import type { CollectedImage } from './collect-observed.js';

/** Reads the images that a page is to hold itself, as many as it may; an image that cannot be read is left out. */
export function readInlineImages(
  shots: readonly ShotRecord[],
  images: readonly CollectedImage[],
): ReadonlyMap<string, Buffer> {
  const places = new Map(images.map(({ link, from }) => [link, from]));
  const selected = selectInline(shots, (link) => sizeOf(places.get(link) ?? null));
  return new Map(selected.map((link) => [link, readBytes(places.get(link) ?? '')]));
}

function sizeOf(from: string | Buffer | null): number | null {
  if (from === null) return null;
  if (typeof from !== 'string') return from.length;
  return statSync(from, { throwIfNoEntry: false })?.size ?? null;
}

function readBytes(from: string | Buffer): Buffer {
  return typeof from === 'string' ? readFileSync(from) : from;
}
