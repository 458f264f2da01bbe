import { createHash } from 'node:crypto';
import { expect } from '@playwright/test';
import { take, test } from '../integration/capture/settle.js';

// On two busy cores, 13 of 50 captures differ if pages are drawn while they load, and 7 of 180 if no order is given to the sizes.
test('captures of photos in several sizes are all alike', async ({ browser, site }) => {
  const counts = new Map<string, number>();
  for (let turn = 0; turn < 100; turn++) {
    const url = `${site.url}/photos/?several&late=${(turn * 37) % 89}`;
    // The first image counts: Chromium draws later images from the photos that it decoded for the first.
    const { capture } = await take(browser, url, { turn, isExpected: () => true });
    const hash = createHash('sha256').update(capture.image.bytes).digest('hex');
    counts.set(hash, (counts.get(hash) ?? 0) + 1);
  }
  expect([...counts.values()]).toEqual([100]);
});
