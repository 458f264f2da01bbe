import { inflateSync } from 'node:zlib';
import type { ImageCodec } from '../model/image.js';
import { type ColourSpace, createCurve, SRGB_PRIMARIES } from './colour-space.js';
import { walkRiff } from './embed-webp.js';
import { walkJpeg } from './heads.js';
import { readProfile } from './icc.js';
import { walkPng } from './png-chunks.js';

/**
 * Reads what the numbers of an image mean as browsers do; null for sRGB, which is what an image means that does not say.
 *
 * PNG: of cICP, iCCP, sRGB and gAMA the first that is there holds; cHRM alone means nothing, a gAMA of 1/2.2 means sRGB. JPEG and
 * WebP: an ICC profile. Source: https://www.w3.org/TR/png-3/#color-chunk-precendence, and what Chromium shows.
 *
 * @throws Error when it means something that is not applied here
 */
export function readColour(bytes: Buffer, codec: ImageCodec): ColourSpace | null {
  switch (codec) {
    case 'png':
      return readPngColour(new Map([...walkPng(bytes)].map(({ type, data }) => [type, data])));
    case 'jpeg': {
      const parts = [...walkJpeg(bytes)].filter(({ marker, data }) => marker === APP2 && isProfile(data));
      return parts.length === 0
        ? null
        : readProfile(Buffer.concat(parts.map(({ data }) => data.subarray(ICC.length + 2))));
    }
    case 'webp': {
      const profile = walkRiff(bytes)?.find(({ type }) => type === 'ICCP');
      return profile ? readProfile(profile.data) : null;
    }
    default:
      return codec satisfies never;
  }
}

const APP2 = 0xe2;
const ICC = Buffer.from('ICC_PROFILE\0', 'latin1');
/** The largest profiles of displays have some 100 KB. */
const MOST_PROFILE = 4 << 20;

function isProfile(data: Buffer): boolean {
  return data.subarray(0, ICC.length).equals(ICC);
}

function readPngColour(chunks: ReadonlyMap<string, Buffer>): ColourSpace | null {
  const [cicp, iccp, gama] = [chunks.get('cICP'), chunks.get('iCCP'), chunks.get('gAMA')];
  if (cicp) return readCicp(cicp);
  if (iccp) return readProfile(unpackProfile(iccp));
  if (chunks.has('sRGB') || !gama) return null;
  return readGamma(gama, chunks.get('cHRM') ?? null);
}

// ITU-T H.273: primaries 1, transfer 13 is sRGB; the matrix is always 0 in a PNG.
function readCicp(data: Buffer): null {
  if (data.equals(Buffer.of(1, 13, 0, 1))) return null;
  throw new Error(`its colours (cICP ${[...data].join('-')}) are not sRGB`);
}

function unpackProfile(data: Buffer): Buffer {
  // A name, a zero, and a zero for the only way of packing.
  return inflateSync(data.subarray(data.indexOf(0) + 2), { maxOutputLength: MOST_PROFILE });
}

function readGamma(gama: Buffer, chrm: Buffer | null): ColourSpace | null {
  if (chrm && !isSrgbPrimaries(chrm)) throw new Error('its colours (cHRM) are not those of sRGB');
  const gamma = gama.readUInt32BE(0) / 100_000;
  if (Math.abs(gamma - 1 / 2.2) < 0.005 || gamma === 0) return null;
  const curve = createCurve((value) => value ** (1 / gamma));
  return { curves: [curve, curve, curve], matrix: SRGB_PRIMARIES };
}

/** White, red, green, blue, each x and y in 100,000ths. */
const SRGB_CHRM = [31270, 32900, 64000, 33000, 30000, 60000, 15000, 6000];

function isSrgbPrimaries(chrm: Buffer): boolean {
  return SRGB_CHRM.every((value, index) => Math.abs(chrm.readUInt32BE(index * 4) - value) <= 500);
}
