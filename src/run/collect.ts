import { foldName } from '../baselines/index.js';
import {
  compareStatus,
  listSome,
  nameShot,
  type Problem,
  type RunRecord,
  renderCountOf,
  type ShotRecord,
  type Status,
  shotKey,
} from '../model/index.js';
import { groupBy } from '../report/index.js';
import { type Attempt, type RunFacts, readTestResults, type TestResult } from './collect-shot.js';
import { commitsOf, mergeProblems, shardsOf } from './merge.js';

/** A collected run. A run with a problem must fail. */
export type Collected = ReturnType<typeof collectRun>;

/** Builds the run record from the tests: decides the status of each shot, and checks that all shots are present. */
export function collectRun(input: RunFacts) {
  const results = input.tests.flatMap((test) => readTestResults(test, input.ending));
  const resultsByKey = groupBy(results, ({ shot }) => shotKey(shot));
  const worstResults = [...resultsByKey.values()].flatMap(joinRepeats);
  const shots = nameGroups(worstResults.toSorted((a, b) => compareShots(a.shot, b.shot)));
  const problems = findProblems(input, resultsByKey, shots);
  const complete =
    results.every(({ silence }) => silence === null) && problems.every(({ code }) => !INCOMPLETE.includes(code));
  return {
    run: buildRunRecord(input, shots, problems, complete),
    images: worstResults.flatMap(({ images }) => images),
    failed: worstResults.filter(({ test }) => test.failed).map(({ shot }) => nameShot(shot)),
  };
}

/** Problems after which it is unknown whether all shots were judged. */
const INCOMPLETE: readonly Problem['code'][] = ['run-incomplete', 'record-invalid'];

function compareShots(a: ShotRecord, b: ShotRecord): number {
  return (
    compareStatus(a.status, b.status) ||
    (b.summary?.mismatchPixels ?? 0) - (a.summary?.mismatchPixels ?? 0) ||
    compareCodePoints(a.id, b.id) ||
    compareCodePoints(a.project, b.project)
  );
}

/** Compares strings by code points, which is the order of UTF-8. `<` sorts surrogates before the characters from U+E000 on. */
function compareCodePoints(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

/**
 * Keeps the worst result of several tests of one shot, as with `--repeat-each`, and the attempts of all. If their statuses differ, the shot is
 * flaky, and each attempt has its own images and reason, except the one that the shot itself shows.
 */
function joinRepeats(results: readonly TestResult[]): TestResult[] {
  const worst = results.toSorted((a, b) => compareShots(a.shot, b.shot))[0];
  if (!worst) return [];
  const all = results.flatMap((result) => result.attempts);
  const flaky = new Set(all.map(({ shot }) => shot.status)).size > 1;
  const shown = flaky ? all.filter((attempt) => attempt !== worst.attempts.at(-1)) : [];
  const attempts = all.flatMap((attempt) => [
    // The loads of the page that differed from this attempt.
    ...attempt.shot.attempts,
    { status: attempt.shot.status, ...(shown.includes(attempt) && seenIn(attempt)) },
  ]);
  const failed = results.some(({ test }) => test.failed);
  const images = [...worst.images, ...shown.flatMap((attempt) => attempt.images)];
  return [{ ...worst, test: { ...worst.test, failed }, shot: { ...worst.shot, attempts, flaky }, images }];
}

function seenIn({ shot: { reason, before, after, diff } }: Attempt): Partial<ShotRecord['attempts'][number]> {
  return {
    ...(reason !== null && { reason }),
    ...(before && { before }),
    ...(after && { after }),
    ...(diff && { diff }),
  };
}

function findProblems(
  { tests, mergedShards, problems }: RunFacts,
  resultsByKey: ReadonlyMap<string, readonly TestResult[]>,
  shots: readonly ShotRecord[],
): Problem[] {
  const ofMerge = mergedShards ? mergeProblems(tests, mergedShards) : [];
  return [
    ...problems,
    ...ofMerge,
    ...silenceProblems([...resultsByKey.values()].flat()),
    // Shots of a shard that was merged twice are in two tests, too.
    ...(ofMerge.length > 0 ? [] : duplicateProblems([...resultsByKey.values()], mergedShards !== null)),
    ...sharedBaselines(shots),
  ];
}

/** Returns a problem for the shots that several tests have, for each group of locations. The repeats of a test count as one. */
function duplicateProblems(resultsOfShots: readonly (readonly TestResult[])[], isMerged: boolean): Problem[] {
  const duplicates = resultsOfShots.filter((results) => {
    return new Set(results.map(({ test }) => test.repeat)).size < results.length;
  });
  const groups = groupBy(duplicates, (results) => [...new Set(results.map(({ test }) => test.location))].join(' and '));
  const ofMerge = 'Merge each blob report once. For runs on several systems, use a different project name on each.';
  const ofTests = 'Pass each list to definePages once, and give each toMatchBaseline of a project a different name.';
  return Array.from(groups, ([where, group]) => {
    const names = listSome(
      group.flatMap(([first]) => (first ? [nameShot(first.shot)] : [])),
      5,
    );
    const advice = isMerged ? `${ofTests} ${ofMerge}` : ofTests;
    return { code: 'shot-duplicate', where, found: `more than one test captures ${names}`, advice };
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

/** Returns problems for baselines that several shots share. Each shot would compare with, or approve, the image of the other. */
function sharedBaselines(shots: readonly ShotRecord[]): Problem[] {
  const withBaseline = shots.flatMap((shot) =>
    shot.baseline ? [{ path: shot.baseline.path, name: nameShot(shot) }] : [],
  );
  const shared = [...groupBy(withBaseline, ({ path }) => foldName(path)).values()].filter(({ length }) => length > 1);
  const more = shared.length > 5 ? ` (and ${renderCountOf(shared.length - 5, 'more path')} with several shots)` : '';
  return shared.slice(0, 5).map((group, index) => {
    const names = group.map(({ name }) => name);
    return {
      code: 'baseline-shared',
      where: group[0]?.path ?? '',
      found: `${listSome(names, 5)} have the same baseline path${index === 4 ? more : ''}`,
      advice: 'Add {projectName} and {arg} to snapshotPathTemplate, so that each shot has its own path.',
    };
  });
}

function buildRunRecord(
  input: RunFacts,
  shots: readonly ShotRecord[],
  problems: readonly Problem[],
  complete: boolean,
): RunRecord {
  const { tests, mergedShards, shard, allTests, outputDirs } = input;
  const [commit = null, ...commits] = mergedShards ? commitsOf(tests) : [input.commit];
  const shards = mergedShards ? shardsOf(tests, mergedShards) : shard ? [shard] : [];
  return {
    schemaVersion: 1,
    tool: { name: 'proofsheet', version: input.version },
    startedAt: input.startedAt.toISOString(),
    durationMs: input.durationMs,
    run: {
      ...listsOf(tests),
      commit: commits.length === 0 ? commit : null,
      shards,
      selected: [...input.selected],
      complete,
      ...(allTests && { tests: allTests }),
      // The folders of a merged run are on other machines.
      ...(outputDirs && !mergedShards && { outputDirs: [...outputDirs] }),
      problems: [...problems],
    },
    summary: countShots(shots),
    shots: [...shots],
    obsolete: null,
  };
}

function listsOf(tests: RunFacts['tests']): Pick<RunRecord['run'], 'list' | 'listHash'> {
  const lists = new Map(tests.flatMap(({ declared }) => (declared ? [[declared.list, declared.listHash]] : [])));
  if (lists.size === 0) return { list: null, listHash: null };
  const sorted = [...lists].sort(([a], [b]) => compareCodePoints(a, b));
  return { list: sorted.map(([list]) => list).join(','), listHash: sorted.map(([, hash]) => hash).join(',') };
}

/** Counts the shots of a run by status and flag. */
export function countShots(shots: readonly ShotRecord[]): RunRecord['summary'] {
  const count = (test: (shot: ShotRecord) => boolean) => shots.filter(test).length;
  const countStatus = (status: Status) => count((shot) => shot.status === status);
  return {
    expected: shots.length,
    captured: count(({ capture, reused }) => capture?.status === 'success' && !reused),
    reused: count(({ reused }) => reused),
    compared: count(({ summary }) => summary !== null),
    passed: countStatus('passed'),
    changed: countStatus('changed'),
    new: countStatus('new'),
    unstable: countStatus('unstable'),
    error: countStatus('error'),
    skipped: countStatus('skipped'),
    flaky: count(({ flaky }) => flaky),
    unsteady: count(({ unsteady }) => unsteady),
    redrawn: count(({ redrawn }) => redrawn !== undefined),
    written: count(({ written }) => written),
    obsolete: null,
  };
}

/** Shots that changed in the same way are a group. Groups are numbered by size, largest first; those of equal size by their first shot. */
export function nameGroups(results: readonly Pick<TestResult, 'shot' | 'fingerprint'>[]): ShotRecord[] {
  const changed = results.filter(({ shot, fingerprint }) => shot.status === 'changed' && fingerprint !== null);
  const groups = [...groupBy(changed, ({ fingerprint }) => fingerprint)].filter(([, { length }]) => length > 1);
  const largestFirst = groups.toSorted(([, a], [, b]) => b.length - a.length);
  const names = new Map(largestFirst.map(([fingerprint], index) => [fingerprint, String(index + 1)]));
  return results.map(({ shot, fingerprint }) => {
    return { ...shot, group: shot.status === 'changed' ? (names.get(fingerprint) ?? null) : null };
  });
}
