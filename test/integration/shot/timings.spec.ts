import { expect } from '@playwright/test';
import { html } from '../../e2e/project.js';
import { test } from '../runs.js';

test('the record says where the time was spent: a slow response, a delay', async ({ runs, serve }) => {
  const site = await serve(({ url }) => ({ body: html('<p>Text'), afterMs: url.pathname === '/slow' ? 500 : 0 }));
  const list = (...pages: string[]) =>
    `baseURL: ${site.url}\ndefaults: { width: 400, height: 300, strict: false }\npages:\n${pages.join('')}`;
  const delayed = '  - { name: delay, url: /, delay: 0.5 }\n';
  const written = await runs.run(list(delayed, '  - { name: slow, url: /slow }\n'), { mode: 'all', atOnce: 1 });
  const { slow, delay } = { slow: written.shot('slow'), delay: written.shot('delay') };
  if (!slow.timings || !delay.timings) throw new Error('no timings');
  // Two loads, each of which waits 0.5 s for the response.
  expect(slow.timings.navigate).toBeGreaterThan(2 * 450);
  expect(delay.timings.settle.live).toBeGreaterThan(0);
  for (const { timings, durationMs } of [slow, delay]) {
    const { settle, ...phases } = timings ?? { settle: {} };
    const sum = Object.values(phases).reduce((total, ms) => total + ms, 0);
    expect(sum).toBeLessThanOrEqual(durationMs);
    // Waits run side by side, so each of them, and not their sum, is shorter than the shot.
    for (const [name, ms] of Object.entries(settle)) expect(ms, name).toBeLessThanOrEqual(durationMs);
  }
  const passed = await runs.run(list(delayed), { atOnce: 1 });
  const { compare = Number.NaN, screenshot = 0 } = passed.shot('delay').timings ?? {};
  // Equal bytes are not compared pixel by pixel.
  expect(compare).toBeLessThan(screenshot);
});
