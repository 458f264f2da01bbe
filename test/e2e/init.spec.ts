import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { commandEnv, config, expect, html, type Project, root, type Site, test } from './project.js';

/** The config that init wrote, offline as all tests here are. */
function offline(project: Project): void {
  expect(readFileSync(project.path('playwright.config.ts'), 'utf8')).toContain("['proofsheet/reporter']");
  project.write({ 'playwright.config.ts': config() });
}

const STYLE = 'h1 { color: #204060 } footer { color: #204060 }';

function fill(site: Site): void {
  const page = (body: string) => html(body, '<link rel="stylesheet" href="/site.css">');
  site.write({
    'index.html': page('<h1>Welcome</h1>'),
    'about.html': page('<footer>About us</footer>'),
    'plain.html': page('<p>Plain</p>'),
    'site.css': STYLE,
  });
}

test('init overwrites no file, and says what to add to an existing one', async ({ project }) => {
  project.write({ 'playwright.config.mjs': "export default { testDir: './e2e' };", '.gitattributes': '* text\n' });
  const first = await project.proofsheet(['init', '--lfs', '--json']);
  expect(first).toExit(0);
  expect(JSON.parse(first.stdout)).toMatchObject({
    status: 'success',
    written: ['e2e/pages.yaml', 'e2e/visual.spec.ts'],
    kept: [
      { path: 'playwright.config.mjs', advice: "make sure that its reporter list contains ['proofsheet/reporter']" },
      { path: '.gitattributes', advice: 'add this line: **/*-snapshots/** filter=lfs diff=lfs merge=lfs -text' },
    ],
  });
  const list = readFileSync(project.path('e2e/pages.yaml'), 'utf8');
  const again = await project.proofsheet(['init']);
  expect(again).toExit(2);
  expect(again.stdout).toContain('e2e/pages.yaml already exists: nothing to do\n');
  expect(again.stdout).toContain('playwright.config.mjs already exists: make sure that its reporter list contains');
  expect(readFileSync(project.path('e2e/pages.yaml'), 'utf8')).toBe(list);
  expect(readFileSync(project.path('.gitattributes'), 'utf8')).toBe('* text\n');
});

test('after init in a project with Vitest, each runner takes its own tests', async ({ project }) => {
  const { folder, path } = project;
  // A folder of its own, because that of the project is a link that all tests share.
  const modules = realpathSync(path('node_modules'));
  rmSync(path('node_modules'));
  for (const [from, name] of [
    ...['proofsheet', '@playwright', '.bin'].map((name) => [join(modules, name), name] as const),
    [join(root, 'node_modules/vitest'), 'vitest'] as const,
  ]) {
    mkdirSync(path('node_modules'), { recursive: true });
    symlinkSync(from, path(`node_modules/${name}`));
  }
  project.write({
    'package.json': '{ "private": true, "type": "module", "devDependencies": { "vitest": "*" } }',
    'src/sum.test.ts': "import { expect, test } from 'vitest';\ntest('sums', () => expect(1 + 1).toBe(2));\n",
  });
  const init = await project.proofsheet(['init']);
  expect(init).toExit(0);
  expect(init.stdout).toContain('wrote visual.pw.ts\n');
  const listed = await project.test(['--list']);
  expect(listed).toExit(0);
  expect(listed.stdout).toMatch(/visual\.pw\.ts:\d+:\d+ › index\nTotal: 1 test in 1 file/);
  const vitest = spawnSync(process.execPath, ['node_modules/vitest/vitest.mjs', 'run'], {
    cwd: folder,
    env: commandEnv(),
  });
  const said = `${vitest.stdout}${vitest.stderr}`;
  expect(vitest.status, said).toBe(0);
  expect(said).toMatch(/Test Files +1 passed \(1\)/);
});

test('init makes a list from the list of another tool, and from a sitemap index', async ({ project, site }) => {
  fill(site);
  const scenario = { label: 'Start', url: `${site.url}/`, misMatchThreshold: 0.5, readyEvent: 'go' };
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

  const server = createServer(({ url }, response) => {
    const { port } = server.address() as AddressInfo;
    const loc = (path: string) => `<loc>http://127.0.0.1:${port}${path}</loc>`;
    if (url === '/sitemap.xml') response.end(`<sitemapindex><sitemap>${loc('/more.xml.gz')}</sitemap></sitemapindex>`);
    else if (url === '/more.xml.gz')
      response.end(gzipSync(`<urlset><url>${loc('/')}</url><url>${loc('/a?b=1&amp;c=2')}</url></urlset>`));
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  rmSync(project.path('pages.yaml'));
  expect(await project.proofsheet(['init', '--sitemap', `${origin}/sitemap.xml`])).toExit(0);
  expect(readFileSync(project.path('pages.yaml'), 'utf8')).toContain(`baseURL: ${origin}\n`);
  expect(readFileSync(project.path('pages.yaml'), 'utf8')).toContain('pages:\n  - /\n  - /a?b=1&c=2\n');
  server.close();
});

test('doctor prints a line for each part of the setup, and a command for each problem', async ({ project, site }) => {
  fill(site);
  const empty = await project.proofsheet(['doctor']);
  expect(empty).toExit(2);
  expect(empty.stdout).toMatch(/^ok {7}node {8}\d+\.\d+\.\d+$/m);
  expect(empty.stdout).toMatch(/^ok {7}playwright {2}1\.\d+\.\d+$/m);
  expect(empty.stdout).toMatch(/^(ok|warning) +browser {5}chromium \d+.* on \w+\/\w+, headless shell/m);
  expect(empty.stdout).toMatch(/^ok {7}fonts {7}[\da-f]{12}$/m);
  expect(empty.stdout).toMatch(/^problem {2}config {6}no playwright\.config in .*\. Run: npx proofsheet init$/m);
  expect(empty.stdout).toMatch(/^ok {7}baselines {3}no run yet$/m);

  await project.proofsheet(['init']);
  offline(project);
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
