import { execFileSync } from 'node:child_process';
import { readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { sha256 } from '../../../src/baselines/names.js';
import { readRun } from '../../../src/baselines/read-run.js';
import { writeRun } from '../../../src/baselines/write-run.js';
import type { Decision } from '../../../src/model/run-record.js';
import { chooseShots } from '../../../src/review/choose-shots.js';
import { applyDecision, applyRequest, undoNewest } from '../../../src/review/decide.js';
import type { ProjectFolders } from '../../../src/run/project.js';
import { readRejections } from '../../../src/run/rejections.js';
import { BLUE, baselineOf, finishRun, pathOf, RED, writeAt } from './finished-run.js';

let places: ProjectFolders;

const decide = (decision: Decision, ids: string[], reason?: string) => {
  const choice = { ids, all: false, new: false, groups: [], project: null };
  return applyDecision(places, { decision, reason, choose: (run) => chooseShots(run, choice) });
};
const approve = (...ids: string[]) => decide('approved', ids);
const undo = () => undoNewest(places);

/** The color of each baseline on the disk, and the decision in the report: `home: red rejected`. */
async function states(): Promise<string[]> {
  const { shots } = await readRun(places.folder);
  const all = shots.map(async ({ id, decision }) => {
    const bytes = await readFile(join(places.root, pathOf(id))).catch(() => null);
    const colors = { red: RED, blue: BLUE } as const;
    const color = bytes && Object.entries(colors).find(([, hex]) => bytes.equals(baselineOf(id, hex)))?.[0];
    return `${id}: ${bytes ? (color ?? 'other') : 'none'}${decision ? ` ${decision}` : ''}`;
  });
  return Promise.all(all);
}

beforeEach(async () => {
  places = await finishRun([
    { id: 'home', status: 'changed', before: RED, after: BLUE },
    { id: 'about', status: 'changed', before: RED, after: BLUE },
    { id: 'fresh', status: 'new', after: BLUE },
  ]);
});

describe('undo', () => {
  test('takes back each decision, the newest first, whatever was decided in between', async () => {
    const story = [await states()];
    const decisions: [Decision, string[]][] = [
      ['approved', ['home', 'fresh']],
      ['rejected', ['about']],
      ['rejected', ['home', 'fresh']],
      ['approved', ['home', 'about']],
      ['rejected', ['about']],
    ];
    for (const [decision, ids] of decisions) {
      expect((await decide(decision, ids)).refused).toEqual([]);
      story.push(await states());
    }
    expect(story.at(-1)).toEqual(['home: blue approved', 'about: red rejected', 'fresh: none rejected']);
    for (const earlier of story.slice(0, -1).reverse()) {
      const { written, kept, refused } = await undo();
      expect(written.length + kept.length).toBeGreaterThan(0);
      expect(refused).toEqual([]);
      expect(await states()).toEqual(earlier);
    }
    await expect(undo()).rejects.toThrow('no decision on this run can be undone');
  });

  test('does not touch a baseline that changed since, says so, and goes on with the decision before', async () => {
    await approve('about');
    await approve('home');
    await writeAt(join(places.root, pathOf('home')), baselineOf('home', '#00ff00'));
    const { written, kept, refused } = await undo();
    expect([written, kept]).toEqual([[], []]);
    expect(refused).toEqual([{ project: 'chromium', id: 'home', reason: 'the baseline changed after the decision' }]);
    expect((await undo()).written).toMatchObject([{ id: 'about' }]);
    expect(await states()).toEqual(['home: other approved', 'about: red', 'fresh: none']);
  });

  test('can be repeated when a file could not be restored for a reason that passes', async () => {
    await approve('home');
    const kept = join(places.folder, 'decisions', sha256(baselineOf('home', RED)));
    const bytes = await readFile(kept);
    await rm(kept);
    expect((await undo()).refused[0]?.reason).toContain('the baseline cannot be restored');
    await writeFile(kept, Buffer.from('damaged'));
    expect((await undo()).refused[0]?.reason).toContain('is damaged');
    expect(await states()).toContain('home: blue approved');
    await writeFile(kept, bytes);
    expect((await undo()).written).toHaveLength(1);
    expect(await states()).toContain('home: red');
  });

  test('of a window is refused while another window decided later', async () => {
    const request = (decision: Decision, id: string) =>
      applyRequest(places, { decision, shots: [{ project: 'chromium', id }] }, () => true);
    const [first, second] = [await request('approved', 'home'), await request('rejected', 'about')];
    const take = (id: string | null) => applyRequest(places, { undo: id ?? '' }, () => true);
    await expect(take(first.undo)).rejects.toThrow('only the newest decision can be undone');
    const undone = await take(second.undo);
    expect(undone.undo, 'the one before can be undone then').toBe(first.undo);
    await take(first.undo);
    expect(await states()).toEqual(['home: red', 'about: red', 'fresh: none']);
    await expect(take(first.undo), 'once').rejects.toThrow('only the newest decision can be undone');
  });

  test('ends with the next run', async () => {
    await approve('home');
    const run = await readRun(places.folder);
    await writeRun(places.folder, { ...run, startedAt: '2026-11-28T00:00:00.000Z' }, []);
    expect(await readdir(places.folder)).not.toContain('decisions');
    await expect(undo()).rejects.toThrow('no decision on this run can be undone');
  });

  test('ignores a journal that is damaged or of another run', async () => {
    await approve('home');
    const [entry = ''] = (await readdir(join(places.folder, 'decisions'))).filter((name) => name.endsWith('.json'));
    const path = join(places.folder, 'decisions', entry);
    const text = await readFile(path, 'utf8');
    for (const damaged of ['{', text.replace(/"startedAt":"\d{4}/, '"startedAt":"2001'), text.slice(0, 40)]) {
      await writeFile(path, damaged);
      await expect(undo()).rejects.toThrow('no decision on this run can be undone');
    }
  });
});

describe('the journal of a report from elsewhere', () => {
  beforeEach(() => {
    places = { ...places, root: join(places.root, 'project'), within: join(places.root, 'project') };
  });

  test.each(['shots/logo.png', '../outside.png', 'package.json'])('cannot remove or replace %s', async (path) => {
    const victim = join(places.root, path);
    const bytes = await readFile(new URL('../../../fixtures/images/chromium.jpg', import.meta.url));
    await writeAt(victim, bytes);
    const { startedAt } = await readRun(places.folder);
    const baseline = { path, before: null, after: sha256(bytes) };
    const shots = [{ project: 'chromium', id: 'home', decision: null, baseline }];
    await writeAt(join(places.folder, 'decisions/000001-0123456789ab.json'), JSON.stringify({ startedAt, shots }));
    expect((await undo()).refused).toHaveLength(1);
    expect(await readFile(victim)).toEqual(bytes);
  });

  test('is not written through a symbolic link', async () => {
    const outside = (await finishRun([])).root;
    await symlink(outside, join(places.folder, 'decisions'));
    await writeAt(join(places.root, pathOf('home')), baselineOf('home', RED));
    expect((await approve('home')).written).toHaveLength(1);
    expect(await readdir(outside)).toEqual(['proofsheet-report']);
    expect((await undo()).written).toHaveLength(1);
  });
});

describe('a rejection', () => {
  test('keeps who, when and why in the report, also if it is repeated without a reason', async () => {
    execFileSync('git', ['init', '-q'], { cwd: places.root });
    execFileSync('git', ['config', 'user.name', 'Ann <b>'], { cwd: places.root });
    await decide('rejected', ['home'], 'the price | must stay');
    const rejectionOf = async () => (await readRun(places.folder)).shots.find(({ id }) => id === 'home')?.rejection;
    const rejection = await rejectionOf();
    expect(rejection).toMatchObject({ by: 'Ann <b>', reason: 'the price | must stay' });
    expect(Date.now() - Date.parse(rejection?.at ?? '')).toBeLessThan(60_000);
    expect((await decide('rejected', ['home'])).undo).toBeNull();
    expect(await rejectionOf()).toEqual(rejection);
    const day = rejection?.at.slice(0, 10);
    const summary = await readFile(join(places.folder, 'summary.md'), 'utf8');
    expect(summary).toContain(`\`rejected by Ann <b> on ${day}: the price \\| must stay; `);
    expect(await readRejections(places.root)).toMatchObject([{ id: 'home', ...rejection }]);
    await approve('home');
    expect([await rejectionOf(), await readRejections(places.root)]).toEqual([undefined, []]);
    await undo();
    expect(await rejectionOf()).toEqual(rejection);
    expect(await readRejections(places.root)).toMatchObject([{ id: 'home', ...rejection }]);
    await undo();
    expect(await readRejections(places.root)).toEqual([]);
  });
});
