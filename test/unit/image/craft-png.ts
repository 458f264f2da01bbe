import { crc32, deflateSync } from 'node:zlib';

/** A PNG of any kind that the specification knows, made without the code under test. */
export interface Craft {
  readonly width: number;
  readonly height: number;
  readonly depth: 1 | 2 | 4 | 8 | 16;
  readonly colorType: 0 | 2 | 3 | 4 | 6;
  readonly interlaced?: boolean;
  /** Which filter the row of a pass has; default none. */
  readonly filterOf?: (row: number) => number;
  /** Chunks between IHDR and IDAT. */
  readonly extra?: readonly (readonly [type: string, data: Buffer])[];
  /** The samples of one pixel: as many as the color type has channels. */
  readonly samplesAt: (x: number, y: number) => readonly number[];
}

export function craftPng(craft: Craft): Buffer {
  const { width, height, depth, colorType, interlaced = false, extra = [] } = craft;
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([depth, colorType, 0, 0, interlaced ? 1 : 0], 8);
  const passes = interlaced ? ADAM7 : [[0, 0, 1, 1] as const];
  const rows = Buffer.concat(passes.map((pass) => rowsOf(craft, pass)));
  return joinChunks([['IHDR', header], ...extra, ['IDAT', deflateSync(rows)], ['IEND', Buffer.alloc(0)]]);
}

export function joinChunks(chunks: readonly (readonly [type: string, data: Buffer])[]): Buffer {
  return Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), ...chunks.map(([type, data]) => chunkOf(type, data))]);
}

/** Makes the checksums of a PNG's chunks right again, so that damage gets past them. */
export function mendPng(bytes: Buffer): Buffer {
  const chunks: [string, Buffer][] = [];
  for (let offset = 8; offset + 12 <= bytes.length; offset += 12 + bytes.readUInt32BE(offset)) {
    const end = offset + 8 + bytes.readUInt32BE(offset);
    chunks.push([bytes.toString('latin1', offset + 4, offset + 8), bytes.subarray(offset + 8, end)]);
  }
  return joinChunks(chunks);
}

const ADAM7 = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const;

function rowsOf(craft: Craft, [x0, y0, dx, dy]: readonly [number, number, number, number]): Buffer {
  const rows: Buffer[] = [];
  let above: Buffer | null = null;
  if (x0 >= craft.width) return Buffer.alloc(0);
  for (let y = y0; y < craft.height; y += dy) {
    const samples: number[] = [];
    for (let x = x0; x < craft.width; x += dx) samples.push(...craft.samplesAt(x, y));
    const row = packSamples(samples, craft.depth);
    const step = Math.max(1, (craft.samplesAt(0, 0).length * craft.depth) / 8);
    rows.push(filterRow(row, above, step, craft.filterOf?.(rows.length) ?? 0));
    above = row;
  }
  return Buffer.concat(rows);
}

function packSamples(samples: readonly number[], depth: number): Buffer {
  const bits = samples.map((sample) => sample.toString(2).padStart(depth, '0')).join('');
  const bytes = bits.padEnd(Math.ceil(bits.length / 8) * 8, '0').match(/.{8}/g) ?? [];
  return Buffer.from(bytes.map((byte) => Number.parseInt(byte, 2)));
}

function filterRow(row: Buffer, above: Buffer | null, step: number, filter: number): Buffer {
  const at = (line: Buffer | null, index: number) => (index < 0 ? 0 : (line?.[index] ?? 0));
  const predicted = (i: number) => {
    const [a, b, c] = [at(row, i - step), at(above, i), i < step ? 0 : at(above, i - step)];
    const nearest = [a, b, c].map((value, order) => ({ value, order, off: Math.abs(a + b - c - value) }));
    const paeth = nearest.sort((one, other) => one.off - other.off || one.order - other.order)[0]?.value ?? 0;
    return [0, a, b, (a + b) >> 1, paeth][filter] ?? 0;
  };
  return Buffer.from([filter, ...row.map((byte, i) => byte - predicted(i))]);
}

function chunkOf(type: string, data: Buffer): Buffer {
  const chunk = Buffer.concat([Buffer.alloc(4), Buffer.from(type, 'latin1'), data, Buffer.alloc(4)]);
  chunk.writeUInt32BE(data.length, 0);
  chunk.writeUInt32BE(crc32(chunk.subarray(4, -4)), chunk.length - 4);
  return chunk;
}
