import { expect, test } from 'vitest';
import { retryRefused } from '../../../../src/page/screenshot/screenshot-backend.js';

const REFUSED = 'page.screenshot: Protocol error (Page.captureScreenshot): Unable to capture screenshot';

/** Fails with these messages, then succeeds. */
function shooting(...messages: string[]) {
  let shots = 0;
  const shoot = async () => {
    const message = messages[shots++];
    if (message !== undefined) throw new Error(message);
    return Buffer.from('image');
  };
  return { shoot, count: () => shots };
}

test('a screenshot that the browser refuses is taken once more', async () => {
  const { shoot, count } = shooting(REFUSED);
  expect(String(await retryRefused(shoot))).toBe('image');
  expect(count()).toBe(2);
});

test('a browser that refuses twice, and any other failure, is an error', async () => {
  const refused = shooting(REFUSED, REFUSED);
  await expect(retryRefused(refused.shoot)).rejects.toThrow('Unable to capture');
  expect(refused.count()).toBe(2);
  const closed = shooting('Target page, context or browser has been closed');
  await expect(retryRefused(closed.shoot)).rejects.toThrow('has been closed');
  expect(closed.count()).toBe(1);
});
