import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import { chooseBrowser, repeatableFlags } from '../../.build/browser/launch.js';
import { compareImages } from '../../.build/compare/compare.js';
import { inspectImage } from '../../.build/image/inspect.js';
import { joinPngs } from '../../.build/image/join-png.js';
import { DEFAULTS } from '../../.build/plan/defaults.js';
import { serve } from '../../fixtures/serve.mjs';
import { root } from '../../scripts/run.mjs';
import { bringPages } from './pages.mjs';

/**
 * Times the comparison of real pages, one whole and its diff image written, beside one `odiff` process that does the same, at
 * three heights; equal bytes; and the memory of many comparisons.
 */
const HEIGHTS = [720, 8000, 40_000];
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
const REPEATS = Number(process.env.BENCH_REPEATS ?? 1000);
/** What is promised: at most this share of the time of odiff, this long for equal bytes, and this much memory. */
const MOST = { ratio: 1.15, msPerMb: 1, mb: 1200, growthMb: 50 };

const { threshold, engine, maxSizeDiff, allowShift } = DEFAULTS;
const settings = { threshold, engine, maxDiffPixels: null, maxDiffPixelRatio: null, maxSizeDiff, allowShift };
const folder = join(root, '.tmp', 'bench-compare');
const odiff = createRequire(import.meta.url)('odiff-bin/binary.js').findBinary();
mkdirSync(folder, { recursive: true });
const tiles = await paintTiles();
for (const height of HEIGHTS) await measure(height);
measureMemory();
await measureGrowth();

async function measure(height) {
  const [before, after] = await Promise.all([writeImage('before', height), writeImage('after', height)]);
  const ratios = [];
  for (let round = 0; round <= ROUNDS; round++) {
    const theirs = await time(() => askOdiff(before.path, after.path));
    const ours = await time(() => compareImages(before.image, after.image, settings, []));
    // In the first round, Node has not compiled its loops yet; a worker does that once.
    if (round > 0) ratios.push(ours / theirs);
    print(`1280x${height}: ${ours.toFixed(0)} ms, one odiff process ${theirs.toFixed(0)} ms`);
  }
  const middle = ratios.sort((a, b) => a - b)[ratios.length >> 1];
  judge(`1280x${height}: ratio to odiff ${middle.toFixed(2)}`, middle <= MOST.ratio);
  const copy = { ...after.image, bytes: Buffer.from(after.image.bytes) };
  const equal = await time(async () => {
    for (let repeat = 0; repeat < 20; repeat++) await compareImages(after.image, copy, settings, []);
  });
  const perMb = equal / 20 / (copy.bytes.length / 1e6);
  judge(`1280x${height}: equal bytes ${perMb.toFixed(3)} ms per MB`, perMb < MOST.msPerMb);
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

function measureMemory() {
  const mb = process.resourceUsage().maxRSS / 1024;
  judge(`after two images of 1280x${HEIGHTS.at(-1)}: at most ${mb.toFixed(0)} MB at any time`, mb < MOST.mb);
}

async function measureGrowth() {
  const [before, after] = await Promise.all([writeImage('before', 720), writeImage('after', 720)]);
  const sizes = [];
  for (let repeat = 0; repeat < REPEATS; repeat++) {
    await compareImages(before.image, after.image, settings, []);
    if (repeat % (REPEATS / 4) === REPEATS / 4 - 1) sizes.push(process.memoryUsage().rss / 1e6);
  }
  const growth = sizes.at(-1) - sizes[0];
  judge(`${REPEATS} comparisons: ${sizes.map((mb) => mb.toFixed(0)).join(' - ')} MB`, growth < MOST.growthMb);
}

/** Captures real pages as they are and with another link colour. */
async function paintTiles() {
  const corpus = join(root, '.tmp', 'bench-pages');
  const all = (await bringPages(corpus)).filter((path) => /startbootstrap|spectre/.test(path));
  const pages = Array.from({ length: 6 }, (_, index) => all[Math.floor((index * all.length) / 6)]);
  const server = await serve([corpus]);
  const { executablePath } = chooseBrowser({ browserName: 'chromium', headless: true, remote: false }, process);
  const browser = await chromium.launch({ ...(executablePath && { executablePath }), args: repeatableFlags([]) });
  try {
    const painted = { before: [], after: [] };
    for (const path of pages) {
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

async function clipAt(page, y) {
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  const top = Math.max(0, Math.min(y, height - 720));
  return { fullPage: true, clip: { x: 0, y: top, width: 1280, height: 720 } };
}

/** As tall as it takes whole tiles of 720 rows, and at most a tile more than `height`. */
async function writeImage(side, height) {
  const wanted = Array.from({ length: Math.ceil(height / 720) }, (_, index) => tiles[side][index % tiles[side].length]);
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

function judge(line, isKept) {
  print(`${line} (${isKept ? 'kept' : 'NOT KEPT'})`);
  if (!isKept) process.exitCode = 1;
}

function print(line) {
  process.stdout.write(`${line}\n`);
}
