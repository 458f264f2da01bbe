import { COLOR_TYPE, walkPng, writePng } from './chunks.js';
import { packRows } from './encode.js';
import { FILTER, type PngRows, readPngRows, unpackRows } from './rows.js';

/**
 * Joins PNG tiles vertically into one PNG. The same tiles give the same bytes.
 *
 * Processes a few rows at a time and never unpacks a whole image. Requests a tile only after the tile above it is processed.
 *
 * @param tiles from the top: 8 bits per channel, RGB or RGBA, not interlaced, all of the same width and kind
 * @throws Error when there is no tile, or when a tile is damaged or of another kind. Errors of `tiles` are passed on.
 */
export async function joinPngs(tiles: Iterable<Buffer> | AsyncIterable<Buffer>): Promise<Buffer> {
  const joined: Joined = { head: null, height: 0 };
  const packed = await packRows(rowsOf(tiles, joined));
  if (!joined.head) throw new Error('no images to join');
  const { rows, extra } = joined.head;
  const colorType = rows.channels === 3 ? COLOR_TYPE.rgb : COLOR_TYPE.rgba;
  return writePng({ width: rows.width, height: joined.height, colorType, extra: [extra], packed });
}

/** Header and total height of the tiles that were processed so far. */
interface Joined {
  head: ImageHeader | null;
  height: number;
}

/** The properties that all tiles share. */
interface ImageHeader {
  readonly rows: PngRows;
  /** The chunks between IHDR and the pixels, such as color profiles. */
  readonly extra: Buffer;
}

async function* rowsOf(tiles: Iterable<Buffer> | AsyncIterable<Buffer>, joined: Joined): AsyncGenerator<Buffer> {
  for await (const tile of tiles) {
    const head = readImageHeader(tile);
    joined.head ??= head;
    if (!isSameKind(head, joined.head)) throw new Error('images of different widths or formats cannot be joined');
    joined.height += head.rows.height;
    let isFirst = true;
    for await (const rows of unpackRows(tile, head.rows)) {
      yield isFirst ? withoutRowAbove(rows, head.rows) : rows;
      isFirst = false;
    }
  }
}

function readImageHeader(tile: Buffer): ImageHeader {
  const rows = readPngRows(tile);
  if (!rows) throw new Error('only 8-bit RGB or RGBA PNGs without interlacing can be joined');
  const extra: Buffer[] = [];
  for (const { type, start, end } of walkPng(tile)) {
    if (type === 'IDAT') break;
    if (type !== 'IHDR') extra.push(tile.subarray(start, end));
  }
  return { rows, extra: Buffer.concat(extra) };
}

function isSameKind(a: ImageHeader, b: ImageHeader): boolean {
  const sameRows = a.rows.stride === b.rows.stride && a.rows.channels === b.rows.channels;
  return sameRows && a.extra.equals(b.extra);
}

/**
 * Re-filters the first row of a tile so that it does not depend on the row above. It was filtered against a row of zeros, for
 * which `Up` equals `None` and `Paeth` equals `Sub`. No other row depends on pixels outside the tile. Source:
 * https://www.w3.org/TR/png-3/#9Filter-types
 */
function withoutRowAbove(rows: Buffer, { channels, stride }: PngRows): Buffer {
  const own = Buffer.from(rows);
  if (own[0] === FILTER.up) own[0] = FILTER.none;
  if (own[0] === FILTER.paeth) own[0] = FILTER.sub;
  if (own[0] !== FILTER.average) return own;
  own[0] = FILTER.none;
  for (let i = 1 + channels; i < stride; i++) own[i] = (own[i] ?? 0) + ((own[i - channels] ?? 0) >> 1);
  return own;
}
