import { listSome, nameShot, type Origin, type Problem } from '../model/index.js';
import { groupBy } from '../report/index.js';
import type { ObservedTest, Shard } from './collect-shot.js';

/**
 * Checks that a merged run is one run, and has all of its shards.
 *
 * @param blobs - the shards of all blobs
 * @returns one problem with all that was expected and found, or none
 */
export function mergeProblems(tests: readonly ObservedTest[], blobs: readonly Shard[]): Problem[] {
  const origins = tests.flatMap(originsOf);
  const sharded = origins.filter(({ shard }) => shard !== null && shard.total > 1);
  const runs = sharded.map(({ run }) => run ?? 'a run without an ID');
  // Without git and outside a build server, the shards could be of any run.
  const isUnknown = new Set(runs).size === 1 && sharded.some(({ run, commit }) => run === null && commit === null);
  const faults = [
    ...expectOne(
      'commit',
      commitsOf(tests).map((commit) => commit.slice(0, 12)),
    ),
    ...expectOne('run', runs),
    ...(isUnknown
      ? ['a commit or a CI run ID, found neither (set PROOFSHEET_RUN_ID to one value for all shards)']
      : []),
    ...versionFaults(tests),
    ...shardFaults(tests, blobs),
  ];
  const advice = 'Merge the blob reports of all shards of one run, each once. If a shard wrote none, run it again.';
  const found = `expected ${faults.join('; ')}`;
  return faults.length === 0 ? [] : [{ code: 'run-incomplete', where: 'the merged run', found, advice }];
}

/** Returns the shards of the blobs, and those that only shots name: Playwright 1.59 and earlier tell of no blobs. In order. */
export function shardsOf(tests: readonly ObservedTest[], blobs: readonly Shard[]): Shard[] {
  const named = tests.flatMap(originsOf).flatMap(({ shard }) => shard ?? []);
  const shards = new Map([...blobs, ...named].map((shard) => [nameShard(shard), shard]));
  return [...shards.values()].sort((a, b) => a.total - b.total || a.current - b.current);
}

export function commitsOf(tests: readonly ObservedTest[]): string[] {
  return [...new Set(tests.flatMap(originsOf).flatMap(({ commit }) => commit ?? []))];
}

function originsOf({ attempts }: ObservedTest): Origin[] {
  return attempts.flatMap(({ messages }) => messages.map(({ origin }) => origin));
}

function nameShard({ current, total }: Shard): string {
  return `${current}/${total}`;
}

function expectOne(what: string, values: readonly string[]): string[] {
  const found = [...new Set(values)].sort();
  return found.length > 1 ? [`one ${what}, found ${listSome(found, 5)}`] : [];
}

function versionFaults(tests: readonly ObservedTest[]): string[] {
  const uses = tests.flatMap((test) => [...(test.declared ? [test.declared] : []), ...originsOf(test)]);
  return [...groupBy(uses, ({ list }) => list)].flatMap(([list, ofList]) => {
    const versions = ofList.map(({ listHash }) => String(listHash).slice(0, 12));
    return list === null ? [] : expectOne(`version of ${list}`, versions);
  });
}

/** All shards of one total must occur equally often: once, or once for each run with that total, such as one run per project. */
function shardFaults(tests: readonly ObservedTest[], blobs: readonly Shard[]): string[] {
  const known = shardsOf(tests, blobs);
  const names = new Set(known.map(nameShard));
  const timesOf = (name: string) =>
    blobs.filter((shard) => nameShard(shard) === name).length || Number(names.has(name));
  const found = [...new Set(known.map(({ total }) => total))].flatMap((total) => {
    const all = Array.from({ length: total }, (_, index) => nameShard({ current: index + 1, total }));
    const counts = [...groupBy(all, timesOf)]
      .sort(([a], [b]) => a - b)
      .map(([times, same]) => `${listSome(same, 10)} ${renderTimes(times)}`);
    return counts.length > 1 ? counts : [];
  });
  return found.length === 0 ? [] : [`each shard equally often, found ${found.join(' and ')}`, ...unseenFaults(tests)];
}

function renderTimes(times: number): string {
  return times === 0 ? 'never' : times === 1 ? 'once' : `${times} times`;
}

/** Names, for each project, the shots of the lists that are in no shard. Filters can also be the cause. */
function unseenFaults(tests: readonly ObservedTest[]): string[] {
  const listed = new Map(tests.flatMap(originsOf).flatMap(({ list, listIds }) => (listIds ? [[list, listIds]] : [])));
  const declared = tests.flatMap(({ project, declared }) => (declared ? [{ project, ...declared }] : []));
  return [...groupBy(declared, ({ project, list }) => JSON.stringify([project, list])).values()].flatMap((group) => {
    const [{ list, project } = { list: '', project: '' }] = group;
    const seen = new Set(group.map(({ id }) => id));
    const ids = listed.get(list)?.filter((id) => !seen.has(id)) ?? [];
    return ids.length > 0 ? [`all shots, found none of ${nameShot({ id: listSome(ids, 10), project })}`] : [];
  });
}
