import { readFileSync, writeFileSync } from 'node:fs';
import { expect } from '@playwright/test';
import { html } from '../../e2e/project.js';
import { test } from '../runs.js';

/** How a baseline can be damaged, and the message of each. A Git LFS pointer is in test/e2e/update-modes.spec.ts. */
const DAMAGES: Record<string, { damage: (bytes: Buffer) => Buffer; message: string }> = {
  empty: { damage: () => Buffer.alloc(0), message: 'the baseline is empty (0 bytes)' },
  cut: { damage: (bytes) => bytes.subarray(0, bytes.length >> 1), message: 'the baseline is truncated' },
  text: { damage: () => Buffer.from('hello'), message: 'the baseline is not an image; expected png' },
  photo: {
    damage: () => readFileSync(new URL('../../../fixtures/images/chromium.jpg', import.meta.url)),
    message: 'the baseline is jpeg, but its file extension is that of png',
  },
};

test('a damaged baseline is an error with its own message, other pages are compared, and an update replaces it', async ({
  runs,
  serve,
}) => {
  const names = Object.keys(DAMAGES);
  const site = await serve(({ url }) => html(`<h1>${url.pathname}</h1>`));
  const pages = [...names, 'about'].map((name) => `  - { name: ${name}, url: /${name}, width: 300, height: 200 }\n`);
  const list = `baseURL: ${site.url}\npages:\n${pages.join('')}`;
  expect((await runs.run(list, { mode: 'all' })).passed).toBe(true);
  const pathOf = (name: string) => runs.path(runs.baselines().find((path) => path.startsWith(name)) ?? 'none');
  for (const [name, { damage }] of Object.entries(DAMAGES))
    writeFileSync(pathOf(name), damage(readFileSync(pathOf(name))));
  const damaged = names.map((name) => readFileSync(pathOf(name)));

  const run = await runs.run(list, { mode: 'default' });
  expect(run.statuses).toEqual([...names.map((name) => `${name}: error`), 'about: passed'].sort());
  for (const [name, { message }] of Object.entries(DAMAGES)) {
    expect(run.shot(name)).toMatchObject({ status: 'error', written: false });
    expect(run.shot(name).reason).toContain(`${name}.png: ${message}`);
  }
  expect(names.map((name) => readFileSync(pathOf(name)))).toEqual(damaged);

  expect((await runs.run(list, { mode: 'changed' })).passed).toBe(true);
  expect((await runs.run(list)).statuses).toEqual([...names, 'about'].map((name) => `${name}: passed`).sort());
});
