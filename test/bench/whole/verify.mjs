import { chromium } from '@playwright/test';
import pixelmatch from 'pixelmatch';
import { PNG } from 'pngjs';

/** So long a visitor looks at a place. Everything that comes late has come by then. */
const LOOK_MS = 4_000;
const VISITORS = 4;

/**
 * Visits specimens with a mouse wheel and a plain browser, in both versions.
 *
 * @returns for each specimen, null if a visitor sees its change, else what is wrong with it.
 */
export async function visitAll(specimens, site, executablePath) {
  const browser = await chromium.launch({ executablePath });
  try {
    const views = [];
    for (const version of [0, 0, 1]) {
      site.show(version);
      views.push(await visitEach(specimens, site, browser));
    }
    return specimens.map((_, index) => judge(...views.map((images) => images[index])));
  } finally {
    await browser.close();
  }
}

async function visitEach(specimens, site, browser) {
  const images = [];
  const waiting = [...specimens.entries()];
  const visitor = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [index, specimen] = next;
      images[index] = await visit(specimen, site, browser).catch((error) => error.message.split('\n')[0]);
    }
  };
  await Promise.all(Array.from({ length: VISITORS }, visitor));
  return images;
}

async function visit(specimen, site, browser) {
  const { name, visitor, fields: { actions = [] } = {} } = specimen;
  const { see, over, turn, toEnd, turns, back, moves, waitMs = 0 } = visitor;
  const context = await browser.newContext({ viewport: { width: 1280, height: 720 } });
  try {
    const page = await context.newPage();
    const errors = [];
    page.on('pageerror', ({ message }) => errors.push(message));
    await page.goto(`${site.url}/${name}/`);
    for (const { click } of actions) await page.click(click);
    const place = page.locator(see).first();
    if (actions.length === 0) await page.mouse.move(...over);
    else if (moves) await page.mouse.move(...moves);
    await page.waitForTimeout(waitMs);
    await scrollTo(page, place, turn, toEnd, turns);
    if (back) await page.mouse.wheel(...back);
    await page.waitForTimeout(LOOK_MS);
    await page.mouse.move(1279, 719);
    // The place of an element in a frame is not that in the window.
    if (see.includes('enter-frame')) return PNG.sync.read(await page.screenshot({ caret: 'hide' }));
    if (errors.length > 0) throw new Error(`the page has an error: ${errors[0]}`);
    const view = await viewOf(place);
    if (!view?.width || !view.height) throw new Error(`${see} is out of view`);
    const { x, y, width, height } = view;
    return PNG.sync.read(await page.screenshot({ clip: { x, y, width, height }, caret: 'hide' }));
  } finally {
    await context.close();
  }
}

/** Turns the mouse wheel until a place is well in view, or until the page no longer moves. */
async function scrollTo(page, place, turn, toEnd = false, atLeast = 0) {
  let last;
  for (let turns = 0; turns < 60; turns++) {
    const view = await viewOf(place);
    const isThere = view && ((view.isWhole && view.y + view.height < 560) || (view.width > 0 && view.top === last));
    if (isThere && !toEnd && turns >= atLeast) return;
    last = view?.top;
    await page.mouse.wheel(...turn);
    await page.waitForTimeout(100);
  }
}

/** Returns the part of an element that no scroll area and no edge of the window hides; null without the element. */
async function viewOf(place) {
  const look = (node) =>
    new Promise((done) => {
      new IntersectionObserver(([{ intersectionRect, boundingClientRect }], observer) => {
        observer.disconnect();
        const { x, y, width, height } = intersectionRect;
        const { top, height: whole } = boundingClientRect;
        done({ x, y, width, height, top, isWhole: height > 0 && height >= Math.min(whole, 400) - 1 });
      }).observe(node);
    });
  // A virtual list can remove the element meanwhile.
  return (await place.count()) > 0 ? place.evaluate(look, null, { timeout: 3_000 }).catch(() => null) : null;
}

function judge(before, again, after) {
  const failed = [before, again, after].find((image) => typeof image === 'string');
  if (failed) return failed;
  const byItself = differ(before, again);
  const changed = differ(before, after);
  return changed > 100 && changed > 2 * byItself ? null : `${changed} px change, and ${byItself} px by themselves`;
}

function differ(left, right) {
  if (left.width !== right.width || left.height !== right.height) return left.width * left.height;
  return pixelmatch(left.data, right.data, undefined, left.width, left.height, { threshold: 0.1 });
}
