import { listSome, nameShot, type Origin, type Problem, renderCountOf } from '../model/index.js';
import type { TestResult } from './collect-shot.js';
import { groupBy, type Merge, type ObservedTest, type Shard } from './observed.js';

/** A shard that was merged more than once. */
export interface DoubledShard {
  readonly shard: Shard;
  readonly times: number;
}

/** Returns the problems of a merged run: parts of another run, and missing parts. */
export function mergeProblems(
  tests: readonly ObservedTest[],
  merge: Merge,
  doubled: readonly DoubledShard[],
): Problem[] {
  const totals = totalMismatches(tests);
  // In a mixture of two runs, shards of both are missing: reporting them does not help.
  const absent = totals.length > 0 ? [] : missingShards(tests, merge, doubled);
  const commits = commitMismatches(tests);
  // Two commits imply two runs: report only the commits.
  const runs = commits.length > 0 ? [] : runMismatches(tests);
  return [...listMismatches(tests), ...commits, ...runs, ...totals, ...absent];
}

/** Returns the shards of the blobs only if they include every shard that a shot names. Otherwise `shards` is null. */
export function trustBlobs(tests: readonly ObservedTest[], { shards }: Merge): Merge {
  const named = new Set(shards?.map(nameShard));
  const origins = tests.flatMap((test) => originsOf(test).flatMap(({ shard }) => shard ?? []));
  return { shards: origins.every((shard) => named.has(nameShard(shard))) ? shards : null };
}

/** Returns all known shards of a merged run, in order. */
export function shardsOf(tests: readonly ObservedTest[], merge: Merge): Shard[] {
  const seen = merge.shards ?? tests.flatMap((test) => originsOf(test).flatMap(({ shard }) => shard ?? []));
  const byName = new Map(seen.map(({ current, total }) => [nameShard({ current, total }), { current, total }]));
  return [...byName.values()].sort((a, b) => a.total - b.total || a.current - b.current);
}

/** Returns the commit of all parts of a run; null if it is unknown or not the same. */
export function commitOf(tests: readonly ObservedTest[]): string | null {
  const commits = commitsOf(tests);
  return commits.length === 1 ? (commits[0] ?? null) : null;
}

/** Returns the name of a shard, as in `--shard`. */
export function nameShard({ current, total }: Shard): string {
  return `${current}/${total}`;
}

const WHERE = 'the merged run';
const ADVICE_ONE_RUN = 'Merge only the shards of one run: the same commit, page list and number of shards.';

function originsOf({ attempts }: ObservedTest): Origin[] {
  return attempts.flatMap(({ messages }) => messages.map(({ origin }) => origin));
}

function listMismatches(tests: readonly ObservedTest[]): Problem[] {
  const hashes = new Map<string, Set<string>>();
  for (const { list, listHash } of tests.flatMap((test) => [
    ...(test.declared ? [test.declared] : []),
    ...originsOf(test),
  ])) {
    if (list !== null && listHash !== null) hashes.set(list, (hashes.get(list) ?? new Set()).add(listHash));
  }
  return [...hashes].flatMap(([list, { size }]) =>
    size > 1 ? mismatchProblem(list, `the shards used ${size} different versions of this page list`) : [],
  );
}

function commitMismatches(tests: readonly ObservedTest[]): Problem[] {
  const commits = commitsOf(tests);
  if (commits.length < 2) return [];
  return [
    mismatchProblem(
      WHERE,
      `the shards are from different commits: ${listSome(
        commits.map((name) => name.slice(0, 12)),
        5,
      )}`,
    ),
  ];
}

/** Checks that all shards are of one run. Without git and outside a build server, this is unknown. */
function runMismatches(tests: readonly ObservedTest[]): Problem[] {
  const origins = tests.flatMap(originsOf).filter(({ shard }) => shard !== null && shard.total > 1);
  const runs = [...new Set(origins.map(({ run }) => run))].sort();
  if (runs.length > 1) {
    const names = runs.map((run) => run ?? 'a run without an ID');
    return [mismatchProblem(WHERE, `the shards are from different runs: ${listSome(names, 5)}`)];
  }
  const isKnown = origins.every(({ run, commit }) => run !== null || commit !== null);
  if (isKnown) return [];
  const advice = 'Set PROOFSHEET_RUN_ID to one value for all shards, and to a new value for each run.';
  const found = 'the shards have neither a commit nor a CI run ID, so they may be from different runs';
  return [{ code: 'run-incomplete', where: WHERE, found, advice }];
}

function commitsOf(tests: readonly ObservedTest[]): string[] {
  return [...new Set(tests.flatMap((test) => originsOf(test).flatMap(({ commit }) => commit ?? [])))].sort();
}

/** Checks that the shards of each project have one total. Projects that are sharded separately can have different totals. */
function totalMismatches(tests: readonly ObservedTest[]): Problem[] {
  const totals = new Map<string, Set<number>>();
  for (const test of tests) {
    for (const { shard } of originsOf(test)) {
      if (shard) totals.set(test.project, (totals.get(test.project) ?? new Set()).add(shard.total));
    }
  }
  const mixed = [...totals.values()].find(({ size }) => size > 1);
  return mixed
    ? [
        mismatchProblem(
          WHERE,
          `the shards are from runs with different numbers of shards: ${[...mixed].sort((a, b) => a - b).join(' and ')}`,
        ),
      ]
    : [];
}

function mismatchProblem(where: string, found: string): Problem {
  return { code: 'run-incomplete', where, found, advice: ADVICE_ONE_RUN };
}

/**
 * Returns problems for missing shards. All shards of one total must occur equally often: once, or once for each run with that
 * total, such as one run per project. If the blobs were not readable, a shard is known only by its shots. A shard without shots
 * then counts as missing.
 */
function missingShards(tests: readonly ObservedTest[], merge: Merge, doubled: readonly DoubledShard[]): Problem[] {
  const times = new Map<string, number>();
  for (const shard of merge.shards ?? shardsOf(tests, merge)) count(times, shard, 1);
  if (merge.shards) for (const { shard, times: copies } of doubled) count(times, shard, 1 - copies);
  const totals = new Set(shardsOf(tests, merge).map(({ total }) => total));
  return [...totals].flatMap((total) => {
    const names = Array.from({ length: total }, (_, index) => nameShard({ current: index + 1, total }));
    const most = Math.max(...names.map((name) => times.get(name) ?? 0));
    const absent = names.filter((name) => (times.get(name) ?? 0) < most);
    return absent.length > 0 ? [missingProblem(absent, most, formatUnseen(tests))] : [];
  });
}

function count(times: Map<string, number>, shard: Shard, by: number): void {
  times.set(nameShard(shard), (times.get(nameShard(shard)) ?? 0) + by);
}

function missingProblem(absent: readonly string[], most: number, unseen: string): Problem {
  const shards = absent.map((name) => `shard ${name} is missing`).join(', ');
  const uneven = most > 1 ? ` (other shards occur ${most} times)` : '';
  const advice = 'Merge the blob reports of all shards. If a shard wrote no blob report, run it again.';
  return { code: 'run-incomplete', where: WHERE, found: `${shards}${uneven}${unseen}`, advice };
}

/** Names, for each project, the shots of the lists that are in no shard. Filters can also be the cause. */
function formatUnseen(tests: readonly ObservedTest[]): string {
  const listed = new Map<string, readonly string[]>();
  for (const { list, listIds } of tests.flatMap(originsOf)) if (list !== null && listIds) listed.set(list, listIds);
  const declared = tests.flatMap(({ project, declared }) => (declared ? [{ project, ...declared }] : []));
  const unseen = [...groupBy(declared, ({ project, list }) => JSON.stringify([project, list])).values()].flatMap(
    (group) => {
      const seen = new Set(group.map(({ id }) => id));
      const [first] = group;
      const ids = listed.get(first?.list ?? '')?.filter((id) => !seen.has(id)) ?? [];
      return ids.length > 0 ? [nameShot({ id: listSome(ids, 10), project: first?.project ?? '' })] : [];
    },
  );
  return unseen.length > 0 ? `; shots that are in no shard: ${unseen.join('; ')}` : '';
}

/** A shot that several tests make. */
export interface Duplicate {
  readonly name: string;
  readonly results: readonly TestResult[];
  /** The number of tests that make it. */
  readonly times: number;
}

/** Returns the shots that more than one test makes. The repeats of a test count as one. */
export function findDuplicates(resultsByKey: ReadonlyMap<string, readonly TestResult[]>): Duplicate[] {
  return [...resultsByKey.values()].flatMap((results) => {
    const repeats = groupBy(results, ({ test }) => test.repeat);
    const times = Math.max(...[...repeats.values()].map(({ length }) => length));
    const [first] = results;
    return first && times > 1 ? [{ name: nameShot(first.shot), results, times }] : [];
  });
}

/** Returns the shards that were merged more than once. Their shots come several times from the same test of the same shard. */
export function findDoubledShards(duplicates: readonly Duplicate[]): DoubledShard[] {
  const copies = duplicates.filter(isCopy).flatMap(({ results, times }) => {
    const shards = new Map(
      results.flatMap(({ origin }) => (origin?.shard ? [[nameShard(origin.shard), origin.shard]] : [])),
    );
    const [shard] = shards.values();
    return shard && shards.size === 1 ? [{ shard, times }] : [];
  });
  return [...groupBy(copies, ({ shard }) => nameShard(shard)).values()].flatMap((group) => {
    const [first] = group;
    return first ? [{ shard: first.shard, times: Math.max(...group.map(({ times }) => times)) }] : [];
  });
}

/** Returns problems for shots that more than one test makes: one per doubled shard, otherwise one per group of test locations. */
export function duplicateProblems(duplicates: readonly Duplicate[], doubled: readonly DoubledShard[]): Problem[] {
  const names = new Set(doubled.map(({ shard }) => nameShard(shard)));
  const copies = duplicates.filter((duplicate) => isCopy(duplicate) && !isExplained(duplicate, names));
  const clashes = groupBy(
    duplicates.filter((duplicate) => !isCopy(duplicate)),
    ({ results }) => [...new Set(results.map(({ test }) => test.location))].join(' and '),
  );
  return [
    ...doubled.map(doubledProblem),
    ...(copies.length > 0 ? [copiesProblem(copies)] : []),
    ...[...clashes].map(([locations, shots]) => clashProblem(locations, shots)),
  ];
}

/** Checks whether all results are from the same test, in several blobs. Playwright forbids two tests of one title in a file. */
function isCopy({ results }: Duplicate): boolean {
  return new Set(results.map(({ test }) => JSON.stringify([test.location, test.title]))).size === 1;
}

/** Checks whether a doubled shard explains the copies. A skipped or crashed copy has no shard, so it counts as explained. */
function isExplained({ results }: Duplicate, doubled: ReadonlySet<string>): boolean {
  return doubled.size > 0 && results.every(({ origin }) => !origin?.shard || doubled.has(nameShard(origin.shard)));
}

function doubledProblem({ shard, times }: DoubledShard): Problem {
  return {
    code: 'shot-duplicate',
    where: 'the merged run',
    found: `shard ${nameShard(shard)} occurs ${times} times`,
    advice: 'Merge the blob report of each shard once. Empty the folder before you copy the blob reports into it.',
  };
}

function copiesProblem(copies: readonly Duplicate[]): Problem {
  const names = copies.map(({ name }) => name);
  return {
    code: 'shot-duplicate',
    where: 'the merged run',
    found: `${renderCountOf(names.length, 'shot')} with more than one result: ${listSome(names, 10)}`,
    advice: 'Merge each blob report once. For runs on several systems, use a different project name on each system.',
  };
}

function clashProblem(locations: string, shots: readonly Duplicate[]): Problem {
  const names = shots.map(({ name }) => name);
  return {
    code: 'shot-duplicate',
    where: locations,
    found: `more than one test captures ${listSome(names, 5)}`,
    advice: 'Pass each page list to definePages once, and give each toMatchBaseline of a project a different name.',
  };
}
