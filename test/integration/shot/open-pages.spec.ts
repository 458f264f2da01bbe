import { expect } from '@playwright/test';
import { html } from '../../e2e/project.js';
import { test } from '../runs.js';

test('a locator that matches no element, a hidden one or several is an error that names it', async ({ page, runs }) => {
  await page.setContent(html('<h1>Page</h1><p hidden>x</p><i>1</i><i>2</i>'));
  const messageOf = async (selector: string) =>
    (await runs.match(page.locator(selector), 'part', { timeout: 3 }, 'changed')).verdict.message;
  expect(await messageOf('b')).toContain("locator('b') matches 0 elements");
  expect(await messageOf('p')).toContain("locator('p') is not visible");
  expect(await messageOf('i')).toContain("locator('i') matches 2 elements");
  expect(runs.baselines()).toEqual([]);
});

test('the wheel and keys scroll a page in a browser with our flags', async ({ page, serve, shoot }) => {
  const site = await serve(() => html('<h1>Tall</h1><div style="height: 4000px"></div><p>Bottom</p>'));
  const shots = await shoot(`baseURL: ${site.url}
pages:
  - { name: keys, url: /, actions: [{ press: End }, { wait: 0.5 }], javascriptCode: "if (scrollY === 0) throw new Error('not scrolled')" }
`);
  expect(shots.result('keys').kind).toBe('settled');
  await page.goto(site.url);
  await page.mouse.move(200, 200);
  await page.mouse.wheel(0, 300);
  await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(0);
});
