import { parseArgs } from 'node:util';
import { createPageState } from '../../.build/page/browser/page-state.js';
import { formatCause } from '../../.build/report/causes.js';
import { serve } from '../../fixtures/serve.mjs';
import { CHANGES, makeChange } from './accuracy-changes.mjs';
import { bringChromium } from './earlier-chromium.mjs';
import { DEJAVU, hinting, withFonts } from './fonts.mjs';
import { boxOfChange, isRight, judgeRedrawn, observe } from './observe-page.mjs';
import { openBrowser, visitStill } from './open-browser.mjs';
import { bringSet } from './pages.mjs';
import { judge, print, spread } from './sample.mjs';

/**
 * Compares pages with baselines of another environment, as `environment: auto` does: pages that did not change, and the changes of
 * `accuracy.mjs`, made in the page or in a style sheet.
 *
 * `npm run bench -- machines [--pages known|unseen|...] [--count N] [--changed N] [--only NAME]`
 */
const { values: options } = parseArgs({
  allowPositionals: true, // the name of the benchmark
  options: {
    pages: { type: 'string', default: 'known' },
    count: { type: 'string', default: '119' },
    changed: { type: 'string', default: '20' },
    only: { type: 'string', default: '' },
  },
});

/**
 * Each environment: the browser of the baseline, and that of the run. The headless shell hints glyphs and draws LCD text only if the config
 * of the fonts says so: `--font-render-hinting` and `--enable-lcd-text` alone change nothing.
 */
const ENVIRONMENTS = {
  'hinting none -> full': [{}, { env: withFonts('full', hinting('hintfull', 'none')) }],
  'hinting none -> medium, LCD text': [
    {},
    { env: withFonts('medium', hinting('hintmedium', 'rgb')), without: ['--disable-lcd-text'] },
  ],
  'glyphs at whole pixels': [{}, { args: ['--font-render-hinting=full', '--disable-font-subpixel-positioning'] }],
  'Chromium 143 -> installed': [{ executablePath: await bringChromium('143.0.4') }, {}],
  'DejaVu fonts only': [{}, { env: withFonts('dejavu', DEJAVU) }],
};

/** What is promised of each environment: the shares of unchanged pages that are changed, of changes found, and of right first causes. */
const PROMISED = { changed: 0.05, found: 0.99, right: 0.95 };

const { folder: corpus, pages: all } = await bringSet(options.pages);
const pages = spread(all, Number(options.count));
const changedPages = new Set(spread(pages, Number(options.changed)));
const server = await serve([corpus]);
try {
  for (const [name, [before, after]] of Object.entries(ENVIRONMENTS))
    if (name.includes(options.only)) report(name, await measure(before, after));
} finally {
  await server.close();
}

async function measure(before, after) {
  const [one, other] = [await openBrowser('chromium', before), await openBrowser('chromium', after)];
  const results = [];
  try {
    for (const [turn, path] of pages.entries()) {
      const found = await visitStill(one, server.url, path, (baseline) => {
        return visitStill(other, server.url, path, (page) => compareBoth(baseline, page, path, turn));
      }).catch((error) => [{ path, kind: `failed: ${error.message.split('\n')[0]}` }]);
      results.push(...found);
    }
  } finally {
    await one.close();
    await other.close();
  }
  return results;
}

async function compareBoth(baselinePage, page, path, turn) {
  const baseline = await observe(baselinePage, createPageState(baselinePage));
  const state = createPageState(page);
  if (!baseline.structure) return [{ path, kind: 'without structure' }];
  const plain = await observe(page, state, baseline);
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
      const after = await observe(page, state, baseline);
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

function report(name, results) {
  const [unchanged, changed] = [results.filter(({ change }) => !change), results.filter(({ change }) => change)];
  print(`\n${name}`);
  for (const { path, kind, causes = [] } of unchanged)
    if (kind !== 'passed' && kind !== 'redrawn') print(`  ${kind.toUpperCase()}: ${path}: ${textOf(causes)}`);
  for (const one of changed) {
    if (one.kind !== 'changed') print(`  NOT FOUND (${one.kind}): ${one.change}, ${one.what}, ${one.path}`);
    else if (!isRight(one.causes[0], one))
      print(`  NOT NAMED FIRST: ${one.change}, ${one.what}, ${one.path}: ${textOf(one.causes)}`);
  }
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
    of('changed') <= PROMISED.changed * unchanged.length &&
    found >= PROMISED.found * changed.length &&
    right >= PROMISED.right * changed.length;
  print(`  the promise is ${judge(isKept)}`);
}

function textOf(causes) {
  const [first] = causes;
  return first ? formatCause(first) : 'no cause';
}
