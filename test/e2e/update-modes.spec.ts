import { readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { extractText } from '../../src/image/metadata.js';
import type { RunRecord } from '../../src/model/run-record.js';
import { makeBaselines } from './baselines.js';
import {
  config,
  type Ended,
  expect,
  html,
  type Project,
  type Site,
  SPEC,
  test,
  withProject,
  withSite,
} from './project.js';

const SNAPSHOTS = 'visual.spec.ts-snapshots';
const HOME = `${SNAPSHOTS}/home-linux.png`;
const ABOUT = `${SNAPSHOTS}/about-linux.png`;

/** How a baseline can be damaged, and what is said of it then. */
const DAMAGES: Record<string, { how: string; damage: (bytes: Buffer) => Buffer; message: string }> = {
  empty: { how: 'empty', damage: () => Buffer.alloc(0), message: 'the baseline is empty (0 bytes)' },
  cut: {
    how: 'cut off',
    damage: (bytes) => bytes.subarray(0, bytes.length >> 1),
    message: 'the baseline is truncated',
  },
  pointer: {
    how: 'a Git LFS pointer',
    damage: () => Buffer.from('version https://git-lfs.github.com/spec/v1\noid sha256:4d7a2146\nsize 12345\n'),
    message: 'the baseline is a Git LFS pointer, not an image. Run: git lfs pull',
  },
  text: {
    how: 'a text',
    damage: () => Buffer.from('hello'),
    message: 'the baseline is not an image; expected png',
  },
  photo: {
    how: 'a JPEG',
    damage: () => readFileSync(new URL('../../fixtures/images/chromium.jpg', import.meta.url)),
    message: 'the baseline is jpeg, but its file extension is that of png',
  },
};

/** What came of a project in which every baseline but that of `about` was damaged, each in its own way. */
interface Damaged {
  readonly run: Ended;
  readonly results: RunRecord;
  /** The damaged baselines that the run left as they were. */
  readonly kept: readonly string[];
  /** What an update came to, and the run after it. */
  readonly mended: readonly Ended[];
  readonly mendedResults: RunRecord;
}

test.skip(process.platform !== 'linux', 'names of baselines hold the platform');

test.describe('a missing baseline', () => {
  const cases = [
    { mode: [], env: {}, code: 1, written: true, why: 'by default it is written and the test fails', tag: [] },
    {
      mode: [],
      env: { CI: 'true' },
      code: 1,
      written: false,
      why: 'on a build server nothing is written by default, and a second run does not heal it',
      tag: ['@pain-33', '@pain-35'],
    },
    {
      mode: ['missing'],
      env: { CI: 'true' },
      code: 0,
      written: true,
      why: 'missing writes it and is green, in CI too',
      tag: [],
    },
    // The same decision, in the table of test/unit/core/outcome.test.ts.
    {
      mode: ['none'],
      env: {},
      code: 1,
      written: false,
      why: 'none writes nothing and fails',
      tag: ['@soak', '@pain-35'],
    },
    { mode: ['changed'], env: {}, code: 0, written: true, why: 'changed writes it and is green', tag: ['@soak'] },
    { mode: ['all'], env: {}, code: 0, written: true, why: 'all writes it and is green', tag: ['@soak'] },
  ];
  for (const { mode, env, code, written, why, tag } of cases) {
    test(why, { tag }, async ({ project, site }) => {
      prepare(project, site);
      // Two retries: a retry must never heal what is new.
      const run = await project.test(['--retries=2', ...mode.map((name) => `--update-snapshots=${name}`)], env);
      expect(run).toExit(code);
      expect(project.exists(HOME)).toBe(written);
      const shot = project.shot('home');
      expect(shot).toMatchObject({ status: 'new', written, flaky: false });
      expect(shot.attempts).toEqual([{ status: 'new' }]);
      if (written) return;
      expect(await project.test([], { CI: '1' })).toExit(1);
      expect(project.files(SNAPSHOTS)).toEqual([]);
    });
  }
});

test.describe('a page that changed', () => {
  const cases = [
    { mode: [], code: 1, written: false, why: 'fails by default, and its baseline stays', tag: [] },
    { mode: ['changed'], code: 0, written: true, why: 'is written and green under changed', tag: ['@pain-41'] },
    // The same decision, in the table of test/unit/core/outcome.test.ts.
    { mode: ['none'], code: 1, written: false, why: 'fails under none', tag: ['@soak'] },
    { mode: ['missing'], code: 1, written: false, why: 'fails under missing', tag: ['@soak'] },
    { mode: ['all'], code: 0, written: true, why: 'is written and green under all', tag: ['@soak'] },
  ];
  for (const { mode, code, written, why, tag } of cases) {
    test(why, { tag }, async ({ project, site }) => {
      prepare(project, site);
      await makeBaselines(project, site);
      const before = readFileSync(project.path(HOME));
      const untouched = statSync(project.path(ABOUT)).mtimeMs;
      site.write({ 'index.html': html('<h1>Welcome!</h1>') });
      const run = await project.test(mode.map((name) => `--update-snapshots=${name}`));
      expect(run).toExit(code);
      expect(readFileSync(project.path(HOME)).equals(before)).toBe(!written);
      const { before: old, diff, ...shot } = project.shot('home');
      expect(shot).toMatchObject({ status: 'changed', written });
      const imageAt = (link: string) => readFileSync(project.path(join('proofsheet-report', link)));
      const { bare } = extractText(before, 'png');
      expect(imageAt(old?.link ?? '').equals(bare), 'what was there before is in the report').toBe(true);
      expect(imageAt(diff?.link ?? '').length).toBeGreaterThan(100);
      expect(project.shot('about')).toMatchObject({ status: 'passed', written: false });
      expect(statSync(project.path(ABOUT)).mtimeMs, 'the other baseline is not touched').toBe(untouched);
      expect(project.files(SNAPSHOTS), 'no half-written file is left').toEqual(['about-linux.png', 'home-linux.png']);
      expect(await project.test()).toExit(code);
    });
  }
});

test('a page within its limit is rewritten under all, but not under changed, whatever else fails', {
  tag: '@pain-41',
}, async ({ project, site }) => {
  prepare(project, site, 'defaults: { maxDiffPixels: 100000 }\n');
  await project.test(['--update-snapshots']);
  const before = readFileSync(project.path(HOME));
  site.write({ 'index.html': html('<h1>Welcome!</h1>') });
  rmSync(join(site.folder, 'about.html'));
  expect(await project.test(['--update-snapshots=changed'])).toExit(1);
  expect(project.statuses()).toEqual(['about: error', 'home: passed']);
  expect(project.shot('home').written).toBe(false);
  expect(readFileSync(project.path(HOME)).equals(before)).toBe(true);
  expect(await project.test(['--update-snapshots=all'])).toExit(1);
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
  expect(run.output).toContain('two shots have this baseline path');
  expect(run.output).toContain('{projectName}');
});

test.describe('a baseline that is not what its name says', () => {
  // One after the other: they look at the same runs.
  test.describe.configure({ mode: 'default' });
  let damaged: Damaged;
  test.beforeAll(() =>
    withProject('current', (project) =>
      withSite(async (site) => {
        damaged = await damageBaselines(project, site);
      }),
    ),
  );
  for (const [name, { how, message }] of Object.entries(DAMAGES)) {
    const tag = name === 'pointer' ? '@pain-47' : [];
    test(`${how}: has its own message, and the other page is judged`, { tag }, () => {
      const { run, results, kept, mended } = damaged;
      const [shot, about] = [shotOf(results, name), shotOf(results, 'about')];
      expect(run).toExit(1);
      expect(shot).toMatchObject({ status: 'error', written: false });
      expect(shot?.reason).toContain(`${SNAPSHOTS}/${name}-linux.png: ${message}`);
      expect(about?.status).toBe('passed');
      expect(kept, 'not changed').toContain(name);
      for (const ended of mended) expect(ended).toExit(0);
      expect(shotOf(damaged.mendedResults, name)?.status).toBe('passed');
    });
  }
});

async function damageBaselines(project: Project, site: Site): Promise<Damaged> {
  const names = Object.keys(DAMAGES);
  site.write(Object.fromEntries([...names, 'about'].map((name) => [`${name}.html`, html(`<h1>${name}</h1>`)])));
  const pages = [...names, 'about'].map((name) => `  - { name: ${name}, url: /${name}.html }\n`);
  project.write({
    'pages.yaml': `baseURL: ${site.url}\npages:\n${pages.join('')}`,
    'visual.spec.ts': SPEC,
    'playwright.config.ts': config(),
  });
  await makeBaselines(project, site);
  const bytesOf = (name: string) => readFileSync(project.path(`${SNAPSHOTS}/${name}-linux.png`));
  const damages = new Map(names.map((name) => [name, DAMAGES[name]?.damage(bytesOf(name)) ?? Buffer.alloc(0)]));
  for (const [name, bytes] of damages) project.write({ [`${SNAPSHOTS}/${name}-linux.png`]: bytes });
  const run = await project.test();
  const results = project.results();
  const kept = names.filter((name) => damages.get(name)?.equals(bytesOf(name)));
  const mended = [await project.test(['--update-snapshots']), await project.test()];
  return { run, results, kept, mended, mendedResults: project.results() };
}

function shotOf({ shots }: RunRecord, id: string) {
  return shots.find((shot) => shot.id === id);
}

function prepare(project: Project, site: Site, more = ''): void {
  site.write({ 'index.html': html('<h1>Welcome</h1>'), 'about.html': html('<h1>About us</h1>') });
  project.write({
    'pages.yaml': `baseURL: ${site.url}\n${more}pages:\n  - { name: home, url: / }\n  - { name: about, url: /about.html }\n`,
    'visual.spec.ts': SPEC,
    'playwright.config.ts': config(),
  });
}
