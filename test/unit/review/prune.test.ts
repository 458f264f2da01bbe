import { existsSync } from 'node:fs';
import { readdir, readFile, rm, symlink, utimes } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readRun } from '../../../src/baselines/read-run.js';
import { examineLeftovers } from '../../../src/commands/doctor.js';
import type { BaselineRecord, Environment } from '../../../src/model/environment.js';
import type { RunRecord } from '../../../src/model/run-record.js';
import { pruneListed } from '../../../src/review/prune.js';
import type { TestList } from '../../../src/run/ask-playwright.js';
import { coversLists, findObsolete } from '../../../src/run/find-obsolete.js';
import { findProject, type ProjectFolders } from '../../../src/run/project.js';
import { leaveBehind, nameOfProcess } from '../baselines/left-behind.js';
import { runCommand } from '../commands/run-command.js';
import { ENVIRONMENT } from '../report/specimens.js';
import { declaredOf, listed } from '../run/observed-tests.js';
import { baselineOf, finishRun, RED, type Specimen, writeAt } from './finished-run.js';

const specimen = (id: string, changes: Specimen['changes'] = {}): Specimen => ({
  id,
  status: 'passed',
  before: RED,
  after: RED,
  changes: { environment: ENVIRONMENT, ...changes },
});

/** Lays a baseline out that looks as old as those of the run. */
async function lay(places: ProjectFolders, path: string, id: string, changes: Partial<BaselineRecord> = {}) {
  await writeAt(join(places.root, path), baselineOf(id, RED, changes));
  await utimes(join(places.root, path), new Date('2026-11-01'), new Date('2026-11-01'));
}

/** The tests that exist. The run of {@link finishWhole} included them. */
const ALL: TestList = { hash: 'all', isFiltered: false, specs: [] };

const finishWhole = (specimens: readonly Specimen[], changes: Partial<RunRecord['run']> = {}) =>
  finishRun(specimens, { tests: { hash: 'all', unfinished: [] }, ...changes });

const prune = (places: ProjectFolders, shouldDelete: boolean, list = ALL) => pruneListed(places, list, shouldDelete);

async function obsoleteOf(
  places: ProjectFolders,
  changes: Partial<RunRecord['run']> = {},
  specs: TestList['specs'] = [],
): Promise<string[]> {
  const run = await readRun(places.folder);
  return findObsolete({ ...run, run: { ...run.run, ...changes } }, { ...ALL, specs }, places);
}

const exists = (places: ProjectFolders, path: string) => existsSync(join(places.root, path));

describe('obsolete baselines', () => {
  const of = (changes: Partial<Environment>) => ({ environment: { ...ENVIRONMENT, ...changes } });
  type Laid = [path: string, id: string, changes?: Partial<BaselineRecord>];

  test.each<[string, Laid[], string[]]>([
    [
      'include those of removed pages, and no used one',
      [
        ['shots/removed.png', 'removed'],
        ['shots/docs/old.png', 'docs/old'],
      ],
      ['shots/docs/old.png', 'shots/removed.png'],
    ],
    [
      'include the old path of a moved baseline, but not that of another environment',
      [
        ['shots/moved/home.png', 'home'],
        ['shots/mac/home.png', 'home', of({ os: 'darwin' })],
        ['shots/newer/home.png', 'home', of({ browserVersion: '142.0.0' })],
      ],
      ['shots/moved/home.png'],
    ],
    ['do not include a file of another platform', [['shots/a.png', 'removed', of({ os: 'win32' })]], []],
    ['do not include a file of a project that did not run', [['shots/a.png', 'removed', { project: 'firefox' }]], []],
    ['do not include a file where no baseline of the run is', [['elsewhere/a.png', 'removed']], []],
    ['do not include a file in a hidden folder', [['shots/.kept/a.png', 'removed']], []],
  ])('%s', async (_, files, obsolete) => {
    const places = await finishWhole([specimen('home'), specimen('docs/intro', { page: 'docs/intro' })]);
    for (const [path, id, changes] of files) await lay(places, path, id, changes);
    expect(await obsoleteOf(places)).toEqual(obsolete);
  });

  test('do not include images without a baseline record or damaged files', async () => {
    const places = await finishWhole([specimen('home')]);
    const logo = await readFile(new URL('../../../docs/before-after-diff.png', import.meta.url));
    await writeAt(join(places.root, 'shots/logo.png'), logo);
    await writeAt(join(places.root, 'shots/half.png'), baselineOf('removed', RED).subarray(0, 50));
    await writeAt(join(places.root, 'shots/notes.txt'), 'mine');
    expect(await obsoleteOf(places)).toEqual([]);
  });

  test('do not include those of skipped or crashed shots, and of specs with an unfinished test', async () => {
    const places = await finishWhole([
      specimen('home'),
      { id: 'later', status: 'skipped', changes: { baseline: null } },
      { id: 'dead', status: 'error', changes: { baseline: null } },
    ]);
    for (const id of ['later', 'dead', 'shop/cart/menu']) await lay(places, `shots/${id}.png`, id);
    expect(await obsoleteOf(places, { tests: { hash: 'all', unfinished: ['shop/cart'] } })).toEqual([]);
    const other = { tests: { hash: 'all', unfinished: ['shop/car'] } };
    expect(await obsoleteOf(places, other)).toEqual(['shots/shop/cart/menu.png']);
  });

  test('do not include files in the report or in the test output', async () => {
    const places = await finishWhole([
      specimen('home', { baseline: { path: 'home.png', sha256: null, environment: null } }),
    ]);
    await lay(places, 'test-results/removed.png', 'removed');
    await lay(places, 'old.png', 'removed');
    await lay(places, 'proofsheet-report/removed.png', 'removed');
    expect(await obsoleteOf(places)).toEqual(['old.png', 'shots/home.png']);
    const output = await obsoleteOf(places, { outputDirs: ['shots'] });
    expect(output).toEqual(['old.png', 'test-results/removed.png']);
  });

  describe('of a removed spec file', () => {
    const at = (path: string) => specimen('home', { baseline: { path, sha256: null, environment: null } });
    const ran = (testDir: string, ...paths: string[]) => paths.map((path) => ({ testDir, path }));

    test('are the files in its snapshot folder', async () => {
      const places = await finishWhole([at('e2e/visual.spec.ts-snapshots/home-linux.png')]);
      await lay(places, 'e2e/old.spec.ts-snapshots/docs/gone-linux.png', 'docs/gone');
      await lay(places, 'e2e/shop/older.test.tsx-snapshots/gone-linux.png', 'gone');
      await lay(places, 'e2e/foreign.spec.ts-snapshots/a.png', 'a', { environment: { ...ENVIRONMENT, os: 'win32' } });
      await lay(places, 'e2e/other.spec.ts-snapshots/a.png', 'a', { project: 'firefox' });
      await writeAt(join(places.root, 'e2e/plain.spec.ts-snapshots/logo.png'), 'no image of ours');
      const kept = ['e2e/keep-snapshots', 'e2e/old.spec.ts-copies', 'docs/old.spec.ts-snapshots'];
      const ignored = ['e2e/node_modules/old.spec.ts-snapshots', 'e2e/downloaded/screenshots/localhost/1'];
      for (const folder of [...kept, ...ignored]) await lay(places, `${folder}/a.png`, 'gone');
      const obsolete = [
        'e2e/old.spec.ts-snapshots/docs/gone-linux.png',
        'e2e/shop/older.test.tsx-snapshots/gone-linux.png',
      ];
      expect(await obsoleteOf(places, {}, ran('e2e', 'visual.spec.ts'))).toEqual(obsolete);
      expect(await obsoleteOf(places), 'who knows no spec knows none that is gone').toEqual([]);
    });

    test('do not include those of an existing spec that did not run', async () => {
      const places = await finishWhole([at('e2e/visual.spec.ts-snapshots/home-linux.png')]);
      await lay(places, 'e2e/old.spec.ts-snapshots/gone.png', 'gone');
      await writeAt(join(places.root, 'e2e/moved/old.spec.ts'), '');
      const specs = ran('e2e', 'visual.spec.ts');
      expect(await obsoleteOf(places, {}, specs)).toEqual([]);
      const moved = ran('e2e', 'visual.spec.ts', 'moved/old.spec.ts');
      expect(await obsoleteOf(places, {}, moved)).toEqual(['e2e/old.spec.ts-snapshots/gone.png']);
    });

    test.each([
      ['shots/{testFilePath}/{arg}', 'shots/shop/visual.spec.ts/home.png', 'shots/blog/old.spec.ts/gone.png'],
      ['{testFileName}.shots/{arg}', 'visual.spec.ts.shots/home.png', 'old.spec.ts.shots/gone.png'],
      ['of-{testFileName}/{projectName}/{arg}', 'of-visual.spec.ts/a/home.png', 'of-old.spec.ts/b/gone.png'],
      ['shots/{arg}', 'shots/home.png', 'shots/gone.png'],
    ])('follow a template such as %s', async (_, own, gone) => {
      const places = await finishWhole([at(own)]);
      await lay(places, gone, 'gone');
      await lay(places, 'shots-of-others/old.spec.ts-snapshots/a.png', 'gone');
      expect(await obsoleteOf(places, {}, ran('', 'shop/visual.spec.ts'))).toEqual([gone]);
    });
  });
});

describe('prune', () => {
  test('lists first, deletes on request with empty folders, and updates the report', async () => {
    const places = await finishWhole([specimen('home'), specimen('docs/kept')]);
    const removed = ['shots/docs/deep/removed.png', 'shots/docs/removed.png'];
    await lay(places, 'shots/docs/deep/removed.png', 'docs/deep/removed');
    await lay(places, 'shots/docs/removed.png', 'docs/removed');
    await leaveBehind(join(places.root, 'shots/docs/deep'));
    expect(await prune(places, false)).toEqual({ obsolete: removed, deleted: [], kept: [] });
    expect(exists(places, 'shots/docs/deep/removed.png')).toBe(true);
    expect(await prune(places, true)).toEqual({ obsolete: [], deleted: removed, kept: [] });
    const left = await readdir(join(places.root, 'shots'), { recursive: true });
    expect(left).toEqual(['docs', 'home.png', 'docs/kept.png']);
    expect(await readRun(places.folder)).toMatchObject({ obsolete: [], summary: { obsolete: 0 } });
    expect(await prune(places, true)).toEqual({ obsolete: [], deleted: [], kept: [] });
  });

  const unknown: [string, Partial<RunRecord['run']>, Partial<TestList>, string][] = [
    ['a filtered run', { selected: ['--grep', 'home'] }, { hash: 'more' }, 'exists (its options: --grep home)'],
    ['a run before a test was added', {}, { hash: 'more' }, 'the run did not include every test that exists'],
    ['a run that hid tests', {}, { isFiltered: true }, 'or test.only, hides tests'],
    ['a run that was interrupted', { complete: false }, {}, 'the run has shots without a result'],
    ['a problem', { problems: [{ code: 'x', where: 'x', found: 'x', advice: 'x' }] }, {}, 'without a result'],
  ];
  test.each(unknown)('fails after %s', async (_, changes, list, found) => {
    const places = await finishWhole([specimen('home')], changes);
    await lay(places, 'shots/removed.png', 'removed');
    await expect(prune(places, true, { ...ALL, ...list })).rejects.toMatchObject({
      code: 'obsolete-unknown',
      problem: { found: expect.stringContaining(found), advice: 'Run all tests first: npx playwright test' },
    });
    expect(exists(places, 'shots/removed.png')).toBe(true);
  });

  test('fails after a run that does not say which tests it had, such as a merged one', async () => {
    const places = await finishRun([specimen('home')]);
    await expect(prune(places, true)).rejects.toMatchObject({ problem: { found: expect.stringContaining('merged') } });
  });

  test('does not delete files in folders outside that a forged record names', async () => {
    const outside = (await finishRun([])).root;
    const name = basename(outside);
    const paths = ['linked/a.png', `../${name}/a.png`, `linked/../../${name}/a.png`, join(outside, 'a.png')];
    const forged = paths.map((path, index): Specimen => {
      const baseline = { path, sha256: null, environment: null };
      return { id: `forged-${index}`, status: 'error', changes: { environment: ENVIRONMENT, baseline } };
    });
    const places = await finishWhole(forged);
    await lay({ ...places, root: outside }, 'victim.png', 'removed');
    await symlink(outside, join(places.root, 'linked'));
    const reason = expect.stringContaining('a symbolic link in the path points outside');
    expect(await prune(places, true)).toEqual({
      obsolete: [],
      deleted: [],
      kept: [{ path: 'linked/victim.png', reason }],
    });
    expect(exists(places, 'linked/victim.png')).toBe(true);
  });

  test('keeps files that were written after the run', async () => {
    const places = await finishWhole([specimen('home')]);
    await writeAt(join(places.root, 'shots/young.png'), baselineOf('young', RED));
    await utimes(join(places.root, 'shots/young.png'), new Date('2026-12-01'), new Date('2026-12-01'));
    expect((await prune(places, true)).kept[0]?.reason).toContain('the file was written after the run');
  });
});

describe('temporary files of killed processes', () => {
  const lock = '.proofsheet-0123456789ab.lock';

  /** A project without a report: its runs do not use the reporter. */
  async function leaveFiles() {
    const { root } = await finishWhole([]);
    await rm(join(root, 'proofsheet-report'), { recursive: true });
    const shots = join(root, 'e2e/visual.spec.ts-snapshots');
    const [left, deep] = [await leaveBehind(shots), await leaveBehind(join(shots, 'docs'))];
    const own = nameOfProcess(process.pid);
    for (const name of [own, 'home.png']) await writeAt(join(shots, name), 'whole');
    await writeAt(join(shots, lock), left.replace(/^\.proofsheet-|\.tmp$/g, ''));
    const files = [`docs/${deep}`, left, lock].map((path) => `e2e/visual.spec.ts-snapshots/${path}`);
    return { root, shots, own, files: files.sort() };
  }

  test('are listed by prune without a report, and deleted with --yes; those of running processes stay', async () => {
    const { root, shots, own, files } = await leaveFiles();
    const listed = await runCommand(root, ['prune']);
    expect(listed).toMatchObject({ code: 2, output: expect.stringContaining('no report of a finished run was found') });
    const lines = files.map((path) => `  ${path}\n`).join('');
    expect(listed.stdout).toBe(`3 temporary files of killed processes (delete with --yes):\n${lines}`);
    expect(await readdir(shots)).toHaveLength(5);
    expect((await runCommand(root, ['prune', '--yes'])).stdout).toBe(`3 deleted temporary files:\n${lines}`);
    expect(await readdir(shots)).toEqual([own, 'docs', 'home.png']);
    expect((await runCommand(root, ['prune'])).stdout).toBe('');
  });

  test('are a warning of doctor, with the command that deletes them', async () => {
    const { root, files } = await leaveFiles();
    const found = `3 temporary files of killed processes: ${files.join(', ')}`;
    const advice = 'List them with: npx proofsheet prune. Delete them with --yes.';
    const check = await examineLeftovers(findProject({ config: root }));
    expect(check).toEqual({ name: 'leftovers', state: 'warning', found, advice });
  });
});

describe('a run covers its page lists', () => {
  const shotsOf = (ids: readonly string[], listShots: number, project = 'chromium') =>
    ids.map((id) => listed(id, 'passed', { project, declared: declaredOf(id, { listShots }) }));

  test.each([
    ['it has every shot of the list', true, shotsOf(['a', 'b'], 2)],
    ['it repeats shots', true, shotsOf(['a', 'b', 'a'], 2)],
    ['a shot of the list is missing, whatever filtered it out', false, shotsOf(['a', 'b', 'a'], 3)],
    ['a shot is missing in one project', false, [...shotsOf(['a', 'b'], 2), ...shotsOf(['a'], 2, 'phone')]],
  ])('%s: %s', (_, expected, tests) => {
    expect(coversLists(tests)).toBe(expected);
  });
});
