import { readFileSync, rmSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { startServer } from './direct.js';
import { config, expect, html, test } from './project.js';

test('init overwrites no file, and says what to add to an existing one', async ({ project }) => {
  project.write({ 'playwright.config.mjs': 'export default {};', '.gitattributes': '* text\n' });
  const first = await project.proofsheet(['init', '--lfs', '--json']);
  expect(first).toExit(0);
  expect(JSON.parse(first.stdout)).toMatchObject({
    status: 'success',
    written: ['pages.yaml', 'visual.spec.ts'],
    kept: [
      {
        path: 'playwright.config.mjs',
        advice: expect.stringMatching(/^add \['proofsheet\/reporter'\] to its reporter list/),
      },
      { path: '.gitattributes', advice: 'add this line: **/*-snapshots/** filter=lfs diff=lfs merge=lfs -text' },
    ],
  });
  const list = readFileSync(project.path('pages.yaml'), 'utf8');
  const again = await project.proofsheet(['init']);
  expect(again).toExit(2);
  expect(again.stdout).toContain('pages.yaml already exists: nothing to do\n');
  expect(again.stdout).toContain("playwright.config.mjs already exists: add ['proofsheet/reporter'] to its");
  expect(readFileSync(project.path('pages.yaml'), 'utf8')).toBe(list);
  expect(readFileSync(project.path('.gitattributes'), 'utf8')).toBe('* text\n');
});

test('init makes a list from the list of another tool, and from a sitemap index', async ({ project }) => {
  const scenario = { label: 'Start', url: 'http://127.0.0.1/', misMatchThreshold: 0.5, readyEvent: 'go' };
  project.write({ 'backstop.json': JSON.stringify({ viewports: [], scenarios: [scenario] }) });
  const run = await project.proofsheet(['init', '--from', 'backstop.json']);
  expect(run).toExit(0);
  expect(run.stdout).toContain('wrote pages.yaml (1 page from the BackstopJS list backstop.json)\n');
  expect(run.stdout).toContain(
    'Not imported, or imported with a different meaning (see the comments in pages.yaml):\n  BackstopJS ignores color ',
  );
  expect(run.stdout).toContain('\n  readyEvent: use waitFor instead (1 page)\n');
  expect(run.stdout).toContain('\nNext:\n  npx playwright test --update-snapshots ');
  expect(run.stdout).not.toContain('write your pages');
  expect(readFileSync(project.path('pages.yaml'), 'utf8')).toContain('    maxDiffPixelRatio: 0.005\n');
  expect((await project.test(['--list'])).stdout).toContain(' › Start\n');

  const { server, close } = await startServer(({ url: { origin, pathname } }) => {
    const loc = (path: string) => `<loc>${origin}${path}</loc>`;
    const pages = gzipSync(`<urlset><url>${loc('/')}</url><url>${loc('/a?b=1&amp;c=2')}</url></urlset>`);
    if (pathname === '/more.xml.gz') return { body: pages };
    return `<sitemapindex><sitemap>${loc('/more.xml.gz')}</sitemap></sitemapindex>`;
  });
  rmSync(project.path('pages.yaml'));
  expect(await project.proofsheet(['init', '--sitemap', `${server.url}/sitemap.xml`])).toExit(0);
  expect(readFileSync(project.path('pages.yaml'), 'utf8')).toContain(`baseURL: ${server.url}\n`);
  expect(readFileSync(project.path('pages.yaml'), 'utf8')).toContain('pages:\n  - /\n  - /a?b=1&c=2\n');
  close();
});

test('doctor prints a line for each part of the setup, and a command for each problem', async ({ project, site }) => {
  site.write({ 'index.html': html('<h1>Welcome</h1>') });
  const empty = await project.proofsheet(['doctor']);
  expect(empty).toExit(2);
  expect(empty.stdout).toMatch(/^ok {7}node {8}\d+\.\d+\.\d+$/m);
  expect(empty.stdout).toMatch(/^ok {7}playwright {2}1\.\d+\.\d+$/m);
  expect(empty.stdout).toMatch(/^(ok|warning) +browser {5}chromium \d+.* on \w+\/\w+, headless shell/m);
  expect(empty.stdout).toMatch(/^ok {7}fonts {7}[\da-f]{12}$/m);
  expect(empty.stdout).toMatch(/^problem {2}config {6}no playwright\.config in .*\. Run: npx proofsheet init$/m);
  expect(empty.stdout).toMatch(/^ok {7}baselines {3}no run yet$/m);

  await project.proofsheet(['init']);
  expect(readFileSync(project.path('playwright.config.ts'), 'utf8')).toContain("['proofsheet/reporter']");
  // Offline, as all tests here are.
  project.write({ 'playwright.config.ts': config() });
  expect(await project.test(['--update-snapshots'], { SITE: site.url })).toExit(0);
  const well = await project.proofsheet(['doctor', '--json']);
  expect(well).toExit(0);
  expect(JSON.parse(well.stdout)).toMatchObject({ status: 'success', error: false });
  expect(well.stdout).toContain('"found": "1 of 1 shot with a baseline"');

  expect(well.stdout).toMatch(/"found": "[\d.]+ m?s for 1 shot; slowest: index [\d.]+ m?s \((\w+ [\d.]+ m?s(, )?)+\)"/);

  const same = await project.proofsheet(['doctor', '--compare', 'proofsheet-report']);
  expect(same).toExit(0);
  expect(same.stdout).toMatch(/^ok +report +its environment is that of this machine: proofsheet-report$/m);

  const [baseline = ''] = project.files('visual.spec.ts-snapshots');
  project.write({
    [`visual.spec.ts-snapshots/${baseline}`]: 'version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n',
  });
  rmSync(project.path('pages.yaml'));
  const problems = await project.proofsheet(['doctor']);
  expect(problems).toExit(2);
  expect(problems.stdout).toMatch(
    /^problem {2}baselines {3}1 file: .*the baseline is a Git LFS pointer, not an image\. Run: git lfs pull$/m,
  );
  expect(problems.output).toMatch(/^problem +tests +.*the page list pages.yaml does not exist/m);
});
