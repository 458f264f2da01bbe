// @module-tag soak
import { chromium } from '@playwright/test';
import { expect, test } from 'vitest';
import { cssFault } from '../../src/model/rules.js';
import { findSystemBrowser } from '../../src/page/browser/find-browser.js';

/** Parts of selectors, and characters that are none. */
const TOKENS = [
  ...`a b . # .c #d : :hover ::before > + ~ , ( ) [ ] [x] [x="y"] * | & - -- 1 " ' = / /* */ é _ :not( :is(.a)`.split(
    ' ',
  ),
  ...':nth-child(2) @ { } ! % $ ^ ; < ? ` 😀 || :has(>a) e1 -1 :eq(1) :visible :first url( u+1'.split(' '),
  ...[' ', '\n', '\f', '\r', '\t', '\0', '\\', '\\3', '\\\n', '\\9 '],
];

test('no selector is refused that the browser takes', async () => {
  let seed = 7;
  const random = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((seed / 2_147_483_648) * below);
  };
  const selectors = Array.from({ length: 300_000 }, () =>
    Array.from({ length: 1 + random(7) }, () => TOKENS[random(TOKENS.length)]).join(''),
  );
  const browser = await chromium.launch({
    executablePath: findSystemBrowser(process, true)?.executablePath ?? chromium.executablePath(),
  });
  const page = await browser.newPage();
  const taken = await page.evaluate(
    (list) =>
      list.map((selector) => {
        try {
          document.querySelector(selector);
          return true;
        } catch {
          return false;
        }
      }),
    selectors,
  );
  await browser.close();
  const refused = selectors.filter((selector, index) => taken[index] && cssFault(selector) !== null);
  expect(taken.filter(Boolean).length).toBeGreaterThan(10_000);
  expect([...new Set(refused)].slice(0, 20)).toEqual([]);
}, 300_000);
