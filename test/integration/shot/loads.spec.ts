import { expect } from '@playwright/test';
import { html } from '../../e2e/project.js';
import { growing } from '../restless.js';
import { test } from '../runs.js';

// Where the frames of a page are not controlled, chance may have made a difference, so it is loaded again.
test.use({ control: 'time' });

const listOf = (url: string, fields = '') =>
  `baseURL: ${url}\ndefaults: { width: 640, height: 480 }\npages:\n  - { name: page, url: /${fields} }\n`;

/** A server whose document differs by the number of its load, which starts at 1. */
const byLoad = (body: (load: number) => string) => {
  let loads = 0;
  return ({ url: { pathname } }: { url: URL }) => (pathname === '/' ? html(body(++loads)) : { status: 404 });
};

// All series of loads: test/unit/shot/observe.test.ts. Pages that are unstable: stability.spec.ts.
test('both sides of a two-state shot are loaded again', async ({ runs, serve }) => {
  const states = ['new', 'old', 'old'];
  const site = await serve(byLoad((load) => `<h1>${states[load - 1] ?? 'old'}`));
  const before = await serve(() => html('<h1>old'));
  const run = await runs.run(listOf(site.url, `, before: "${before.url}"`));
  expect(run.shot('page')).toMatchObject({ status: 'passed', unsteady: true });
  expect(before.received.filter(({ url }) => url.pathname === '/')).toHaveLength(2);
});

test('a page that a test opened is compared as it is', async ({ runs, page, serve }) => {
  const site = await serve(byLoad((load) => `<h1>Load ${load}`));
  await page.goto(site.url);
  expect((await runs.match(page, 'opened', {}, 'missing')).record.status).toBe('new');
  expect(site.received.filter(({ url }) => url.pathname === '/')).toHaveLength(1);
});

test('a page that still grows after five seconds is awaited', async ({ runs, serve }) => {
  const site = await serve(() => html(growing(22)));
  const run = await runs.run(listOf(site.url), { mode: 'missing' });
  const { width, height } = run.shot('page').after ?? {};
  expect(run.shot('page')).toMatchObject({ status: 'new', written: true, unsteady: false });
  expect({ width, height }).toEqual({ width: 640, height: 480 });
  expect((await runs.run(listOf(site.url))).shot('page').status).toBe('passed');
});
