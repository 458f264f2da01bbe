import { describe, expect, test } from 'vitest';
import type { ObservedTest, Shard } from '../../../src/run/observed-run.js';
import { collect, compared, listed, shardOf, silent } from './observed-tests.js';

describe('a merged run', () => {
  const listIds = ['a', 'b', 'c', 'd', 'e', 'f'];
  const commit = 'c'.repeat(40);
  const part = (current: number, ids: string[], changes: Parameters<typeof shardOf>[3] = {}) =>
    shardOf(current, 3, ids, { listIds, commit, ...changes });
  const [first, second, third] = [part(1, ['a', 'b']), part(2, ['c', 'd']), part(3, ['e', 'f'])];
  const blobs = (...names: string[]) =>
    names.map((name) => ({ current: Number.parseInt(name, 10), total: Number(name.split('/')[1]) }));
  const merge = (tests: ObservedTest[], mergedShards: Shard[]) => collect(tests, { mergedShards });
  const all = blobs('1/3', '2/3', '3/3');

  test('with all shards is complete and has their shards and commit', () => {
    const { run, problems } = merge([...first, ...second, ...third], all);
    expect(problems).toEqual([]);
    expect(run.run).toMatchObject({ complete: true, commit, shards: all });
  });

  test('equals the unsharded run except for shards and commit, including a flaky shot', () => {
    const shard = { current: 3, total: 3 };
    const attempts = (['changed', 'passed'] as const).map((status) =>
      compared([{ id: 'g', status }], { shard, commit }),
    );
    const flaky = listed('g', 'passed', { attempts });
    const merged = merge([...third, flaky, ...first, ...second], all);
    const whole = collect([...first, ...second, ...third, flaky]);
    expect({ ...merged.run, run: { ...merged.run.run, shards: [], commit: null } }).toEqual(whole.run);
    expect(merged.run.shots[0]?.id, 'passed, in order').toBe('a');
    expect(merged.run.shots.find(({ id }) => id === 'g')?.attempts[0]?.after).toBeDefined();
    expect(new Set(merged.images.map(({ link }) => link))).toEqual(new Set(whole.images.map(({ link }) => link)));
  });

  test('without a shard names the shard and its shots', () => {
    const { run, problems } = merge([...first, ...third], blobs('1/3', '3/3'));
    expect(problems).toMatchObject([
      {
        code: 'run-incomplete',
        where: 'the merged run',
        found:
          'expected each shard equally often, found 2/3 never and 1/3, 3/3 once; all shots, found none of c, d [chromium]',
      },
    ]);
    expect(run.run.complete).toBe(false);
  });

  test.each([
    ['with all blobs, although a shard has no shots', [...first, ...part(2, ['c', 'd', 'e', 'f'])], all],
    ['with unreadable blobs, by the shards of its shots', [...first, ...second, ...third], []],
    ['of runs without shards', [listed('a'), listed('a', 'passed', { project: 'phone' })], []],
    [
      'of projects with different numbers of shards',
      [...first, ...second, ...third, ...shardOf(1, 1, listIds, { listIds, project: 'phone', commit })],
      blobs('1/1', '1/3', '2/3', '3/3'),
    ],
  ])('is complete %s', (_, tests, blobs) => {
    expect(merge(tests, blobs).problems).toEqual([]);
  });

  test.each([[[]], [blobs('1/3')]])('misses a shard with unreadable blobs: %j', (blobs) => {
    const found = expect.stringContaining('found 3/3 never and 1/3, 2/3 once');
    expect(merge([...first, ...second], blobs).problems).toMatchObject([{ found }]);
  });

  test('of separately sharded projects is complete, and reports a missing shard of one of them', () => {
    const half = (current: number, project: string) =>
      shardOf(current, 2, current === 1 ? ['a', 'b', 'c'] : ['d', 'e', 'f'], { listIds, project });
    const three = [...half(1, 'chromium'), ...half(2, 'chromium'), ...half(1, 'phone')];
    expect(merge([...three, ...half(2, 'phone')], blobs('1/2', '2/2', '1/2', '2/2')).problems).toEqual([]);
    expect(merge(three, blobs('1/2', '2/2', '1/2')).problems).toMatchObject([
      {
        found:
          'expected each shard equally often, found 2/2 once and 1/2 2 times; all shots, found none of d, e, f [phone]',
      },
    ]);
  });

  test('with a duplicate shard names it once', () => {
    const { problems, run } = merge([...first, ...second, ...second, ...third], blobs('1/3', '2/3', '2/3', '3/3'));
    expect(problems).toMatchObject([
      { found: 'expected each shard equally often, found 1/3, 3/3 once and 2/3 2 times' },
    ]);
    expect(run.summary.expected).toBe(6);
    const missing = merge([...second, ...second, ...third], blobs('2/3', '2/3', '3/3')).problems;
    expect(missing.map(({ found }) => found)).toEqual([
      'expected each shard equally often, found 1/3 never and 3/3 once and 2/3 2 times; all shots, found none of a, b [chromium]',
    ]);
  });

  test('with a duplicate shard that crashed or was partly skipped reports it once', () => {
    const dead = listed('d', 'error', { attempts: [silent('failed', 'worker process exited')] });
    const broken = [...part(2, ['c']), dead];
    const { problems } = merge([...first, ...broken, ...broken, ...third], blobs('1/3', '2/3', '2/3', '3/3'));
    expect(problems).toMatchObject([{ found: expect.stringContaining('2/3 2 times') }]);
    expect(problems).toHaveLength(1);
  });

  test('with a shot in two shards names the shot and reports no duplicate shard', () => {
    const { problems } = merge([...first, ...second, ...third, ...part(2, ['a'])], all);
    const found = [{ code: 'shot-duplicate', found: 'more than one test captures a [chromium]' }];
    expect(problems).toMatchObject(found);
    expect(merge([listed('a'), listed('a')], []).problems, 'two unsharded runs').toMatchObject(found);
  });

  test.each([
    ['another commit', { commit: 'd'.repeat(40) }, 'one commit, found cccccccccccc, dddddddddddd'],
    [
      'another version of the list',
      { listHash: 'b'.repeat(64) },
      'one version of pages.yaml, found aaaaaaaaaaaa, bbbbbbbbbbbb',
    ],
  ])('with a shard of %s fails', (_, changes, found) => {
    const { problems, run } = merge([...first, ...part(2, ['c', 'd'], changes), ...third], all);
    expect(problems).toMatchObject([{ code: 'run-incomplete', found: expect.stringContaining(found) }]);
    expect(problems[0]?.advice).toContain('of one run, each once');
    expect(run.run.complete).toBe(false);
  });

  test.each([
    ['ID=7', 'ID=7', null, []],
    ['ID=7', 'ID=6', null, ['expected one run, found ID=6, ID=7']],
    ['ID=7', null, null, ['expected one run, found ID=7, a run without an ID']],
    [null, null, null, [expect.stringContaining('expected a commit or a CI run ID, found neither')]],
    [null, null, commit, []],
  ])('of the runs %s and %s with the commit %s: %j', (run, stale, of, found) => {
    const parts = [
      ...part(1, ['a', 'b'], { commit: of, run }),
      ...part(2, ['c', 'd'], { commit: of, run: stale }),
      ...part(3, ['e', 'f'], { commit: of, run }),
    ];
    const merged = merge(parts, all);
    expect(merged.problems.map((problem) => problem.found)).toEqual(found);
    expect(merged.run.run.complete).toBe(found.length === 0);
  });

  test('of a run with 2 shards and a run with 3 shards fails', () => {
    const { problems } = merge([...first, ...shardOf(2, 2, ['d', 'e', 'f'], { listIds, commit })], blobs('1/3', '2/2'));
    const found = 'expected each shard equally often, found 1/2 never and 2/2 once and 2/3, 3/3 never and 1/3 once';
    expect(problems).toMatchObject([{ found: expect.stringContaining(found) }]);
  });
});
