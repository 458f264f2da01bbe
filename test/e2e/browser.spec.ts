import { chmodSync, mkdirSync, symlinkSync } from 'node:fs';
import { config, expect, html, type Project, type Site, SPEC, test } from './project.js';

test('where there is no browser at all, one error says what to run', { tag: '@pain-38' }, async ({ project, site }) => {
  prepare(project, site);
  const run = await project.test(['--update-snapshots'], {
    PATH: '/nowhere',
    PLAYWRIGHT_BROWSERS_PATH: project.path('no-browsers'),
  });
  expect(run).toExit(1);
  expect(run.output).toContain('Run: npx playwright install chromium');
  expect(project.statuses()).toEqual(['a: error', 'b: error']);
  expect(project.shot('a').reason).toContain('npx playwright install chromium');
  const summary = run.output.slice(run.output.indexOf('proofsheet'));
  expect(summary.length).toBeGreaterThan(0);
  // The command is a script that looks for node there, and finds nothing else.
  mkdirSync(project.path('bin'));
  symlinkSync(process.execPath, project.path('bin/node'));
  const service = await project.proofsheet(['serve', '--port', '0'], {
    PATH: project.path('bin'),
    PLAYWRIGHT_BROWSERS_PATH: project.path('no-browsers'),
  });
  expect(service).toExit(2);
  expect(service.output).toContain('Run: npx playwright install chromium');
  expect(service.stdout).toBe('');
});

test("where Playwright's browser is missing, one of the machine is taken, and that is said once", async ({
  project,
  site,
}) => {
  prepare(project, site);
  const run = await project.test(['--update-snapshots', '--workers=2'], {
    PLAYWRIGHT_BROWSERS_PATH: project.path('no-browsers'),
  });
  expect(run).toExit(0);
  expect(run.output.match(/Playwright's own browser is not installed: using /g)).toHaveLength(1);
  expect(project.shot('a').environment).toMatchObject({
    os: process.platform,
    arch: process.arch,
    browser: 'chromium',
  });
});

test('the browser that the project names is the one that runs, with the flags for repeatable text', async ({
  project,
  site,
}) => {
  prepare(project, site);
  const script = project.path('browser.sh');
  project.write({ 'browser.sh': `#!/bin/sh\necho "$@" > ${project.path('flags')}\nexit 1\n` });
  chmodSync(script, 0o755);
  project.write({
    'playwright.config.ts': config(
      `use: { launchOptions: { executablePath: ${JSON.stringify(script)}, args: ['--mine'] } },`,
    ),
  });
  const run = await project.test();
  expect(run).toExit(1);
  const { readFileSync } = await import('node:fs');
  const flags = readFileSync(project.path('flags'), 'utf8');
  for (const flag of ['--font-render-hinting=none', '--disable-lcd-text', '--force-color-profile=srgb', '--mine']) {
    expect(flags).toContain(flag);
  }
});

test('a CommonJS project works like a module, and a spec in plain CommonJS can require it', async ({
  project,
  site,
}) => {
  prepare(project, site);
  project.write({
    'package.json': '{ "private": true }',
    'plain.yaml': `baseURL: ${site.url}\npages:\n  - { name: plain, url: /b.html }\n`,
    'plain.spec.js': "const { definePages } = require('proofsheet');\ndefinePages('plain.yaml');\n",
  });
  expect(await project.test(['--update-snapshots'])).toExit(0);
  expect(project.statuses()).toEqual(['a: new', 'b: new', 'plain: new']);
  expect(await project.test()).toExit(0);
  expect(project.statuses()).toEqual(['a: passed', 'b: passed', 'plain: passed']);
});

test('the lowest version of Playwright that is admitted runs a list: what is new is not retried, and passes then', async ({
  lowest,
  site,
}) => {
  prepare(lowest, site);
  const first = await lowest.test(['--retries=2']);
  expect(first).toExit(1);
  expect(lowest.shot('a').attempts).toEqual([{ status: 'new' }]);
  expect(await lowest.test()).toExit(0);
});

function prepare(project: Project, site: Site): void {
  site.write({ 'a.html': html('<h1>A</h1>'), 'b.html': html('<h1>B</h1>') });
  project.write({
    'pages.yaml': `baseURL: ${site.url}\npages:\n  - { name: a, url: /a.html }\n  - { name: b, url: /b.html }\n`,
    'visual.spec.ts': SPEC,
    'playwright.config.ts': config(),
  });
}

test('wheel and keys scroll a page, in the actions of a list and in a test of your own', async ({ project, site }) => {
  site.write({ 'tall.html': html('<h1>Tall</h1><div style="height: 4000px"></div><p>Bottom</p>') });
  project.write({
    'pages.yaml': `baseURL: ${site.url}
pages:
  - { name: keys, url: /tall.html, actions: [{ press: End }, { wait: 0.5 }], javascriptCode: "if (scrollY === 0) throw new Error('not scrolled')" }
`,
    'visual.spec.ts': `import { definePages, expect, test } from 'proofsheet';
definePages('pages.yaml');
test('wheel', async ({ page }) => {
  await page.goto('${site.url}/tall.html');
  await page.mouse.move(200, 200);
  await page.mouse.wheel(0, 300);
  await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(0);
});
`,
    'playwright.config.ts': config(),
  });
  expect(await project.test(['--update-snapshots'])).toExit(0);
});
