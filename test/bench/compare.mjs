import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { compareImages } from '../../.build/compare/compare.js';
import { inspectImage } from '../../.build/image/inspect.js';
import { joinPngs } from '../../.build/image/png/write.js';
import { DEFAULTS } from '../../.build/model/page-fields.js';
import { serve } from '../../fixtures/serve.mjs';
import { openBrowser } from './open-browser.mjs';
import { bringPages, CORPUS, emptyFolder } from './pages.mjs';
import { judge, print, spread } from './sample.mjs';

/**
 * Times the comparison of real pages, one whole and its diff image written, beside one `odiff` process that does the same, at
 * three heights: of pages whose links have another color, and of pages that a banner pushed down. Equal bytes; and whether the memory
 * grows with many comparisons. What one comparison needs: test/soak/replaced-photo.soak.test.ts.
 */
const HEIGHTS = [720, 8000, 40_000];
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
/** In the first rounds, Node has not compiled its loops yet; a worker does that once. */
const WARM_UPS = 2;
const REPEATS = Number(process.env.BENCH_REPEATS ?? 1000);
/** What is promised: at most twice the time of odiff, this long for equal bytes, and so much more memory. */
const MOST = { ratio: 2, msPerMb: 1, growthMb: 50 };

const { threshold, engine, maxSizeDiff, allowShift } = DEFAULTS;
// odiff is asked to set anti-aliasing apart as well.
const antialiasing = 'ignore';
const limits = { maxDiffPixels: null, maxDiffPixelRatio: null, maxSizeDiff, allowShift };
const settings = { threshold, engine, antialiasing, ...limits };
const folder = emptyFolder('bench-compare');
const odiff = createRequire(import.meta.url)('odiff-bin/binary.js').findBinary();
const tiles = await paintTiles();
for (const height of HEIGHTS) await measure(height);
await measureGrowth();

async function measure(height) {
  const before = await writeImage('before', height);
  for (const side of ['after', 'moved']) await measurePair(before, await writeImage(side, height), side, height);
  const copy = { ...before.image, bytes: Buffer.from(before.image.bytes) };
  const equal = await time(async () => {
    for (let repeat = 0; repeat < 20; repeat++) await compareImages(before.image, copy, settings, []);
  });
  const perMb = equal / 20 / (copy.bytes.length / 1e6);
  tell(`1280x${height}: equal bytes ${perMb.toFixed(3)} ms per MB`, perMb < MOST.msPerMb);
}

async function measurePair(before, after, side, height) {
  const what = side === 'moved' ? `1280x${height}, moved` : `1280x${height}`;
  const ratios = [];
  for (let round = 0; round < WARM_UPS + ROUNDS; round++) {
    const theirs = await time(() => askOdiff(before.path, after.path));
    const ours = await time(() => compareImages(before.image, after.image, settings, []));
    if (round < WARM_UPS) continue;
    ratios.push(ours / theirs);
    print(`${what}: ${ours.toFixed(0)} ms, one odiff process ${theirs.toFixed(0)} ms`);
  }
  const middle = ratios.sort((a, b) => a - b)[ratios.length >> 1];
  tell(`${what}: ratio to odiff ${middle.toFixed(2)}`, middle <= MOST.ratio);
}

/** It ends with 22 where the images differ. */
function askOdiff(before, after) {
  try {
    execFileSync(odiff, [before, after, join(folder, 'diff.png'), '-t', String(threshold), '--aa'], {
      stdio: 'ignore',
    });
  } catch (error) {
    if (error.status !== 22) throw error;
  }
}

async function measureGrowth() {
  const [before, after] = await Promise.all([writeImage('before', 720), writeImage('after', 720)]);
  const sizes = [];
  for (let repeat = 0; repeat < REPEATS; repeat++) {
    await compareImages(before.image, after.image, settings, []);
    if (repeat % (REPEATS / 4) === REPEATS / 4 - 1) sizes.push(process.memoryUsage().rss / 1e6);
  }
  const growth = sizes.at(-1) - sizes[0];
  tell(`${REPEATS} comparisons: ${sizes.map((mb) => mb.toFixed(0)).join(' - ')} MB`, growth < MOST.growthMb);
}

/** Captures real pages as they are, with another link color, and a banner. */
async function paintTiles() {
  const all = (await bringPages()).filter((path) => /startbootstrap|spectre/.test(path));
  const server = await serve([CORPUS]);
  const browser = await openBrowser('chromium');
  try {
    const painted = { before: [], after: [], banner: await paintBanner(browser) };
    for (const path of spread(all, 6)) {
      const page = await browser.newPage({ viewport: { width: 1280, height: 720 } });
      await page.route(
        (url) => !url.href.startsWith(server.url),
        (route) => route.abort(),
      );
      await page.goto(`${server.url}/${path}`);
      for (const side of ['before', 'after']) {
        if (side === 'after') await page.addStyleTag({ content: 'a { color: #c02020 !important }' });
        for (let y = 0; y < 2880; y += 720) painted[side].push(await page.screenshot(await clipAt(page, y)));
      }
    }
    return painted;
  } finally {
    await browser.close();
    await server.close();
  }
}

async function paintBanner(browser) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 48 } });
  await page.setContent('<body style="background: #204080; color: white">We use cookies');
  return page.screenshot();
}

async function clipAt(page, y) {
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  const top = Math.max(0, Math.min(y, height - 720));
  return { fullPage: true, clip: { x: 0, y: top, width: 1280, height: 720 } };
}

/** As tall as it takes whole tiles of 720 rows, and at most a tile more than `height`; what moved, by a banner more. */
async function writeImage(side, height) {
  const own = tiles[side] ?? tiles.before;
  const wanted = Array.from({ length: Math.ceil(height / 720) }, (_, index) => own[index % own.length]);
  if (side === 'moved') wanted.unshift(tiles.banner);
  const bytes = wanted.length === 1 ? wanted[0] : await joinPngs(wanted);
  const path = join(folder, `${side}-${height}.png`);
  writeFileSync(path, bytes);
  return { path, image: inspectImage(readFileSync(path)).image };
}

async function time(work) {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

function tell(line, isKept) {
  print(`${line} (${judge(isKept)})`);
}
