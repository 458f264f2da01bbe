import type { Pixels } from '../model/image.js';
import { areaOf } from './canvas.js';
import { kernels, scratch, trimScratch } from './kernels.js';
import { borrowBytes, borrowSharedBytes } from './lent-bytes.js';
import { walkPng } from './png-chunks.js';
import type { PngRows } from './png-rows.js';
import { unpackPixels } from './unpack-pixels.js';
import { unpackAside } from './unpack-thread.js';

/**
 * Decodes the rows of a PNG of the kind browsers write: beside its pixels it takes its file and less than 2 MB. Without Node's
 * zlib: what its streams cost in buffers is several times what there is to unpack.
 *
 * @param isAside - in a thread of its own, where the image is so large that it pays
 * @throws Error when the data is damaged, too short or too long
 */
export async function decodeRows(bytes: Buffer, rows: PngRows, isAside: boolean): Promise<Pixels> {
  const { width, height } = rows;
  const packed = [...walkPng(bytes)].filter(({ type }) => type === 'IDAT').map(({ data }) => data);
  const length = packed.reduce((sum, part) => sum + part.length, 0);
  if (isAside && areaOf(rows) >= LEAST_ASIDE && length <= MOST_ASIDE) {
    const data = borrowSharedBytes(width * height * 4);
    const answer = await unpackAside([Buffer.concat(packed)], rows, data);
    if (answer === 'done') return { width, height, data };
    if (answer !== 'lost') throw new Error(answer.wrong);
  }
  const data = borrowBytes(width * height * 4);
  try {
    unpackPixels(kernels(), scratch, packed, rows, data);
  } finally {
    trimScratch();
  }
  return { width, height, data };
}

/** To start the thread takes as long as to decode two million pixels. */
const LEAST_ASIDE = 2_000_000;

/** The thread never gives the memory for packed bytes back. */
const MOST_ASIDE = 32 << 20;
