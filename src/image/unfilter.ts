import { FILTER } from './png-rows.js';

/** A row without its filter, as bytes and as as many whole words of four as they make. */
export interface Line {
  readonly bytes: Uint8Array;
  readonly words: Uint32Array;
}

/** Makes a row of zeros: what PNG has above its first row. */
export function createLine(length: number): Line {
  const bytes = new Uint8Array(length);
  return { bytes, words: new Uint32Array(bytes.buffer, 0, length >> 2) };
}

/**
 * Undoes the filter of one PNG row: https://www.w3.org/TR/png-3/#9Filter-types. Each filter has a loop of its own, without a
 * choice in it: this is where decoding spends its time.
 *
 * @param rows - the row as it is filtered begins at `at` with the byte of its filter
 * @param above - the row above without its filter
 * @param line - takes the result; as long as `above`
 * @param channels - bytes of one pixel
 * @throws Error when there is no such filter
 */
export function unfilterRow(rows: Buffer, at: number, above: Line, line: Line, channels: number): void {
  const filter = rows[at];
  const { bytes } = line;
  bytes.set(rows.subarray(at + 1, at + 1 + bytes.length));
  switch (filter) {
    case FILTER.none:
      return;
    case FILTER.sub:
      undoSub(bytes, channels);
      return;
    case FILTER.up:
      undoUp(line, above);
      return;
    case FILTER.average:
      undoAverage(bytes, above.bytes, channels);
      return;
    case FILTER.paeth:
      for (let channel = 0; channel < channels; channel++) undoPaeth(bytes, above.bytes, channel, channels);
      return;
    default:
      throw new Error(`there is no filter type - ${filter}`);
  }
}

function undoSub(bytes: Uint8Array, channels: number): void {
  for (let i = channels; i < bytes.length; i++) bytes[i] = at8(bytes, i) + at8(bytes, i - channels);
}

/** Adds four bytes at a time, their highest bits apart, so that none carries into the next. */
function undoUp({ bytes, words }: Line, above: Line): void {
  for (let i = 0; i < words.length; i++) {
    const [a, b] = [words[i] ?? 0, above.words[i] ?? 0];
    words[i] = ((a & 0x7f7f7f7f) + (b & 0x7f7f7f7f)) ^ ((a ^ b) & 0x80808080);
  }
  for (let i = words.length * 4; i < bytes.length; i++) bytes[i] = at8(bytes, i) + at8(above.bytes, i);
}

function undoAverage(bytes: Uint8Array, above: Uint8Array, channels: number): void {
  for (let i = 0; i < channels; i++) bytes[i] = at8(bytes, i) + (at8(above, i) >> 1);
  for (let i = channels; i < bytes.length; i++)
    bytes[i] = at8(bytes, i) + ((at8(bytes, i - channels) + at8(above, i)) >> 1);
}

function undoPaeth(bytes: Uint8Array, above: Uint8Array, channel: number, channels: number): void {
  let left = 0;
  let corner = 0;
  for (let i = channel; i < bytes.length; i += channels) {
    const up = at8(above, i);
    const fromLeft = Math.abs(up - corner);
    const fromUp = Math.abs(left - corner);
    const fromCorner = Math.abs(left + up - 2 * corner);
    const nearest = fromLeft <= fromUp && fromLeft <= fromCorner ? left : fromUp <= fromCorner ? up : corner;
    left = (at8(bytes, i) + nearest) & 0xff;
    bytes[i] = left;
    corner = up;
  }
}

function at8(bytes: Uint8Array, index: number): number {
  return bytes[index] ?? 0;
}
