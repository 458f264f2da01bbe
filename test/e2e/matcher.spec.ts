import { config, expect, html, test } from './project.js';

const PAGE = html(
  '<h1>Cart</h1><nav style="position: absolute; top: 300px; width: 200px; height: 40px; background: #def">Menu</nav><p id="p">Text</p>' +
    '<style>@keyframes spin { to { rotate: 1turn } }</style><i style="animation: spin 9s infinite linear">x</i>',
);

/** A page and an element of it, and a page that has its final content after 1.5 s if LATE is set. */
const CART = `import { expect, test } from 'proofsheet';
test('cart', async ({ page }) => {
  await page.setContent(${JSON.stringify(PAGE)});
  await expect(page).toMatchBaseline('cart', { hide: '#p', fullSize: true });
  await expect(page.locator('nav')).toMatchBaseline('menu', { format: 'jpeg' });
  expect(await page.evaluate(() => getComputedStyle(p).visibility)).toBe('visible');
  expect(await page.evaluate(() => document.adoptedStyleSheets.length)).toBe(0);
  expect(await page.evaluate(() => document.getAnimations()[0]?.playState)).toBe('running');
});
test('late', async ({ page }) => {
  await page.setContent('<h1>Later</h1>');
  if (process.env.LATE) {
    await page.evaluate(() => { document.querySelector('h1').textContent = 'Sooner'; setTimeout(() => { document.querySelector('h1').textContent = 'Later' }, 1500) });
  }
  await expect(async () => { await expect(page).toMatchBaseline('late') }).toPass();
});
`;

/** Three comparisons in one test. */
const TOUR = `import { expect, test } from 'proofsheet';
test('tour', async ({ page }) => {
  for (const stop of ['start', 'middle', 'end']) {
    await page.setContent('<h1>' + stop + (stop === 'middle' ? '' : process.env.MORE ?? '') + '</h1>');
    await expect.soft(page).toMatchBaseline(stop);
  }
});
`;

/** Two tests with one name, and wrong uses of the matcher. */
const WRONG = `import { expect, test } from 'proofsheet';
test('first', async ({ page }) => { await page.setContent('<h1>1</h1>'); await expect(page).toMatchBaseline('same'); });
test('second', async ({ page }) => { await page.setContent('<h1>1</h1>'); await expect(page).toMatchBaseline('same'); });
test('wrong', async ({ page }) => {
  await expect.soft(page).not.toMatchBaseline('a');
  await expect.soft(page).toMatchBaseline('b', { maxDiffPixelRatio: 10 });
  await expect.soft(page).toMatchBaseline('c', { treshold: 1 } as {});
  await expect.soft(42 as never).toMatchBaseline('d');
  await expect.soft(page).toMatchBaseline('');
});
`;

test('toMatchBaseline compares a page and a locator, repeats under toPass(), and shows all comparisons of a test', {
  tag: '@pain-40',
}, async ({ project }) => {
  project.write({ 'shop/cart.spec.ts': CART, 'tour.spec.ts': TOUR, 'playwright.config.ts': config() });
  expect(await project.test(['--update-snapshots'])).toExit(0);

  const run = await project.test([], { LATE: '1', MORE: '!' });
  expect(run).toExit(1);
  expect(project.statuses()).toEqual([
    ...['shop/cart/cart: passed', 'shop/cart/late: passed', 'shop/cart/menu: passed'],
    ...['tour/end: changed', 'tour/middle: passed', 'tour/start: changed'],
  ]);
  expect(project.results().summary).toMatchObject({ expected: 6, compared: 6, changed: 2, passed: 4 });
  expect(project.shot('shop/cart/menu').after).toMatchObject({ width: 200, height: 40 });
  expect(project.results().run.list).toBeNull();
  for (const name of ['start', 'end']) {
    const { before, after, diff } = project.shot(`tour/${name}`);
    expect(new Set([before?.link, after?.link, diff?.link]).size).toBe(3);
    for (const image of [before, after, diff]) expect(project.exists(`proofsheet-report/${image?.link}`)).toBe(true);
    expect(run.output, "in Playwright's list of errors").toContain(`tour/${name}: changed: `);
    expect(run.output, 'and in our summary').toMatch(new RegExp(`^ +changed +tour/${name} `, 'm'));
  }
});

test('a missing baseline fails the test at its end, also without our reporter, and the others of the test are written', async ({
  project,
}) => {
  project.write({
    'tour.spec.ts': TOUR.replaceAll('expect.soft', 'expect'),
    'playwright.config.ts': config().replace(/reporter: .*/, "reporter: 'list',"),
  });
  expect(await project.test()).toExit(1);
  expect(project.files('tour.spec.ts-snapshots')).toHaveLength(3);
});

test('two tests with one name, `.not` and wrong options are errors with clear messages', async ({ project }) => {
  project.write({ 'a.spec.ts': WRONG, 'playwright.config.ts': config() });
  const run = await project.test(['--update-snapshots', '--workers=1']);
  expect(run).toExit(1);
  expect(run.output).toContain('two shots have this baseline path');
  expect(run.output).toContain('not.toMatchBaseline() is not supported');
  expect(run.output).toContain('maxDiffPixelRatio');
  expect(run.output).toContain('Did you mean "threshold"');
  expect(run.output).toContain('received must be a page or a locator');
  expect(run.output).toContain('name must be a non-empty string');
  expect(project.files('a.spec.ts-snapshots').every((name) => name.startsWith('same'))).toBe(true);
});
