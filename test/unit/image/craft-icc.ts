/** Primaries of sRGB and of Display P3 under D50, by columns: red, green, blue. */
export const PRIMARIES = {
  srgb: [0.43607, 0.22249, 0.01392, 0.38515, 0.71687, 0.09708, 0.14307, 0.06061, 0.7141],
  p3: [0.51512, 0.2412, -0.00105, 0.29198, 0.69225, 0.04189, 0.1571, 0.06657, 0.78407],
} as const;

/** IEC 61966-2-1 as parameters of a curve of kind 3. */
const SRGB_CURVE = para(3, [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045]);

/** Writes an ICC profile of curves and a matrix. */
export function craftIcc(columns: readonly number[], curve: Buffer = SRGB_CURVE): Buffer {
  const xyz = [0, 3, 6].map((at) =>
    Buffer.concat([Buffer.from('XYZ \0\0\0\0', 'latin1'), ...columns.slice(at, at + 3).map(fixed)]),
  );
  const names = ['rXYZ', 'gXYZ', 'bXYZ', 'rTRC', 'gTRC', 'bTRC'];
  return joinTags(
    'RGB ',
    names.map((name, index) => [name, xyz[index] ?? curve]),
  );
}

/** Writes an ICC profile of grey. */
export function craftGreyIcc(curve: Buffer = SRGB_CURVE): Buffer {
  return joinTags('GRAY', [['kTRC', curve]]);
}

/** Writes an ICC profile with the tags given. */
export function joinTags(space: string, tags: readonly (readonly [name: string, data: Buffer])[]): Buffer {
  const head = Buffer.alloc(132);
  head.write(space, 16, 'latin1');
  head.writeUInt32BE(tags.length, 128);
  head.writeUInt8(4, 8); // Version 4, of a display; XYZ under D50.
  head.write('mntr', 12, 'latin1');
  head.write('XYZ ', 20, 'latin1');
  head.write('acsp', 36, 'latin1');
  Buffer.concat([0.9642, 1, 0.8249].map(fixed)).copy(head, 68);
  let at = 132 + tags.length * 12;
  const table = tags.map(([name, data]) => {
    const entry = Buffer.alloc(12);
    entry.write(name, 'latin1');
    entry.writeUInt32BE(at, 4);
    entry.writeUInt32BE(data.length, 8);
    at += data.length;
    return entry;
  });
  const profile = Buffer.concat([head, ...table, ...tags.map(([, data]) => data)]);
  profile.writeUInt32BE(profile.length, 0);
  return profile;
}

/** Writes a curve that is a formula. */
export function para(kind: number, values: readonly number[]): Buffer {
  return Buffer.concat([Buffer.from('para\0\0\0\0\0', 'latin1'), Buffer.of(kind, 0, 0), ...values.map(fixed)]);
}

/** Writes a curve that is a table, or with one value a gamma in 256ths. */
export function curv(values: readonly number[]): Buffer {
  const data = Buffer.alloc(12 + values.length * 2);
  data.write('curv', 'latin1');
  data.writeUInt32BE(values.length, 8);
  values.forEach((value, index) => {
    data.writeUInt16BE(value, 12 + index * 2);
  });
  return data;
}

function fixed(value: number): Buffer {
  const data = Buffer.alloc(4);
  data.writeInt32BE(Math.round(value * 65_536));
  return data;
}
