import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { config, expect, html, type Project, type Site, SPEC, test } from './project.js';

const SNAPSHOTS = 'visual.spec.ts-snapshots';
const HOME = `${SNAPSHOTS}/home-linux.png`;
const ABOUT = `${SNAPSHOTS}/about-linux.png`;

test.skip(process.platform !== 'linux', 'names of baselines hold the platform');

test.describe('a missing baseline', () => {
  const cases = [
    { mode: [], env: {}, code: 1, written: true, why: 'by default it is written and the test fails' },
    { mode: [], env: { CI: 'true' }, code: 1, written: false, why: 'on a build server nothing is written by default' },
    { mode: ['none'], env: {}, code: 1, written: false, why: 'none writes nothing and fails' },
    {
      mode: ['missing'],
      env: { CI: 'true' },
      code: 0,
      written: true,
      why: 'missing writes it and is green, in CI too',
    },
    { mode: ['changed'], env: {}, code: 0, written: true, why: 'changed writes it and is green' },
    { mode: ['all'], env: {}, code: 0, written: true, why: 'all writes it and is green' },
  ];
  for (const { mode, env, code, written, why } of cases) {
    test(why, async ({ project, site }) => {
      prepare(project, site);
      // Two retries: a retry must never heal what is new.
      const run = await project.test(['--retries=2', ...mode.map((name) => `--update-snapshots=${name}`)], env);
      expect(run).toExit(code);
      expect(project.exists(HOME)).toBe(written);
      const shot = project.shot('home');
      expect(shot).toMatchObject({ status: 'new', written, flaky: false });
      expect(shot.attempts).toEqual([{ status: 'new' }]);
    });
  }

  test('is not healed by a second run in CI', async ({ project, site }) => {
    prepare(project, site);
    for (let run = 0; run < 2; run++) expect(await project.test([], { CI: '1' })).toExit(1);
    expect(project.files(SNAPSHOTS)).toEqual([]);
  });
});

test.describe('a page that changed', () => {
  const cases = [
    { mode: [], code: 1, written: false, why: 'fails by default, and its baseline stays' },
    { mode: ['none'], code: 1, written: false, why: 'fails under none' },
    { mode: ['missing'], code: 1, written: false, why: 'fails under missing' },
    { mode: ['changed'], code: 0, written: true, why: 'is written and green under changed' },
    { mode: ['all'], code: 0, written: true, why: 'is written and green under all' },
  ];
  for (const { mode, code, written, why } of cases) {
    test(why, async ({ project, site }) => {
      await withBaselines(project, site);
      const before = readFileSync(project.path(HOME));
      const untouched = statSync(project.path(ABOUT)).mtimeMs;
      site.write({ 'index.html': html('<h1>Welcome!</h1>') });
      const run = await project.test(mode.map((name) => `--update-snapshots=${name}`));
      expect(run).toExit(code);
      expect(readFileSync(project.path(HOME)).equals(before)).toBe(!written);
      expect(project.shot('home')).toMatchObject({ status: 'changed', written });
      expect(project.shot('about')).toMatchObject({ status: 'passed', written: false });
      expect(statSync(project.path(ABOUT)).mtimeMs, 'the other baseline is not touched').toBe(untouched);
      expect(await project.test()).toExit(code);
    });
  }

  test('leaves no half-written file beside its baseline', async ({ project, site }) => {
    await withBaselines(project, site);
    expect(project.files(SNAPSHOTS)).toEqual(['about-linux.png', 'home-linux.png']);
  });
});

test('a page within its limit is rewritten under all, but not under changed', async ({ project, site }) => {
  prepare(project, site, 'defaults: { maxDiffPixels: 100000 }\n');
  await project.test(['--update-snapshots']);
  const before = readFileSync(project.path(HOME));
  site.write({ 'index.html': html('<h1>Welcome!</h1>') });
  expect(await project.test(['--update-snapshots=changed'])).toExit(0);
  expect(project.shot('home')).toMatchObject({ status: 'passed', written: false });
  expect(readFileSync(project.path(HOME)).equals(before)).toBe(true);
  expect(await project.test(['--update-snapshots=all'])).toExit(0);
  expect(project.shot('home')).toMatchObject({ status: 'passed', written: true });
  expect(readFileSync(project.path(HOME)).equals(before)).toBe(false);
});

test('--ignore-snapshots captures nothing and says so', async ({ project, site }) => {
  prepare(project, site);
  const run = await project.test(['--ignore-snapshots']);
  expect(run).toExit(0);
  expect(project.statuses()).toEqual(['about: skipped', 'home: skipped']);
  expect(project.results().summary).toMatchObject({ expected: 2, captured: 0, compared: 0, skipped: 2 });
});

test('baselines lie where snapshotPathTemplate puts them', async ({ project, site }) => {
  prepare(project, site);
  project.write({
    'playwright.config.ts': config(
      `snapshotPathTemplate: 'shots/{projectName}/{arg}{ext}', projects: [{ name: 'desk' }],`,
    ),
  });
  expect(await project.test(['--update-snapshots'])).toExit(0);
  expect(project.files('shots')).toEqual(['desk/about.png', 'desk/home.png']);
  expect(project.shot('home').baseline?.path).toBe('shots/desk/home.png');
});

test('two projects on one path are an error that names both', async ({ project, site }) => {
  prepare(project, site);
  project.write({
    'playwright.config.ts': config(
      `snapshotPathTemplate: 'shots/{arg}{ext}', projects: [{ name: 'one' }, { name: 'two' }],`,
    ),
  });
  const run = await project.test(['--update-snapshots']);
  expect(run).toExit(1);
  expect(run.output).toContain('it is the baseline of two shots');
  expect(run.output).toContain('{projectName}');
});

test.describe('a baseline that is not what its name says', () => {
  const cases: { why: string; damage: (bytes: Buffer) => Buffer; message: string }[] = [
    { why: 'empty', damage: () => Buffer.alloc(0), message: 'the baseline is empty (0 bytes)' },
    { why: 'cut off', damage: (bytes) => bytes.subarray(0, bytes.length >> 1), message: 'the baseline is cut off' },
    {
      why: 'a Git LFS pointer',
      damage: () => Buffer.from('version https://git-lfs.github.com/spec/v1\noid sha256:4d7a2146\nsize 12345\n'),
      message: 'the baseline is a Git LFS pointer, not an image. Run: git lfs pull',
    },
    { why: 'a text', damage: () => Buffer.from('hello'), message: 'the baseline is not an image, expected png' },
    {
      why: 'a JPEG',
      damage: () => readFileSync(new URL('../../fixtures/images/chromium.jpg', import.meta.url)),
      message: 'the baseline is jpeg, its name says png',
    },
  ];
  for (const { why, damage, message } of cases) {
    test(`${why}: has its own message, and the other page is judged`, async ({ project, site }) => {
      await withBaselines(project, site);
      const damaged = damage(readFileSync(project.path(HOME)));
      writeFileSync(project.path(HOME), damaged);
      const run = await project.test();
      expect(run).toExit(1);
      expect(project.shot('home')).toMatchObject({ status: 'error', written: false });
      expect(project.shot('home').reason).toContain(`${HOME}: ${message}`);
      expect(project.shot('about').status).toBe('passed');
      expect(readFileSync(project.path(HOME)).equals(damaged), 'it stays as it is').toBe(true);
      expect(await project.test(['--update-snapshots'])).toExit(0);
      expect(await project.test()).toExit(0);
    });
  }
});

function prepare(project: Project, site: Site, more = ''): void {
  site.write({ 'index.html': html('<h1>Welcome</h1>'), 'about.html': html('<h1>About us</h1>') });
  project.write({
    'pages.yaml': `baseURL: ${site.url}\n${more}pages:\n  - { name: home, url: / }\n  - { name: about, url: /about.html }\n`,
    'visual.spec.ts': SPEC,
    'playwright.config.ts': config(),
  });
}

async function withBaselines(project: Project, site: Site): Promise<void> {
  prepare(project, site);
  const run = await project.test(['--update-snapshots']);
  expect(run).toExit(0);
}
