import { foldName } from '../baselines/index.js';
import { listSome, nameShot, type Origin, type Problem, renderCountOf, type ShotRecord } from '../model/index.js';
import { groupBy } from '../report/index.js';
import type { ObservedTest, ResultsOfShot, RunFacts, Shard, TestResult } from './observed-run.js';

/** Finds what is wrong with a run that no single test tells. */
export function findProblems(
  { tests, mergedShards, problems }: RunFacts,
  resultsOfShots: readonly ResultsOfShot[],
  shots: readonly ShotRecord[],
): Problem[] {
  const ofMerge = mergedShards ? mergeProblems(tests, mergedShards) : [];
  return [
    ...problems,
    ...ofMerge,
    ...silenceProblems(resultsOfShots.flat()),
    // Shots of a shard that was merged twice are in two tests, too.
    ...(ofMerge.length > 0 ? [] : duplicateProblems(resultsOfShots, mergedShards !== null)),
    ...sharedBaselines(shots),
  ];
}

/** Returns a problem for the shots that several tests have, for each group of locations. The repeats of a test count as one. */
function duplicateProblems(resultsOfShots: readonly ResultsOfShot[], isMerged: boolean): Problem[] {
  const duplicates = resultsOfShots.filter((results) => {
    return new Set(results.map(({ test }) => test.repeat)).size < results.length;
  });
  const groups = groupBy(duplicates, (results) => [...new Set(results.map(({ test }) => test.location))].join(' and '));
  const ofMerge = 'Merge each blob report once. For runs on several systems, use a different project name on each.';
  const ofTests = 'Pass each list to definePages once, and give each toMatchBaseline of a project a different name.';
  return Array.from(groups, ([where, group]) => {
    const names = group.map(([{ shot }]) => nameShot(shot));
    const advice = isMerged ? `${ofTests} ${ofMerge}` : ofTests;
    return { code: 'shot-duplicate', where, found: `more than one test captures ${listSome(names, 5)}`, advice };
  });
}

/** Returns problems for shots without a result whose test did not fail. A failed test already reports its own error. */
function silenceProblems(results: readonly TestResult[]): Problem[] {
  const silent = results.filter(({ silence, test }) => silence !== null && !test.failed);
  return [...groupBy(silent, ({ silence }) => silence)].map(([silence, group]) => {
    const names = group.map(({ shot }) => nameShot(shot));
    return {
      code: 'run-incomplete',
      where: listSome(names, 5),
      found: `${renderCountOf(names.length, 'selected shot')} ${names.length === 1 ? 'has' : 'have'} ${silence}`,
      advice: 'Check the errors above and the options maxFailures and globalTimeout, then run the tests again.',
    };
  });
}

/** Returns a problem for baselines that several shots share. Each shot would compare with, or approve, the image of the other. */
function sharedBaselines(shots: readonly ShotRecord[]): Problem[] {
  const places = shots.flatMap((shot) => (shot.baseline ? [{ path: shot.baseline.path, name: nameShot(shot) }] : []));
  const shared = [...groupBy(places, ({ path }) => foldName(path)).values()].filter(({ length }) => length > 1);
  const [names = [], ...others] = shared.map((group) => group.map(({ name }) => name));
  if (names.length === 0) return [];
  const paths = shared.map(([{ path }]) => path);
  const more = others.length > 0 ? `; ${renderCountOf(others.length, 'more path')} of several shots` : '';
  const found = `${listSome(names, 5)} have the same baseline path${more}`;
  const advice = 'Add {projectName} and {arg} to snapshotPathTemplate, so that each shot has its own path.';
  return [{ code: 'baseline-shared', where: listSome(paths, 5), found, advice }];
}

/**
 * Checks that a merged run is one run, and has all of its shards.
 *
 * @param blobs - the shards of all blobs
 * @returns one problem with all that was expected and found, or none
 */
function mergeProblems(tests: readonly ObservedTest[], blobs: readonly Shard[]): Problem[] {
  const origins = tests.flatMap(originsOf);
  const sharded = origins.filter(({ shard }) => shard !== null && shard.total > 1);
  const commits = commitsOf(tests).map((commit) => commit.slice(0, 12));
  const runs = sharded.map(({ run }) => run ?? 'a run without an ID');
  // Without git and outside a build server, the shards could be of any run.
  const isUnknown = new Set(runs).size === 1 && sharded.some(({ run, commit }) => run === null && commit === null);
  const unknown = 'a commit or a CI run ID, found neither (set PROOFSHEET_RUN_ID to one value for all shards)';
  const faults = [
    ...expectOne('commit', commits),
    ...expectOne('run', runs),
    ...(isUnknown ? [unknown] : []),
    ...versionFaults(tests),
    ...shardFaults(tests, blobs),
  ];
  const advice = 'Merge the blob reports of all shards of one run, each once. If a shard wrote none, run it again.';
  const found = `expected ${faults.join('; ')}`;
  return faults.length === 0 ? [] : [{ code: 'run-incomplete', where: 'the merged run', found, advice }];
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
    const [{ list, project }] = group;
    const seen = new Set(group.map(({ id }) => id));
    const ids = listed.get(list)?.filter((id) => !seen.has(id)) ?? [];
    return ids.length > 0 ? [`all shots, found none of ${nameShot({ id: listSome(ids, 10), project })}`] : [];
  });
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

/** Returns where each comparison of a test ran. */
function originsOf({ attempts }: ObservedTest): Origin[] {
  return attempts.flatMap(({ messages }) => messages.map(({ origin }) => origin));
}

function nameShard({ current, total }: Shard): string {
  return `${current}/${total}`;
}
