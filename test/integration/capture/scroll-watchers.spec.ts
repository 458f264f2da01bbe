import { spawn } from 'node:child_process';
import { expect, type Page } from '@playwright/test';
import { inTurns, take, test } from './settle.js';

/** The ways in which `fixtures/settle/scroll/watchers.html` finds out which sections are in the window. */
const WATCHERS = {
  interval: 'a script polls the scroll position every 50 ms',
  'slow interval': 'a script polls the scroll position every 400 ms',
  timeouts: 'a chain of timeouts polls the scroll position',
  'awaited timeouts': 'a script awaits timeouts to poll the scroll position',
  frames: 'a script polls the scroll position in each frame',
  'awaited frames': 'a script awaits frames to poll the scroll position',
  throttle: 'a listener drops the events of 200 ms',
  debounce: 'a listener waits until no event came for 200 ms',
  fetch: 'an observer requests content that changes the height',
};

const address = (url: string, by: string) => `${url}/scroll/watchers.html?by=${encodeURIComponent(by)}`;

const countUnseen = (page: Page) => page.locator('section:not(.seen)').count();

// The others: the soak test below.
for (const by of ['interval', 'throttle'] as const)
  test(`scroll: every section is seen where ${WATCHERS[by]}`, async ({ browser, captures, site }) => {
    await inTurns(captures / 2, 3, async (turn) => {
      const unseen: number[] = [];
      const after = async (page: Page) => unseen.push(await countUnseen(page));
      const result = await take(browser, address(site.url, by), { turn, after });
      expect({ kind: result.kind, warnings: result.capture.warnings, unseen }, `capture ${turn}`).toEqual({
        kind: 'settled',
        warnings: [],
        unseen: [0],
      });
    });
  });

test('scroll: every section is seen while other programs keep all cores busy', { tag: '@soak' }, async ({
  browser,
  site,
}) => {
  const others = [1, 2].map(() => spawn(process.execPath, ['-e', 'for (;;);'], { timeout: 60_000 }));
  try {
    for (const by of Object.keys(WATCHERS)) {
      const unseen: number[] = [];
      const after = async (page: Page) => unseen.push(await countUnseen(page));
      await take(browser, address(site.url, by), { after });
      expect(unseen, by).toEqual([0]);
    }
  } finally {
    for (const other of others) other.kill('SIGKILL');
  }
});

test('scroll: a page in which nothing below the window reacts to scrolling is not scrolled', async ({
  browser,
  site,
}) => {
  const scrolls: unknown[] = [];
  const after = async (page: Page) => scrolls.push(await page.evaluate('scrolls'));
  await take(browser, address(site.url, 'none'), { isExpected: () => true, after });
  await take(browser, address(site.url, 'throttle'), { isExpected: () => true, after });
  expect(scrolls).toEqual([0, expect.any(Number)]);
  expect(scrolls[1]).toBeGreaterThan(4);
});
