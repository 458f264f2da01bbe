import { expect, type Locator, type Page } from '@playwright/test';
import { decodeImage } from '../../src/image/decode.js';
import type { Cause } from '../../src/model/comparison.js';
import { text } from '../unit/compare/paint-page.js';
import { fill, imageOf } from '../unit/image/paint.js';
import { pageOf, test } from './report-page.js';

const [BEFORE, AFTER] = ['59,130,246', '29,78,216'];
const names = (page: Page) => page.locator('.shot-cards > li > a .caption b');

async function open(page: Page, url: string, name: string): Promise<void> {
  await page.goto(url);
  await page.locator('.shot-cards').getByRole('link', { name }).first().click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(name);
}

async function colorAt(element: Locator, x: number, y: number): Promise<string> {
  const { data, width } = await decodeImage(imageOf(await element.screenshot()), 'what is seen');
  const at = (Math.round(y) * width + Math.round(x)) * 4;
  return [...data.subarray(at, at + 3)].join();
}

/** The color that is seen in the middle of a region, as a share of its width. */
async function colorIn(page: Page, mark: Locator, share: number): Promise<string> {
  const [frame, pane] = [await mark.boundingBox(), await page.locator('.pane').boundingBox()];
  if (!frame || !pane) throw new Error('there is no mark to be seen');
  return colorAt(page.locator('.pane'), frame.x - pane.x + frame.width * share, frame.y - pane.y + frame.height / 2);
}

test('opened from a file, the page shows the result, the worst shots first, and exact figures of passed shots', async ({
  page,
  shared: { url },
}) => {
  const asked: string[] = [];
  const troubles: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).protocol));
  page.on('console', (message) => troubles.push(message.text()));
  page.on('pageerror', (error) => troubles.push(error.message));
  await page.goto(url);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(
    '3 changes on 5 of 10 pages, 1 error, 1 unstable shot, 1 new shot',
  );
  await expect(names(page)).toHaveText(['gone', 'moving', 'home', 'team', 'long', 'fresh/phone']);
  await expect(page.getByRole('table')).toHaveCount(0);
  await page.getByText('2 shots need no review').click();
  const row = page.getByRole('row', { name: /quiet/ });
  const cells = ['passed', 'quiet', 'chromium', '0', '246,400', '0', '0 px', '812 ms'];
  await expect(row.getByRole('cell')).toHaveText(cells);
  await expect(page.getByRole('row', { name: /shaky/ })).toContainText('flaky');
  expect([...new Set(asked)].filter((protocol) => protocol !== 'file:' && protocol !== 'data:')).toEqual([]);
  expect(troubles).toEqual([]);
});

test('filters select shots by text, status, project and viewport', async ({ page, shared: { url } }) => {
  await page.goto(url);
  await page.getByRole('searchbox').fill('INSERTED 96');
  await expect(names(page)).toHaveText(['long']);
  await expect(page.getByText('1 of 10 shots shown')).toBeVisible();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect(names(page)).toHaveCount(6);
  await page.getByRole('combobox', { name: 'status' }).selectOption('new');
  await expect(names(page)).toHaveText(['fresh/phone']);
  await page.getByRole('combobox', { name: 'status' }).selectOption('flaky');
  await expect(names(page)).toHaveCount(0);
  await expect(page.getByText('1 shot needs no review')).toBeVisible();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await page.getByRole('combobox', { name: 'viewport' }).selectOption('phone');
  await expect(page.getByText('2 of 10 shots shown')).toBeVisible();
  await page.getByRole('combobox', { name: 'project' }).selectOption('firefox');
  await expect(page.getByText('1 of 10 shots shown')).toBeVisible();
});

test('the same change on many pages is one card with its count, which opens the others', async ({
  page,
  shared: { url },
}) => {
  await page.goto(url);
  const group = page.locator('.shot-card', { hasText: 'Change 1: the same on 3 shots' });
  await expect(group).toHaveCount(1);
  await expect(group.getByText('2 other shots')).toBeVisible();
  await expect(group.getByRole('link')).toHaveCount(1);
  await group.getByText('2 other shots').click();
  await expect(group.getByRole('link')).toHaveCount(3);
  await group.getByRole('link', { name: 'docs' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('docs');
  await expect(page.getByText('Change 1: the same on 3 shots')).toBeVisible();
});

test('a key and a click scroll both images to a region at 100 %', async ({ page, shared: { url } }) => {
  await open(page, url, 'team');
  // A shot opens at its first region, and fits the width unless it would be too small to read.
  await expect(page.getByRole('button', { name: 'Fit' })).toHaveAttribute('aria-pressed', 'true');
  const current = page.locator('.mark.current');
  await expect(current).toHaveCount(2);
  await expect(page.locator('.pane').first().locator('.mark.current')).toBeInViewport();
  await expect(page.locator('.pane').last().locator('.mark.current')).toBeInViewport();
  await page.keyboard.press('n');
  await expect(page.locator('.scale')).toHaveText('100 %');
  expect(await current.first().boundingBox()).toMatchObject({ width: 60, height: 20 });
  await page.keyboard.press('p');
  expect(await current.first().boundingBox()).toMatchObject({ width: 90, height: 30 });
  await page.keyboard.press('0');
  await expect(page.locator('.scale')).not.toHaveText('100 %');
  await page.getByRole('button', { name: '2 60x20 px at (100, 300): 1,200 mismatched px' }).click();
  await expect(page.locator('.scale')).toHaveText('100 %');
  expect(await current.first().boundingBox()).toMatchObject({ width: 60, height: 20 });
});

test('a key right after a click, before the browser has told of the new address, is one of the shot', async ({
  page,
  shared: { url },
}) => {
  await page.goto(url);
  const link = page.locator('.shot-card', { hasText: 'Change 1: the same on 3 shots' }).getByRole('link');
  await link.evaluate(async (anchor: HTMLAnchorElement) => {
    anchor.click();
    await Promise.resolve();
    await Promise.resolve();
    document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'n', bubbles: true }));
  });
  await expect(page.locator('.mark.current').first()).toBeInViewport();
});

test('side by side, both images scroll and zoom together, and content that moved is aligned', async ({
  page,
  report,
}) => {
  const before = pageOf([text(1, 30), text(2, 60)]);
  const after = fill(
    pageOf([text(1, 30), text(3, 5), text(2, 60)]),
    { x: 100, y: 1500, width: 40, height: 10 },
    '#ff0000',
  );
  const { url } = await report([{ id: 'moved', before, after }]);
  await page.setViewportSize({ width: 1000, height: 600 });
  await open(page, url, 'moved');
  const panes = page.locator('.pane');
  const tops = () => panes.evaluateAll((all) => all.map(({ scrollTop }) => scrollTop));
  const images = page.locator('.pane img');
  // A pane cannot be scrolled before its image is there.
  await images.evaluateAll((all: HTMLImageElement[]) => Promise.all(all.map((image) => image.decode())));
  const scrollBy = (side: 'before' | 'after', top: number) =>
    panes[side === 'before' ? 'first' : 'last']().evaluate((pane, y) => pane.scrollBy(0, y), top);
  await panes.evaluateAll((all) => all.map((pane) => pane.scrollTo(0, 0)));
  await expect.poll(tops).toEqual([0, 0]);
  await scrollBy('after', 300);
  await expect.poll(tops).toEqual([300, 300]);
  await scrollBy('before', 100);
  await expect.poll(tops).toEqual([400, 400]);
  await page.keyboard.press('+');
  expect(await images.evaluateAll((all) => all.map((image) => image.clientWidth))).toEqual([1200, 1200]);

  // The red mark lies below what was inserted.
  await page.keyboard.press('n');
  const boxes = await Promise.all((await page.locator('.mark.current').all()).map((mark) => mark.boundingBox()));
  expect(boxes).toHaveLength(2);
  expect(boxes[0]?.y).toBe(boxes[1]?.y);
  const [one = 0, other = 0] = await tops();
  expect(other - one).toBe(120);
  await scrollBy('after', 50);
  await expect.poll(tops).toEqual([one + 50, other + 50]);

  // The user scrolls in the same frame in which a key scrolled both panes. What the user did counts.
  await page.keyboard.press('p');
  await panes.last().evaluate(async (pane) => {
    document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'n', bubbles: true }));
    await Promise.resolve();
    await Promise.resolve();
    pane.scrollBy(0, 70);
  });
  await expect.poll(tops).toEqual([one + 70, other + 70]);
  await page.keyboard.press('l');
  await expect(page.getByText('This region moved 120 px. The before image is shifted down to align it.')).toBeVisible();
});

test('slider, flip, onion skin and diff show before and after, by mouse and by key', async ({
  page,
  shared: { url },
}) => {
  await open(page, url, 'home');
  const mark = page.locator('.mark.current');
  const inMiddle = () => colorIn(page, mark, 0.5);
  const show = async (mode: string) => {
    await page.keyboard.press(mode);
    await page.keyboard.press('n');
    await expect(mark).toBeInViewport();
  };
  await show('l');
  const box = await mark.boundingBox();
  if (!box) throw new Error('there is no mark');
  await page.mouse.move(box.x - 200, box.y + 60);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width / 2, box.y + 60, { steps: 3 });
  await page.mouse.up();
  expect([await colorIn(page, mark, 0.2), await colorIn(page, mark, 0.8)]).toEqual([BEFORE, AFTER]);
  const slider = page.getByRole('slider', { name: 'Divider between before and after' });
  await slider.focus();
  await page.keyboard.press('End');
  expect(await colorIn(page, mark, 0.8)).toBe(BEFORE);
  await page.keyboard.press('Home');
  expect(await colorIn(page, mark, 0.2)).toBe(AFTER);
  await page.keyboard.press('.');
  await expect(slider).toHaveValue('5');
  await page.keyboard.press(',');
  await expect(slider).toHaveValue('0');

  await show('f');
  expect(await inMiddle()).toBe(AFTER);
  await page.keyboard.down('f');
  expect(await inMiddle()).toBe(BEFORE);
  await page.keyboard.up('f');
  expect(await inMiddle()).toBe(AFTER);
  await page.getByRole('button', { name: 'Hold to show the before image' }).hover();
  await page.mouse.down();
  expect(await inMiddle()).toBe(BEFORE);
  await page.mouse.up();
  expect(await inMiddle()).toBe(AFTER);

  await show('o');
  const skin = page.getByRole('slider', { name: 'Opacity of the after image' });
  await skin.fill('0');
  expect(await inMiddle()).toBe(BEFORE);
  await skin.fill('100');
  expect(await inMiddle()).toBe(AFTER);
  await skin.fill('50');
  expect([BEFORE, AFTER]).not.toContain(await inMiddle());
  await page.keyboard.press('d');
  await expect(page.getByRole('img', { name: 'diff image of home' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Diff' })).toHaveAttribute('aria-pressed', 'true');
});

test('a flaky shot shows the images of each attempt, by click and by key', async ({ page, report }) => {
  const quiet = pageOf([text(41, 10)]);
  // The images of the other shot are what the first attempt saw.
  const imageAt = (name: string) => {
    return { link: `screenshots/127.0.0.1/0/${name}.png`, width: quiet.width, height: quiet.height };
  };
  const seen = { after: { ...imageAt('1'), source: 'http://127.0.0.1/shaky' }, diff: imageAt('diff') };
  const attempts = [
    { status: 'changed' as const, reason: 'the button was late', ...seen },
    { status: 'passed' as const },
  ];
  const { url } = await report([
    { id: 'home', before: quiet, after: pageOf([text(41, 10)], '#1d4ed8') },
    { id: 'shaky', before: quiet, after: quiet, more: { flaky: true, attempts } },
  ]);
  await page.goto(`${url}#shot/1`);
  const one = page.getByRole('button', { name: 'Attempt 1: changed' });
  const other = page.getByRole('button', { name: 'Attempt 2: passed' });
  const shown = page.getByRole('img', { name: 'after image of shaky' });
  await expect(other).toHaveAttribute('aria-pressed', 'true');
  await expect(shown).not.toHaveAttribute('src', seen.after.link);
  await one.click();
  await expect(one).toHaveAttribute('aria-pressed', 'true');
  await expect(page.locator('.reason')).toHaveText('the button was late');
  await expect(shown).toHaveAttribute('src', seen.after.link);
  await page.keyboard.press('d');
  await expect(page.getByRole('img', { name: 'diff image of shaky' })).toHaveAttribute('src', seen.diff.link);
  await page.keyboard.press('t');
  await expect(other).toHaveAttribute('aria-pressed', 'true');
  await expect(page.locator('.reason')).toHaveCount(0);
  await page.keyboard.press('t');
  await expect(page.locator('.reason')).toHaveText('the button was late');
  await page.goto(`${url}#shot/0`);
  await expect(page.getByRole('group', { name: 'Attempts' })).toHaveCount(0);
});

test('keys do everything, and ? lists them', async ({ page, shared: { url } }) => {
  await page.goto(url);
  await page.keyboard.press('?');
  const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await expect(help.getByText('next shot or group')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(help).toHaveCount(0);
  for (let times = 0; times < 4; times++) await page.keyboard.press('j');
  await page.keyboard.press('k');
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('team');
  await page.keyboard.press('?');
  await expect(help.getByText('flip (hold to show the before image)')).toBeVisible();
  await page.keyboard.press('?');
  await expect(help).toHaveCount(0);
  await page.keyboard.press('j');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('long');
  await page.keyboard.press('k');
  await page.keyboard.press('[');
  await expect(page.getByRole('heading', { level: 1 }), 'the first shot of the group').toHaveText('home');
  await page.keyboard.press(']');
  await expect(page.getByRole('heading', { level: 1 }), 'not the other shots of the group').toHaveText('team');
  await page.keyboard.press('m');
  await expect(page.locator('.mark')).toHaveCount(0);
  await page.keyboard.press('Escape');
  await expect(names(page)).toHaveCount(6);
  await expect(page.locator('.shot-cards').getByRole('link', { name: 'team' })).toBeFocused();
  await page.keyboard.press('/');
  await page.keyboard.type('fresh');
  await expect(names(page)).toHaveText(['fresh/phone']);
});

test('back and forward work in the browser, and each shot has an address', async ({ page, shared: { url } }) => {
  await open(page, url, 'team');
  const address = page.url();
  await page.goBack();
  await expect(names(page)).toHaveCount(6);
  await page.goForward();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('team');
  await page.goto('about:blank');
  await page.goto(address);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('team');
  await page.goto(`${url}#shot/999`);
  await expect(names(page)).toHaveCount(6);
});

test('the page shows a shot without images, one without a baseline, a missing image and a PDF', async ({
  page,
  report,
}) => {
  const lost = { link: null, width: 10, height: 10, source: 'baseline' };
  const pdf = { link: 'screenshots/127.0.0.1/u/1.pdf', width: 595, height: 842, source: 'http://127.0.0.1/print' };
  const { url } = await report([
    { id: 'gone', before: null, after: null, more: { status: 'error', reason: 'HTTP status 404' } },
    { id: 'fresh', before: null, after: pageOf([]) },
    { id: 'lost', before: pageOf([]), after: pageOf([text(3, 3)]), more: { before: lost } },
    {
      id: 'print',
      before: null,
      after: null,
      more: { status: 'changed', before: { ...pdf, source: 'baseline' }, after: pdf },
    },
  ]);
  await open(page, url, 'gone');
  await expect(page.getByText('This shot has no image.')).toBeVisible();
  await open(page, url, 'fresh');
  await expect(page.getByRole('img', { name: 'after image of fresh' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Slider' })).toHaveCount(0);
  await open(page, url, 'lost');
  await expect(page.getByText('image file is missing').last()).toBeVisible();
  await open(page, url, 'print');
  await expect(page.getByRole('link', { name: 'Open the after file' })).toHaveAttribute('href', pdf.link);
});

test('a shot lists its causes, and frames the elements of the one that is pointed at', async ({ page, report }) => {
  const source = { selector: '.btn', file: '/site.css', line: 42 };
  const boxes = [{ before: { x: 10, y: 20, width: 30, height: 40 }, after: { x: 11, y: 21, width: 31, height: 41 } }];
  const cause: Cause = {
    kind: 'restyled',
    property: 'color',
    before: 'rgb(0, 0, 0)',
    after: 'rgb(255, 0, 0)',
    source,
    boxes,
    element: '<img src=x onerror=alert(1)>',
    certain: true,
    elements: 1,
    regions: [0],
    pixels: 9,
  };
  const image = pageOf([text(1, 40)]);
  const { url } = await report([
    { id: 'caused', before: image, after: pageOf([text(1, 40)], '#1d4ed8'), more: { causes: [cause] } },
  ]);
  await open(page, url, 'caused');
  const item = page.locator('.causes button');
  await expect(item).toHaveText('<img src=x onerror=alert(1)>: color #000000 -> #ff0000 (/site.css:42)');
  const frames = page.locator('.element-frame');
  await expect(frames).toHaveCount(0);
  await item.hover();
  await expect(frames).toHaveCount(2);
  const sizes = await frames.evaluateAll((all) =>
    all.map((one) => Number.parseFloat((one as HTMLElement).style.width)),
  );
  expect((sizes[1] ?? 0) / (sizes[0] ?? 1)).toBeCloseTo(31 / 30);
  await page.mouse.move(0, 0);
  await expect(frames).toHaveCount(0);
});
