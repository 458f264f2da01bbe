import { expect } from '@playwright/test';
import { html } from '../../e2e/project.js';
import { test } from '../runs.js';

test('both engines find a changed page, and every format shows one', async ({ runs, serve }) => {
  let notice = '';
  const site = await serve(() => html(`<h1>Before</h1>${notice}`));
  const shots = ['png-odiff', 'png-pixelmatch', 'jpeg-odiff', 'webp-pixelmatch'].map((id) => [id, ...id.split('-')]);
  const pages = shots.map(
    ([id, format, engine]) => `  - { name: ${id}, url: /, format: ${format}, engine: ${engine} }\n`,
  );
  const list = `baseURL: ${site.url}\npages:\n${pages.join('')}`;
  expect((await runs.run(list, { mode: 'changed' })).passed).toBe(true);
  notice = '<p style="background: #fee2e2">A notice.</p>';
  const run = await runs.run(list);
  for (const [id = ''] of shots) {
    const { status, summary } = run.shot(id);
    expect(status).toBe('changed');
    expect(summary?.mismatchPixels, id).toBeGreaterThan(20_000);
  }
});
