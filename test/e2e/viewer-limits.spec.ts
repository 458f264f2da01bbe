import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, type Page } from '@playwright/test';
import axe from 'axe-core';
import { readInlineImages } from '../../src/baselines/inline-images.js';
import type { ShotRecord } from '../../src/model/run-record.js';
import { linksOf } from '../../src/report/links.js';
import { renderHtml } from '../../src/report/render-html.js';
import { HOSTILE_TEXT } from '../hostile-texts.js';
import { text } from '../unit/compare/paint-page.js';
import { changedOf, runOf } from '../unit/report/specimens.js';
import { pageOf, test } from './report-page.js';

async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const found = await page.evaluate(() => window.axe?.run());
  if (!found) throw new Error('axe-core did not load');
  return found.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
}

test('axe-core finds no violation, in light and in dark', async ({ browser, own, serve }) => {
  const page = await browser.newPage({ colorScheme: 'dark' });
  const seen: Record<string, string[]> = {};
  const check = async (place: string) => {
    seen[place] = await violations(page);
  };
  await page.goto(await serve(own));
  await page.getByText('2 other shots').click();
  await page.getByText('2 shots need no review').click();
  await check('overview');
  await page.emulateMedia({ colorScheme: 'light' });
  await check('overview in light');
  await page.locator('.shot-cards > li > a', { hasText: 'team' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('team');
  await page.keyboard.press('a');
  await page.keyboard.press('n');
  await expect(page.getByText('1 approved')).toBeVisible();
  await check('shot in light');
  await page.emulateMedia({ colorScheme: 'dark' });
  for (const key of ['s', 'l', 'f', 'o', 'd']) {
    await page.keyboard.press(key);
    await check(`shot by ${key}`);
  }
  await page.keyboard.press('?');
  await check('help');
  await page.goto(own.url);
  await check('file');
  await page.getByText('2 shots need no review').click();
  await page.getByRole('row', { name: /shaky/ }).getByRole('link').click();
  await expect(page.getByRole('group', { name: 'Attempts' })).toBeVisible();
  await check('file, flaky shot');
  expect(seen).toEqual(Object.fromEntries(Object.keys(seen).map((place) => [place, []])));
  expect(Object.keys(seen)).toHaveLength(11);
  await page.close();
});

test('at phone width nothing overflows, axe-core finds no violation, and a shot can be approved', async ({
  browser,
  own,
  serve,
}) => {
  const page = await browser.newPage({ viewport: { width: 360, height: 740 }, hasTouch: true });
  const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  await page.goto(await serve(own));
  expect(await overflow()).toBe(0);
  expect(await violations(page)).toEqual([]);
  await page.locator('.shot-cards > li > a', { hasText: 'long' }).tap();
  await expect(page.getByRole('button', { name: 'Slider' })).toBeVisible();
  expect(await overflow()).toBe(0);
  await page.getByRole('button', { name: 'Slider' }).tap();
  await page.getByRole('button', { name: 'Next region' }).tap();
  await expect(page.locator('.mark.current')).toBeInViewport();
  expect(await overflow()).toBe(0);
  expect(await violations(page)).toEqual([]);
  await page.getByRole('button', { name: 'Approve', exact: true }).tap();
  await expect(page.getByText('1 approved')).toBeVisible();
  await page.close();
});

test('hostile titles, addresses and messages are shown as text, and run and load nothing', async ({
  page,
  report,
  serve,
}) => {
  const reached: string[] = [];
  page.on('dialog', (dialog) => {
    reached.push(dialog.message());
    return dialog.dismiss();
  });
  page.on('request', (request) => reached.push(request.url()));
  const script = '</script><script>alert(2)</script><!--<script>';
  const more = {
    project: HOSTILE_TEXT,
    page: HOSTILE_TEXT,
    viewport: script,
    url: 'javascript:alert(3)',
    reason: script,
    baseline: { path: HOSTILE_TEXT, sha256: null, environment: null },
    warnings: [{ code: 'x', message: `<svg onload=alert(4)>${script}` }],
  };
  const painted = [
    { id: HOSTILE_TEXT, before: pageOf([]), after: pageOf([text(2, 2)]), more },
    { id: script, before: pageOf([]), after: pageOf([text(3, 3)]), more: { ...more, project: script } },
  ];
  const run = {
    list: script,
    selected: [HOSTILE_TEXT],
    problems: [{ code: 'x', where: HOSTILE_TEXT, found: script, advice: '<img src=x onerror=alert(5)>' }],
  };
  const written = await report(painted, run);
  const url = await serve(written);
  for (const address of [written.url, url]) {
    await page.goto(address);
    await expect(page.locator('.shot-cards > li')).toHaveCount(2);
    await page.locator('.shot-cards > li > a').last().click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(script);
    await expect(page.getByText(`<svg onload=alert(4)>${script}`)).toBeVisible();
    await expect(page.getByRole('link', { name: 'javascript:alert(3)' })).toHaveCount(0);
    await page.keyboard.press('A');
    await page.keyboard.press('a');
  }
  await expect(page.locator('.toast .refused').first()).toContainText('the baseline path of the run is');
  expect(await page.locator('script').count()).toBe(3);
  const origins = reached.map((address) => new URL(address).origin).filter((origin) => origin !== 'null');
  expect([...new Set(origins)]).toEqual([new URL(url).origin]);
  expect(reached.filter((address) => !/^(file|http|data):/.test(address))).toEqual([]);
});

test('a report with its images in the page shows them without its folder', async ({
  page,
  own: { record, places },
}) => {
  const links = record.shots.flatMap(linksOf);
  const images = links.map((link) => ({ link, from: join(places.folder, link) }));
  const path = join(places.root, 'single.html');
  writeFileSync(path, renderHtml(record, { images: readInlineImages(record.shots, images) }));
  await page.goto(pathToFileURL(path).href);
  const image = page.locator('.shot-card img').first();
  await expect(image).toHaveJSProperty('naturalWidth', 800);
  expect(await image.getAttribute('src')).toMatch(/^data:image\/png;base64,/);
});

test('300 shots load only visible images', async ({ page, report }) => {
  const { places, url, record } = await report([
    { id: 'one', before: pageOf([text(1, 90)]), after: pageOf([text(1, 60), text(2, 30)]) },
  ]);
  const [first = changedOf()] = record.shots;
  const loaded = new Set<string>();
  page.on('request', (request) => request.resourceType() === 'image' && loaded.add(request.url()));
  const shots = Array.from({ length: 300 }, (_, index) => copyShot(first, index));
  for (const link of shots.flatMap(linksOf)) {
    mkdirSync(join(places.folder, dirname(link)), { recursive: true });
    copyFileSync(join(places.folder, first.after?.link ?? ''), join(places.folder, link));
  }
  writeFileSync(join(places.folder, 'index.html'), renderHtml(runOf(shots)));
  await page.goto(url);
  await expect(page.locator('.shot-card')).toHaveCount(300);
  await expect(page.locator('.shot-card img').first()).toBeVisible();
  expect(loaded.size).toBeLessThan(100);
  await page.evaluate(() => document.querySelector('.shot-card:last-child')?.scrollIntoView());
  await expect(page.locator('.shot-card').last()).toBeInViewport();
});

/** Gives a shot of another name, with images of its own. */
function copyShot({ before, after, diff, ...shot }: ShotRecord, index: number): ShotRecord {
  const place = <Image extends { link: string | null }>(image: Image) => {
    return { ...image, link: image.link?.replace('/127.0.0.1/', `/127.0.0.1/${index}-`) ?? null };
  };
  const images = { before: before && place(before), after: after && place(after), diff: diff && place(diff) };
  return { ...shot, ...images, id: `page-${index}` };
}
