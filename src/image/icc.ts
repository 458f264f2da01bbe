import { type ColourSpace, type Curve, createCurve, SRGB_PRIMARIES } from './colour-space.js';

/**
 * Reads an ICC profile that is made of curves and a matrix, or for grey of one curve, as all common working spaces and displays
 * have them: ICC.1:2022, 8.3.
 *
 * @throws Error when it is of another kind, or damaged
 */
export function readProfile(profile: Buffer): ColourSpace {
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
    throw new Error(`its colour profile cannot be applied: ${cause instanceof Error ? cause.message : cause}`);
  }
}

function findTag(profile: Buffer, name: string): Buffer {
  const count = Math.min(profile.readUInt32BE(128), MOST_TAGS);
  for (let at = 132; at < 132 + count * 12; at += 12) {
    if (profile.toString('latin1', at, at + 4) !== name) continue;
    const start = profile.readUInt32BE(at + 4);
    return profile.subarray(start, start + profile.readUInt32BE(at + 8));
  }
  throw new Error(`it has no ${name}`);
}

const MOST_TAGS = 100;

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

/** Profiles speak of XYZ under D50: http://www.brucelindbloom.com/Eqn_RGB_XYZ_Matrix.html, sRGB adapted by Bradford. */
const SRGB_FROM_XYZ = [
  [3.1338561, -1.6168667, -0.4906146],
  [-0.9787684, 1.9161415, 0.033454],
  [0.0719453, -0.2289914, 1.4052427],
] as const;

function fromXyz(columns: readonly (readonly number[])[]): readonly number[] {
  return SRGB_FROM_XYZ.flatMap(([x, y, z]) => columns.map(([cx = 0, cy = 0, cz = 0]) => x * cx + y * cy + z * cz));
}
