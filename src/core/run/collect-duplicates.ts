import type { Problem } from '../../model/errors.js';
import { nameShot } from '../../model/plain-text.js';
import { listSome, renderCountOf } from '../../model/words.js';
import { type DoubledShard, nameShard } from './collect-merge.js';
import type { TestResult } from './collect-shot.js';
import { groupBy } from './observed.js';

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
    found: `shard ${nameShard(shard)} is there ${times} times`,
    advice: 'Merge the blob report of each shard once; empty the folder before they are put into it.',
  };
}

function copiesProblem(copies: readonly Duplicate[]): Problem {
  const names = copies.map(({ name }) => name);
  return {
    code: 'shot-duplicate',
    where: 'the merged run',
    found: `${renderCountOf(names.length, 'shot')} came more than once: ${listSome(names, 10)}`,
    advice: 'Merge each blob report once; give runs on several systems projects with names of their own.',
  };
}

function clashProblem(locations: string, shots: readonly Duplicate[]): Problem {
  const names = shots.map(({ name }) => name);
  return {
    code: 'shot-duplicate',
    where: locations,
    found: `more than one test makes the shot ${listSome(names, 5)}`,
    advice: 'Give every list to definePages once, and every toMatchBaseline of a project a name of its own.',
  };
}
