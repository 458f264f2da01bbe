import { renderCause } from '../../.build/report/causes.js';
import { serve } from '../../fixtures/serve.mjs';
import { CHANGES, makeChange } from './accuracy-changes.mjs';
import { bringChromium, DEJAVU, hinting, withFonts } from './environments.mjs';
import { boxOfChange, isRight, judgeRedrawn, observe } from './observe-page.mjs';
import { openBrowser, visitStill } from './open-browser.mjs';
import { bringSet } from './pages.mjs';
import { judge, print, readOptions, spread } from './sample.mjs';

/**
 * Compares pages with baselines of another environment, as `environment: auto` does: pages that did not change, and the changes of
 * `accuracy.mjs`, made in the page or in a style sheet.
 *
 * `npm run bench -- machines [--pages known|unseen|...] [--count N] [--changed N] [--only NAME]`
 */
const options = readOptions({ pages: 'known', count: 119, changed: 20, only: '' });

/**
 * Each environment is that of the run, and the installed browser made the baseline; an earlier browser made the baseline itself. The
 * headless shell hints glyphs and draws LCD text only if the config of the fonts says so: `--font-render-hinting` and `--enable-lcd-text`
 * alone change nothing.
 */
const ENVIRONMENTS = {
  'hinting none -> full': { env: withFonts('full', hinting('hintfull', 'none')) },
  'hinting none -> medium, LCD text': {
    ...{ env: withFonts('medium', hinting('hintmedium', 'rgb')), without: ['--disable-lcd-text'] },
  },
  'DejaVu fonts only': { env: withFonts('dejavu', DEJAVU) },
  'Chromium 143 -> installed': { executablePath: await bringChromium('143.0.4') },
};

/** What is promised: the shares of changes found and of right first causes, and of unchanged pages that are changed (with hinting: none). */
const PROMISED = { found: 0.99, right: 0.95, changed: 0.05 };

const { folder: corpus, pages: all } = await bringSet(options.pages);
const pages = spread(all, options.count);
const changedPages = new Set(spread(pages, options.changed));
/** How long the timers of each page run. */
const LIVES_MS = 3000;

const names = Object.keys(ENVIRONMENTS).filter((name) => name.includes(options.only));
const results = new Map(names.map((name) => [name, []]));
const server = await serve([corpus]);
const installed = await openBrowser('chromium');
const browsers = new Map();
for (const name of names) browsers.set(name, await openBrowser('chromium', ENVIRONMENTS[name]));
const open = [...pages.entries()];
const measureNext = async () => {
  for (let next = open.shift(); next; next = open.shift()) await measure(...next);
};
await Promise.all([measureNext(), measureNext()]);
for (const browser of [installed, ...browsers.values()]) await browser.close();
await server.close();
for (const name of names) report(name, results.get(name), name.startsWith('hinting') ? 0 : PROMISED.changed);

async function measure(turn, path) {
  const visit = (browser, use) => visitStill(browser, server.url, path, use, LIVES_MS);
  const why = (error) => error.message.split('\n')[0];
  await visit(installed, async (own) => {
    for (const [name, browser] of browsers) {
      const [from, to] = name.endsWith('installed') ? [1, 0] : [0, 1];
      const compare = (other) => compareBoth([own, other][from], [own, other][to], path, turn);
      const found = await visit(browser, compare).catch((error) => [{ path, kind: `failed: ${why(error)}` }]);
      for (const one of found) tell(one, `${turn + 1}/${pages.length} ${name}`);
      results.get(name).push(...found);
    }
  }).catch((error) => print(`NOT MEASURED: ${path}: ${why(error)}`));
}

async function compareBoth(baselinePage, page, path, turn) {
  const baseline = await observe(baselinePage);
  if (!baseline.structure) return [{ path, kind: 'without structure' }];
  const plain = await observe(page, baseline);
  const unchanged = await judgeRedrawn(baseline, plain);
  if (!changedPages.has(path)) return [{ path, ...unchanged }];
  const changed = [];
  for (const [number, change] of CHANGES.entries()) {
    for (const place of ['page', 'sheet']) {
      const what = await page.evaluate(makeChange, { number, turn });
      if (what === null) continue;
      if (place === 'sheet' && !(await page.evaluate(moveToSheet))) {
        await page.evaluate(() => window.undoChange());
        continue;
      }
      const truth = await page.evaluate(boxOfChange);
      const after = await observe(page, baseline);
      await page.evaluate(() => window.undoChange());
      // A change that paints nothing is none.
      if (!after.image.bytes.equals(plain.image.bytes))
        changed.push({ path, change, what, place, truth, ...(await judgeRedrawn(baseline, after)) });
    }
  }
  return [{ path, ...unchanged }, ...changed];
}

/** Runs in the page: declares the change in a style sheet instead of the element. Returns false for a change that is no style. */
function moveToSheet() {
  const { style, dataset } = window.changedElement;
  const names = [...style].filter((name) => style.getPropertyPriority(name) === 'important');
  if (names.length === 0) return false;
  const css = names.map((name) => `${name}: ${style.getPropertyValue(name)} !important`).join('; ');
  window.undoChange();
  dataset.changed = '';
  const sheet = document.head.appendChild(document.createElement('style'));
  sheet.textContent = `[data-changed] { ${css} }`;
  window.undoChange = () => {
    sheet.remove();
    delete dataset.changed;
  };
  return true;
}

/** Prints what is not as promised. */
function tell({ path, kind, causes: [first] = [], change, what, place, truth }, from) {
  const cause = first ? renderCause(first) : 'no cause';
  if (change === undefined) return print(`${from}: ${path}: ${kind}${kind === 'changed' ? `: ${cause}` : ''}`);
  const isNamed = kind === 'changed' && isRight(first, { change, truth });
  if (!isNamed)
    print(`${from}: ${path}: ${change} (${place}), ${what}: ${kind === 'changed' ? cause : `NOT FOUND, ${kind}`}`);
}

function report(name, results, mostChanged) {
  print(`\n${name}`);
  const [unchanged, changed] = [results.filter(({ change }) => !change), results.filter(({ change }) => change)];
  const count = (list, accept) => list.filter(accept).length;
  const of = (kind) => count(unchanged, (one) => one.kind === kind);
  const notCompared = count(unchanged, ({ layout }) => layout === 'not-compared');
  print(
    `  ${unchanged.length} unchanged pages: ${of('passed')} passed, ${of('redrawn')} redrawn (${notCompared} without their layout), ${of('changed')} changed`,
  );
  const found = count(changed, ({ kind }) => kind === 'changed');
  const right = count(changed, (one) => one.kind === 'changed' && isRight(one.causes[0], one));
  print(`  ${changed.length} changes: ${found} found, ${right} with the right cause first`);
  const isKept =
    of('changed') <= mostChanged * unchanged.length &&
    of('passed') + of('redrawn') >= (1 - PROMISED.changed) * unchanged.length &&
    found >= PROMISED.found * changed.length &&
    right >= PROMISED.right * changed.length;
  print(`  the promise is ${judge(isKept)}`);
}
