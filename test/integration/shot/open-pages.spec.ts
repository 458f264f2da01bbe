import { expect } from '@playwright/test';
import { html } from '../../e2e/project.js';
import { test } from '../runs.js';

test('a locator that matches no element, a hidden one or several is an error that names it', async ({ page, runs }) => {
  await page.setContent(html('<h1>Page</h1><p hidden>x</p><i>1</i><i>2</i>'));
  const messageOf = async (selector: string) =>
    (await runs.match(page.locator(selector), 'part', { timeout: 1 }, 'changed')).verdict.message;
  expect(await messageOf('b')).toContain("locator('b') matches 0 elements");
  expect(await messageOf('p')).toContain("locator('p') is not visible");
  expect(await messageOf('i')).toContain("locator('i') matches 2 elements");
  expect(runs.baselines()).toEqual([]);
});
