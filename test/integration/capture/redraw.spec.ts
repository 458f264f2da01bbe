import { spawn } from 'node:child_process';
import { expect } from '@playwright/test';
import { createPageState } from '../../../src/browser/page-state.js';
import { createScreenshotBackend } from '../../../src/capture/screenshot/backend.js';
import { range, SETTINGS, take, test } from './settle.js';

for (const animations of [true, false])
  test(`a page does not notice that it is drawn again, with the stabilizer animations ${animations ? 'on' : 'off'}`, async ({
    browser,
    site,
  }) => {
    let noticed: unknown = null;
    const { capture } = await take(browser, `${site.url}/observed/`, {
      settings: { fullSize: false },
      settle: { animations, scroll: false },
      after: async (page) => {
        noticed = await page.evaluate('noticed');
      },
    });
    expect(capture.shots, 'images: the second one is drawn again').toBeGreaterThan(1);
    expect(noticed).toEqual([]);
  });

test('all images of shapes are equal, however often a busy browser draws them again', { tag: '@soak' }, async ({
  browser,
  site,
}) => {
  const others = [1, 2, 3].map(() => spawn(process.execPath, ['-e', 'for (;;);'], { timeout: 60_000 }));
  const page = await browser.newPage();
  try {
    await page.goto(`${site.url}/shapes/`);
    const settings = { ...SETTINGS, format: 'png', cutAt: null, drawsBeyondWindow: true } as const;
    const backend = await createScreenshotBackend({ page, locator: null }, createPageState(page), settings, 0);
    const images = new Set<string>();
    for (const turn of range(0, REDRAWS)) {
      // Each element is drawn again. Otherwise the browser uses what it drew for the image before.
      await page.evaluate(
        (zoom) => {
          document.documentElement.style.zoom = zoom;
          document.documentElement.getBoundingClientRect();
          document.documentElement.style.zoom = '';
          document.documentElement.getBoundingClientRect();
        },
        `1.0${(turn % 9) + 1}`,
      );
      await backend.redraw(false);
      images.add((await backend.shoot()).toString('base64'));
    }
    expect(images.size, 'different images').toBe(1);
  } finally {
    await page.close();
    for (const other of others) other.kill('SIGKILL');
  }
});

/** With a scale of 0.02 instead of a power of two, one redraw in fifteen was followed by another image. */
const REDRAWS = 80;
