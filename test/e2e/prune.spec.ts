import { leaveBehind } from '../unit/baselines/left-behind.js';
import { prepareTwoPages, SNAPSHOTS } from './baselines.js';
import { expect, SPEC, test } from './project.js';

const OLD = `${SNAPSHOTS}/about-linux.png`;

test.skip(process.platform !== 'linux', 'names of baselines hold the platform');

// After a filtered run: selection.spec.ts.
test('prune lists and deletes the baseline of a removed page, but nothing if the tests cannot be listed', {
  tag: '@versions',
}, async ({ project, site }) => {
  await prepareTwoPages(project, site);
  project.write({ 'pages.yaml': `baseURL: ${site.url}\npages:\n  - { name: home, url: / }\n` });
  const run = await project.test();
  expect(run).toExit(0);
  expect(project.results()).toMatchObject({ obsolete: [OLD], summary: { obsolete: 1 } });
  expect(run.output).toContain(
    `  obsolete  1 baseline without a shot: ${OLD} (to list or delete: npx proofsheet prune)\n`,
  );
  const listed = await project.proofsheet(['prune']);
  expect(listed).toExit(0);
  expect(listed.stdout).toBe(`1 obsolete baseline (delete with --yes):\n  ${OLD}\n`);
  expect(project.exists(OLD)).toBe(true);
  const left = await leaveBehind(project.path(SNAPSHOTS));
  const pruned = await project.proofsheet(['prune', '--yes', '--json']);
  expect(pruned).toExit(0);
  expect(JSON.parse(pruned.stdout)).toEqual({
    status: 'success',
    error: false,
    obsolete: [],
    leftovers: [`${SNAPSHOTS}/${left}`],
    deleted: [OLD],
    kept: [],
  });
  expect(project.files(SNAPSHOTS)).toEqual(['home-linux.png']);

  // A second list that cannot be read: its shots are unknown, and so are the baselines that they use.
  project.write({
    'more.spec.mjs': SPEC.replace('pages.yaml', 'more.yaml'),
    'more.yaml': 'pages: 5\n',
  });
  const failed = await project.proofsheet(['prune', '--yes']);
  expect(failed).toExit(2);
  expect(failed.output).toMatch(
    /Playwright cannot list the tests: .*(pages|more\.yaml).*Run: npx playwright test --list/s,
  );
  expect(project.files(SNAPSHOTS)).toEqual(['home-linux.png']);

  // With `test.only`, the other tests are unknown. Skipped tests and removed specs: test/unit/review/prune.test.ts.
  project.write({ 'more.spec.mjs': "import { test } from 'proofsheet';\ntest.only('mine', () => {});\n" });
  expect(await project.test()).toExit(0);
  expect((await project.proofsheet(['prune', '--yes'])).output).toContain('or test.only, hides tests');
});
