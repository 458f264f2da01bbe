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

/** Three comparisons in one test, by an `expect` that has matchers of others, too. */
const TOUR = `import { expect as theirs, mergeExpects } from '@playwright/test';
import { expect as ours, test } from 'proofsheet';
const expect = mergeExpects(ours, theirs.extend({ toBeOne: (value) => ({ pass: value === 1, message: () => 'not one' }) }));
test('tour', async ({ page }) => {
  expect(1).toBeOne();
  for (const stop of ['start', 'middle', 'end']) {
    await page.setContent('<h1>' + stop + (stop === 'middle' ? '' : process.env.MORE ?? '') + '</h1>');
    await expect.soft(page).toMatchBaseline(stop);
  }
});
`;

/** The names of a test that used `toHaveScreenshot` before. */
const FILES = `import { expect as theirs } from '@playwright/test';
import { expect as ours, test } from 'proofsheet';
for (const name of ['home.png', 'my_page (2).v1.png', 'shop/cart.png', ['shop', 'the cart.png']]) {
  test(String(name), async ({ page }) => {
    await page.setContent('<h1>1</h1>');
    if (process.env.THEIRS) await theirs(page).toHaveScreenshot(name);
    else await ours(page).toMatchBaseline(name);
  });
}
`;

/** A new shot, wrong options and uses, and names that share a file. Each call has a line of its own. */
const LINES = `import { expect, test } from 'proofsheet';
test('all', async ({ page }) => {
  await page.setContent('<h1>1</h1>');
  await expect(page, 'the cart of a guest').toMatchBaseline('a');
  await expect(page).toMatchBaseline('b');
  await expect.soft(page, 'wrong option').toMatchBaseline('c', { treshold: 1 } as {});
  await expect.soft(page).not.toMatchBaseline('d');
  await expect.soft(page).toMatchBaseline('e', { maxDiffPixelRatio: 10 });
  await expect.soft(42 as never).toMatchBaseline('f');
  await expect.soft(page).toMatchBaseline('');
  await expect(page).toMatchBaseline('x');
  await expect.soft(page, 'another case').toMatchBaseline('X');
  await expect(page).toMatchBaseline('y');
  await expect(page, 'with an extension').toMatchBaseline('y.png');
});
`;

test('toMatchBaseline compares a page and a locator, repeats under toPass(), and shows all comparisons of a test', {
  tag: '@versions',
}, async ({ project }) => {
  const screenshot = "expect: { toHaveScreenshot: { stylePath: 'a.css', caret: 'initial' } },";
  project.write({ 'shop/cart.spec.ts': CART, 'tour.spec.ts': TOUR, 'playwright.config.ts': config(screenshot) });
  expect(await project.test(['--update-snapshots'])).toExit(0);

  const run = await project.test([], { LATE: '1', MORE: '!' });
  expect(run).toExit(1);
  // What the options of `toHaveScreenshot` do: test/unit/shot/opened-shot.test.ts.
  expect(run.output.match(/does not use .*/g)).toEqual([
    'does not use stylePath of `expect.toHaveScreenshot` in the Playwright config. It has options of its own.',
  ]);
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

test('a name with the extension of an image has the baseline of toHaveScreenshot', async ({ project }) => {
  project.write({ 'files.spec.ts': FILES, 'playwright.config.ts': config() });
  expect(await project.test(['--update-snapshots'], { THEIRS: '1' })).toExit(0);
  const files = project.files('files.spec.ts-snapshots');
  expect(files).toHaveLength(4);
  expect(await project.test()).toExit(0);
  expect(project.files('files.spec.ts-snapshots')).toEqual(files);
  expect(project.statuses()).toEqual([
    ...['files/home.png: passed', 'files/my_page (2).v1.png: passed'],
    ...['files/shop/cart.png: passed', 'files/shop/the cart.png: passed'],
  ]);
});

// That a test with new shots goes on, and fails at its end: `a` and `b` are both written.
test('without our reporter, a failure shows the line of the call and the message of expect: a new shot, a wrong option, names that share a file', async ({
  project,
}) => {
  project.write({
    'a.spec.ts': LINES,
    'playwright.config.ts': config().replace(/reporter: .*/, "reporter: 'list',"),
  });
  const run = await project.test(['--workers=1']);
  expect(run).toExit(1);
  const failures = run.output.split(/^ +Error: /m).slice(1);
  const failureOf = (text: string) => failures.find((failure) => failure.includes(text)) ?? `no failure with: ${text}`;
  for (const [text, message, position] of [
    ['a/a: new: no baseline found', 'the cart of a guest\n', '4:45'],
    ['a/b: new: no baseline found', 'a/b: new', '5:22'],
    ['unknown option "treshold"', 'wrong option\n', '6:43'],
    ['two shots have this baseline path on macOS and Windows: a.spec.ts', 'another case\n', '12:43'],
    ['two shots have this baseline path: a.spec.ts', 'with an extension\n', '14:43'],
  ] as const) {
    expect(failureOf(text)).toMatch(new RegExp(`^${message}`));
    expect(failureOf(text)).toMatch(new RegExp(`^ +at .*a\\.spec\\.ts:${position}$`, 'm'));
    expect(failureOf(text).match(/^ +at /gm), 'no line of our code').toHaveLength(1);
  }
  for (const text of [
    ...['not.toMatchBaseline() is not supported', 'maxDiffPixelRatio', 'Did you mean "threshold"'],
    ...['received must be a page or a locator', 'name must be a non-empty string'],
  ])
    expect(run.output).toContain(text);
  expect(project.files('a.spec.ts-snapshots').map((name) => name[0])).toEqual(['a', 'b', 'x', 'y']);
});
