import { listSome, nameShot, type Origin, type Problem, renderCountOf } from '../model/index.js';
import { groupBy } from '../report/index.js';
import type { Merge, ObservedTest, Shard, TestResult } from './collect-shot.js';

export type DoubledShards = ReadonlyMap<string, number>;

/** Returns the problems of a merged run: parts of another run, and missing parts. */
export function mergeProblems(tests: readonly ObservedTest[], merge: Merge, doubled: DoubledShards): Problem[] {
  const commits = commitsOf(tests).map((name) => name.slice(0, 12));
  const totals = mixedTotals(tests);
  return [
    ...listMismatches(tests),
    // Two commits imply two runs: report only the commits.
    ...(commits.length > 1 ? [mismatch(`different commits: ${listSome(commits, 5)}`)] : runMismatches(tests)),
    // In a mixture of two runs, shards of both are missing: reporting them does not help.
    ...(totals.length > 1
      ? [mismatch(`runs with different numbers of shards: ${totals.join(' and ')}`)]
      : missingShards(tests, merge, doubled)),
  ];
}

/** Returns the shards of the blobs only if they include every shard that a shot names. Otherwise `shards` is null. */
export function trustBlobs(tests: readonly ObservedTest[], { shards }: Merge): Merge {
  const named = new Set(shards?.map(nameShard));
  return { shards: shardsIn(tests).every((shard) => named.has(nameShard(shard))) ? shards : null };
}

/** Returns all known shards of a merged run, in order. */
export function shardsOf(tests: readonly ObservedTest[], merge: Merge): Shard[] {
  const byName = new Map((merge.shards ?? shardsIn(tests)).map((shard) => [nameShard(shard), shard]));
  return [...byName.values()].sort((a, b) => a.total - b.total || a.current - b.current);
}

export function commitOf(tests: readonly ObservedTest[]): string | null {
  const [commit = null, ...others] = commitsOf(tests);
  return others.length === 0 ? commit : null;
}

const WHERE = 'the merged run';

function incomplete(found: string, advice: string, where = WHERE): Problem {
  return { code: 'run-incomplete', where, found, advice };
}

const ONE_RUN = 'Merge only the shards of one run: the same commit, page list and number of shards.';

function mismatch(what: string): Problem {
  return incomplete(`the shards are from ${what}`, ONE_RUN);
}

function nameShard({ current, total }: Shard): string {
  return `${current}/${total}`;
}

function originsOf({ attempts }: ObservedTest): Origin[] {
  return attempts.flatMap(({ messages }) => messages.map(({ origin }) => origin));
}

function shardsIn(tests: readonly ObservedTest[]): Shard[] {
  return tests.flatMap(originsOf).flatMap(({ shard }) => shard ?? []);
}

function commitsOf(tests: readonly ObservedTest[]): string[] {
  return [...new Set(tests.flatMap(originsOf).flatMap(({ commit }) => commit ?? []))].sort();
}

function listMismatches(tests: readonly ObservedTest[]): Problem[] {
  const uses = tests.flatMap((test) => [...(test.declared ? [test.declared] : []), ...originsOf(test)]);
  return [...groupBy(uses, ({ list }) => list)].flatMap(([list, ofList]) => {
    const versions = new Set(ofList.map(({ listHash }) => listHash)).size;
    const found = `the shards used ${versions} different versions of this page list`;
    return list !== null && versions > 1 ? [incomplete(found, ONE_RUN, list)] : [];
  });
}

/** Checks that all shards are of one run. Without git and outside a build server, this is unknown. */
function runMismatches(tests: readonly ObservedTest[]): Problem[] {
  const origins = tests.flatMap(originsOf).filter(({ shard }) => shard !== null && shard.total > 1);
  const runs = [...new Set(origins.map(({ run }) => run))].sort().map((run) => run ?? 'a run without an ID');
  if (runs.length > 1) return [mismatch(`different runs: ${listSome(runs, 5)}`)];
  if (origins.every(({ run, commit }) => run !== null || commit !== null)) return [];
  const found = 'the shards have neither a commit nor a CI run ID, so they may be from different runs';
  return [incomplete(found, 'Set PROOFSHEET_RUN_ID to one value for all shards, and to a new value for each run.')];
}

/** Returns the totals of the shards of a project that has several. Projects can be sharded separately, into other numbers. */
function mixedTotals(tests: readonly ObservedTest[]): number[] {
  const totals = [...groupBy(tests, ({ project }) => project).values()].map((own) => {
    return new Set(shardsIn(own).map(({ total }) => total));
  });
  return [...(totals.find(({ size }) => size > 1) ?? [])].sort((a, b) => a - b);
}

/**
 * All shards of one total must occur equally often: once, or once for each run with that total, such as one run per project. If the blobs were
 * not readable, a shard is known only by its shots, and one without shots counts as missing.
 */
function missingShards(tests: readonly ObservedTest[], merge: Merge, doubled: DoubledShards): Problem[] {
  const known = shardsOf(tests, merge);
  const times = (name: string) => {
    const count = (merge.shards ?? known).filter((shard) => nameShard(shard) === name).length;
    return merge.shards ? count + 1 - (doubled.get(name) ?? 1) : count;
  };
  return [...new Set(known.map(({ total }) => total))].flatMap((total) => {
    const names = Array.from({ length: total }, (_, index) => nameShard({ current: index + 1, total }));
    const most = Math.max(...names.map(times));
    const absent = names.filter((name) => times(name) < most).map((name) => `shard ${name} is missing`);
    const uneven = most > 1 ? ` (other shards occur ${most} times)` : '';
    const found = `${absent.join(', ')}${uneven}${formatUnseen(tests)}`;
    const advice = 'Merge the blob reports of all shards. If a shard wrote no blob report, run it again.';
    return absent.length > 0 ? [incomplete(found, advice)] : [];
  });
}

/** Names, for each project, the shots of the lists that are in no shard. Filters can also be the cause. */
function formatUnseen(tests: readonly ObservedTest[]): string {
  const listed = new Map(tests.flatMap(originsOf).flatMap(({ list, listIds }) => (listIds ? [[list, listIds]] : [])));
  const declared = tests.flatMap(({ project, declared }) => (declared ? [{ project, ...declared }] : []));
  const groups = groupBy(declared, ({ project, list }) => JSON.stringify([project, list]));
  const unseen = [...groups.values()].flatMap((group) => {
    const seen = new Set(group.map(({ id }) => id));
    const { list = '', project = '' } = group[0] ?? {};
    const ids = listed.get(list)?.filter((id) => !seen.has(id)) ?? [];
    return ids.length > 0 ? [nameShot({ id: listSome(ids, 10), project })] : [];
  });
  return unseen.length > 0 ? `; shots that are in no shard: ${unseen.join('; ')}` : '';
}

type Duplicate = ReturnType<typeof findDuplicates>[number];

/** Returns the shots that several tests make, with the number of these tests. The repeats of a test count as one. */
export function findDuplicates(resultsByKey: ReadonlyMap<string, readonly TestResult[]>) {
  return [...resultsByKey.values()].flatMap((results) => {
    const repeats = groupBy(results, ({ test }) => test.repeat);
    const times = Math.max(...[...repeats.values()].map(({ length }) => length));
    const [first] = results;
    return first && times > 1 ? [{ name: nameShot(first.shot), results, times }] : [];
  });
}

/** Returns the shards that were merged more than once. Their shots come several times from the same test of the same shard. */
export function findDoubledShards(duplicates: readonly Duplicate[]): DoubledShards {
  const doubled = new Map<string, number>();
  for (const { results, times } of duplicates.filter(isCopy)) {
    const names = new Set(results.flatMap(({ origin }) => (origin?.shard ? [nameShard(origin.shard)] : [])));
    const [name] = names;
    if (name !== undefined && names.size === 1) doubled.set(name, Math.max(doubled.get(name) ?? 0, times));
  }
  return doubled;
}

/** Returns problems for shots that more than one test makes: one per doubled shard, otherwise one per group of test locations. */
export function duplicateProblems(duplicates: readonly Duplicate[], doubled: DoubledShards): Problem[] {
  const copies = duplicates.filter((duplicate) => isCopy(duplicate) && !isExplained(duplicate, doubled));
  const clashes = groupBy(
    duplicates.filter((duplicate) => !isCopy(duplicate)),
    ({ results }) => [...new Set(results.map(({ test }) => test.location))].join(' and '),
  );
  const problem = (where: string, found: string, advice: string): Problem => {
    return { code: 'shot-duplicate', where, found, advice };
  };
  const namesOf = (shots: readonly Duplicate[]) => shots.map(({ name }) => name);
  const times = `${renderCountOf(copies.length, 'shot')} with more than one result`;
  return [
    ...Array.from(doubled, ([name, times]) => problem(WHERE, `shard ${name} occurs ${times} times`, ONCE)),
    ...(copies.length > 0 ? [problem(WHERE, `${times}: ${listSome(namesOf(copies), 10)}`, OWN_NAMES)] : []),
    ...Array.from(clashes, ([locations, shots]) => {
      return problem(locations, `more than one test captures ${listSome(namesOf(shots), 5)}`, ONE_TEST);
    }),
  ];
}

const ONCE = 'Merge the blob report of each shard once. Empty the folder before you copy the blob reports into it.';
const OWN_NAMES =
  'Merge each blob report once. For runs on several systems, use a different project name on each system.';
const ONE_TEST =
  'Pass each page list to definePages once, and give each toMatchBaseline of a project a different name.';

/** Checks whether all results are from the same test, in several blobs. Playwright forbids two tests of one title in a file. */
function isCopy({ results }: Duplicate): boolean {
  return new Set(results.map(({ test }) => JSON.stringify([test.location, test.title]))).size === 1;
}

/** Checks whether a doubled shard explains the copies. A skipped or crashed copy has no shard, so it counts as explained. */
function isExplained({ results }: Duplicate, doubled: DoubledShards): boolean {
  return doubled.size > 0 && results.every(({ origin }) => !origin?.shard || doubled.has(nameShard(origin.shard)));
}
