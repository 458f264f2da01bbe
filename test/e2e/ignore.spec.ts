import { startServer } from './direct.js';
import { config, expect, html, SPEC, test } from './project.js';

test('masks and limits that hide a change are told, or refused', async ({ project }) => {
  let grown = false;
  const page = () =>
    html(
      `<div class="clock" style="${grown ? 'position: fixed; inset: 0; background: #eee' : 'width: 50px; height: 20px'}"></div>
      <h1 style="position: relative; z-index: 1">${grown ? 'Half of the shop is gone' : 'Shop'}</h1>`,
      '<style>html, body { margin: 0; background: #fff }</style>',
    );
  const { server, close } = await startServer(page);
  const list = (dropped: string, rest: string) => `baseURL: ${server.url}
defaults: { width: 400, height: 300 }
pages:
  - { name: dropped, url: / ${dropped} }
  - { name: grown, url: /, mask: .clock }
  - { name: limit, url: /, maxDiffPixels: 1000000000 }
  - { name: two, url: /, before: /, mask: .clock }
${rest}`;
  const own = (options: string) => `import { expect, test } from 'proofsheet';
test.use({ viewport: { width: 400, height: 300 } });
test('own', async ({ page }) => {
  await page.goto('${server.url}/');
  await expect(page).toMatchBaseline('own', { ${options} });
});
`;
  project.write({
    'pages.yaml': list(', ignore: html, minCompared: 0', '  - { name: star, url: /, ignore: "*" }'),
    'own.spec.ts': own("ignore: 'html', minCompared: 0"),
    'visual.spec.ts': SPEC,
    'playwright.config.ts': config(),
  });
  expect(await project.test(['--update-snapshots'])).toExit(1);
  expect(project.shot('star').reason).toContain('leave 0 % of the pixels to compare; expected at least 5.00 %');
  expect(project.shot('dropped')).toMatchObject({ status: 'new', compared: 0 });

  grown = true;
  project.write({ 'pages.yaml': list('', ''), 'own.spec.ts': own('') });
  const run = await project.test();
  close();
  expect(run).toExit(1);
  expect(project.statuses()).toEqual([
    ...['dropped: changed', 'grown: error', 'limit: passed', 'own/own: changed', 'two: error'],
  ]);
  for (const id of ['dropped', 'own/own'])
    expect(project.shot(id).warnings).toEqual([
      {
        code: 'masks-dropped',
        message:
          'the baseline has masked or ignored areas of html, which `mask` and `ignore` no longer contain: these areas are now compared',
      },
    ]);
  expect(run.output).toContain('these areas are now compared (2 shots: dropped, own/own)');
  expect(run.output).toContain(
    'the limit is 1,000,000,000 px, but only 120,000 px are compared, so no change can fail',
  );
});
