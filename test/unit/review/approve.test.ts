import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, stat, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { sha256 } from '../../../src/baselines/names.js';
import { readRun } from '../../../src/baselines/read-run.js';
import type { RunRecord, ShotRecord } from '../../../src/model/run-record.js';
import { renderDecided } from '../../../src/report/render-review.js';
import { type Choice, chooseShots } from '../../../src/review/choose-shots.js';
import { applyDecision, undoNewest } from '../../../src/review/decide.js';
import type { ProjectFolders } from '../../../src/run/project.js';
import { png, sheet } from '../image/paint.js';
import { BLUE, baselineOf, finishRun, pathOf, RED, writeAt } from './finished-run.js';

const NONE: Choice = { ids: [], all: false, new: false, groups: [], project: null };

let places: ProjectFolders;

const choosing = (choice: Partial<Choice>) => (run: RunRecord) => chooseShots(run, { ...NONE, ...choice });
const approve = (choice: Partial<Choice>, force = false) =>
  applyDecision(places, { decision: 'approved', choose: choosing(choice), force });
const reject = (ids: string[]) => applyDecision(places, { decision: 'rejected', choose: choosing({ ids }) });
/** Approves a shot of which nothing may be written, and gives the reason. */
async function refusalOf(id: string, force = true): Promise<string | undefined> {
  const { written, refused } = await approve({ ids: [id] }, force);
  expect(written).toEqual([]);
  return refused[0]?.reason;
}
const onDisk = (id: string) => readFile(join(places.root, pathOf(id)));
const colorOf = async (id: string) => {
  const bytes = await onDisk(id);
  return ([RED, BLUE] as const).find((color) => bytes.equals(baselineOf(id, color)));
};
const decisions = async () => (await readRun(places.folder)).shots.map(({ id, decision }) => `${id}: ${decision}`);

/** Lets a shot, or every one, have its baseline elsewhere. */
const point = (id: string | null, path: string, sha256: string | null) =>
  forge((shot) => (shot.baseline && id !== null && shot.id !== id ? shot : aim(shot, path, sha256)));
const aim = (shot: ShotRecord, path: string, sha256: string | null): ShotRecord =>
  shot.baseline ? { ...shot, baseline: { ...shot.baseline, path, sha256 } } : shot;

/** Rewrites the report as somebody who means ill would. */
async function forge(alter: (shot: ShotRecord) => ShotRecord, run: Partial<RunRecord> = {}): Promise<void> {
  const record = await readRun(places.folder);
  const text = JSON.stringify({ ...record, ...run, shots: record.shots.map(alter) });
  await writeAt(join(places.folder, 'results.json'), text);
}

const HOME_IMAGE = 'screenshots/localhost/0/1.png';

/** Lets the report have another after image of home, as if the run had captured it. */
async function capture(bytes: Buffer): Promise<void> {
  await writeAt(join(places.folder, HOME_IMAGE), bytes);
  await forge((shot) =>
    shot.id === 'home' && shot.after ? { ...shot, after: { ...shot.after, sha256: sha256(bytes) } } : shot,
  );
}

beforeEach(async () => {
  places = await finishRun([
    { id: 'home', status: 'changed', before: RED, after: BLUE },
    { id: 'about', status: 'changed', before: RED, after: BLUE, changes: { group: '1' } },
    { id: 'fresh', status: 'new', after: BLUE },
    { id: 'fine', status: 'passed', before: RED, after: BLUE },
    { id: 'blinks', status: 'unstable', before: RED, after: BLUE },
    { id: 'gone', status: 'error', before: RED, changes: { reason: 'it answered 404' } },
    { id: 'later', status: 'skipped', changes: { baseline: null } },
    { id: 'live', status: 'changed', after: BLUE, changes: { baseline: null } },
  ]);
});

describe('approving', () => {
  test('writes the structure with the baseline, and undo restores it', async () => {
    const [first, second] = [1, 2].map((byte) => baselineOf('home', BLUE, {}, Buffer.alloc(500, byte)));
    if (!first || !second) throw new Error('expected two baselines');
    await writeAt(join(places.root, pathOf('home')), first);
    await capture(second);
    await point('home', pathOf('home'), sha256(first));
    await approve({ ids: ['home'] });
    expect(await onDisk('home')).toEqual(second);
    await undoNewest(places);
    expect(await onDisk('home')).toEqual(first);
  });

  test('all approves changed and new shots, refuses error and unstable, and changes nothing else', async () => {
    const { written, kept, refused } = await approve({ all: true });
    expect(written.map(({ id }) => id)).toEqual(['home', 'about', 'fresh']);
    expect(kept).toEqual([{ project: 'chromium', id: 'live', reason: expect.stringContaining('two-state') }]);
    expect(refused.map(({ id, reason }) => `${id}: ${reason}`)).toEqual([
      expect.stringMatching(/^blinks: the page did not become stable/),
      expect.stringMatching(/^gone: the shot has an error: it answered 404/),
    ]);
    const colors = await Promise.all(['home', 'about', 'fresh', 'fine', 'blinks', 'gone'].map(colorOf));
    expect(colors).toEqual([BLUE, BLUE, BLUE, RED, RED, RED]);
    expect(await readFile(join(places.folder, 'summary.md'), 'utf8')).toContain('| changed, approved |');
  });

  test('keeps a shot that passed, that the run wrote, or that is approved already; refuses a skipped one', async () => {
    await forge((shot) => (shot.id === 'fresh' ? { ...shot, written: true } : shot));
    await approve({ ids: ['home'] });
    const { written, kept, refused } = await approve({ ids: ['home', 'fresh', 'fine', 'later'] });
    expect(written).toEqual([]);
    expect(kept.map(({ reason }) => reason)).toEqual([
      'the baseline already equals the after image',
      'the run already wrote the baseline',
      'the shot passed',
    ]);
    expect(refused.map(({ reason }) => reason)).toEqual(['the shot was skipped, so it has no screenshot']);
    expect(await colorOf('fine')).toBe(RED);
  });

  test('continues if one baseline cannot be written', async () => {
    await rm(join(places.root, pathOf('home')));
    await mkdir(join(places.root, pathOf('home')));
    const { written, refused } = await approve({ ids: ['home', 'about'] }, true);
    expect(written.map(({ id }) => id)).toEqual(['about']);
    expect(refused[0]?.reason).toContain('shots/home.png: the baseline cannot be written');
  });

  test('does not change the report of a run that ended meanwhile, and warns', async () => {
    const startedAt = '2026-11-22T00:00:00.000Z';
    const choose = (run: RunRecord) => {
      writeFileSync(join(places.folder, 'results.json'), JSON.stringify({ ...run, startedAt, shots: [] }));
      return choosing({ ids: ['home'] })(run);
    };
    const { written, warnings } = await applyDecision(places, { decision: 'approved', choose });
    expect(written).toHaveLength(1);
    expect(warnings).toEqual(['the report was not fully updated: another run replaced the report']);
    expect(await readRun(places.folder)).toMatchObject({ startedAt, shots: [] });
  });

  test('writes the baseline even if the report cannot be written', async () => {
    await rm(join(places.folder, 'summary.md'));
    await mkdir(join(places.folder, 'summary.md'));
    const { written, warnings } = await approve({ ids: ['home'] });
    expect(written).toHaveLength(1);
    expect(await colorOf('home')).toBe(BLUE);
    expect(warnings[0]).toContain('the report was not fully updated: ');
  });
});

describe('a baseline on disk that the run did not compare with', () => {
  const lfsPointer = 'version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n';
  const OTHER = 'the baseline on disk is not the one that the run compared with (run the tests again, or use --force)';
  const cases: [string, string, Buffer | string | null, string][] = [
    ['changed since', 'home', baselineOf('home', '#00ff00'), OTHER],
    ['is gone', 'home', null, OTHER],
    ['came since', 'fresh', baselineOf('fresh', RED), OTHER],
    ['came since and is a Git LFS pointer', 'fresh', lfsPointer, OTHER],
    ['is that of another shot', 'home', baselineOf('other', RED), 'is the baseline of other [chromium]'],
  ];
  test.each(cases)('is refused unless forced: it %s', async (_, id, bytes, reason) => {
    if (bytes === null) await rm(join(places.root, pathOf(id)));
    else await writeAt(join(places.root, pathOf(id)), bytes);
    expect(await refusalOf(id, false)).toContain(reason);
    expect((await approve({ ids: [id] }, true)).written).toHaveLength(1);
    expect(await colorOf(id)).toBe(BLUE);
  });
});

describe('an untrusted run record', () => {
  test.each([
    ...['../outside.png', 'shots/../../outside.png', '/tmp/proofsheet-outside.png', '.png/..', 'package.json'],
    ...['a\0.png', 'node_modules/x/evil.png', '.git/evil.png', 'shots/Node_Modules/evil.png'],
  ])('with the path %j is refused, even with --force', async (path) => {
    await point(null, path, null);
    expect(await refusalOf('home')).toMatch(
      /the path is outside|the file name has no image extension|baselines cannot be in node_modules or .git/,
    );
    await expect(stat(join(places.root, '../outside.png'))).rejects.toThrow('ENOENT');
  });

  test('cannot write outside --baselines', async () => {
    const path = '../shots/home.png';
    await point(null, path, sha256(baselineOf('home', RED)));
    const below = { ...places, root: join(places.root, 'e2e') };
    await mkdir(below.root);
    const order = { decision: 'approved', choose: choosing({ ids: ['home'] }) } as const;
    expect((await applyDecision({ ...below, within: below.root }, order)).refused).toHaveLength(1);
    expect((await applyDecision(below, order)).written).toMatchObject([{ id: 'home', path, compared: 44 / 48 }]);
    expect(await colorOf('home')).toBe(BLUE);
  });

  test('with a symbolic link out of the folder is refused', async () => {
    const outside = (await finishRun([])).root;
    await rm(join(places.root, 'shots'), { recursive: true });
    await symlink(outside, join(places.root, 'shots'));
    expect(await refusalOf('home')).toContain('a symbolic link in the path points outside');
    await rm(join(places.root, 'shots'));
    await symlink(join(outside, 'nowhere'), join(places.root, 'shots'));
    expect(await refusalOf('home')).toContain('a broken symbolic link');
    expect(await readdir(outside)).toEqual(['proofsheet-report']);
  });

  test('links no image outside, nor is one read through a symbolic link', async () => {
    const link = '../shots/about.png';
    await forge((shot) => (shot.id === 'about' && shot.after ? { ...shot, after: { ...shot.after, link } } : shot));
    expect(await refusalOf('about')).toContain('has no complete after image');
    const image = join(places.folder, HOME_IMAGE);
    await rm(image);
    await writeAt(join(places.root, 'elsewhere.png'), baselineOf('home', BLUE));
    await symlink(join(places.root, 'elsewhere.png'), image);
    expect(await refusalOf('home')).toContain('has no complete after image');
  });

  test('with areas beyond its image clips them and reports the compared share', async () => {
    const huge = [{ x: 0, y: 0, width: 99_999, height: 99_999 }];
    const exclusions = [{ selector: '.clock', rectangles: huge }];
    await capture(baselineOf('home', BLUE, { masks: [], ignored: exclusions }));
    const decided = await approve({ ids: ['home'] });
    expect(decided.written).toMatchObject([{ id: 'home', compared: 0 }]);
    expect(renderDecided(decided, 'approved')).toContain('shots/home.png (0 % of the pixels are compared)');
    const whole = { selector: '.clock', rectangles: [{ x: 0, y: 0, width: 8, height: 6 }] };
    const cut = baselineOf('home', BLUE, { masks: [], ignored: [whole] });
    expect((await onDisk('home')).equals(cut)).toBe(true);
    expect((await approve({ ids: ['home'] })).kept[0]?.reason).toBe('the baseline already equals the after image');
  });
});

describe('an after image that is not the one of the run', () => {
  const changed = (change: (bytes: Buffer) => void) => {
    const bytes = Buffer.from(baselineOf('home', BLUE));
    change(bytes);
    return bytes;
  };
  const flipped = changed((bytes) => {
    // A bit of the compressed pixels.
    const at = bytes.indexOf('IDAT') + 8;
    bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at);
  });
  const huge = changed((bytes) => {
    for (const at of [16, 20]) bytes.writeUInt32BE(20_000, at);
  });
  const jpg = readFileSync(new URL('../../../fixtures/images/chromium.jpg', import.meta.url));
  const INCOMPLETE = 'has no complete after image';
  const ALTERED = 'the after image in the report is not the file that the run wrote';

  test.each([
    ['is of another shot', baselineOf('about', BLUE), 'belongs to about [chromium]'],
    ['is cut off', baselineOf('home', BLUE).subarray(0, 60), INCOMPLETE],
    ['has another format', jpg, INCOMPLETE],
    ['is huge', huge, 'the baseline is 20000x20000; the maximum is 320 million pixels'],
    ['is damaged', flipped, ALTERED],
    ['has other pixels', baselineOf('home', '#00ff00'), ALTERED],
    ['has another record', baselineOf('home', BLUE, { masks: [] }), ALTERED],
  ])('is refused if it %s, even with --force', async (_, bytes, reason) => {
    await writeAt(join(places.folder, HOME_IMAGE), bytes);
    for (const force of [false, true]) {
      const { written, refused } = await approve({ ids: ['home', 'about'] }, force);
      expect(written.map(({ id }) => id)).toEqual(force ? [] : ['about']);
      expect(refused[0]?.reason).toContain(reason);
    }
    expect(await colorOf('home')).toBe(RED);
    expect(await decisions()).toContain('home: null');
  });

  test('is refused if the record of the run has no hash of it', async () => {
    await forge((shot) => {
      const { sha256: _, ...after } = shot.after ?? { link: null, width: 0, height: 0, source: '' };
      return { ...shot, after };
    });
    expect(await refusalOf('home')).toContain(ALTERED);
  });

  test('is refused if it cannot be decoded, though the record of the run has its hash', async () => {
    await capture(flipped);
    expect(await refusalOf('home')).toMatch(/1\.png: the png file \(\d+ bytes, 8x6 px\) is damaged: .*IDAT/);
    expect(await colorOf('home')).toBe(RED);
  });
});

test('decisions at the same time are all kept: each waits for the others', async () => {
  const ids = Array.from({ length: 8 }, (_, index) => `p${index}`);
  places = await finishRun(ids.map((id) => ({ id, status: 'changed', before: RED, after: BLUE })));
  await Promise.all(ids.map((id, index) => (index % 2 ? reject([id]) : approve({ ids: [id] }))));
  expect(await decisions()).toEqual(ids.map((id, index) => `${id}: ${index % 2 ? 'rejected' : 'approved'}`));
});

describe('a downloaded report', () => {
  /** As `--from` reads it. */
  beforeEach(async () => {
    const folder = join(places.root, 'downloaded');
    await rename(places.folder, folder);
    places = { ...places, folder };
  });

  test('does not replace a file without a baseline record unless forced', async () => {
    const logo = png(sheet(8, 6, RED)).bytes;
    await writeAt(join(places.root, 'shots/logo.png'), logo);
    await point('home', 'shots/logo.png', sha256(logo));
    expect(await refusalOf('home', false)).toBe(
      'the file on disk has no embedded baseline record, so it may not be a baseline (use --force to replace it)',
    );
    expect(await readFile(join(places.root, 'shots/logo.png'))).toEqual(logo);
    expect((await approve({ ids: ['home'] }, true)).written).toHaveLength(1);
  });

  test('does not write into a folder without baselines unless forced: the record cannot declare it as one', async () => {
    await writeAt(join(places.root, 'public/home.png'), png(sheet(8, 6, RED)).bytes);
    await forge((shot) => aim(shot, shot.id === 'fresh' ? 'public/images/evil.png' : 'public/home.png', null));
    expect(await refusalOf('fresh', false)).toBe(
      'the folder contains no baseline of this project (use --force to write there)',
    );
    await expect(stat(join(places.root, 'public/images'))).rejects.toThrow('ENOENT');
    expect((await approve({ ids: ['fresh'] }, true)).written).toHaveLength(1);
  });

  test('adds a new shot and its folder next to existing baselines', async () => {
    expect((await approve({ ids: ['home', 'fresh'] })).written.map(({ id }) => id)).toEqual(['home', 'fresh']);
    await point('about', 'shots/docs/about.png', null);
    expect((await approve({ ids: ['about'] })).written).toHaveLength(1);
  });

  test('creates the first baselines of a project in the snapshot folder of the spec', async () => {
    await rm(join(places.root, 'shots'), { recursive: true });
    const path = 'e2e/visual.spec.ts-snapshots/docs/fresh.png';
    await point('fresh', path, null);
    expect((await approve({ ids: ['fresh'] })).refused, 'there is no such spec').toHaveLength(1);
    await writeAt(join(places.root, 'e2e/visual.spec.ts'), '');
    expect((await approve({ ids: ['fresh'] })).written).toMatchObject([{ path }]);
  });
});

describe('rejecting', () => {
  test('excludes a shot from --all but not from its id', async () => {
    await reject(['home']);
    expect((await approve({ all: true })).refused[0]?.reason).toContain('the shot was rejected');
    expect(await colorOf('home')).toBe(RED);
    expect((await approve({ ids: ['home'] })).written).toHaveLength(1);
    expect(await decisions()).toContain('home: approved');
  });

  test('is refused for a shot that passed, and for one whose baseline the run wrote', async () => {
    await forge((shot) => (shot.id === 'fresh' ? { ...shot, written: true } : shot));
    const { refused } = await reject(['fresh', 'fine']);
    expect(refused.map(({ reason }) => reason)).toEqual([
      'the baseline is already written; restore it from version control',
      'the status is passed, so there is nothing to reject',
    ]);
  });
});

test('a run of another commit causes only a warning with both commits, the same commit causes none', async () => {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: places.root, encoding: 'utf8' }).trim();
  git('init', '-q');
  git('-c', 'user.name=a', '-c', 'user.email=a@a.test', 'commit', '-q', '--allow-empty', '-m', 'first');
  const head = git('rev-parse', 'HEAD');
  const record = await readRun(places.folder);
  const setCommit = (commit: string) => forge((shot) => shot, { run: { ...record.run, commit } });
  await setCommit('f'.repeat(40));
  const other = await approve({ ids: ['home'] });
  expect(other.written).toHaveLength(1);
  expect(other.warnings).toEqual([
    `the run is from commit ffffffffffff, but this folder is at commit ${head.slice(0, 12)}`,
  ]);
  await setCommit(head);
  expect((await approve({ ids: ['about'] })).warnings).toEqual([]);
});
