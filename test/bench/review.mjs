import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { writeRun } from '../../.build/baselines/write-run.js';
import { MAX_CHARACTERS, renderMarkdown } from '../../.build/report/render-markdown.js';
import { renderText } from '../../.build/report/render-text.js';
import { serveReport } from '../../.build/review/server.js';
import { countShots } from '../../.build/run/collect.js';
import { serve } from '../../fixtures/serve.mjs';
import { prepareProofsheet } from './arms.mjs';
import { openBrowser } from './open-browser.mjs';
import { emptyFolder } from './pages.mjs';
import { runOurs } from './run-once.mjs';
import { describeMachine, judge, print, spanOf } from './sample.mjs';

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

/** The kinds of pages, each with its intended cause as a reader of the report finds it. */
const SECTIONS = [
  { name: 'docs', intended: /^\.nav: background-color #ffffff -> #f8fafc \(\/site\.css:\d+\)$/ },
  { name: 'shop', intended: /^\.card[^;]*: padding-top 8px -> 16px \(\/site\.css:\d+\)$/ },
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

/** With an expected failure, Playwright starts no other worker after it. */
const SPEC = "import { definePages, test } from 'proofsheet';\ntest.fail();\ndefinePages('pages.yaml');\n";

const folder = emptyFolder('bench-review');
const put = (path, content) => {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), content);
};
put('icons/icon.svg', icon('#0d9488'));
put('icons/other.svg', icon('#b91c1c'));
for (const side of ['before', 'after']) {
  put(`${side}/site.css`, css(side === 'after'));
  for (let page = 0; page < PAGES; page++) put(`${side}/${page}.html`, htmlOf(page, side === 'after'));
}

const run = await compareSides();
const browser = await openBrowser('chromium');
try {
  await review();
  await open();
} finally {
  await browser.close();
}

/** Runs the pages before for their baselines, and the pages after. */
async function compareSides() {
  const runs = [];
  for (const side of ['before', 'after']) {
    const site = await serve([join(folder, side), join(folder, 'icons')]);
    const pages = Array.from({ length: PAGES }, (_, page) => `${page}.html`);
    const fields = 'strict: false, width: 800, height: 600';
    const arm = prepareProofsheet({ folder, site: site.url, pages, fields, spec: SPEC });
    runs.push({ arm, ...(await runOurs(arm, side === 'before' ? arm.approve : arm.compare)) });
    await site.close();
  }
  const others = runs[1].shots.filter(({ status }) => status !== 'changed');
  if (others.length > 0) throw new Error(`${others.map(({ page, status }) => `${page} is ${status}`).join(', ')}`);
  return runs[1];
}

/** Decides on the served report by its texts and buttons alone. */
async function review() {
  const { arm, report, record } = run;
  const server = await serveReport({ root: arm.cwd, within: arm.cwd, folder: report }, '127.0.0.1', 0);
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
  const lines = renderText(record, 'proofsheet-report/index.html').trim().split('\n').length;
  print(`${PAGES} changed pages, 3 intended causes, ${names} regressions; ${describeMachine()}`);
  print(
    `${decisions} decisions (promised: at most ${PROMISED.decisions}; ${judge(decisions <= PROMISED.decisions)}), ` +
      `${rejected} of ${names} regressions not approved (${judge(rejected === names)}): ${heading}`,
  );
  print(`${lines} lines in the terminal, ${renderMarkdown(record).length} characters in the comment`);
}

/** Opens reports of many changed shots: as a few groups, and as a change for each shot. */
async function open() {
  const { shots, report } = run;
  const many = Array.from({ length: MANY }, (_, index) => {
    return { ...shots[index % shots.length], project: `project-${Math.floor(index / shots.length)}` };
  });
  const reports = { 'in groups': many, 'each another change': many.map((shot) => ({ ...shot, group: null })) };
  for (const [kind, all] of Object.entries(reports)) {
    const name = kind.replaceAll(' ', '-');
    const links = all.flatMap(({ before, after, diff }) => [before, after, diff].flatMap((image) => image?.link ?? []));
    const staged = [...new Set(links)].map((link) => ({ link, from: join(report, link) }));
    const whole = { ...run.record, summary: countShots(all), shots: all };
    const record = await writeRun(join(folder, name), whole, staged);
    const opened = [];
    const expected = kind === 'in groups' ? new Set(all.map(({ group }) => group)).size : MANY;
    for (let round = 0; round < 3; round++) opened.push(await openOnce(join(folder, name, 'index.html'), expected));
    const [, openMs] = spanOf(opened.map(({ ms }) => ms));
    const [, firstMs] = spanOf(opened.map(({ firstMs }) => firstMs));
    const { cards } = opened[0];
    const comment = renderMarkdown(record).length;
    const kept = judge(openMs <= PROMISED.openMs && comment <= MAX_CHARACTERS);
    print(
      `${MANY} changed shots, ${kind}: ${cards} cards; the first are painted after ${Math.round(firstMs)} ms, all after ${Math.round(openMs)} ms (median of 3); comment of ${comment} characters (${kept})`,
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
