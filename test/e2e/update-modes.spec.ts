import { readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { extractText } from '../../src/image/metadata.js';
import { SNAPSHOTS, twoPages } from './baselines.js';
import { config, expect, filesOf, html, type Project, type Site, SPEC, test } from './project.js';

const HOME = `${SNAPSHOTS}/home-linux.png`;
const ABOUT = `${SNAPSHOTS}/about-linux.png`;

test.skip(process.platform !== 'linux', 'names of baselines hold the platform');

test('a missing baseline fails the test and is written, but not in CI, whose report approve --from takes; no retry and no second run passes it', {
  tag: '@versions',
}, async ({ project, site }) => {
  prepareOnePage(project, site);
  const expectNew = (written: boolean) => {
    expect(project.exists(HOME)).toBe(written);
    const shot = project.shot('home');
    expect(shot).toMatchObject({ status: 'new', written, flaky: false });
    expect(shot.attempts).toEqual([{ status: 'new' }]);
  };
  expect(await project.test(['--retries=1'], { CI: 'true' })).toExit(1);
  expectNew(false);
  expect(await project.test(['--update-snapshots=none'])).toExit(1);
  expectNew(false);
  expect(project.files(SNAPSHOTS)).toEqual([]);
  renameSync(project.path('proofsheet-report'), project.path('artifact'));

  expect(await project.test(['--retries=1'])).toExit(1);
  expectNew(true);
  rmSync(project.path(HOME));
  // Before this version, the mode is not told apart from no option.
  const isAsked = project.hasPlaywright('1.64');
  expect(await project.test(['--retries=1', '--update-snapshots=missing'], { CI: 'true' })).toExit(isAsked ? 0 : 1);
  expectNew(isAsked);

  for (const path of [HOME, 'proofsheet-report']) rmSync(project.path(path), { recursive: true, force: true });
  const lost = await project.proofsheet(['approve', '--new']);
  expect(lost).toExit(2);
  expect(lost.output).toMatch(/results\.json: no report of a finished run was found\. Run: npx playwright test/);
  const approved = await project.proofsheet(['approve', '--new', '--from', 'artifact', '--json']);
  expect(approved).toExit(0);
  expect(JSON.parse(approved.stdout)).toMatchObject({ status: 'success', refused: [], written: [{ id: 'home' }] });
});

test('a retry does not pass a new page after its worker was killed', { tag: '@soak' }, async ({ project, site }) => {
  prepareOnePage(project, site);
  project.write({
    'visual.spec.mjs': `${SPEC}
import { test } from 'proofsheet';
test.afterEach(({}, info) => { if (info.retry === 0) process.kill(process.pid, 'SIGKILL'); });`,
  });
  expect(await project.test(['--retries=2'])).toExit(1);
  expect(project.shot('home').status).toBe('new');
});

// What each mode writes: test/unit/shot/decide.test.ts.
test('a changed page fails by default, and `changed` writes its baseline and no other', {
  tag: '@versions',
}, async ({ project, site }) => {
  site.write({ 'index.html': html('<h1>Welcome</h1>'), 'about.html': html('<h1>About us</h1>') });
  project.write(filesOf(twoPages(site)));
  expect(await project.test(['--update-snapshots=all'])).toExit(0);
  const bytesOf = (path: string) => readFileSync(project.path(path));
  const home = bytesOf(HOME);
  const untouched = statSync(project.path(ABOUT)).mtimeMs;
  site.write({ 'index.html': html('<h1>Welcome!</h1>') });
  const expectImages = () => {
    const { before, diff } = project.shot('home');
    const imageAt = (link: string | null = null) =>
      readFileSync(project.path(join('proofsheet-report', link ?? 'none')));
    expect(imageAt(before?.link).equals(extractText(home, 'png').bare), 'the old baseline is in the report').toBe(true);
    expect(imageAt(diff?.link).length).toBeGreaterThan(100);
  };

  expect(await project.test()).toExit(1);
  expect(project.statuses()).toEqual(['about: passed', 'home: changed']);
  expect(project.results().summary.written).toBe(0);
  expect(bytesOf(HOME).equals(home)).toBe(true);
  expectImages();

  expect(await project.test(['--update-snapshots=changed'])).toExit(0);
  expect(project.shot('home')).toMatchObject({ status: 'changed', written: true });
  expect(project.shot('about')).toMatchObject({ status: 'passed', written: false });
  expect(bytesOf(HOME).equals(home)).toBe(false);
  expect(statSync(project.path(ABOUT)).mtimeMs, 'the other baseline is not touched').toBe(untouched);
  expect(project.files(SNAPSHOTS), 'no temporary file is left').toHaveLength(2);
  expectImages();
});

test('--ignore-snapshots captures nothing, and the summary counts the pages as skipped', async ({ project, site }) => {
  prepareOnePage(project, site);
  const run = await project.test(['--ignore-snapshots']);
  expect(run).toExit(0);
  expect(project.statuses()).toEqual(['home: skipped']);
  expect(project.results().summary).toMatchObject({ expected: 1, captured: 0, compared: 0, skipped: 1 });
});

test('baselines lie where snapshotPathTemplate puts them; two projects with one path are an error, also with own output folders', async ({
  project,
  site,
}) => {
  prepareOnePage(project, site);
  const own = '  - { name: own, url: /, environment: separate }';
  project.write({
    ...filesOf(`baseURL: ${site.url}\npages:\n  - { name: home, url: / }\n${own}\n`),
    'playwright.config.mjs': config(`snapshotPathTemplate: 'shots/{arg}{ext}', projects: [
      { name: 'desk', snapshotPathTemplate: 'shots/{projectName}/{arg}{ext}' },
      { name: 'one', outputDir: 'out/one' }, { name: 'two', outputDir: 'out/two', use: { viewport: { width: 500, height: 500 } } }],`),
  });
  const run = await project.test(['--update-snapshots', '--workers=1']);
  expect(run).toExit(1);
  const files = project.files('shots').map((file) => file.replace(/[^/]+-chromium-[^/]+/, 'ENV'));
  expect(files.sort()).toEqual(['ENV/own.png', 'desk/ENV/own.png', 'desk/home.png', 'home.png']);
  expect(project.results().shots.map(({ baseline }) => baseline?.path)).toContain('shots/desk/home.png');
  expect(run.output).toContain('two shots have this baseline path');
  expect(run.output).toContain('{projectName}');
});

function prepareOnePage(project: Project, site: Site): void {
  site.write({ 'index.html': html('<h1>Welcome</h1>') });
  project.write(filesOf(`baseURL: ${site.url}\npages:\n  - { name: home, url: / }\n`));
}
