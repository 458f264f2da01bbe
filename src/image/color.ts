import { inflateSync } from 'node:zlib';
import type { ImageCodec, Pixels } from '../model/image.js';
import { walkJpeg } from './headers.js';
import { walkPng } from './png/chunks.js';
import { walkRiff } from './webp/chunks.js';

/** A color space other than sRGB. */
export interface ColorSpace {
  /** Linear intensity, 0 to 1, of each of the 256 values of red, green and blue. */
  readonly curves: readonly [Curve, Curve, Curve];
  /** Converts linear RGB of this space to linear sRGB: 3x3, row-major. */
  readonly matrix: readonly number[];
}

/** Linear intensity, 0 to 1, of each value 0..255. */
export type Curve = Float64Array;

/** The matrix of a space with the primaries of sRGB. */
export const SRGB_PRIMARIES: readonly number[] = [1, 0, 0, 0, 1, 0, 0, 0, 1];

/** Creates a curve from a function of the value to its linear intensity, both 0 to 1. */
export function createCurve(brightness: (value: number) => number): Curve {
  return Float64Array.from({ length: 256 }, (_, value) => brightness(value / 255));
}

/**
 * Converts the colors of pixels to sRGB, in place: applies the curves and the matrix, and clips colors outside sRGB. Does nothing
 * if no channel would change by more than 2 of 255. Such a space is sRGB as described by another program.
 */
export function convertToSrgb({ data }: Pixels, space: ColorSpace): void {
  if (isNearSrgb(space)) return;
  for (let at = 0; at < data.length; at += 4) convertPixel(data, at, space);
}

const MAX_CHANNEL_DIFFERENCE = 2;

function isNearSrgb(space: ColorSpace): boolean {
  const values = [0, 16, 64, 128, 192, 255];
  const sample = values.flatMap((red) => values.flatMap((green) => values.map((blue) => [red, green, blue])));
  return sample.every((color) => {
    const converted = Uint8Array.from(color);
    convertPixel(converted, 0, space);
    return converted.every((value, channel) => Math.abs(value - (color[channel] ?? 0)) <= MAX_CHANNEL_DIFFERENCE);
  });
}

function convertPixel(data: Uint8Array, at: number, { curves, matrix }: ColorSpace): void {
  const red = curves[0][data[at] ?? 0] ?? 0;
  const green = curves[1][data[at + 1] ?? 0] ?? 0;
  const blue = curves[2][data[at + 2] ?? 0] ?? 0;
  for (let channel = 0; channel < 3; channel++) {
    const row = channel * 3;
    const linear = (matrix[row] ?? 0) * red + (matrix[row + 1] ?? 0) * green + (matrix[row + 2] ?? 0) * blue;
    data[at + channel] = ENCODED[Math.round(Math.min(1, Math.max(0, linear)) * LINEAR_STEPS)] ?? 0;
  }
}

const LINEAR_STEPS = 1 << 14;

/** Converts linear intensity to the sRGB value: IEC 61966-2-1. */
const ENCODED = Uint8Array.from({ length: LINEAR_STEPS + 1 }, (_, step) => {
  const linear = step / LINEAR_STEPS;
  return Math.round(255 * (linear <= 0.0031308 ? 12.92 * linear : 1.055 * linear ** (1 / 2.4) - 0.055));
});

/**
 * Reads an ICC profile of curves and a matrix, or of one curve for grey. All common working spaces and displays have such
 * profiles: ICC.1:2022, 8.3.
 *
 * @throws Error when the profile is of another kind, or damaged
 */
export function readProfile(profile: Buffer): ColorSpace {
  try {
    if (profile.toString('latin1', 36, 40) !== 'acsp') throw new Error('it is no ICC profile');
    if (profile.readUInt32BE(0) > profile.length) throw new Error('it is cut off');
    if (profile.readUInt8(8) > 4) throw new Error('its version is not known');
    const space = profile.toString('latin1', 16, 20);
    if (space === 'GRAY') {
      const curve = readCurve(findTag(profile, 'kTRC'));
      return { curves: [curve, curve, curve], matrix: SRGB_PRIMARIES };
    }
    if (space !== 'RGB ') throw new Error(`it is for ${space.trim()}`);
    const [red, green, blue] = ['rXYZ', 'gXYZ', 'bXYZ'].map((tag) => readXyz(findTag(profile, tag)));
    const curves = ['rTRC', 'gTRC', 'bTRC'].map((tag) => readCurve(findTag(profile, tag)));
    const [first, second, third] = curves;
    if (!red || !green || !blue || !first || !second || !third) throw new Error('it lacks a channel');
    return { curves: [first, second, third], matrix: fromXyz([red, green, blue]) };
  } catch (cause) {
    throw new Error(`its color profile cannot be applied: ${cause instanceof Error ? cause.message : cause}`);
  }
}

function findTag(profile: Buffer, name: string): Buffer {
  const count = Math.min(profile.readUInt32BE(128), MAX_TAGS);
  for (let at = 132; at < 132 + count * 12; at += 12) {
    if (profile.toString('latin1', at, at + 4) !== name) continue;
    const start = profile.readUInt32BE(at + 4);
    return profile.subarray(start, start + profile.readUInt32BE(at + 8));
  }
  throw new Error(`it has no ${name}`);
}

const MAX_TAGS = 100;

function readXyz(tag: Buffer): readonly number[] {
  return [8, 12, 16].map((at) => fixedAt(tag, at));
}

function readCurve(tag: Buffer): Curve {
  const type = tag.toString('latin1', 0, 4);
  if (type === 'curv') return readTable(tag);
  if (type === 'para') return readFormula(tag);
  throw new Error(`its curve is ${type}`);
}

function readTable(tag: Buffer): Curve {
  const count = tag.readUInt32BE(8);
  if (count === 0) return createCurve((value) => value);
  if (count === 1) return createCurve((value) => value ** (tag.readUInt16BE(12) / 256));
  return createCurve((value) => {
    const place = value * (count - 1);
    const below = Math.min(Math.floor(place), count - 2);
    const [from, to] = [tag.readUInt16BE(12 + below * 2), tag.readUInt16BE(14 + below * 2)];
    return (from + (to - from) * (place - below)) / 65_535;
  });
}

/** ICC.1:2022, table 68. */
function readFormula(tag: Buffer): Curve {
  const kind = tag.readUInt16BE(8);
  const count = [1, 3, 4, 5, 7][kind];
  if (count === undefined) throw new Error(`its curve is of kind ${kind}`);
  const [g = 1, a = 1, b = 0, c = 0, d = 0, e = 0, f = 0] = Array.from({ length: count }, (_, i) =>
    fixedAt(tag, 12 + i * 4),
  );
  const from = kind === 0 ? 0 : kind < 3 ? -b / a : d;
  const [above, below] = kind === 2 ? [c, c] : [e, f];
  const slope = kind < 3 ? 0 : c;
  return createCurve((value) => (value >= from ? (a * value + b) ** g + above : slope * value + below));
}

/** s15Fixed16Number: ICC.1:2022, 4.6. */
function fixedAt(tag: Buffer, at: number): number {
  return tag.readInt32BE(at) / 65_536;
}

/**
 * Converts XYZ to linear sRGB. ICC profiles use XYZ under D50, so the matrix is adapted with Bradford:
 * http://www.brucelindbloom.com/Eqn_RGB_XYZ_Matrix.html
 */
const SRGB_FROM_XYZ = [
  [3.1338561, -1.6168667, -0.4906146],
  [-0.9787684, 1.9161415, 0.033454],
  [0.0719453, -0.2289914, 1.4052427],
] as const;

function fromXyz(columns: readonly (readonly number[])[]): readonly number[] {
  return SRGB_FROM_XYZ.flatMap(([x, y, z]) => columns.map(([cx = 0, cy = 0, cz = 0]) => x * cx + y * cy + z * cz));
}

/**
 * Reads the color space of an image as browsers do. Returns null for sRGB, which is also the default without color information.
 *
 * PNG: the first of cICP, iCCP, sRGB and gAMA applies. cHRM alone is ignored, and a gAMA of 1/2.2 means sRGB. JPEG and WebP: an
 * ICC profile. Source: https://www.w3.org/TR/png-3/#color-chunk-precendence, and the rendering of Chromium.
 *
 * @throws Error when the color space is not supported
 */
export function readColor(bytes: Buffer, codec: ImageCodec): ColorSpace | null {
  switch (codec) {
    case 'png':
      return readPngColor(new Map([...walkPng(bytes)].map(({ type, data }) => [type, data])));
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
/** In bytes. The largest profiles of displays have about 100 KB. */
const MAX_PROFILE_BYTES = 4 << 20;

function isProfile(data: Buffer): boolean {
  return data.subarray(0, ICC.length).equals(ICC);
}

function readPngColor(chunks: ReadonlyMap<string, Buffer>): ColorSpace | null {
  const [cicp, iccp, gama] = [chunks.get('cICP'), chunks.get('iCCP'), chunks.get('gAMA')];
  if (cicp) return readCicp(cicp);
  if (iccp) return readProfile(unpackProfile(iccp));
  if (chunks.has('sRGB') || !gama) return null;
  return readGamma(gama, chunks.get('cHRM') ?? null);
}

// ITU-T H.273: primaries 1 and transfer 13 mean sRGB. The matrix is always 0 in a PNG.
function readCicp(data: Buffer): null {
  if (data.equals(Buffer.of(1, 13, 0, 1))) return null;
  throw new Error(`its colors (cICP ${[...data].join('-')}) are not sRGB`);
}

function unpackProfile(data: Buffer): Buffer {
  // The chunk starts with a name, a zero byte, and a zero byte for the only compression method.
  return inflateSync(data.subarray(data.indexOf(0) + 2), { maxOutputLength: MAX_PROFILE_BYTES });
}

function readGamma(gama: Buffer, chrm: Buffer | null): ColorSpace | null {
  if (chrm && !isSrgbPrimaries(chrm)) throw new Error('its colors (cHRM) are not those of sRGB');
  const gamma = gama.readUInt32BE(0) / 100_000;
  if (Math.abs(gamma - 1 / 2.2) < 0.005 || gamma === 0) return null;
  const curve = createCurve((value) => value ** (1 / gamma));
  return { curves: [curve, curve, curve], matrix: SRGB_PRIMARIES };
}

/** x and y of white, red, green and blue, in units of 1/100,000. */
const SRGB_CHRM = [31270, 32900, 64000, 33000, 30000, 60000, 15000, 6000];

function isSrgbPrimaries(chrm: Buffer): boolean {
  return SRGB_CHRM.every((value, index) => Math.abs(chrm.readUInt32BE(index * 4) - value) <= 500);
}
