import { inflateSync } from 'node:zlib';
import { type ImageCodec, messageOf } from '../model/index.js';
import { walkJpeg } from './headers.js';
import { walkPng } from './png/read.js';
import { walkRiff } from './webp/chunks.js';

/**
 * Checks that the colors of an image are sRGB, which is also the default without color information. Browsers capture in sRGB, and
 * embed its profile in JPEG and WebP. Images of other color spaces are refused, not converted.
 *
 * PNG: the first of cICP, iCCP, sRGB and gAMA applies. cHRM alone is ignored, and a gamma of 1/2.2 means sRGB. JPEG and WebP: an
 * ICC profile. Source: https://www.w3.org/TR/png-3/#color-chunk-precendence, and the rendering of Chromium.
 *
 * @throws Error with the reason when they are not sRGB, or unknown
 */
export function assertSrgb(bytes: Buffer, codec: ImageCodec): void {
  const profile = findProfile(bytes, codec);
  if (profile) assertSrgbProfile(profile);
}

/** Returns the ICC profile. Returns null if there is none, or if other data of a PNG states sRGB. */
function findProfile(bytes: Buffer, codec: ImageCodec): Buffer | null {
  switch (codec) {
    case 'png':
      return findPngProfile(new Map([...walkPng(bytes)].map(({ type, data }) => [type, data])));
    case 'jpeg': {
      const parts = [...walkJpeg(bytes)].filter(({ marker, data }) => marker === APP2 && isProfile(data));
      return parts.length === 0 ? null : Buffer.concat(parts.map(({ data }) => data.subarray(ICC.length + 2)));
    }
    case 'webp':
      return walkRiff(bytes)?.find(({ type }) => type === 'ICCP')?.data ?? null;
    default:
      return codec satisfies never;
  }
}

const APP2 = 0xe2;
const ICC = Buffer.from('ICC_PROFILE\0', 'latin1');
/** In bytes. The largest profiles of displays have about 100 KB. */
const MAX_PROFILE_BYTES = 4 << 20;

function isProfile(data: Buffer): boolean {
  return data.subarray(0, ICC.length).equals(ICC);
}

/** @throws Error when data other than a profile states a color space that is not sRGB */
function findPngProfile(chunks: ReadonlyMap<string, Buffer>): Buffer | null {
  const [cicp, iccp, gama, chrm] = ['cICP', 'iCCP', 'gAMA', 'cHRM'].map((type) => chunks.get(type));
  // ITU-T H.273: primaries 1 and transfer 13 mean sRGB. The matrix is always 0 in a PNG.
  if (cicp?.equals(Buffer.of(1, 13, 0, 1))) return null;
  if (cicp) throw new Error(`the color space (cICP ${[...cicp].join('-')}) is not sRGB`);
  if (iccp) return unpackProfile(iccp);
  if (chunks.has('sRGB') || !gama) return null;
  if (chrm && !isSrgbPrimaries(chrm)) throw new Error('the primaries (cHRM) are not those of sRGB');
  const gamma = gama.readUInt32BE(0) / 100_000;
  if (gamma === 0 || Math.abs(gamma - 1 / 2.2) < 0.005) return null;
  throw new Error(`the gamma (gAMA) is ${gamma}, expected 0.45455 for sRGB`);
}

function unpackProfile(data: Buffer): Buffer {
  // The chunk starts with a name, a zero byte, and a zero byte for the only compression method.
  return inflateSync(data.subarray(data.indexOf(0) + 2), { maxOutputLength: MAX_PROFILE_BYTES });
}

/** x and y of white, red, green and blue, in units of 1/100,000. */
const SRGB_CHRM = [31270, 32900, 64000, 33000, 30000, 60000, 15000, 6000];

function isSrgbPrimaries(chrm: Buffer): boolean {
  return SRGB_CHRM.every((value, index) => Math.abs(chrm.readUInt32BE(index * 4) - value) <= 500);
}

/** Checks an ICC profile of curves and primaries, or of one curve for grey: ICC.1:2022, 8.3. */
function assertSrgbProfile(profile: Buffer): void {
  try {
    if (profile.toString('latin1', 36, 40) !== 'acsp') throw new Error('it is not an ICC profile');
    if (profile.readUInt32BE(0) > profile.length) throw new Error('it is truncated');
    const space = profile.toString('latin1', 16, 20);
    if (space !== 'RGB ' && space !== 'GRAY')
      throw new Error(`the color space is ${space.trim()}, expected RGB or GRAY`);
    const primaries = space === 'GRAY' ? [] : SRGB_XYZ;
    for (const [tag, xyz] of primaries) {
      const data = findTag(profile, tag);
      if (xyz.some((value, index) => Math.abs(fixedAt(data, 8 + index * 4) - value) > MAX_XYZ_DIFFERENCE))
        throw new Error('the primaries are not those of sRGB');
    }
    for (const tag of space === 'GRAY' ? ['kTRC'] : ['rTRC', 'gTRC', 'bTRC']) {
      if (!isSrgbCurve(readCurve(findTag(profile, tag)))) throw new Error('the tone curves are not those of sRGB');
    }
  } catch (cause) {
    throw new Error(`the color profile is not sRGB: ${messageOf(cause)}`);
  }
}

/** The primaries of sRGB in XYZ under D50, as ICC profiles have them: http://www.brucelindbloom.com/Eqn_RGB_XYZ_Matrix.html */
const SRGB_XYZ = [
  ['rXYZ', [0.43607, 0.22249, 0.01392]],
  ['gXYZ', [0.38515, 0.71687, 0.09708]],
  ['bXYZ', [0.14307, 0.06061, 0.7141]],
] as const;

/** Profiles of sRGB round their primaries to a thousandth. Those of Display P3 differ by 0.08. */
const MAX_XYZ_DIFFERENCE = 0.005;

function findTag(profile: Buffer, name: string): Buffer {
  const count = Math.min(profile.readUInt32BE(128), MAX_TAGS);
  for (let at = 132; at < 132 + count * 12; at += 12) {
    if (profile.toString('latin1', at, at + 4) !== name) continue;
    const start = profile.readUInt32BE(at + 4);
    return profile.subarray(start, start + profile.readUInt32BE(at + 8));
  }
  throw new Error(`the tag ${name} is missing`);
}

const MAX_TAGS = 100;

type Curve = (value: number) => number;

/** Maximum difference of a value, of 255. Profiles of sRGB approximate its curve. */
const MAX_CURVE_DIFFERENCE = 2;

function isSrgbCurve(curve: Curve): boolean {
  return [16, 64, 128, 192, 255].every(
    (value) => Math.abs(255 * encodeSrgb(curve(value / 255)) - value) <= MAX_CURVE_DIFFERENCE,
  );
}

/** Converts linear intensity to the sRGB value: IEC 61966-2-1. */
function encodeSrgb(linear: number): number {
  return linear <= 0.0031308 ? 12.92 * linear : 1.055 * linear ** (1 / 2.4) - 0.055;
}

function readCurve(tag: Buffer): Curve {
  const type = tag.toString('latin1', 0, 4);
  if (type === 'curv') return readTable(tag);
  if (type === 'para') return readFormula(tag);
  throw new Error(`the curve type ${type} is not supported`);
}

function readTable(tag: Buffer): Curve {
  const count = tag.readUInt32BE(8);
  if (count === 0) return (value) => value;
  if (count === 1) return (value) => value ** (tag.readUInt16BE(12) / 256);
  return (value) => tag.readUInt16BE(12 + Math.round(value * (count - 1)) * 2) / 65_535;
}

/** ICC.1:2022, table 68. */
function readFormula(tag: Buffer): Curve {
  const kind = tag.readUInt16BE(8);
  const count = [1, 3, 4, 5, 7][kind];
  if (count === undefined) throw new Error(`the parametric curve type ${kind} is not supported`);
  const numbers = Array.from({ length: count }, (_, index) => fixedAt(tag, 12 + index * 4));
  const [g = 1, a = 1, b = 0, c = 0, d = 0, e = 0, f = 0] = numbers;
  const from = kind === 0 ? 0 : kind < 3 ? -b / a : d;
  const [above, below] = kind === 2 ? [c, c] : [e, f];
  const slope = kind < 3 ? 0 : c;
  return (value) => (value >= from ? (a * value + b) ** g + above : slope * value + below);
}

/** s15Fixed16Number: ICC.1:2022, 4.6. */
function fixedAt(tag: Buffer, at: number): number {
  return tag.readInt32BE(at) / 65_536;
}
