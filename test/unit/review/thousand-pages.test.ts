// @module-tag slow
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readRun } from '../../../src/baselines/read-run.js';
import { writeRun } from '../../../src/baselines/write-run.js';
import { renderPages } from '../../../src/report/render-html.js';
import { MAX_CHARACTERS } from '../../../src/report/render-markdown.js';
import { renderText } from '../../../src/report/render-text.js';
import { applyDecision } from '../../../src/review/approve.js';
import { chooseShots } from '../../../src/review/choose-shots.js';
import { pruneListed } from '../../../src/review/prune.js';
import { type Collected, collectRun } from '../../../src/run/collect.js';
import type { ProjectFolders } from '../../../src/run/folders.js';
import { inputOf, listed, shardOf } from './collect-observed.js';
import { baselineOf, finishRun, pathOf, type Specimen } from './finished-run.js';

const ids = Array.from({ length: 1000 }, (_, index) => `page-${index}`);

describe('a run of 1,000 pages', () => {
  test('is complete from ten shards in any order, without duplicates or gaps', () => {
    const listIds = ids;
    const shards = Array.from({ length: 10 }, (_, index) => ({ current: index + 1, total: 10 }));
    const parts = shards.map(({ current, total }) =>
      shardOf(current, total, ids.slice(100 * (current - 1), 100 * current), { listIds }),
    );
    const { run, problems } = collectRun(inputOf(parts.toReversed().flat(), { merge: { shards } }));
    expect(problems).toEqual([]);
    expect(run.summary).toMatchObject({ expected: 1000, captured: 1000, compared: 1000, passed: 1000 });
    expect(new Set(run.shots.map(({ id }) => id)).size).toBe(1000);
    const short = collectRun(inputOf(parts.slice(1).flat(), { merge: { shards: shards.slice(1) } }));
    expect(short.problems[0]?.found).toContain('shard 1/10 is missing; shots that are in no shard: page-0, page-1, ');
    expect(short.problems[0]?.found).toContain('and 90 more');
  });

  test('with 1,000 changed pages prints complete counts', () => {
    const { run }: Collected = collectRun(inputOf(ids.map((id) => listed(id, 'changed'))));
    expect(run.summary).toMatchObject({ expected: 1000, changed: 1000 });
    expect(renderText(run, null).match(/^ {2}changed /gm)).toHaveLength(1000);
    const { index, summary } = renderPages(run);
    expect(summary.length).toBeLessThan(MAX_CHARACTERS);
    const rows = summary.match(/^\| changed \|/gm)?.length ?? 0;
    expect(summary).toContain(rows === 1000 ? '| 1000 |' : `and ${1000 - rows} more`);
    expect(index).toContain('"page-999"');
  });
});

describe('on the disk', () => {
  let places: ProjectFolders;

  beforeAll(async () => {
    places = await finishRun(
      ids.map((id, index): Specimen => {
        return { id, status: index < 900 ? 'passed' : 'changed', before: '#ff0000', after: '#0000ff' };
      }),
    );
  });

  afterAll(async () => {
    await rm(places.root, { recursive: true });
  });

  test('approving 100 of 1,000 baselines changes no other one', async () => {
    const all = { ids: [], all: true, new: false, group: null, project: null };
    const choose = (run: Collected['run']) => chooseShots(run, all);
    const { written, refused } = await applyDecision(places, { decision: 'approved', choose, force: false });
    expect([written.length, refused.length]).toEqual([100, 0]);
    const isNew = await Promise.all(
      ids.map(async (id) => (await readFile(join(places.root, pathOf(id)))).equals(baselineOf(id, '#0000ff'))),
    );
    expect(isNew.map((is, index) => is === index >= 900)).not.toContain(false);
    expect((await readRun(places.folder)).shots.filter(({ decision }) => decision === 'approved')).toHaveLength(100);
  });

  test('deleting 1,000 obsolete baselines updates the report', async () => {
    const run = await readRun(places.folder);
    const tests = { hash: 'all', unfinished: [] };
    const later = { ...run, durationMs: 10 ** 12, shots: run.shots.slice(0, 1), run: { ...run.run, tests } };
    const environment = { os: 'linux', arch: 'x64', browser: 'chromium', browserVersion: '141.0.1' } as const;
    const here = { ...environment, headless: 'shell' as const, scale: 1, fonts: null, engine: 'pixelmatch 7.2.0' };
    await writeRun(
      places.folder,
      { ...later, shots: later.shots.map((shot) => ({ ...shot, environment: here })) },
      [],
      renderPages,
    );
    const list = { hash: 'all', isFiltered: false, specs: [] };
    expect((await pruneListed(places, list, true)).deleted).toHaveLength(999);
    expect(await readRun(places.folder)).toMatchObject({ obsolete: [], summary: { obsolete: 0 } });
  });
});
