import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { config, expect, html, SPEC, test } from './project.js';

test('every kind of device is captured at its own size, the viewport and all that scrolls', async ({
  project,
  site,
}) => {
  site.write({
    'index.html': html(
      '<h1>Tall</h1><div style="height: 2000px"></div>',
      '<meta name="viewport" content="width=device-width">',
    ),
  });
  project.write({
    'pages.yaml': `baseURL: ${site.url}
viewports:
  iphone: { device: iPhone 15 }
  pixel: { device: Pixel 7 }
  hidpi: { device: Desktop Chrome HiDPI }
  plain: { width: 500, height: 400 }
pages:
  - { name: view, url: / }
  - { name: full, url: /, fullSize: true }
  - { name: dense, url: /, scale: device, viewports: [iphone, plain] }
`,
    'visual.spec.ts': SPEC,
    'playwright.config.ts': config(),
  });
  const run = await project.test(['--update-snapshots']);
  expect(run).toExit(0);
  const size = (id: string) => `${project.shot(id).after?.width}x${project.shot(id).after?.height}`;
  expect(['view/iphone', 'view/pixel', 'view/hidpi', 'view/plain'].map(size)).toEqual([
    ...['393x659', '412x839', '1280x720', '500x400'],
  ]);
  expect(['full/iphone', 'full/pixel', 'full/hidpi', 'full/plain'].map((id) => project.shot(id).after?.width)).toEqual([
    ...[393, 412, 1280, 500],
  ]);
  for (const id of ['full/iphone', 'full/pixel', 'full/hidpi', 'full/plain']) {
    expect(project.shot(id).after?.height, id).toBeGreaterThan(2000);
  }
  expect(['dense/iphone', 'dense/plain'].map(size)).toEqual(['1179x1977', '500x400']);
  const again = await project.test();
  expect(again).toExit(0);
});

test('a page that goes elsewhere by itself, at any moment, is never taken for the page that was asked for', async ({
  project,
}) => {
  const server = await restlessServer();
  const delays = [0, 30, 60, 90, 120, 150, 200];
  project.write({
    'pages.yaml': `baseURL: ${urlOf(server)}
defaults: { timeout: 15 }
pages:
${delays.map((ms) => `  - { name: login-${ms}, url: /to-login/${ms}, delay: 0.3 }\n`).join('')}  - { name: script, url: /by-script, delay: 0.3 }
  - { name: turned-bad, url: /turned-bad, delay: 0.5 }
  - { name: reloads-once, url: /reloads-once, delay: 0.7, hide: .clock }
  - { name: reloads-always, url: /reloads-always, delay: 0.7 }
`,
    'visual.spec.ts': SPEC,
    'playwright.config.ts': config(),
  });
  const run = await project.test(['--update-snapshots', '--workers=2']);
  server.closeAllConnections();
  server.close();
  expect(run).toExit(1);
  for (const ms of delays) {
    expect(project.shot(`login-${ms}`).status, `after ${ms} ms`).toBe('error');
    expect(project.shot(`login-${ms}`).reason).toContain('/login, expected');
  }
  expect(project.shot('script').reason).toContain('/login, expected');
  expect(project.shot('turned-bad').reason).toContain('it answered 500');
  expect(project.shot('reloads-always').reason).toContain('reloaded itself');
  // Captured anew after its reload, and hidden there too.
  expect(project.shot('reloads-once')).toMatchObject({ status: 'new', warnings: [] });
  expect(project.files('visual.spec.ts-snapshots')).toHaveLength(1);
});

test('a retry does not heal what is new, though the worker died after it had written', async ({ project, site }) => {
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
  expect(run.output).toContain('it is the baseline of two shots');
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
  await project.test(['--update-snapshots', '-g', 'in time']);
  const late = await project.test(['-g', 'in time'], { LATE: '1' });
  expect(late).toExit(0);
  const wrong = await project.test(['--grep-invert', 'in time']);
  expect(wrong).toExit(1);
  expect(wrong.output).toContain("locator('b') matches nothing");
  expect(wrong.output).toContain("locator('p') is not visible");
  expect(wrong.output).toContain("locator('i') matches 2 elements");
  expect(wrong.output).toContain('name has to be a text');
});

function urlOf(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Pages that do not stay what they were when they were opened. */
function restlessServer(): Promise<Server> {
  const navigations = new Map<string, number>();
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    const visit = (navigations.get(path) ?? 0) + 1;
    navigations.set(path, visit);
    const send = (body: string, status = 200) =>
      response.writeHead(status, { 'content-type': 'text/html' }).end(html(body));
    const later = (script: string, ms: number) =>
      `<h1>${path}</h1><script>setTimeout(() => { ${script} }, ${ms})</script>`;
    if (path.startsWith('/to-login/')) send(later("location = '/login'", Number(path.split('/')[2])));
    else if (path === '/by-script')
      send(later("history.replaceState({}, '', '/login'); document.body.textContent = 'Log in'", 200));
    else if (path === '/turned-bad')
      send(visit === 1 ? later('location.reload()', 100) : '<h1>Internal error</h1>', visit === 1 ? 200 : 500);
    else if (path === '/reloads-once')
      send(visit === 1 ? later('location.reload()', 300) : '<h1>Stays</h1><p class="clock">now</p>');
    else if (path === '/reloads-always') send(later('location.reload()', 300));
    else send('<h1>Log in</h1>');
  });
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
}
