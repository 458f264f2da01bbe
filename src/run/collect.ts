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
} from '../model/index.js';
import {
  commitOf,
  duplicateProblems,
  findDoubledShards,
  findDuplicates,
  mergeProblems,
  shardsOf,
  trustBlobs,
} from './collect-merge.js';
import { formatAttempts, readTestResults, type TestResult } from './collect-shot.js';
import { type CollectedImage, type CollectInput, groupBy } from './observed.js';

/** The result of {@link collectRun}: the run record, its images, and problems of the run as a whole. */
export interface Collected {
  readonly run: RunRecord;
  readonly images: readonly CollectedImage[];
  /** The problems of the run record. A run with a problem must fail. */
  readonly problems: readonly Problem[];
  /** Names of the shots whose test failed. */
  readonly failed: readonly string[];
}

/** Builds the run record from the tests: decides the status of each shot, and checks that all shots are present. */
export function collectRun(given: CollectInput): Collected {
  const input = { ...given, merge: given.merge && trustBlobs(given.tests, given.merge) };
  const results = input.tests.flatMap((test) => readTestResults(test, input.ending));
  const resultsByKey = groupBy(results, ({ shot }) => JSON.stringify([shot.project, shot.id]));
  const winners = [...resultsByKey.values()].flatMap(mergeResults);
  const shots = nameGroups(winners.toSorted((a, b) => compareShots(a.shot, b.shot)));
  const problems = findProblems(input, results, resultsByKey, shots);
  const complete =
    results.every(({ verdict }) => verdict.kind !== 'silent') &&
    problems.every(({ code }) => !INCOMPLETE.includes(code));
  return {
    run: renderRun(input, shots, problems, complete),
    images: winners.flatMap(({ images }) => images),
    problems,
    failed: winners.filter(({ test }) => test.failed).map(({ shot }) => nameShot(shot)),
  };
}

/** Compares shots for sorting: worst status first, then the larger change, then by name, independent of the locale. */
export function compareShots(a: ShotRecord, b: ShotRecord): number {
  return (
    compareStatus(a.status, b.status) ||
    (b.summary?.mismatchPixels ?? 0) - (a.summary?.mismatchPixels ?? 0) ||
    compareCodePoints(a.id, b.id) ||
    compareCodePoints(a.project, b.project)
  );
}

/** Problems after which it is unknown whether all shots were judged. */
const INCOMPLETE: readonly Problem['code'][] = ['run-incomplete', 'record-invalid'];

/** Compares strings by code points, which is the order of UTF-8. `<` sorts surrogates before the characters from U+E000 on. */
function compareCodePoints(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

/** Merges several tests of one shot, as with `--repeat-each`: keeps the worst result, and the attempts of all. */
function mergeResults(results: readonly TestResult[]): TestResult[] {
  const worst = results.toSorted((a, b) => compareShots(a.shot, b.shot))[0];
  if (!worst) return [];
  const attempts = results.flatMap((result) => result.attempts);
  const { fields, images } = formatAttempts(attempts, worst.attempts.at(-1));
  const failed = results.some(({ test }) => test.failed);
  const shot = { ...worst.shot, ...fields };
  return [{ ...worst, test: { ...worst.test, failed }, shot, images: [...worst.images, ...images] }];
}

function findProblems(
  input: CollectInput,
  results: readonly TestResult[],
  resultsByKey: ReadonlyMap<string, readonly TestResult[]>,
  shots: readonly ShotRecord[],
): Problem[] {
  const duplicates = findDuplicates(resultsByKey);
  const doubled = input.merge ? findDoubledShards(duplicates) : [];
  return [
    ...input.problems,
    ...(input.merge ? mergeProblems(input.tests, input.merge, doubled) : []),
    ...silenceProblems(results),
    ...duplicateProblems(duplicates, doubled),
    ...sharedBaselines(shots),
  ];
}

/** Returns problems for shots without a result whose test did not fail. A failed test already reports its own error. */
function silenceProblems(results: readonly TestResult[]): Problem[] {
  const silent = results.flatMap(({ shot, verdict }) => {
    return verdict.kind === 'silent' && !verdict.failed ? [{ name: nameShot(shot), why: verdict.why }] : [];
  });
  return [...groupBy(silent, ({ why }) => why)].map(([why, shots]) => ({
    code: 'run-incomplete',
    where: listSome(
      shots.map(({ name }) => name),
      5,
    ),
    found: `${renderCountOf(shots.length, 'selected shot')} ${shots.length === 1 ? 'has' : 'have'} ${why}`,
    advice: 'Check the errors above and the options maxFailures and globalTimeout, then run the tests again.',
  }));
}

/** Returns problems for baselines that several shots share. Each shot would compare with, or approve, the image of the other. */
function sharedBaselines(shots: readonly ShotRecord[]): Problem[] {
  const byPath = groupBy(
    shots.flatMap((shot) => (shot.baseline ? [{ path: shot.baseline.path, shot }] : [])),
    ({ path }) => foldName(path),
  );
  const shared = [...byPath.values()].filter(({ length }) => length > 1);
  const more = shared.length > 5 ? ` (and ${renderCountOf(shared.length - 5, 'more path')} with several shots)` : '';
  return shared.slice(0, 5).map((group, index) => ({
    code: 'baseline-shared',
    where: group[0]?.path ?? '',
    found: `${listSome(
      group.map(({ shot }) => nameShot(shot)),
      5,
    )} have the same baseline path${index === 4 ? more : ''}`,
    advice: 'Add {projectName} and {arg} to snapshotPathTemplate, so that each shot has its own path.',
  }));
}

function renderRun(
  input: CollectInput,
  shots: readonly ShotRecord[],
  problems: readonly Problem[],
  complete: boolean,
): RunRecord {
  const { tests, merge } = input;
  return {
    schemaVersion: 1,
    tool: { name: 'proofsheet', version: input.version },
    startedAt: input.startedAt.toISOString(),
    durationMs: input.durationMs,
    run: {
      ...listsOf(input),
      commit: merge ? commitOf(tests) : input.commit,
      shards: merge ? shardsOf(tests, merge) : input.shard ? [input.shard] : [],
      selected: [...input.selected],
      complete,
      ...(input.allTests && { tests: input.allTests }),
      // The folders of a merged run are on other machines.
      ...(input.outputDirs && !merge && { outputDirs: [...input.outputDirs] }),
      problems: [...problems],
    },
    summary: countShots(shots),
    shots: [...shots],
    obsolete: null,
  };
}

function listsOf({ tests }: CollectInput): Pick<RunRecord['run'], 'list' | 'listHash'> {
  const lists = new Map(tests.flatMap(({ declared }) => (declared ? [[declared.list, declared.listHash]] : [])));
  if (lists.size === 0) return { list: null, listHash: null };
  const sorted = [...lists].sort(([a], [b]) => compareCodePoints(a, b));
  return { list: sorted.map(([list]) => list).join(','), listHash: sorted.map(([, hash]) => hash).join(',') };
}

function countShots(shots: readonly ShotRecord[]): RunRecord['summary'] {
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
    written: count(({ written }) => written),
    obsolete: null,
  };
}

/**
 * Returns the shots of the results, in the same order, with group names. Shots that changed in the same way are a group. Groups are
 * numbered by size, largest first; groups of equal size by their first shot. A shot with a unique change has no group.
 */
export function nameGroups(results: readonly Pick<TestResult, 'shot' | 'fingerprint'>[]): ShotRecord[] {
  const changed = results.flatMap(({ shot, fingerprint }) => {
    return shot.status === 'changed' && fingerprint !== null ? [fingerprint] : [];
  });
  const groups = [...groupBy(changed, (fingerprint) => fingerprint)].filter(([, { length }]) => length > 1);
  const largestFirst = groups.toSorted(([, a], [, b]) => b.length - a.length);
  const names = new Map(largestFirst.map(([fingerprint], index) => [fingerprint, String(index + 1)]));
  return results.map(({ shot, fingerprint }) => {
    const hasFingerprint = shot.status === 'changed' && fingerprint !== null;
    return { ...shot, group: hasFingerprint ? (names.get(fingerprint) ?? null) : null };
  });
}
