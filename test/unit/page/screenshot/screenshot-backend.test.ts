import { expect, test } from 'vitest';
import { retryRefused } from '../../../../src/page/screenshot/screenshot-backend.js';

const REFUSED = 'page.screenshot: Protocol error (Page.captureScreenshot): Unable to capture screenshot';
const CLOSED = 'Target page, context or browser has been closed';

test.each<[what: string, failures: string[], end: string, attempts: number]>([
  ['that the browser refuses is taken once more', [REFUSED], 'image', 2],
  ['that the browser refuses twice is an error', [REFUSED, REFUSED], REFUSED, 2],
  ['that fails for another reason is an error', [CLOSED], CLOSED, 1],
])('a screenshot %s', async (_, failures, end, attempts) => {
  let shots = 0;
  const shoot = async () => {
    const failure = failures[shots++];
    if (failure !== undefined) throw new Error(failure);
    return Buffer.from('image');
  };
  const ended = await retryRefused(shoot).then(String, (error: Error) => error.message);
  expect([ended, shots]).toEqual([end, attempts]);
});
