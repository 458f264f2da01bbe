import { createHash } from 'node:crypto';
import { expect } from '@playwright/test';
import { take, test } from './settle.js';

test.use({ captures: 12 });

test('a photo in several sizes has the same pixels in every capture, in whatever order its copies arrive', async ({
  browser,
  site,
  captures,
}) => {
  const renderings = new Set<string>();
  for (let turn = 0; turn < captures; turn++) {
    // The first image counts: later images can differ from it.
    const url = `${site.url}/photos/?late=${(turn * 37) % 89}`;
    const { image } = (await take(browser, url, { turn, isExpected: () => true })).capture;
    renderings.add(createHash('sha256').update(image.bytes).digest('hex'));
  }
  expect(renderings.size).toBe(1);
});
