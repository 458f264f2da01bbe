import type { Kernels } from './kernels.js';
import type { PngRows } from './png-rows.js';

/**
 * Unpacks the rows of a PNG into pixels, a few at a time. The whole programme of {@link serveUnpack}, too: its source is handed
 * to a thread as text, and so it uses nothing from outside itself.
 *
 * @param memory - gives the memory of the loops, of so many bytes at least
 * @param packed - what its IDAT chunks hold
 * @param data - takes RGBA, all of it
 * @throws Error when the packed data is damaged, too short or too long
 */
export function unpackPixels(
  kernels: Kernels,
  memory: (bytes: number) => Uint8Array,
  packed: readonly Uint8Array[],
  { width, height, channels, stride }: PngRows,
  data: Uint8Array,
): void {
  /** How far back deflate may reach: https://www.rfc-editor.org/rfc/rfc1951#page-3. */
  const history = 1 << 15;
  /** So much is unpacked at a time: it stays in the processor's cache until it is in its place. */
  const room = history + stride + Math.max(stride, 1 << 17);
  /** The loops read up to so many bytes behind what they are given. */
  const slack = 64;
  const [full, done, ended] = [0, 1, 2];

  const packedAt = kernels.sizeOfTables();
  const length = packed.reduce((sum, part) => sum + part.length, 0);
  const above = packedAt + length + slack;
  const own = above + width * 4;
  const start = own + Math.floor(room / stride) * width * 4;
  const bytes = memory(start + room + slack);
  bytes.fill(0, packedAt + length, above);
  packed.reduce((to, part) => {
    bytes.set(part, to);
    return to + part.length;
  }, packedAt);
  kernels.startRows(above, width, channels);
  if (!kernels.startInflate(packedAt, length)) throw new Error('incorrect header check');
  let [rows, next, end] = [0, start, start];
  for (let state = full; state !== done; ) {
    state = kernels.inflate(start, end, start + room);
    if (state !== full && state !== done) throw new Error(state === ended ? 'unexpected end of file' : 'invalid data');
    end = kernels.endOfInflated();
    const count = Math.floor((end - next) / stride);
    if (rows + count > height || (rows + count === height && end > next + count * stride)) throw wrongRows('more');
    const known = kernels.unfilterRows(next, own, width, count, channels);
    if (known < count) throw new Error(`there is no filter type - ${bytes[next + known * stride]}`);
    data.set(bytes.subarray(own, own + count * width * 4), rows * width * 4);
    bytes.copyWithin(above, above + count * width * 4, own + count * width * 4);
    rows += count;
    next += count * stride;
    // What comes may repeat what was.
    const away = Math.min(next, Math.max(start, end - history)) - start;
    bytes.copyWithin(start, start + away, end);
    next -= away;
    end -= away;
  }
  if (rows < height) throw wrongRows('fewer');

  function wrongRows(which: 'more' | 'fewer'): Error {
    return new Error(`the PNG has ${which} rows than its head says`);
  }
}
