import { expect } from '@playwright/test';
import { html } from '../../e2e/project.js';
import { test } from '../runs.js';

test('the record says where the time was spent: a font that never arrives, a delay', async ({ runs, serve }) => {
  const site = await serve(({ url }) => {
    if (url.pathname === '/font.woff2') return null;
    if (url.pathname === '/font')
      return html('<style>@font-face { font-family: A; src: url(/font.woff2) } p { font: 20px A }</style><p>Text');
    return html('<p>Text');
  });
  const list = (...pages: string[]) =>
    `baseURL: ${site.url}\ndefaults: { width: 400, height: 300, strict: false }\npages:\n${pages.join('')}`;
  const delayed = '  - { name: delay, url: /, delay: 0.5 }\n';
  const dead = '  - { name: font, url: /font, settle: { load: false } }\n';
  const written = await runs.run(list(delayed, dead), { mode: 'all', atOnce: 1 });
  const { font, delay } = { font: written.shot('font'), delay: written.shot('delay') };
  if (!font.timings || !delay.timings) throw new Error('no timings');
  // Two loads, each of which waits 10 s for the font.
  expect(font.timings.navigate).toBeGreaterThan(2 * 9_500);
  expect(delay.timings.navigate).toBeLessThan(9_500);
  expect(delay.timings.settle.live).toBeGreaterThan(0);
  for (const { timings, durationMs } of [font, delay]) {
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
