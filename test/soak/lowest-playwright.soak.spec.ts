import { rmSync } from 'node:fs';
import { config, expect, html, SPEC, test } from '../e2e/project.js';

test('the lowest version of Playwright that is admitted runs it all: new, not retried, changed, updated', async ({
  lowest,
  site,
}) => {
  site.write({ 'a.html': html('<h1>A</h1>'), 'b.html': html('<h1>B</h1>') });
  lowest.write({
    'pages.yaml': `baseURL: ${site.url}\npages:\n  - { name: a, url: /a.html }\n  - { name: b, url: /b.html }\n`,
    'visual.spec.ts': SPEC,
    'playwright.config.ts': config(),
  });
  const first = await lowest.test(['--retries=2']);
  expect(first).toExit(1);
  expect(lowest.shot('a').attempts).toEqual([{ status: 'new' }]);
  expect(await lowest.test()).toExit(0);
  site.write({ 'a.html': html('<h1>Changed</h1>') });
  expect(await lowest.test()).toExit(1);
  expect(lowest.statuses()).toEqual(['a: changed', 'b: passed']);
  expect(await lowest.test(['--update-snapshots'])).toExit(0);
  expect(await lowest.test()).toExit(0);

  const affected = await lowest.proofsheet(['affected']);
  expect(affected).toExit(2);
  expect(affected.output).toMatch(/needs @playwright\/test 1\.62 or later; this project has 1\.53\.0/);

  const env = { PROOFSHEET_RUN_ID: '1' };
  lowest.write({ 'playwright.config.ts': config().replace(/reporter: .*/, "reporter: [['blob']],") });
  for (const shard of [1, 2]) {
    const path = { PLAYWRIGHT_BLOB_OUTPUT_FILE: lowest.path(`blobs/${shard}.zip`) };
    expect(await lowest.test([`--shard=${shard}/2`], { ...env, ...path })).toExit(0);
  }
  lowest.write({ 'playwright.config.ts': config() });
  const merge = () => lowest.playwright(['merge-reports', '--config=playwright.config.ts', 'blobs'], env);
  expect(await merge()).toExit(0);
  rmSync(lowest.path('blobs/2.zip'));
  const merged = await merge();
  expect(merged).toExit(1);
  expect(merged.output).toContain('shard 2/2 is missing');
});

test('the lowest version runs toMatchBaseline: a new shot fails its test at the end, without a retry; then it passes', async ({
  lowest,
}) => {
  lowest.write({
    'own.spec.ts': `import { mergeExpects } from '@playwright/test';
import { expect as ours, test } from 'proofsheet';
const expect = mergeExpects(ours);
test('own', async ({ page }) => {
  await page.setContent('<h1>1</h1>');
  await expect(page).toMatchBaseline('a');
  await expect(page.locator('h1')).toMatchBaseline('b.png');
});
`,
    'playwright.config.ts': config(),
  });
  const first = await lowest.test(['--retries=2']);
  expect(first).toExit(1);
  expect(first.output).toMatch(/own\.spec\.ts:6:22/);
  expect(first.output).toMatch(/own\.spec\.ts:7:36/);
  expect(lowest.results().shots.map(({ id, attempts }) => [id, attempts.length])).toEqual([
    ['own/a', 1],
    ['own/b.png', 1],
  ]);
  expect(await lowest.test()).toExit(0);
});
