import { expect } from '@playwright/test';
import { take, test } from './settle.js';

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
