import { expect } from '@playwright/test';
import { html } from '../../e2e/project.js';
import { test } from '../runs.js';

test('masks, ignored areas and limits that hide a change cause an error or a warning', async ({
  page,
  runs,
  serve,
}) => {
  let grown = false;
  const site = await serve(() =>
    html(
      `<div class="clock" style="${grown ? 'position: fixed; inset: 0; background: #eee' : 'width: 50px; height: 20px'}"></div>
      <h1 style="position: relative; z-index: 1">${grown ? 'Half of the shop is gone' : 'Shop'}</h1>`,
      '<style>html, body { margin: 0; background: #fff }</style>',
    ),
  );
  const list = (dropped: string, more = '') => `baseURL: ${site.url}
defaults: { width: 400, height: 300 }
pages:
  - { name: dropped, url: / ${dropped} }
  - { name: grown, url: /, mask: .clock }
  - { name: limit, url: /, maxDiffPixels: 1000000000 }
  - { name: two, url: /, before: "/?before", mask: .clock }
${more}`;
  await page.setViewportSize({ width: 400, height: 300 });
  await page.goto(`${site.url}/`);
  await runs.match(page, 'own', { ignore: 'html', minCompared: 0 }, 'changed');
  const first = await runs.run(list(', ignore: html, minCompared: 0', '  - { name: star, url: /, ignore: "*" }\n'), {
    mode: 'changed',
  });
  expect(first.passed).toBe(false);
  expect(first.shot('star').reason).toContain('leave 0 % of the pixels to compare; expected at least 5.00 %');
  expect(first.shot('dropped')).toMatchObject({ status: 'new', compared: 0 });

  grown = true;
  await page.goto(`${site.url}/`);
  const own = await runs.match(page, 'own', {});
  const run = await runs.run(list(''));
  expect(own.record.status).toBe('changed');
  expect(run.statuses).toEqual(['dropped: changed', 'grown: error', 'limit: passed', 'two: error']);
  for (const id of ['grown', 'two'])
    expect(run.shot(id).reason).toContain('leave 0 % of the pixels to compare; expected at least 5.00 %');
  for (const { warnings } of [run.shot('dropped'), own.record])
    expect(warnings).toEqual([
      {
        code: 'masks-dropped',
        message:
          'the baseline has masked or ignored areas of html, which `mask` and `ignore` no longer contain: these areas are now compared',
      },
    ]);
  expect(run.shot('limit').warnings.map(({ message }) => message)).toEqual([
    'the limit is 1,000,000,000 px, but only 120,000 px are compared, so no change can fail',
  ]);
});
