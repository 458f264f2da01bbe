import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { embedRecord, sha256 } from '../../.build/baselines/baseline.js';
import { writeRun } from '../../.build/baselines/write-run.js';
import { compareImages } from '../../.build/compare/compare.js';
import { explain } from '../../.build/explain/index.js';
import { DEFAULTS } from '../../.build/model/page-fields.js';
import { createPageState } from '../../.build/page/browser/page-state.js';
import { renderReason } from '../../.build/report/reason.js';
import { renderPages } from '../../.build/report/render-html.js';
import { MAX_CHARACTERS, renderMarkdown } from '../../.build/report/render-markdown.js';
import { renderText } from '../../.build/report/render-text.js';
import { serveReport } from '../../.build/review/server.js';
import { countShots, nameGroups } from '../../.build/run/collect.js';
import { fingerprintCauses } from '../../.build/shot/record.js';
import { serve } from '../../fixtures/serve.mjs';
import { root } from '../../scripts/run.mjs';
import { observe } from './observe-page.mjs';
import { openBrowser } from './open-browser.mjs';
import { describeMachine, spanOf } from './sample.mjs';

/**
 * Counts the decisions that a run with many changed pages needs, and checks that none of them hides a regression. Pages change for three
 * intended causes, and five of them have a regression besides. A script that knows the intended causes reads the cards of the served
 * report in a browser: it approves a card if nothing else is written there, and rejects it otherwise.
 *
 * Also measures how long a report of 2,000 changed shots takes to open.
 */
const PAGES = Number(process.env.BENCH_PAGES ?? 200);
const MANY = 2_000;
/** What is promised: the number of decisions, and the time to open a large report in milliseconds. */
const PROMISED = { decisions: 8, openMs: 2_000 };
const SIZE = { width: 800, height: 600 };

/** The kinds of pages, each with its intended cause as a reader of the report finds it. */
const SECTIONS = [
  { name: 'docs', intended: /^\.nav: background-color #ffffff -> #f8fafc \(\/after\/site\.css:\d+\)$/ },
  { name: 'shop', intended: /^\.card[^;]*: padding-top 8px -> 16px \(\/after\/site\.css:\d+\)$/ },
  { name: 'blog', intended: /^footer: text "© 2025 Example" -> "© 2026 Example"$/ },
];

/** The regressions, by the number of their page. Each replaces a part of the page of after. */
const REGRESSIONS = new Map([
  [12, ['<h1>', '<h1 style="opacity: .8">']],
  [43, ['49 €', '4 €']],
  [71, ['<p class="legal">All prices with tax.</p>', '']],
  [104, ['/icon.svg', '/other.svg']],
  [137, ['<a class="buy"', '<a class="buy" style="border-color: #ccc"']],
]);

const css = (isAfter) => `* { margin: 0; font: 16px/24px sans-serif }
main { padding: 24px }
header .nav {
  background-color: ${isAfter ? '#f8fafc' : '#ffffff'};
  padding: 16px;
}
.card { border: 1px solid #ccc; padding: 8px }
.card { padding-top: ${isAfter ? 16 : 8}px }
.buy { border: 2px solid #2563eb; padding: 4px }
img { width: 33px; height: 33px }
`;
const icon = (color) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><circle cx="16" cy="16" r="13.3" fill="${color}"/></svg>`;
const WORDS = 'alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu'.split(' ');

function htmlOf(number, isAfter) {
  const { name } = SECTIONS[number % SECTIONS.length];
  const lines = Array.from({ length: 2 + (number % 4) }, (_, line) =>
    WORDS.map((_, at) => WORDS[(number * 5 + line * 7 + at * (line + 1)) % WORDS.length]).join(' '),
  );
  const page = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${number}</title><link rel="stylesheet" href="site.css">
</head><body><header>${name === 'docs' ? '<div class="nav">Home Docs</div>' : 'Example'}</header><main><h1>Page ${number}</h1>
${name === 'shop' ? '<div class="card">Plan</div>' : ''}<p>Price: 49 €</p><img src="/icon.svg" alt=""><p class="legal">All prices with tax.</p>
${lines.map((line) => `<p>${line}</p>`).join('')}<a class="buy" href="#">Buy</a></main>
<footer>${name === 'blog' && isAfter ? '© 2026 Example' : '© 2025 Example'}</footer></body></html>`;
  const regression = isAfter ? REGRESSIONS.get(number) : undefined;
  if (regression && !page.includes(regression[0])) throw new Error(`page ${number} has no ${regression[0]}`);
  return regression ? page.replace(...regression) : page;
}

const folder = join(root, '.tmp', 'bench-review');
rmSync(folder, { recursive: true, force: true });
const put = (path, content) => {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), content);
};
put('site/icon.svg', icon('#0d9488'));
put('site/other.svg', icon('#b91c1c'));
for (const side of ['before', 'after']) {
  put(`site/${side}/site.css`, css(side === 'after'));
  for (let page = 0; page < PAGES; page++) put(`site/${side}/${page}.html`, htmlOf(page, side === 'after'));
}

const site = await serve([join(folder, 'site')]);
const browser = await openBrowser('chromium');
let isKept = true;
try {
  const images = new Map();
  const results = await compareAll(images);
  const shots = nameGroups(results);
  const record = await write('review', shots, images);
  await review(record);
  await open(shots, images);
} finally {
  await browser.close();
  await site.close();
}
if (!isKept) process.exitCode = 1;

/** Captures all pages before and after, and compares them. */
async function compareAll(images) {
  const page = await browser.newPage({ viewport: SIZE });
  const state = createPageState(page);
  const results = [];
  for (let number = 0; number < PAGES; number++) {
    await page.goto(`${site.url}/before/${number}.html`);
    const before = await observe(page, state, async () => []);
    await page.goto(`${site.url}/after/${number}.html`);
    const old = before.structure.structure;
    const after = await observe(page, state, async (structure) => explain(old, structure).questions());
    results.push(await compare(number, before, after, images));
  }
  await page.close();
  return results;
}

async function compare(number, before, after, images) {
  const limits = { maxDiffPixels: 0, maxDiffPixelRatio: null, maxSizeDiff: 0, allowShift: 0 };
  const settings = { threshold: DEFAULTS.threshold, engine: DEFAULTS.engine, ...limits, antialiasing: 'count' };
  const comparison = await compareImages(before.image, after.image, settings, []);
  if (comparison.kind !== 'different') throw new Error(`page ${number} did not change`);
  const { structure, answers } = after.structure;
  const causes = explain(before.structure.structure, structure).causes(answers, comparison);
  const id = `${SECTIONS[number % SECTIONS.length].name}-${number}`;
  const [url, path] = [`${site.url}/after/${number}.html`, `shots/${id}.png`];
  const [old, captured] = [before, after].map(({ image }) => embed(image.bytes, id));
  put(`review/${path}`, old);
  const keep = (name, bytes) => {
    const link = `screenshots/127.0.0.1/${number}/${name}.png`;
    images.set(link, bytes);
    return { link, ...SIZE };
  };
  const shot = {
    ...{
      id,
      page: id,
      viewport: null,
      mode: null,
      state: null,
      project: 'chromium',
      url,
      status: 'changed',
      reason: null,
    },
    ...{ attempts: [{ status: 'changed' }], durationMs: 500, compared: 1, group: null, decision: null, warnings: [] },
    ...{
      flaky: false,
      unsteady: false,
      written: false,
      reused: false,
      shifts: null,
      columnShifts: null,
      capture: null,
    },
    summary: {
      ...comparison.counts,
      mismatchPercentage: (100 * comparison.counts.mismatchPixels) / comparison.counts.totalPixels,
      mismatchPixelsAfterAlignment: comparison.mismatchPixelsAfterAlignment,
    },
    limits: { threshold: DEFAULTS.threshold, maxDiffPixels: 0, maxDiffPixelRatio: null },
    regions: comparison.regions,
    regionPlaces: comparison.regionPlaces,
    events: comparison.contentMoves,
    causes,
    before: { ...keep('before', old), source: 'baseline' },
    after: { ...keep('1', captured), source: url, sha256: sha256(captured) },
    diff: { ...keep('diff', comparison.diff), ...comparison.diffSize },
    baseline: { path, sha256: sha256(old), environment: null },
    environment: null,
  };
  const fingerprint = fingerprintCauses(causes) ?? comparison.fingerprint;
  return { shot: { ...shot, reason: renderReason(shot) }, fingerprint };
}

function embed(bytes, id) {
  const environment = {
    os: 'linux',
    arch: 'x64',
    browser: 'chromium',
    browserVersion: '1',
    headless: 'shell',
    scale: 1,
  };
  const made = { ...environment, fonts: null, engine: 'odiff' };
  return embedRecord(
    bytes,
    { schemaVersion: 2, id, project: 'chromium', masks: [], ignored: [], environment: made },
    id,
    null,
  );
}

async function write(name, shots, images) {
  const run = { list: 'pages.yaml', listHash: 'a'.repeat(64), commit: null, shards: [], selected: [], problems: [] };
  const record = {
    ...{ schemaVersion: 1, tool: { name: 'proofsheet', version: '0.0.0' }, startedAt: new Date().toISOString() },
    ...{ durationMs: 60_000, run: { ...run, complete: true }, summary: countShots(shots), shots, obsolete: null },
  };
  const staged = [...images].map(([link, from]) => ({ link, from }));
  return writeRun(join(folder, name, 'proofsheet-report'), record, staged, renderPages);
}

/** Decides on the served report by its texts and buttons alone. */
async function review(record) {
  const own = join(folder, 'review');
  const server = await serveReport({ root: own, within: own, folder: join(own, 'proofsheet-report') }, '127.0.0.1', 0);
  const page = await browser.newPage();
  await page.goto(server.url);
  const cards = page.locator('.shot-card');
  const total = await cards.count();
  const decided = { approved: 0, rejected: 0 };
  for (let at = 0; at < total; at++) {
    const card = cards.nth(at);
    const what = await card.locator('.card-reason').textContent();
    const isIntended = SECTIONS.some(({ intended }) => intended.test(what));
    const decision = isIntended ? 'approved' : 'rejected';
    await card.getByRole('button', { name: isIntended ? /^Approve/ : /^Reject/ }).click();
    await page.locator('.toast.decided').waitFor();
    await page.getByRole('button', { name: 'Dismiss' }).click();
    decided[decision]++;
    print(`${decision}: ${what}`);
  }
  await page.goto(server.url);
  const heading = await page.getByRole('heading', { level: 1 }).textContent();
  const rejected = await page.locator('.badge.rejected').count();
  await page.close();
  await server.close();
  const names = [...REGRESSIONS.keys()].filter((number) => number < PAGES).length;
  const decisions = decided.approved + decided.rejected;
  isKept &&= decisions <= PROMISED.decisions && rejected === names;
  const lines = renderText(record, 'proofsheet-report/index.html').trim().split('\n').length;
  print(`${PAGES} changed pages, 3 intended causes, ${names} regressions; ${describeMachine()}`);
  print(
    `${decisions} decisions (promised: at most ${PROMISED.decisions}), ${rejected} of ${names} regressions not approved: ${heading}`,
  );
  print(`${lines} lines in the terminal, ${renderMarkdown(record).length} characters in the comment`);
}

/** Opens reports of many changed shots: as a few groups, and as a change for each shot. */
async function open(shots, images) {
  const many = Array.from({ length: MANY }, (_, index) => {
    return { ...shots[index % shots.length], project: `project-${Math.floor(index / shots.length)}` };
  });
  const reports = { 'in groups': many, 'each another change': many.map((shot) => ({ ...shot, group: null })) };
  for (const [kind, all] of Object.entries(reports)) {
    const name = kind.replaceAll(' ', '-');
    const record = await write(name, all, images);
    const opened = [];
    const expected = kind === 'in groups' ? new Set(all.map(({ group }) => group)).size : MANY;
    for (let round = 0; round < 3; round++)
      opened.push(await openOnce(join(folder, name, 'proofsheet-report/index.html'), expected));
    const [, openMs] = spanOf(opened.map(({ ms }) => ms));
    const [, firstMs] = spanOf(opened.map(({ firstMs }) => firstMs));
    const { cards } = opened[0];
    const comment = renderMarkdown(record).length;
    isKept &&= openMs <= PROMISED.openMs && comment <= MAX_CHARACTERS;
    print(
      `${MANY} changed shots, ${kind}: ${cards} cards; the first are painted after ${Math.round(firstMs)} ms, all after ${Math.round(openMs)} ms (median of 3); comment of ${comment} characters`,
    );
  }
}

/** Opens a report as a file, until its first cards and all of them are there and painted. */
async function openOnce(path, expected) {
  const page = await browser.newPage();
  const started = performance.now();
  const painted = async (count) => {
    await page.waitForFunction((count) => document.querySelectorAll('.shot-card').length >= count, count);
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    return performance.now() - started;
  };
  await page.goto(pathToFileURL(path).href, { waitUntil: 'commit' });
  const firstMs = await painted(1);
  const ms = await painted(expected);
  const cards = await page.locator('.shot-card').count();
  await page.close();
  return { ms, firstMs, cards };
}

function print(line) {
  process.stdout.write(`${line}\n`);
}
