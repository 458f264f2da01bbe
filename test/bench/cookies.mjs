import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CLOSED_ROOTS_SCRIPT, hideCookieBanners, listHidden } from '../../.build/page/cookies/hide-banners.js';
import { initScriptOf } from '../../.build/page/in-page/frames.js';
import { serve } from '../../fixtures/serve.mjs';
import { root } from '../../scripts/run.mjs';
import { LIBRARIES } from './cookies-libraries.mjs';
import { openBrowser } from './open-browser.mjs';
import { bringPages, CORPUS, unpack } from './pages.mjs';
import { print, spanOf, spread } from './sample.mjs';

/**
 * Measures what hides cookie banners: on pages with consent libraries from npm, each beside the same page without its banner (`?nobanner`) and
 * with a late one (`?late=1500`), and on real pages without a banner. Home-made banners: test/integration/capture/cookies.spec.ts.
 *
 * `npm run bench -- cookies`; `BENCH_PAGES` sets the number of pages without a banner (90).
 */
const folder = join(root, '.tmp', 'cookies-bench');
/** Long enough for a library to show its banner, and to finish sliding it in. */
const SHOWN_MS = 900;
const LATE_MS = 1500;
const ORDINARY_PAGES = Number(process.env.BENCH_PAGES ?? 90);

await prepare();
const server = await serve([folder, CORPUS]);
const browser = await openBrowser('chromium', {
  args: ['--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1', '--disable-background-networking'],
});
try {
  await measureBanners();
  await measureOrdinary();
} finally {
  await browser.close();
  await server.close();
}

async function measureBanners() {
  print('library | banner seen | identical | scrolls | late, identical | ms');
  const rows = [];
  for (const { name } of LIBRARIES) {
    const row = await measure(`${server.url}/extra/${name}/index.html`);
    rows.push(row);
    const cells = [row.isSeen, row.isIdentical, row.scrolls, row.isLateIdentical].map((is) => (is ? 'yes' : 'NO'));
    print([name, ...cells, row.ms.toFixed(0)].join(' | '));
  }
  const count = (isCounted) => rows.filter(isCounted).length;
  print(
    `${rows.length} pages: ${count(({ isIdentical }) => isIdentical)} identical, ` +
      `${count(({ isIdentical, scrolls }) => isIdentical && scrolls)} of them scroll, ` +
      `${count(({ isLateIdentical }) => isLateIdentical)} identical with a late banner`,
  );
  if (!rows.every((row) => row.isSeen && row.isIdentical && row.isLateIdentical)) process.exitCode = 1;
}

function measure(url) {
  return withPage(async (page) => {
    const bare = await shootAt(page, `${url}?nobanner`);
    const shown = await shootAt(page, url);
    const start = performance.now();
    await hideCookieBanners(page);
    const ms = performance.now() - start;
    const isIdentical = (await shoot(page)).equals(bare);
    const scrolls = await doesScroll(page);
    await page.goto(`${url}?late=${LATE_MS}`);
    await hideCookieBanners(page);
    await page.waitForTimeout(LATE_MS + SHOWN_MS);
    await hideCookieBanners(page);
    return { isSeen: !shown.equals(bare), isIdentical, scrolls, isLateIdentical: (await shoot(page)).equals(bare), ms };
  });
}

async function measureOrdinary() {
  const pages = spread(await bringPages(), ORDINARY_PAGES);
  const times = [];
  let [hidden, changed] = [0, 0];
  await withPage(async (page) => {
    for (const path of pages) {
      await page.goto(`${server.url}/${path}`, { waitUntil: 'load' });
      await page.waitForTimeout(200);
      const before = await shoot(page);
      const start = performance.now();
      await hideCookieBanners(page);
      times.push(performance.now() - start);
      const found = (await listHidden(page)).map(({ element }) => element);
      const isChanged = !(await shoot(page)).equals(before) && !(await movesByItself(page));
      hidden += Number(found.length > 0);
      changed += Number(isChanged);
      if (found.length > 0 || isChanged) print(`  ${path}: ${JSON.stringify(found)}`);
    }
  });
  print(`\n${pages.length} pages without a banner: something hidden on ${hidden}, image changed on ${changed}`);
  print(`the search takes ${spanOf(times)[1].toFixed(1)} ms (median), ${Math.max(...times).toFixed(0)} ms at most`);
  if (hidden + changed > 0) process.exitCode = 1;
}

/** Nothing is touched any more: where frames differ all the same, the page is an animation. */
async function movesByItself(page) {
  const frame = await shoot(page);
  for (let tries = 0; tries < 5; tries++) {
    await page.waitForTimeout(300);
    if (!(await shoot(page)).equals(frame)) return true;
  }
  return false;
}

/** Gets the libraries from the registry, and writes a page for each. */
async function prepare() {
  const vendor = join(folder, 'vendor');
  mkdirSync(vendor, { recursive: true });
  for (const spec of new Set(LIBRARIES.flatMap(({ specs }) => specs))) {
    const place = join(vendor, spec.replace(/^@/, '').replace('/', '-').replace(/@/, '-'));
    if (!existsSync(place)) await unpack(spec, vendor, place);
  }
  rmSync(join(folder, 'extra'), { recursive: true, force: true });
  for (const { name, head, run } of LIBRARIES) {
    mkdirSync(join(folder, 'extra', name), { recursive: true });
    writeFileSync(join(folder, 'extra', name, 'index.html'), pageWith(head, run));
  }
}

function pageWith(head, run) {
  const text = '<p>Boats leave every half hour, in winter every hour, and carry mail and bread.</p>';
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Harbour</title><style>h1 { margin: 0 }</style>${head}
<body><h1>Harbour</h1>${text.repeat(60)}<script>
  const search = new URLSearchParams(location.search);
  const show = () => { ${run} };
  if (search.has('late')) setTimeout(show, Number(search.get('late')));
  else if (!search.has('nobanner')) show();
</script>`;
}

async function withPage(work) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, locale: 'en-GB' });
  try {
    const page = await context.newPage();
    await page.addInitScript(initScriptOf(CLOSED_ROOTS_SCRIPT));
    return await work(page);
  } finally {
    await context.close();
  }
}

async function shootAt(page, url) {
  await page.goto(url);
  await page.waitForTimeout(SHOWN_MS);
  return shoot(page);
}

function shoot(page) {
  return page.screenshot({ animations: 'disabled' });
}

/** A script may scroll back at once: what counts is where the page is a moment later. */
async function doesScroll(page) {
  await page.mouse.move(640, 400);
  await page.mouse.wheel(0, 200);
  await page.waitForTimeout(500);
  return page.evaluate(() => scrollY > 0);
}
