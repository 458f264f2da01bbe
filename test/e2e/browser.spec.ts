import { startServer } from './direct.js';
import { config, expect, filesOf, html, test } from './project.js';

test('without any browser, the error of a run says which command to run', async ({ project, site }) => {
  site.write({ 'a.html': html('<h1>A</h1>') });
  project.write(filesOf(`baseURL: ${site.url}\npages: [{ name: a, url: /a.html }]\n`));
  const run = await project.test(['--update-snapshots'], {
    PATH: '/nowhere',
    PLAYWRIGHT_BROWSERS_PATH: project.path('no-browsers'),
  });
  expect(run).toExit(1);
  expect(run.output).toContain('Run: npx playwright install chromium');
  expect(project.statuses()).toEqual(['a: error']);
  expect(project.shot('a').reason).toContain('npx playwright install chromium');
  const summary = run.output.slice(run.output.indexOf('proofsheet'));
  expect(summary.length).toBeGreaterThan(0);
});

test("without Playwright's browser, one of the machine is used, with one notice; its wheel and keys scroll; workers keep compiled code", async ({
  project,
  site,
}) => {
  site.write({
    'a.html': html('<h1>A</h1>'),
    'tall.html': html('<h1>Tall</h1><div style="height: 4000px"></div><p>Bottom</p>'),
  });
  const pages = `  - { name: a, url: /a.html }\n  - { name: keys, url: /tall.html, actions: [{ press: End }, { wait: 0.5 }], javascriptCode: "if (scrollY === 0) throw new Error('not scrolled')" }\n`;
  project.write({
    ...filesOf(`baseURL: ${site.url}\npages:\n${pages}`),
    'wheel.spec.mjs': `import { expect, test } from 'proofsheet';
test('wheel', async ({ page }) => {
  console.log('kept in', process.env.NODE_COMPILE_CACHE);
  await page.goto('${site.url}/tall.html');
  await page.mouse.move(200, 200);
  await page.mouse.wheel(0, 300);
  await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(0);
});
`,
  });
  const run = await project.test(['--update-snapshots', '--workers=2'], {
    PLAYWRIGHT_BROWSERS_PATH: project.path('no-browsers'),
  });
  expect(run).toExit(0);
  expect(run.output.match(/Playwright's own browser is not installed: using /g)).toHaveLength(1);
  expect(run.output).toMatch(/kept in .*node-compile-cache/);
  expect(project.shot('a').environment).toMatchObject({
    os: process.platform,
    arch: process.arch,
    browser: 'chromium',
  });
});

test('a listed page has the options of its project, those of its spec, and otherwise those of Playwright', async ({
  project,
}) => {
  const seen: string[] = [];
  const { server, close } = await startServer(({ url }) => {
    if (url.pathname === '/seen') seen.push(url.searchParams.get('all') ?? '');
    return `<h1>Page</h1><script>${TELL}</script>`;
  });
  try {
    project.write({
      'pages.yaml': 'pages: [/one]\n',
      'visual.spec.mjs': `import { definePages, test } from 'proofsheet';\ntest.use({ timezoneId: 'Asia/Tokyo' });\ndefinePages('pages.yaml');\n`,
      'playwright.config.mjs': `const baseURL = '${server.url}';\n${config(`projects: [
        { name: 'own', use: { baseURL, locale: 'de-DE', contextOptions: { userAgent: 'Own', colorScheme: 'dark' } } },
        { name: 'default', use: { baseURL } },
      ],`)}`,
    });
    expect(await project.test(['--update-snapshots'])).toExit(0);
    expect(new Set(seen)).toEqual(
      new Set(['de-DE Asia/Tokyo 1280x720 dark Own', 'en-US Asia/Tokyo 1280x720 light Mozilla/5.0']),
    );
  } finally {
    close();
  }
});

/** Runs in the page: tells the server which options it has. */
const TELL = `
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const scheme = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
  const size = innerWidth + 'x' + innerHeight;
  const all = [navigator.language, timeZone, size, scheme, navigator.userAgent.split(' ')[0]].join(' ');
  fetch('/seen?' + new URLSearchParams({ all }));
`;
