import { createDeadline } from '../../../src/capture/deadline.js';
import { openPage } from '../../../src/capture/navigation.js';
import { watchNetwork } from '../../../src/capture/network.js';
import { test } from '../../e2e/direct.js';
import { expect, html } from '../../e2e/project.js';

test('a page that is loaded leaves no wait behind, which would keep a command from ending', async ({ page, serve }) => {
  const { url } = await serve(() => html('<h1>Home</h1>'));
  const network = watchNetwork(page);
  const waits: AbortSignal[] = [];
  const watched = {
    ...network,
    stalled(ms: number, signal: AbortSignal) {
      waits.push(signal);
      return network.stalled(ms, signal);
    },
  };
  const credentials = { headers: {}, cookies: [], storageState: null, httpCredentials: null };
  const target = { url, httpStatus: null, finalUrl: null, credentials };
  expect(await openPage(page, target, watched, createDeadline(30_000, url), true)).toEqual([]);
  expect(waits.map(({ aborted }) => aborted)).toEqual([true]);
  const ended = network.stalled(60_000, AbortSignal.abort());
  await expect(ended).rejects.toThrow(/abort/);
  network.stop();
});
