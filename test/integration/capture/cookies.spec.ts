import { fileURLToPath } from 'node:url';
import { expect, type Page } from '@playwright/test';
import { serve } from '../../../fixtures/serve.mjs';
import {
  CLOSED_ROOTS_SCRIPT,
  hideCookieBanners,
  listHidden,
  showCookieBanners,
} from '../../../src/page/cookies/hide-banners.js';
import { initScriptOf } from '../../../src/page/in-page/frames.js';
import { test as base } from '../../e2e/direct.js';

interface Answered {
  answers: string[];
}

const test = base.extend<object, { site: string }>({
  site: [
    async ({}, use) => {
      const server = await serve([fileURLToPath(new URL('../../../fixtures/cookies', import.meta.url))]);
      await use(server.url);
      await server.close();
    },
    { scope: 'worker' },
  ],
});

test.use({ viewport: { width: 900, height: 600 } });

const BANNERS: Record<string, RegExp> = {
  dialog: /^banner \(dialog\)$/,
  'closed-shadow': /^banner \(site-notice\)$/,
  'open-shadow': /^banner \(div\.k3j\)$/,
  frame: /^banner in a frame \(div\)$/,
  'flow-top': /^banner \(div\)$/,
  'flow-below-head': /^banner \(div\.cookie-banner\)$/,
  backdrop: /^banner \(div\.q2\), backdrop \(div\.q1\)$/,
  pushed: /^banner \(div\)$/,
  'class-lock': /^banner \(div\.bar\), backdrop \(html::before\)$/,
  popover: /^banner \(div\)$/,
  'head-bar': /^banner \(div\)$/,
  floating: /^settings button \(button\)$/,
};

for (const [name, told] of Object.entries(BANNERS)) {
  test(`${name}: without its banner the page is the same to the pixel, scrolls, and was not answered`, async ({
    page,
    site,
  }) => {
    await page.addInitScript(initScriptOf(CLOSED_ROOTS_SCRIPT));
    const { bare, shown } = await shootBoth(page, `${site}/${name}.html`);
    expect(shown.equals(bare), 'the banner is to be seen first').toBe(false);
    expect(await hideAll(page)).toMatch(told);
    expect((await shoot(page)).equals(bare)).toBe(true);
    await expectScrolling(page);
    await page.evaluate(() => scrollTo(0, 0));
    expect(await hideAll(page)).toMatch(told);
    expect((await shoot(page)).equals(bare)).toBe(true);
    // An event of a dialog has a task of its own.
    await page.waitForTimeout(50);
    expect(await page.evaluate(() => (globalThis as unknown as Answered).answers)).toEqual([]);
    // A click leads away.
    expect(page.url()).toBe(`${site}/${name}.html`);
    await showCookieBanners(page);
    expect((await shoot(page)).equals(shown), 'it is shown again').toBe(true);
  });
}

test('a banner that appears later is hidden by the next call', async ({ page, site }) => {
  await page.addInitScript(initScriptOf(CLOSED_ROOTS_SCRIPT));
  for (const name of ['closed-shadow', 'frame']) {
    const bare = await shootBare(page, `${site}/${name}.html`);
    await page.goto(`${site}/${name}.html?late=300`);
    expect(await hideAll(page)).toBe('');
    await page.waitForTimeout(600);
    expect((await hideAll(page)).split(', ')).toEqual([expect.stringMatching(/./)]);
    expect((await shoot(page)).equals(bare), name).toBe(true);
  }
});

test('a banner that the page shows again is hidden again', async ({ page, site }) => {
  const { bare } = await shootBoth(page, `${site}/class-lock.html`);
  await hideCookieBanners(page);
  await page.evaluate(() => {
    const bar = document.querySelector<HTMLElement>('.bar');
    if (bar) bar.style.display = 'block';
    document.documentElement.classList.add('is-asking');
  });
  expect((await hideAll(page)).split(', ')).toHaveLength(2);
  expect((await shoot(page)).equals(bare)).toBe(true);
});

test('a page cannot detect the init script', async ({ page, site }) => {
  const look = () => {
    const { attachShadow } = Element.prototype;
    const keys = Object.keys(globalThis).filter((key) => key.startsWith('__'));
    return [attachShadow.name, attachShadow.length, /\[native code\]/.test(String(attachShadow)), keys];
  };
  await page.goto(`${site}/policy.html`);
  const before = await page.evaluate(look);
  await page.addInitScript(initScriptOf(CLOSED_ROOTS_SCRIPT));
  await page.reload();
  expect(await page.evaluate(look)).toEqual(before);
});

test('a banner is recognized in 22 languages', async ({ page, site }) => {
  const bare = await shootBare(page, `${site}/languages.html`);
  const languages = 'bg cs da de el es fi fr hu it ja ko nl no pl pt ro ru sv tr uk zh'.split(' ');
  for (const language of languages) {
    await page.goto(`${site}/languages.html?language=${language}`);
    expect(await hideAll(page), language).toBe('banner (div.bar)');
    expect((await shoot(page)).equals(bare), language).toBe(true);
  }
});

for (const name of ['strips', 'choices']) {
  test(`${name}: every variant is hidden, and the page without it is the same to the pixel`, { tag: '@soak' }, async ({
    page,
    site,
  }) => {
    const { image: bare } = await shootCase(page, `${site}/${name}.html?nobanner`);
    for (const variant of await listCases(page)) {
      const { image: shown, errors } = await shootCase(page, `${site}/${name}.html?case=${variant}`);
      expect.soft(errors, variant).toEqual([]);
      expect.soft(shown.equals(bare), `${variant} is visible first`).toBe(false);
      expect.soft(await hideAll(page), `${variant} is hidden`).not.toBe('');
      expect.soft((await shootWhole(page)).equals(bare), `nothing of ${variant} remains`).toBe(true);
      await page.evaluate(() => localStorage.clear());
    }
  });
}

for (const name of ['look-alikes', 'policy']) {
  test(`${name}: nothing is hidden, moved or unlocked`, async ({ page, site }) => {
    await page.goto(`${site}/${name}.html`);
    await expectUntouched(page, name);
  });
}

test('other-boxes: no variant is hidden, moved or unlocked', { tag: '@soak' }, async ({ page, site }) => {
  await page.goto(`${site}/other-boxes.html?case=promo`);
  for (const variant of await listCases(page)) {
    const { errors } = await shootCase(page, `${site}/other-boxes.html?case=${variant}`);
    expect.soft(errors, variant).toEqual([]);
    await expectUntouched(page, variant);
  }
});

/** Hides the banners. Returns the names of all that are hidden. */
async function hideAll(page: Page): Promise<string> {
  await hideCookieBanners(page);
  return [...new Set((await listHidden(page)).map(({ element }) => element))].join(', ');
}

async function expectUntouched(page: Page, name: string): Promise<void> {
  const before = await page.screenshot({ fullPage: true });
  const markup = await page.content();
  expect.soft(await hideAll(page), name).toBe('');
  expect.soft((await page.screenshot({ fullPage: true })).equals(before), name).toBe(true);
  expect.soft(await page.content(), name).toBe(markup);
}

async function listCases(page: Page): Promise<string[]> {
  const cases = await page.evaluate<string[]>('Object.keys(CASES)');
  expect(cases.length).toBeGreaterThan(10);
  return cases;
}

async function shootCase(page: Page, url: string): Promise<{ image: Buffer; errors: string[] }> {
  const errors: string[] = [];
  const note = (error: Error) => errors.push(error.message);
  page.on('pageerror', note);
  await page.goto(url);
  page.off('pageerror', note);
  return { image: await shootWhole(page), errors };
}

/** Captures the whole page: a strip at its end is below the viewport. */
function shootWhole(page: Page): Promise<Buffer> {
  return page.screenshot({ fullPage: true, animations: 'disabled' });
}

function shoot(page: Page): Promise<Buffer> {
  return page.screenshot({ animations: 'disabled' });
}

async function shootBoth(page: Page, url: string): Promise<{ bare: Buffer; shown: Buffer }> {
  const bare = await shootBare(page, url);
  await page.goto(url);
  return { bare, shown: await shoot(page) };
}

async function shootBare(page: Page, url: string): Promise<Buffer> {
  await page.goto(`${url}?nobanner`);
  return shoot(page);
}

async function expectScrolling(page: Page): Promise<void> {
  await page.mouse.move(450, 300);
  await page.mouse.wheel(0, 100);
  await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(0);
}
