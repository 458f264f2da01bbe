// @module-tag soak
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Browser, chromium, type Page } from '@playwright/test';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isOpaque } from '../../src/image/canvas.js';
import { decodeImage } from '../../src/image/decode.js';
import { walkRiff } from '../../src/image/headers.js';
import { inspectImage } from '../../src/image/inspect.js';
import { ProofsheetError } from '../../src/model/errors.js';
import type { Pixels } from '../../src/model/image.js';
import { chooseBrowser, repeatableFlags } from '../../src/page/browser/launch.js';
import { craftWebp, encodeWebp, VP8X_FLAGS, vp8x } from '../unit/image/craft-webp.js';
import { createRandom, plot } from '../unit/image/paint.js';

const WISH = { browserName: 'chromium', channel: undefined, headless: true, executablePath: undefined, remote: false };
const SEED = Number(process.env.SOAK_SEED ?? 1);
const FILES = 60;
/** So many files are shown in the browser at once. */
const BATCH = 100;

let browser: Browser;
let page: Page;
const server = createServer((_, response) => response.end('<!doctype html>'));

beforeAll(async () => {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { executablePath } = chooseBrowser(WISH, process);
  browser = await chromium.launch({ ...(executablePath && { executablePath }), args: [...repeatableFlags([])] });
  page = await browser.newPage();
  // ImageDecoder is there in secure contexts only: a page of this machine is one.
  const { port } = server.address() as AddressInfo;
  await page.goto(`http://127.0.0.1:${port}`);
});
afterAll(async () => {
  await browser.close();
  server.close();
});

test('every WebP that the encoder writes has the pixels that Chromium shows', async () => {
  const { wrong, refused } = await judgeAll(await wholeFiles(createRandom(SEED)));
  expect(wrong).toEqual([]);
  expect(refused).toBe(0);
});

/** Simple and extended files, lossy and lossless, with transparency and without, with chunks that say less and more. */
async function wholeFiles(random: () => number): Promise<Buffer[]> {
  const files: Buffer[] = [];
  for (let turn = 0; turn < FILES; turn++) {
    const pixels = paint(random);
    const bare = await encodeWebp(pixels, optionsOf(random));
    files.push(turn % 2 === 0 ? bare : wrap(bare, !isOpaque(pixels), random));
  }
  return files;
}

function paint(random: () => number): Pixels {
  const whole = (below: number) => Math.floor(random() * below);
  const [width, height] = [1 + whole(70), 1 + whole(70)];
  const noise = random() < 0.5 ? 0 : whole(120);
  const alpha = random() < 0.5 ? () => 255 : (x: number, y: number) => (whole(4) === 0 ? whole(256) : (x * y) % 256);
  const [red, green, blue] = [whole(9), whole(9), whole(9)];
  return plot(width, height, (x, y) => {
    const rgb = [x * red, y * green, (x + y) * blue].map((value) => (value + whole(noise + 1)) % 256);
    return [...rgb, alpha(x, y)];
  });
}

function optionsOf(random: () => number) {
  const whole = (below: number) => Math.floor(random() * below);
  return {
    ...{ quality: whole(101), method: whole(7), lossless: whole(2), exact: whole(2), near_lossless: whole(101) },
    ...{ sns_strength: whole(101), filter_strength: whole(101), filter_sharpness: whole(8), filter_type: whole(2) },
    ...{ partitions: whole(4), segments: 1 + whole(4), preprocessing: whole(8), autofilter: whole(2) },
    ...{ alpha_compression: whole(2), alpha_filtering: whole(3), alpha_quality: whole(101), use_sharp_yuv: whole(2) },
  };
}

/** Puts a file into the extended format, with chunks that say more. */
function wrap(bare: Buffer, hasAlpha: boolean, random: () => number): Buffer {
  const inspection = inspectImage(bare);
  const chunks = (walkRiff(bare) ?? []).map(({ type, data }) => [type, data] as const);
  if (inspection.kind !== 'image') throw new Error('the encoder wrote no image');
  const { width, height } = inspection.image.size;
  const [hasExif, hasXmp, hasMore] = [random() < 0.4, random() < 0.4, random() < 0.4];
  const flags = (hasAlpha ? VP8X_FLAGS.alpha : 0) | (hasExif ? VP8X_FLAGS.exif : 0) | (hasXmp ? VP8X_FLAGS.xmp : 0);
  return craftWebp([
    vp8x(width, height, flags),
    ...(hasMore ? [['ABCD', Buffer.from('unknown')] as const] : []),
    ...chunks.filter(([type]) => type !== 'VP8X'),
    ...(hasExif ? [['EXIF', turnedExif(Math.floor(random() * 9))] as const] : []),
    ...(hasXmp ? [['XMP ', Buffer.from('<x/>')] as const] : []),
  ]);
}

/** Exif that says that the picture is to be turned: CIPA DC-008, 4.6.4, tag Orientation. */
function turnedExif(orientation: number): Buffer {
  const exif = Buffer.from('MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\0\0\0\0\0\0\0', 'latin1');
  exif.writeUInt16BE(orientation, 18);
  return exif;
}

interface Shown {
  readonly onWhite: string;
  readonly onBlack: string;
}

interface Judged {
  readonly wrong: string[];
  readonly shown: number;
  readonly refused: number;
}

async function judgeAll(files: readonly Buffer[]): Promise<Judged> {
  const wrong: string[] = [];
  let [shown, refused] = [0, 0];
  for (let at = 0; at < files.length; at += BATCH) {
    const batch = files.slice(at, at + BATCH);
    const pictures = await showAll(batch);
    for (const [index, file] of batch.entries()) {
      const own = await decode(file);
      const why = judge(own, pictures[index] ?? null);
      if (why) wrong.push(`${why}: ${file.subarray(0, 48).toString('hex')} ${file.length}`);
      if (own) shown++;
      else refused++;
    }
  }
  return { wrong, shown, refused };
}

/** We may refuse what Chromium shows, never the other way round. */
function judge(own: Pixels | null, picture: Shown | null): string | null {
  if (!own) return null;
  if (!picture) return 'Chromium refuses it';
  const counts = [
    countDifferent(own, Buffer.from(picture.onWhite, 'base64'), 255),
    countDifferent(own, Buffer.from(picture.onBlack, 'base64'), 0),
  ];
  return counts.some((count) => count !== 0) ? `${counts.join(' and ')} px differ` : null;
}

/** Lays pixels on a ground. Half transparent ones are rounded several times in the browser. */
function countDifferent({ data }: Pixels, shown: Buffer, ground: number): number {
  if (shown.length !== data.length) return Number.POSITIVE_INFINITY;
  let count = 0;
  for (let at = 0; at < data.length; at += 4) {
    const alpha = (data[at + 3] ?? 0) / 255;
    const most = alpha === 0 || alpha === 1 ? 0.5 : 2;
    const isOther = [0, 1, 2].some((channel) => {
      const own = (data[at + channel] ?? 0) * alpha + ground * (1 - alpha);
      return Math.abs(own - (shown[at + channel] ?? 0)) > most;
    });
    if (isOther) count++;
  }
  return count;
}

async function decode(bytes: Buffer): Promise<Pixels | null> {
  const inspection = inspectImage(bytes);
  if (inspection.kind !== 'image' || inspection.image.codec !== 'webp') return null;
  try {
    return await decodeImage(inspection.image);
  } catch (error) {
    if (error instanceof ProofsheetError) return null;
    throw error;
  }
}

/** Gives what Chromium shows of each file; null where it refuses it, or shows only a part. */
function showAll(files: readonly Buffer[]): Promise<(Shown | null)[]> {
  return page.evaluate(
    async (texts) => {
      const shown: (Shown | null)[] = [];
      for (const text of texts) shown.push(await show(text).catch(() => null));
      return shown;

      async function show(text: string): Promise<Shown> {
        const bytes = Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
        // An image element shows what there is of a file that is cut off; this refuses it.
        const decoder = new ImageDecoder({ data: bytes, type: 'image/webp' });
        (await decoder.decode()).image.close();
        decoder.close();
        const url = URL.createObjectURL(new Blob([bytes], { type: 'image/webp' }));
        const image = new Image();
        image.src = url;
        await image.decode();
        const drawn = { onWhite: draw(image, '#fff'), onBlack: draw(image, '#000') };
        URL.revokeObjectURL(url);
        return drawn;
      }

      function draw(image: HTMLImageElement, ground: string): string {
        const { naturalWidth: width, naturalHeight: height } = image;
        const canvas = new OffscreenCanvas(width, height);
        const context = canvas.getContext('2d', { willReadFrequently: true });
        if (!context) throw new Error('there is no canvas');
        context.fillStyle = ground;
        context.fillRect(0, 0, width, height);
        context.drawImage(image, 0, 0);
        const { data } = context.getImageData(0, 0, width, height);
        return btoa(Array.from(data, (byte) => String.fromCharCode(byte)).join(''));
      }
    },
    files.map((file) => file.toString('base64')),
  );
}
