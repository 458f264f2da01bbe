import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { CLOSED_ROOTS_SCRIPT, hideCookieBanners } from '../../.build/page/cookies/hide-banners.js';
import { serve } from '../../fixtures/serve.mjs';
import { root } from '../../scripts/run.mjs';
import { EXTRA_LIBRARIES } from './cookies-libraries.mjs';
import { openBrowser } from './open-browser.mjs';
import { unpack } from './pages.mjs';
import { print, spanOf } from './sample.mjs';

/**
 * Measures what hides cookie banners: node test/bench/cookies.mjs DEST [PAGES]
 *
 * DEST holds `cookies.list` and the pages it names, each with a bare variant (`?nobanner`) and a late one (`?late=1500`);
 * PAGES holds `pages.list`, ordinary pages without a banner (default: DEST).
 */
const dest = resolve(process.argv[2] ?? '.');
const ordinary = resolve(process.argv[3] ?? dest);
const folder = join(root, '.tmp', 'cookies-bench');
/** Long enough for a library to show its banner, and to finish sliding it in. */
const SHOWN_MS = 900;
const LATE_MS = 1500;
/** A banner that is not found by now is not found. */
const PATIENCE_MS = 2_500;
const ORDINARY_PAGES = Number(process.env.BENCH_PAGES ?? 90);

const AUTOCONSENT = '@duckduckgo/autoconsent@16.23.0';

await prepare();
const standalone = readFileSync(join(folder, 'vendor', slug(AUTOCONSENT), 'dist/autoconsent.standalone.js'), 'utf8');
const server = await serve([folder, dest]);
const others = await serve([ordinary]);
const browser = await openBrowser('chromium', {
  args: ['--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1', '--disable-background-networking'],
});
try {
  await measureBanners();
  await measureOrdinary();
} finally {
  await browser.close();
  await Promise.all([server.close(), others.close()]);
}

async function measureBanners() {
  const pages = bannerPages();
  print('page | banner seen | clean | scrolls | late clean | ms | autoconsent clean | scrolls | ms | answered');
  const rows = [];
  for (const { group, path } of pages) {
    const row = { group, ...(await measureOurs(path)), theirs: await measureTheirs(path) };
    rows.push(row);
    const { theirs } = row;
    const ours = [yes(row.seen), yes(row.clean), yes(row.scrolls), yes(row.lateClean), row.ms.toFixed(0)];
    print(
      [path, ...ours, yes(theirs.clean), yes(theirs.scrolls), theirs.ms.toFixed(0), yes(theirs.answered)].join(' | '),
    );
  }
  print(
    '\ngroup | pages | clean and scrolling | late, clean | autoconsent clean and scrolling | median ms | autoconsent median ms',
  );
  for (const group of new Set(rows.map((row) => row.group))) {
    const those = rows.filter((row) => row.group === group);
    const counts = [
      those.length,
      those.filter(({ clean, scrolls }) => clean && scrolls).length,
      those.filter(({ lateClean }) => lateClean).length,
      those.filter(({ theirs }) => theirs.clean && theirs.scrolls).length,
    ];
    print([group, ...counts, ms(those.map((row) => row.ms)), ms(those.map((row) => row.theirs.ms))].join(' | '));
  }
}

async function measureOurs(path) {
  return withPage(CLOSED_ROOTS_SCRIPT, async (page) => {
    const bare = await shootAt(page, `${server.url}/${path}?nobanner`);
    const shown = await shootAt(page, `${server.url}/${path}`);
    const start = performance.now();
    await hideCookieBanners(page);
    const taken = performance.now() - start;
    const clean = (await shoot(page)).equals(bare);
    const scrolls = await doesScroll(page);
    await page.goto(`${server.url}/${path}?late=${LATE_MS}`);
    await hideCookieBanners(page);
    await page.waitForTimeout(LATE_MS + SHOWN_MS);
    await hideCookieBanners(page);
    const lateClean = (await shoot(page)).equals(bare);
    return { seen: !shown.equals(bare), clean, scrolls, lateClean, ms: taken };
  });
}

/** It answers by itself: what is timed is from the page's load until it says that it is done. */
async function measureTheirs(path) {
  const bare = await withPage('', (page) => shootAt(page, `${server.url}/${path}?nobanner`));
  return withPage(standalone, async (page) => {
    await page.goto(`${server.url}/${path}`);
    const start = performance.now();
    const isDone = () => {
      const said =
        globalThis.autoconsentStandalone?.messages ?? globalThis.autoconsentStandalone?.receivedMessages ?? [];
      return said.some(({ type }) => type === 'autoconsentDone');
    };
    await page.waitForFunction(isDone, null, { timeout: PATIENCE_MS, polling: 20 }).catch(() => {});
    const taken = performance.now() - start;
    await page.waitForTimeout(300);
    // An answer may lead to another page, or to the same one anew.
    const answered = page.url() !== `${server.url}/${path}` || (await page.evaluate(isDone).catch(() => true));
    return { clean: (await shoot(page)).equals(bare), scrolls: await doesScroll(page), ms: taken, answered };
  });
}

async function measureOrdinary() {
  const all = readFileSync(join(ordinary, 'pages.list'), 'utf8').trim().split('\n');
  const step = Math.max(1, Math.floor(all.length / ORDINARY_PAGES));
  const pages = all.filter((_, index) => index % step === 0);
  const times = [];
  let toldFalsely = 0;
  let moved = 0;
  await withPage(CLOSED_ROOTS_SCRIPT, async (page) => {
    for (const path of pages) {
      await page.goto(`${others.url}/${path}`, { waitUntil: 'load' });
      await page.waitForTimeout(200);
      const before = await shoot(page);
      const start = performance.now();
      const told = await hideCookieBanners(page);
      times.push(performance.now() - start);
      const after = await shoot(page);
      const isMoved = !after.equals(before) && !(await movesByItself(page));
      if (told.length > 0) toldFalsely++;
      if (isMoved) moved++;
      if (told.length > 0 || isMoved) print(`  ${path}: ${told.join(', ')}`);
    }
  });
  print(`\nordinary pages: ${pages.length}; something reported on ${toldFalsely}; image changed on ${moved}`);
  print(`the search takes ${ms(times)} ms (median), ${Math.max(...times).toFixed(0)} ms at most`);
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

/** Those of the project's own fixtures: test/integration/capture/cookies.spec.ts. */
function bannerPages() {
  const corpus = readFileSync(join(dest, 'cookies.list'), 'utf8').trim().split('\n');
  return [
    ...corpus.filter((path) => !path.includes('/none/')).map((path) => ({ group: groupOf(path), path })),
    ...EXTRA_LIBRARIES.map(({ name }) => ({ group: 'libraries', path: `extra/${name}/index.html` })),
  ];
}

function groupOf(path) {
  if (path.includes('/imit-')) return 'imitations';
  return path.includes('/own-') ? 'home-made' : 'libraries';
}

/** Gets the libraries from the registry, and puts each on the corpus's page that has no banner. */
async function prepare() {
  const vendor = join(folder, 'vendor');
  mkdirSync(vendor, { recursive: true });
  for (const spec of [AUTOCONSENT, ...new Set(EXTRA_LIBRARIES.flatMap(({ specs }) => specs))])
    if (!existsSync(join(vendor, slug(spec)))) await unpack(spec, vendor, join(vendor, slug(spec)));
  const bare = readFileSync(join(dest, 'cookies/none/index.html'), 'utf8');
  rmSync(join(folder, 'extra'), { recursive: true, force: true });
  for (const { name, head, run } of EXTRA_LIBRARIES) {
    const here = join(folder, 'extra', name);
    mkdirSync(here, { recursive: true });
    const marked = bare.replace("document.body.style.marginTop=''};", (text) => `${text}\n${run}`);
    if (marked === bare) throw new Error('cookies/none/index.html is not as it was: there is no place for a banner');
    writeFileSync(
      join(here, 'index.html'),
      marked.replace('</head>', () => `${head}</head>`),
    );
  }
}

function slug(spec) {
  return spec.replace(/^@/, '').replace('/', '-').replace(/@/, '-');
}

async function withPage(initScript, work) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, locale: 'en-GB' });
  try {
    const page = await context.newPage();
    if (initScript) await page.addInitScript(initScript);
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

function ms(numbers) {
  return (spanOf(numbers)[1] ?? 0).toFixed(1);
}

function yes(is) {
  return is ? 'yes' : 'NO';
}
