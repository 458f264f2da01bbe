import { expect } from '@playwright/test';
import { take, test } from './settle.js';

test('a photo that was shown at another size before has the pixels of one that was not', async ({ browser, site }) => {
  const capture = async (query: string) => {
    const { capture } = await take(browser, `${site.url}/photos/?${query}`, { isExpected: () => true, slowness: 1 });
    return capture.image.bytes;
  };
  const expected = await capture('');
  expect((await capture('')).equals(expected)).toBe(true);
  expect((await capture('shrunk')).equals(expected)).toBe(true);
});
