import { config, expect, html, test } from './project.js';

const PAGE = html(
  '<h1>Cart</h1><nav style="position: absolute; top: 300px; width: 200px; height: 40px; background: #def">Menu</nav><p id="p">Text</p>' +
    '<style>@keyframes spin { to { rotate: 1turn } }</style><i style="animation: spin 9s infinite linear">x</i>',
);

test('a page and a locator go the same way as a listed page, and the page stays as it was', async ({ project }) => {
  const spec = (heading: string) => `import { expect, test } from 'proofsheet';
test('cart', async ({ page }) => {
  await page.setContent(${JSON.stringify(PAGE)});
  await page.evaluate((text) => { document.querySelector('h1').textContent = text }, ${JSON.stringify(heading)});
  await expect(page).toMatchBaseline('cart', { hide: '#p', fullSize: true });
  await expect(page.locator('nav')).toMatchBaseline('menu', { format: 'jpeg' });
  expect(await page.evaluate(() => getComputedStyle(p).visibility)).toBe('visible');
  expect(await page.evaluate(() => document.adoptedStyleSheets.length)).toBe(0);
  expect(await page.evaluate(() => document.getAnimations()[0]?.playState)).toBe('running');
});`;
  project.write({ 'shop/cart.spec.ts': spec('Cart'), 'playwright.config.ts': config() });
  const first = await project.test(['--update-snapshots']);
  expect(first).toExit(0);
  const same = await project.test();
  expect(same).toExit(0);
  expect(project.statuses()).toEqual(['shop/cart/cart: passed', 'shop/cart/menu: passed']);
  expect(project.shot('shop/cart/menu').after).toMatchObject({ width: 200, height: 40 });
  expect(project.results().run.list).toBeNull();

  project.write({ 'shop/cart.spec.ts': spec('Basket') });
  const changed = await project.test();
  expect(changed).toExit(1);
  expect(changed.output).toContain('shop/cart/cart: changed: ');
  expect(project.shot('shop/cart/cart').status).toBe('changed');
});

test('a missing baseline fails the test at its end, also without our reporter, and the others of the test are written', async ({
  project,
}) => {
  project.write({
    'tour.spec.ts': `import { expect, test } from 'proofsheet';
test('tour', async ({ page }) => {
  await page.setContent('<h1>Tour</h1>');
  for (const stop of ['start', 'end']) await expect(page).toMatchBaseline(stop);
});`,
    'playwright.config.ts': config().replace(/reporter: .*/, "reporter: 'list',"),
  });
  expect(await project.test()).toExit(1);
  expect(project.files('tour.spec.ts-snapshots')).toHaveLength(2);
  expect(await project.test()).toExit(0);
});

test('of several comparisons in one test all are judged, shown and told, not the first one alone', {
  tag: '@pain-40',
}, async ({ project }) => {
  const spec = (more: string) => `import { expect, test } from 'proofsheet';
test('tour', async ({ page }) => {
  for (const stop of ['start', 'middle', 'end']) {
    await page.setContent('<h1>' + stop + (stop === 'middle' ? '' : '${more}') + '</h1>');
    await expect.soft(page).toMatchBaseline(stop);
  }
});`;
  project.write({ 'tour.spec.ts': spec(''), 'playwright.config.ts': config() });
  expect(await project.test(['--update-snapshots'])).toExit(0);
  project.write({ 'tour.spec.ts': spec('!') });
  const run = await project.test();
  expect(run).toExit(1);
  expect(project.statuses()).toEqual(['tour/end: changed', 'tour/middle: passed', 'tour/start: changed']);
  expect(project.results().summary).toMatchObject({ expected: 3, compared: 3, changed: 2, passed: 1 });
  for (const name of ['start', 'end']) {
    const { before, after, diff } = project.shot(`tour/${name}`);
    expect(new Set([before?.link, after?.link, diff?.link]).size).toBe(3);
    for (const image of [before, after, diff]) expect(project.exists(`proofsheet-report/${image?.link}`)).toBe(true);
    expect(run.output, "in Playwright's own words").toContain(`tour/${name}: changed: `);
    expect(run.output, 'and in ours').toMatch(new RegExp(`^ +changed +tour/${name} `, 'm'));
  }
});

test('wrong options and `.not` are refused with a clear message', async ({ project }) => {
  project.write({
    'a.spec.ts': `import { expect, test } from 'proofsheet';
test('not', async ({ page }) => { await expect(page).not.toMatchBaseline('a'); });
test('option', async ({ page }) => { await expect(page).toMatchBaseline('b', { maxDiffPixelRatio: 10 }); });
test('unknown', async ({ page }) => { await expect(page).toMatchBaseline('c', { treshold: 1 } as {}); });
test('received', async () => { await expect(42 as never).toMatchBaseline('d'); });
`,
    'playwright.config.ts': config(),
  });
  const run = await project.test();
  expect(run).toExit(1);
  expect(run.output).toContain('not.toMatchBaseline() is not supported');
  expect(run.output).toContain('maxDiffPixelRatio');
  expect(run.output).toContain('Did you mean "threshold"');
  expect(run.output).toContain('received must be a page or a locator');
  expect(project.files('a.spec.ts-snapshots')).toEqual([]);
});

test('two tests with one name are an error that names both', async ({ project }) => {
  project.write({
    'a.spec.ts': `import { expect, test } from 'proofsheet';
test('first', async ({ page }) => { await expect(page).toMatchBaseline('same'); });
test('second', async ({ page }) => { await expect(page).toMatchBaseline('same'); });
`,
    'playwright.config.ts': config(),
  });
  const run = await project.test(['--update-snapshots', '--workers=1']);
  expect(run).toExit(1);
  expect(run.output).toContain('two shots have this baseline path');
});
