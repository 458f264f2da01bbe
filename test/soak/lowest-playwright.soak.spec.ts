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
});
