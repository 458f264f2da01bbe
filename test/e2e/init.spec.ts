import { readFileSync, rmSync } from 'node:fs';
import { config, expect, html, test } from './project.js';

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
