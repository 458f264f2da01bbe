import type { EncodedImage, ImageCodec } from '../model/image.js';
import { areaOf } from './canvas.js';
import { walkRiff } from './embed-webp.js';
import { isFrameHeader, walkJpeg } from './heads.js';
import { walkPng } from './png-chunks.js';
import { readPngRows } from './png-rows.js';

/** Says why an image that is not damaged cannot be compared; null where it can. Nothing is decoded. */
export function whyUnsupported({ bytes, size }: EncodedImage, codec: ImageCodec): string | null {
  switch (codec) {
    case 'png':
      if (isAnimatedPng(bytes)) return 'it is animated (APNG)';
      return areaOf(size) > MAX_RARE_PIXELS && readPngRows(bytes) === null ? TOO_MANY_RARE : null;
    case 'jpeg':
      return countChannels(bytes) > 3 ? 'its colours are CMYK' : null;
    case 'webp':
      return walkRiff(bytes)?.some(({ type }) => type === 'ANIM' || type === 'ANMF') ? 'it is animated' : null;
    default:
      return codec satisfies never;
  }
}

/** What browsers do not write is decoded by way of several buffers: for 16 bits a channel they take 28 bytes a pixel. */
const MAX_RARE_PIXELS = 60_000_000;
const TOO_MANY_RARE = `a PNG that is grey, of a palette, of 16 bits or interlaced may have ${MAX_RARE_PIXELS / 1e6} million pixels`;

function isAnimatedPng(bytes: Buffer): boolean {
  for (const { type } of walkPng(bytes)) {
    if (type === 'acTL') return true;
    if (type === 'IDAT') return false;
  }
  return false;
}

function countChannels(bytes: Buffer): number {
  for (const { marker, data } of walkJpeg(bytes)) if (isFrameHeader(marker)) return data[5] ?? 0;
  return 0;
}
