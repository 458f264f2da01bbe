import { describe, expect, test } from 'vitest';
import { collectRun } from '../../../src/core/run/collect.js';
import type { Merge, ObservedTest } from '../../../src/core/run/observed.js';
import { compared, inputOf, listed, shardOf, silent } from './collect-observed.js';

const collect = (...args: Parameters<typeof inputOf>) => collectRun(inputOf(...args));

describe('a merged run', () => {
  const listIds = ['a', 'b', 'c', 'd', 'e', 'f'];
  const commit = 'c'.repeat(40);
  const part = (current: number, ids: string[], changes: Parameters<typeof shardOf>[3] = {}) =>
    shardOf(current, 3, ids, { listIds, commit, ...changes });
  const [first, second, third] = [part(1, ['a', 'b']), part(2, ['c', 'd']), part(3, ['e', 'f'])];
  const blobs = (...names: string[]) => ({
    shards: names.map((name) => ({ current: Number(name.split('/')[0]), total: Number(name.split('/')[1]) })),
  });
  const merge = (tests: ObservedTest[], merged: Merge) => collect(tests, { merge: merged });
  const all = blobs('1/3', '2/3', '3/3');

  test('of all its shards is whole, and knows its shards and its commit', () => {
    const { run, problems } = merge([...first, ...second, ...third], all);
    expect(problems).toEqual([]);
    expect(run.run).toMatchObject({ complete: true, commit, shards: all.shards });
  });

  test('is the unsharded run but for shards and commit, a flaky shot with all that its attempts saw', () => {
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

  test('without a shard names it, and the shots that are in none', () => {
    const { run, problems } = merge([...first, ...third], blobs('1/3', '3/3'));
    expect(problems).toMatchObject([
      { code: 'run-incomplete', found: 'shard 2/3 is missing; in no shard: c, d [chromium]' },
    ]);
    expect(run.run.complete).toBe(false);
  });

  test('without a shard names at most ten of its shots', () => {
    const ids = Array.from({ length: 30 }, (_, index) => `p${index}`);
    const { problems } = merge(shardOf(1, 2, ids.slice(0, 15), { listIds: ids }), blobs('1/2'));
    expect(problems[0]?.found).toContain('p24 and 5 more [chromium]');
  });

  test('without the shard that had the whole of another project is not taken for whole', () => {
    const { problems } = merge(shardOf(1, 2, listIds, { listIds }), blobs('1/2'));
    expect(problems).toMatchObject([{ found: 'shard 2/2 is missing' }]);
  });

  test('whose blobs are all there is whole, though a shard has no shots', () => {
    expect(merge([...first, ...part(2, ['c', 'd', 'e', 'f'])], all).problems).toEqual([]);
  });

  test('whose blobs could not be asked goes by the shards of its shots', () => {
    expect(merge([...first, ...second, ...third], { shards: null }).problems).toEqual([]);
    expect(merge([...first, ...second], { shards: null }).problems).toMatchObject([
      { found: expect.stringContaining('shard 3/3 is missing') },
    ]);
    // Blobs that do not know what the shots know are not believed.
    expect(merge([...first, ...second], { shards: [] }).problems).toMatchObject([
      { found: expect.stringContaining('shard 3/3 is missing') },
    ]);
  });

  test('of runs without shards has no shard to miss', () => {
    expect(merge([listed('a'), listed('a', 'passed', { project: 'phone' })], { shards: [] }).problems).toEqual([]);
  });

  test('of projects that were sharded each on its own is whole, and misses a shard of one of them', () => {
    const phone = { project: 'phone' };
    const chromium = [...shardOf(1, 2, ['a', 'b', 'c'], { listIds }), ...shardOf(2, 2, ['d', 'e', 'f'], { listIds })];
    const half = shardOf(1, 2, ['a', 'b', 'c'], { listIds, ...phone });
    const whole = [...chromium, ...half, ...shardOf(2, 2, ['d', 'e', 'f'], { listIds, ...phone })];
    expect(merge(whole, blobs('1/2', '2/2', '1/2', '2/2')).problems).toEqual([]);
    expect(merge([...chromium, ...half], blobs('1/2', '2/2', '1/2')).problems).toMatchObject([
      { found: 'shard 2/2 is missing (other shards are there 2 times); in no shard: d, e, f [phone]' },
    ]);
  });

  test('with a shard twice names it, and calls no other one missing', () => {
    const { problems, run } = merge([...first, ...second, ...second, ...third], blobs('1/3', '2/3', '2/3', '3/3'));
    expect(problems).toMatchObject([{ code: 'shot-duplicate', found: 'shard 2/3 is there 2 times' }]);
    expect(run.summary.expected).toBe(6);
  });

  test('with a shard twice and another not at all tells both', () => {
    const { problems } = merge([...second, ...second, ...third], blobs('2/3', '2/3', '3/3'));
    expect(problems.map(({ found }) => found)).toEqual([
      'shard 1/3 is missing; in no shard: a, b [chromium]',
      'shard 2/3 is there 2 times',
    ]);
  });

  test('with a shard twice that died or was skipped in part tells it once', () => {
    const dead = listed('d', 'error', { attempts: [silent('failed', 'worker process exited')] });
    const broken = [...part(2, ['c']), dead];
    const { problems } = merge([...first, ...broken, ...broken, ...third], blobs('1/3', '2/3', '2/3', '3/3'));
    expect(problems).toMatchObject([{ found: 'shard 2/3 is there 2 times' }]);
  });

  test('with a shot in two of its shards names the shot, and calls neither shard doubled', () => {
    const { problems } = merge([...first, ...second, ...third, ...part(2, ['a'])], all);
    expect(problems).toMatchObject([{ code: 'shot-duplicate', found: '1 shot came more than once: a [chromium]' }]);
  });

  test('with the same shots out of two runs without shards tells them', () => {
    const { problems } = merge([listed('a'), listed('a')], { shards: [] });
    expect(problems).toMatchObject([{ code: 'shot-duplicate', found: '1 shot came more than once: a [chromium]' }]);
  });

  test.each([
    ['another commit', { commit: 'd'.repeat(40) }, 'different commits: cccccccccccc, dddddddddddd'],
    ['another version of the list', { listHash: 'b'.repeat(64) }, '2 different versions of this page list'],
  ])('with a shard of %s is refused', (_, changes, found) => {
    const { problems, run } = merge([...first, ...part(2, ['c', 'd'], changes), ...third], all);
    expect(problems).toMatchObject([{ code: 'run-incomplete', found: expect.stringContaining(found) }]);
    expect(problems[0]?.advice).toContain('one commit');
    expect(run.run.complete).toBe(false);
  });

  test('with a stale shard of another run is refused, also without a commit', () => {
    const without = { commit: null };
    const parts = (run: string | null, stale: string | null) => [
      ...part(1, ['a', 'b'], { ...without, run }),
      ...part(2, ['c', 'd'], { ...without, run: stale }),
      ...part(3, ['e', 'f'], { ...without, run }),
    ];
    const found = (tests: ObservedTest[]) => merge(tests, all).problems.map((problem) => problem.found);
    expect(found(parts('CI_PIPELINE_ID=7', 'CI_PIPELINE_ID=7'))).toEqual([]);
    expect(found(parts('CI_PIPELINE_ID=7', 'CI_PIPELINE_ID=6'))).toEqual([
      'the shards are of different runs: CI_PIPELINE_ID=6, CI_PIPELINE_ID=7',
    ]);
    expect(found(parts('CI_PIPELINE_ID=7', null))).toEqual([
      'the shards are of different runs: CI_PIPELINE_ID=7, one without an id',
    ]);
  });

  test('without a commit and without an id is refused: nothing shows that it is one run', () => {
    const unknown = { commit: null, run: null };
    const tests = [...part(1, ['a', 'b'], unknown), ...part(2, ['c', 'd'], unknown), ...part(3, ['e', 'f'], unknown)];
    const { problems, run } = merge(tests, all);
    expect(problems).toMatchObject([{ code: 'run-incomplete', advice: expect.stringContaining('PROOFSHEET_RUN_ID') }]);
    expect(run.run.complete).toBe(false);
    const known = { run: null };
    const committed = [...part(1, ['a', 'b'], known), ...part(2, ['c', 'd'], known), ...part(3, ['e', 'f'], known)];
    expect(merge(committed, all).problems, 'a commit is enough').toEqual([]);
  });

  test('of a run cut into 2 and one cut into 3 is refused', () => {
    const { problems } = merge([...first, ...shardOf(2, 2, ['d', 'e', 'f'], { listIds, commit })], blobs('1/3', '2/2'));
    expect(problems).toMatchObject([{ found: 'its shards are of runs cut into 2 and 3 shards' }]);
  });

  test('of projects that were cut into different numbers is whole', () => {
    const phone = shardOf(1, 1, listIds, { listIds, project: 'phone', commit });
    expect(merge([...first, ...second, ...third, ...phone], blobs('1/1', '1/3', '2/3', '3/3')).problems).toEqual([]);
  });

  test('with a shot that failed says which', () => {
    const failed = listed('g', 'changed', {
      attempts: [compared([{ id: 'g', status: 'changed' }], { shard: { current: 1, total: 3 } })],
    });
    expect(merge([...first, ...second, ...third, failed], all).failed).toEqual(['g [chromium]']);
  });
});
