import { decodeImage } from '../../.build/image/decode.js';
import { serve } from '../../fixtures/serve.mjs';
import { CHANGES, makeChange } from './accuracy-changes.mjs';
import { JUDGES } from './accuracy-judges.mjs';
import { putSpeck, SPECKS } from './accuracy-specks.mjs';
import { VARIANTS } from './accuracy-variants.mjs';
import { shoot } from './observe-page.mjs';
import { browserOption, openBrowser, visitStill } from './open-browser.mjs';
import { bringStillPages, CORPUS } from './pages.mjs';
import { print, spread } from './sample.mjs';

/**
 * Counts which small but visible changes are found: by proofsheet, by toHaveScreenshot, by BackstopJS. There are some 200 changes
 * on 20 real pages, 74 at smooth edges, and 1,221 specks. It also counts alarms of pages that did not change: each page is captured
 * in two fresh contexts.
 */
const PAGES = Number(process.env.BENCH_PAGES ?? 20);

const pages = spread(await bringStillPages(), PAGES);
const server = await serve([CORPUS]);
const browser = await openBrowser(browserOption());
try {
  const cases = [];
  let alarms = 0;
  for (const [turn, path] of pages.entries()) {
    const first = await visitStill(browser, server.url, path, (page) => capture(page));
    alarms += await visitStill(browser, server.url, path, async (page) => {
      cases.push(...(await changeAll(page, path, turn)));
      return countAlarm(first, await capture(page), path);
    });
  }
  report(cases, `${pages.length} pages`);
  print(`${alarms} of ${pages.length} pages raised an alarm without a change`);
  if (alarms > 0) process.exitCode = 1;
  // These are plain Playwright screenshots. `still.mjs` measures the alarms of proofsheet's own captures, and fails on one.
  // A window of WebKitGTK is never as small as their pages.
  if (browserOption() !== 'webkit') {
    report(await changeEdges(), `${VARIANTS.length} variants at smooth edges`);
    report(await putSpecks(), `${SPECKS} specks of at most 4x4`);
  }
} finally {
  await browser.close();
  await server.close();
}

async function changeAll(page, path, turn) {
  const before = await capture(page);
  const cases = [];
  for (const [number, change] of CHANGES.entries()) {
    const what = await page.evaluate(makeChange, { number, turn });
    if (what === null) {
      cases.push({ change: `${change}, ${path}`, kind: 'nowhere' });
      continue;
    }
    const after = await capture(page);
    await page.evaluate(() => window.undoChange());
    cases.push(await caseOf(`${change}, ${what}, ${path}`, before, after));
  }
  return cases;
}

async function changeEdges() {
  const context = await browser.newContext({ viewport: { width: 240, height: 160 } });
  try {
    const page = await context.newPage();
    const draw = async (markup) => {
      await page.setContent(`<body style="margin: 32px">${markup}</body>`);
      return capture(page);
    };
    const cases = [];
    for (const { name, before, after } of VARIANTS) {
      cases.push(await caseOf(name, await draw(before), await draw(after)));
    }
    return cases;
  } finally {
    await context.close();
  }
}

function putSpecks() {
  return visitStill(browser, server.url, pages[0], async (page) => {
    await page.setViewportSize({ width: 640, height: 360 });
    const before = await capture(page);
    const cases = [];
    for (let number = 0; number < SPECKS; number++) {
      cases.push(await caseOf(`speck ${number}`, before, putSpeck(before, number)));
    }
    return cases;
  });
}

async function caseOf(change, before, after) {
  const isVisible = !Buffer.from(before.pixels.data).equals(after.pixels.data);
  return { change, kind: isVisible ? 'visible' : 'invisible', found: await judge(before, after) };
}

async function judge(before, after) {
  const found = new Set();
  for (const [name, isChange] of JUDGES) if (await isChange(before, after)) found.add(name);
  return found;
}

async function countAlarm(before, after, path) {
  const found = await judge(before, after);
  if (found.size > 0) print(`ALARM ${path}, which did not change: ${[...found].join(', ')}`);
  return found.size > 0 ? 1 : 0;
}

async function capture(page) {
  const image = await shoot(page);
  return { image, pixels: await decodeImage(image) };
}

function report(cases, where) {
  const visible = cases.filter(({ kind }) => kind === 'visible');
  const ours = [...JUDGES.keys()][0];
  for (const { change, kind, found } of cases) {
    if (kind === 'invisible') print(`no pixel differs: ${change}`);
    if (kind === 'nowhere') print(`nothing in sight to change: ${change}`);
    if (kind === 'visible' && !found.has(ours)) print(`MISSED: ${change}`);
  }
  print(`${visible.length} visible changes, ${where}`);
  for (const name of JUDGES.keys()) {
    print(`${name.padEnd(40)} ${visible.filter(({ found }) => found.has(name)).length}`);
  }
  if (visible.some(({ found }) => !found.has(ours))) process.exitCode = 1;
}
