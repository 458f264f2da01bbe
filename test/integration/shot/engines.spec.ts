import { expect } from '@playwright/test';
import { html } from '../../e2e/project.js';
import { test } from '../runs.js';

test('both engines find a changed page in every format', async ({ runs, serve }) => {
  let notice = '';
  const site = await serve(() => html(`<h1>Before</h1>${notice}`));
  const pages = ['png', 'jpeg', 'webp'].flatMap((format) =>
    ['odiff', 'pixelmatch'].map(
      (engine) => `  - { name: ${format}-${engine}, url: /, format: ${format}, engine: ${engine} }\n`,
    ),
  );
  const list = `baseURL: ${site.url}\npages:\n${pages.join('')}`;
  expect((await runs.run(list, { mode: 'changed' })).passed).toBe(true);
  notice = '<p style="background: #fee2e2">A notice.</p>';
  const run = await runs.run(list);
  expect(run.statuses).toHaveLength(6);
  for (const format of ['png', 'jpeg', 'webp']) {
    for (const engine of ['odiff', 'pixelmatch']) {
      const { status, summary } = run.shot(`${format}-${engine}`);
      expect(status).toBe('changed');
      const head = run.of(`${format}-${engine}`).image('after').subarray(0, 12).toString('latin1');
      expect(head).toMatch({ png: /^.PNG/, webp: /^RIFF....WEBP/s }[format] ?? /^\xff\xd8\xff/);
      expect(summary?.mismatchPixels, `${format}-${engine}`).toBeGreaterThan(20_000);
    }
  }
});
