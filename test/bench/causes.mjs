import { join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import { compareImages } from '../../.build/compare/compare.js';
import { explain } from '../../.build/explain/index.js';
import { DEFAULTS } from '../../.build/model/page-fields.js';
import { createPageState } from '../../.build/page/browser/page-state.js';
import { formatCause } from '../../.build/report/causes.js';
import { serve } from '../../fixtures/serve.mjs';
import { root } from '../../scripts/run.mjs';
import { CHANGES, makeChange } from './accuracy-changes.mjs';
import { boxOfChange, isRight, observe } from './observe-page.mjs';
import { browserOption, openBrowser } from './open-browser.mjs';
import { spanOf } from './sample.mjs';
import { bringStillPages, visitStill } from './visit-still.mjs';

/**
 * Counts how often the first cause that proofsheet names is the change that was made: the element and the property. The changes are
 * those of `accuracy.mjs`, on its pages, so the truth is known. A cause that is named as certain and is not the truth fails the bench.
 */
const PAGES = Number(process.env.BENCH_PAGES ?? 20);
/** What is promised: the share of changes named first and right, and the number of wrong causes that are shown as certain. */
const PROMISED = { share: 0.95, wrong: 0 };

const corpus = join(root, '.tmp', 'bench-pages');
const pages = await bringStillPages(corpus, PAGES);
const server = await serve([corpus]);
const browser = await openBrowser(browserOption());
const measured = { readMs: [], explainMs: [], bytes: [], share: [] };
try {
  const cases = [];
  for (const [turn, path] of pages.entries())
    cases.push(...(await visitStill(browser, server.url, path, (page) => changeAll(page, path, turn))));
  report(cases);
} finally {
  await browser.close();
  await server.close();
}

/** Makes every change on a page, one after the other, and explains each. */
async function changeAll(page, path, turn) {
  const state = createPageState(page);
  const before = await observe(page, state, async () => []);
  if (before.structure) {
    const packed = brotliCompressSync(JSON.stringify(before.structure.structure), {
      params: { [constants.BROTLI_PARAM_QUALITY]: 5 },
    });
    measured.bytes.push(packed.length);
    measured.share.push(packed.length / before.image.bytes.length);
  }
  const cases = [];
  for (const [number, change] of CHANGES.entries()) {
    const what = await page.evaluate(makeChange, { number, turn });
    if (what === null) continue;
    const truth = await page.evaluate(boxOfChange);
    const started = performance.now();
    const after = await observe(page, state, async (structure) =>
      explain(before.structure.structure, structure).questions(),
    );
    await page.evaluate(() => window.undoChange());
    const causes = await explainCase(before, after);
    if (causes) cases.push({ change, name: `${change}, ${what}, ${path}`, causes, truth });
    if (causes) measured.readMs.push(after.readMs);
    void started;
  }
  return cases;
}

/** @returns the causes; null if no pixel differs, or if a structure is missing */
async function explainCase(before, after) {
  const { threshold, engine } = DEFAULTS;
  const limits = { maxDiffPixels: 0, maxDiffPixelRatio: null, maxSizeDiff: 0, allowShift: 0 };
  const settings = { threshold, engine, ...limits, antialiasing: 'count' };
  const comparison = await compareImages(before.image, after.image, settings, []);
  if (comparison.kind !== 'different') return null;
  if (!before.structure || !after.structure) return [];
  const started = performance.now();
  const explanation = explain(before.structure.structure, after.structure.structure);
  const causes = explanation.causes(after.structure.answers, comparison);
  measured.explainMs.push(performance.now() - started);
  return causes;
}

function report(cases) {
  let wrong = 0;
  for (const one of cases) {
    const [first] = one.causes;
    if (!isRight(first, one)) print(`NOT NAMED FIRST: ${one.name}: ${first ? formatCause(first) : 'no cause'}`);
    for (const cause of one.causes.filter(({ certain }) => certain)) {
      if (isRight(cause, one)) continue;
      wrong++;
      print(`WRONG, SHOWN AS CERTAIN: ${one.name}: ${formatCause(cause)}`);
    }
  }
  print(`${'change'.padEnd(26)} visible  named first and right`);
  for (const change of CHANGES) {
    const of = cases.filter((one) => one.change === change);
    print(
      `${change.padEnd(26)} ${String(of.length).padStart(7)}  ${of.filter((one) => isRight(one.causes[0], one)).length}`,
    );
  }
  const right = cases.filter((one) => isRight(one.causes[0], one)).length;
  print(
    `${right} of ${cases.length} visible changes on ${pages.length} pages named first and right; ${wrong} wrong causes shown as certain`,
  );
  const span = (numbers, digits = 0) =>
    spanOf(numbers)
      .map((number) => number.toFixed(digits))
      .join(' - ');
  print(
    `reading a structure with its declarations: ${span(measured.readMs)} ms; explaining: ${span(measured.explainMs)} ms`,
  );
  print(`size of a structure: ${span(measured.bytes)} bytes, ${span(measured.share, 3)} of the image of 1280x720`);
  if (right < PROMISED.share * cases.length || wrong > PROMISED.wrong) process.exitCode = 1;
}

function print(line) {
  process.stdout.write(`${line}\n`);
}
