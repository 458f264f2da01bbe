import { brotliCompressSync, constants } from 'node:zlib';
import { explain } from '../../.build/explain/index.js';
import { renderCause } from '../../.build/report/causes.js';
import { serve } from '../../fixtures/serve.mjs';
import { CHANGES, makeChange } from './accuracy-changes.mjs';
import { boxOfChange, compareObserved, isRight, observe } from './observe-page.mjs';
import { browserOption, openBrowser, visitStill } from './open-browser.mjs';
import { bringStillPages, CORPUS } from './pages.mjs';
import { formatSpan, print, spread } from './sample.mjs';

/**
 * Counts how often the first cause that proofsheet names is the change that was made: the element and the property. The changes are
 * those of `accuracy.mjs`, on its pages, so the truth is known. A cause that is named as certain and is not the truth fails the bench.
 */
const PAGES = Number(process.env.BENCH_PAGES ?? 20);
/** What is promised: the share of changes named first and right, and the number of wrong causes that are shown as certain. */
const PROMISED = { share: 0.95, wrong: 0 };

const pages = spread(await bringStillPages(), PAGES);
const server = await serve([CORPUS]);
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

async function changeAll(page, path, turn) {
  const before = await observe(page);
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
    const after = await observe(page, before);
    await page.evaluate(() => window.undoChange());
    const causes = await explainCase(before, after);
    if (!causes) continue;
    cases.push({ change, name: `${change}, ${what}, ${path}`, causes, truth });
    measured.readMs.push(after.readMs);
  }
  return cases;
}

/** @returns the causes; null if no pixel differs, or if a structure is missing */
async function explainCase(before, after) {
  const comparison = await compareObserved(before, after, 'count');
  if (!comparison) return null;
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
    if (!isRight(first, one)) print(`NOT NAMED FIRST: ${one.name}: ${first ? renderCause(first) : 'no cause'}`);
    for (const cause of one.causes.filter(({ certain }) => certain)) {
      if (isRight(cause, one)) continue;
      wrong++;
      print(`WRONG, SHOWN AS CERTAIN: ${one.name}: ${renderCause(cause)}`);
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
  print(
    `reading a structure with its declarations: ${formatSpan(measured.readMs, 0)} ms; explaining: ${formatSpan(measured.explainMs, 0)} ms`,
  );
  print(
    `size of a structure: ${formatSpan(measured.bytes, 0)} bytes, ${formatSpan(measured.share, 3)} of the image of 1280x720`,
  );
  if (right < PROMISED.share * cases.length || wrong > PROMISED.wrong) process.exitCode = 1;
}
