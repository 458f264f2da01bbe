import { readFileSync } from 'node:fs';
import { config, expect, html, SPEC, test } from './project.js';

test('a retry does not heal what is new, though the worker died after it had written', { tag: '@pain-33' }, async ({
  project,
  site,
}) => {
  site.write({ 'index.html': html('<h1>Home</h1>') });
  project.write({
    'pages.yaml': `baseURL: ${site.url}\npages: [/]\n`,
    'visual.spec.ts': `${SPEC}
import { test } from 'proofsheet';
test.afterEach(({}, info) => { if (info.retry === 0) process.kill(process.pid, 'SIGKILL'); });`,
    'playwright.config.ts': config(),
  });
  const run = await project.test(['--retries=2']);
  expect(run).toExit(1);
  expect(project.shot('index').status).toBe('new');
});

test('a page that differs is red, also in a test that is expected to fail', async ({ project, site }) => {
  site.write({ 'index.html': html('<h1>Home</h1>') });
  project.write({
    'pages.yaml': `baseURL: ${site.url}\npages: [/]\n`,
    'visual.spec.ts': `import { test } from 'proofsheet';\ntest.fail();\n${SPEC}`,
    'playwright.config.ts': config(),
  });
  expect(await project.test()).toExit(1);
});

test('a password in the URL of a list is nowhere in output, reports and attachments', async ({ project }) => {
  project.write({
    'pages.yaml':
      'baseURL: http://joe:S3CRETpw@127.0.0.1:1\npages: [/, { url: /a, before: "http://ann:S3CRETpw@127.0.0.1:1/" }]\n',
    'visual.spec.ts': SPEC,
    'playwright.config.ts': config().replace(
      "['list']",
      "['list'], ['html', { open: 'never' }], ['json', { outputFile: 'report.json' }]",
    ),
  });
  const run = await project.test();
  expect(run).toExit(1);
  expect(run.output).not.toContain('S3CRETpw');
  for (const folder of ['proofsheet-report', 'test-results', 'playwright-report']) {
    for (const file of project.files(folder)) {
      expect(readFileSync(project.path(`${folder}/${file}`)).includes('S3CRETpw'), `${folder}/${file}`).toBe(false);
    }
  }
  expect(readFileSync(project.path('report.json'), 'utf8')).not.toContain('S3CRETpw');
});

test('two projects on one path are found, though each has its own output folder', async ({ project, site }) => {
  site.write({ 'index.html': html('<h1>Home</h1>') });
  project.write({
    'pages.yaml': `baseURL: ${site.url}\npages: [/]\n`,
    'visual.spec.ts': SPEC,
    'playwright.config.ts': config(`snapshotPathTemplate: 'shots/{arg}{ext}', projects: [
      { name: 'one', outputDir: 'out/one' }, { name: 'two', outputDir: 'out/two', use: { viewport: { width: 500, height: 500 } } }],`),
  });
  const run = await project.test(['--update-snapshots', '--reporter=line', '--workers=1']);
  expect(run).toExit(1);
  expect(run.output).toContain('two shots have this baseline path');
});

test('a matcher can be tried until the page has come right, and says what is wrong with a locator', async ({
  project,
}) => {
  project.write({
    'a.spec.ts': `import { expect, test } from 'proofsheet';
const page1 = ${JSON.stringify(html('<h1>Later</h1><p hidden>x</p><i>1</i><i>2</i>'))};
test('in time', async ({ page }) => {
  await page.setContent(page1);
  if (process.env.LATE) {
    await page.evaluate(() => { document.querySelector('h1').textContent = 'Sooner'; setTimeout(() => { document.querySelector('h1').textContent = 'Later' }, 1500) });
  }
  await expect(async () => { await expect(page).toMatchBaseline('later') }).toPass();
});
for (const [name, selector] of [['absent', 'b'], ['hidden', 'p'], ['many', 'i']]) {
  test(name, async ({ page }) => { await page.setContent(page1); await expect(page.locator(selector)).toMatchBaseline(name, { timeout: 8 }); });
}
test('no name', async ({ page }) => { await expect(page).toMatchBaseline(''); });`,
    'playwright.config.ts': config(),
  });
  const wrong = await project.test(['--update-snapshots']);
  expect(wrong).toExit(1);
  expect(wrong.output).toContain("locator('b') matches 0 elements");
  expect(wrong.output).toContain("locator('p') is not visible");
  expect(wrong.output).toContain("locator('i') matches 2 elements");
  expect(wrong.output).toContain('name must be a non-empty string');
  expect(await project.test(['-g', 'in time'], { LATE: '1' })).toExit(0);
});
