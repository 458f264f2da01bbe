import type { Page } from '@playwright/test';
import { createDeadline } from '../../../src/capture/deadline.js';
import { openPage } from '../../../src/capture/navigation.js';
import { watchNetwork } from '../../../src/capture/network.js';
import { test } from '../../e2e/direct.js';
import { expect, html } from '../../e2e/project.js';
import { take } from './settle.js';

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

for (const [what, script] of Object.entries({
  'goes to another page': "location.href = '/other'",
  reloads: 'location.reload()',
}))
  test(`a page that ${what} after 4.9 s is captured as it was before`, async ({ browser, serve }) => {
    const { url } = await serve(({ url: { pathname } }) =>
      html(
        pathname === '/other'
          ? '<h1>Other</h1>'
          : `<h1>Wait</h1><script>setTimeout(() => { ${script} }, 4900)</script>`,
      ),
    );
    const titles: unknown[] = [];
    const after = async (page: Page) => titles.push(await page.locator('h1').textContent());
    for (const isExpected of [() => false, () => true]) {
      const { kind } = await take(browser, `${url}/wait`, { isExpected, after });
      expect(kind).toBe('settled');
    }
    expect(titles).toEqual(['Wait', 'Wait']);
  });
