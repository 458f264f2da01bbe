import type { Size } from '../model/image.js';

/**
 * Undoes the filters of a PNG's rows in place: https://www.w3.org/TR/png-3/#9Filters.
 *
 * @param rows - `height` rows of one filter byte and `stride` bytes
 * @param step - bytes a pixel
 * @throws Error when a row names a filter that there is not
 */
export function unfilterRows(rows: Uint8Array, stride: number, height: number, step: number): void {
  // Above the first row there are zeros.
  let above: Uint8Array = new Uint8Array(stride);
  for (let y = 0; y < height; y++) {
    const start = y * (stride + 1);
    const row = rows.subarray(start + 1, start + 1 + stride);
    unfilterRow(rows[start] ?? 0, row, above, step);
    above = row;
  }
}

/** Spreads unfiltered rows of grey, grey with alpha, RGB or RGBA (1 to 4 channels of 8 bits) to RGBA. */
export function expandRows(rows: Uint8Array, { width, height }: Size, channels: number): Uint8Array {
  const data = new Uint8Array(width * height * 4);
  const [green, blue] = channels > 2 ? [1, 2] : [0, 0];
  const opaque = channels % 2 === 1;
  let from = 0;
  let to = 0;
  for (let y = 0; y < height; y++) {
    from += 1; // The filter byte.
    for (let x = 0; x < width; x++, from += channels, to += 4) {
      data[to] = rows[from] ?? 0;
      data[to + 1] = rows[from + green] ?? 0;
      data[to + 2] = rows[from + blue] ?? 0;
      data[to + 3] = opaque ? 255 : (rows[from + channels - 1] ?? 0);
    }
  }
  return data;
}

// One loop for each filter: the usual page has millions of bytes, and a call for each would take seconds.
function unfilterRow(filter: number, row: Uint8Array, above: Uint8Array, step: number): void {
  const { length } = row;
  switch (filter) {
    case 0:
      return;
    case 1:
      for (let i = step; i < length; i++) row[i] = (row[i] ?? 0) + (row[i - step] ?? 0);
      return;
    case 2:
      for (let i = 0; i < length; i++) row[i] = (row[i] ?? 0) + (above[i] ?? 0);
      return;
    case 3:
      for (let i = 0; i < step; i++) row[i] = (row[i] ?? 0) + ((above[i] ?? 0) >> 1);
      for (let i = step; i < length; i++) row[i] = (row[i] ?? 0) + (((row[i - step] ?? 0) + (above[i] ?? 0)) >> 1);
      return;
    case 4:
      for (let i = 0; i < step; i++) row[i] = (row[i] ?? 0) + (above[i] ?? 0);
      for (let i = step; i < length; i++) {
        row[i] = (row[i] ?? 0) + paeth(row[i - step] ?? 0, above[i] ?? 0, above[i - step] ?? 0);
      }
      return;
    default:
      throw new Error(`it has no filter ${filter}`);
  }
}

// https://www.w3.org/TR/png-3/#9Filter-type-4-Paeth
function paeth(left: number, above: number, corner: number): number {
  const toLeft = Math.abs(above - corner);
  const toAbove = Math.abs(left - corner);
  const toCorner = Math.abs(left + above - corner - corner);
  if (toLeft <= toAbove && toLeft <= toCorner) return left;
  return toAbove <= toCorner ? above : corner;
}
