import { dirname, isAbsolute, resolve } from 'node:path';
import {
  baselineFolder,
  baselinePathOf,
  type FoundBaseline,
  findAbandoned,
  foldName,
  listBaselines,
  sweep,
} from '../baselines/index.js';
import { differingParts, type RunRecord, renderPlain, type ShotRecord } from '../model/index.js';
import { groupBy } from '../report/index.js';
import type { TestList } from './ask-playwright.js';
import type { ObservedTest } from './collect-shot.js';
import type { ProjectFolders } from './folders.js';

/** Checks whether the run contains every shot of each list, in each project that runs the list. */
export function coversLists(tests: readonly ObservedTest[]): boolean {
  const listed = tests.flatMap(({ project, declared }) => (declared ? [{ project, declared }] : []));
  const runs = groupBy(listed, ({ project, declared }) => JSON.stringify([project, declared.list, declared.listHash]));
  return [...runs.values()].every((shots) => {
    const ids = new Set(shots.map(({ declared }) => declared.id));
    return ids.size === shots[0]?.declared.listShots;
  });
}

/**
 * Finds the obsolete baselines: those of this platform and of the projects that ran, which no shot uses. Searches the folders that
 * contain baselines of the run, and those of specs that were deleted. The run must include every test: see {@link obsoleteUnknownReason}.
 *
 * @returns their paths, relative to the root, sorted
 */
export async function findObsolete(
  run: RunRecord,
  { specs }: TestList,
  { root, folder }: Pick<ProjectFolders, 'root' | 'folder'>,
): Promise<string[]> {
  const { outputDirs = ['test-results'], tests } = run.run;
  const used = new Set(run.shots.flatMap(({ baseline }) => (baseline ? [foldName(baseline.path)] : [])));
  const isKnown = (path: string) => used.has(foldName(path));
  const own = foldersOf(run.shots);
  // These folders contain copies of images.
  const scope = { root, outputs: [folder, ...outputDirs.map((path) => resolve(root, path))] };
  const abandoned = await findAbandoned({ ...scope, folders: own }, specs);
  const found = await listBaselines({ ...scope, folders: outermost([...own, ...abandoned]) }, isKnown);
  const isUnseen = ({ record }: FoundBaseline) => tests?.unfinished.some((start) => record.id.startsWith(`${start}/`));
  const obsolete = found.filter((one) => isObsolete(run, one) && !isUnseen(one)).map(({ path }) => path);
  return obsolete.sort();
}

/** Returns why a run does not determine which baselines are obsolete; null if it ran every test there is. */
export function obsoleteUnknownReason({ run }: RunRecord, { hash, isFiltered }: TestList): string | null {
  const { complete, problems, tests, selected } = run;
  if (!complete || problems.length > 0) return 'the run has shots without a result, or problems';
  if (tests === undefined) return 'the run was merged, or an error occurred outside the tests';
  if (isFiltered) return 'grep, grepInvert or shard in the config, or test.only, hides tests';
  // A run has one list of tests, so this concerns `prune` only.
  if (tests.hash === hash) return null;
  const words = selected.length > 0 ? ` (its options: ${selected.map(renderPlain).join(' ')})` : '';
  return `the run did not include every test that exists${words}`;
}

/** Sets the obsolete baselines in the record of a run. */
export function recordObsolete(run: RunRecord, obsolete: string[]): RunRecord {
  return { ...run, summary: { ...run.summary, obsolete: obsolete.length }, obsolete };
}

/**
 * Checks whether no shot of a run uses a baseline that none of them compared with. In doubt, it counts as used: a shot has one baseline
 * per environment, and may use this one elsewhere.
 */
function isObsolete({ shots }: RunRecord, { record }: FoundBaseline): boolean {
  const ran = shots.filter(({ project, environment }) => project === record.project && environment !== null);
  if (!ran.some(({ environment }) => environment?.os === record.environment.os)) return false;
  const own = shots.find(({ id, project }) => id === record.id && project === record.project);
  if (own === undefined) return true;
  if (own.baseline === null || own.environment === null) return false;
  const differing = differingParts(own.environment, record.environment);
  return differing.every((part) => ['driver', 'engine', 'scale'].includes(part));
}

/** Returns the base folders of the baselines below the root: without the folders for page names and environments. */
function foldersOf(shots: readonly ShotRecord[]): string[] {
  const folders = shots.flatMap((shot) => {
    const path = shot.baseline?.path;
    return path === undefined || isAbsolute(path) || path.split('/').includes('..')
      ? []
      : [baselineFolder(shot, shot.environment, path)];
  });
  return outermost(folders);
}

/** Removes folders that are inside another one of them. */
function outermost(folders: readonly string[]): string[] {
  const distinct = [...new Set(folders)];
  return distinct.filter((folder) => !distinct.some((other) => other !== folder && isIn(other, folder)));
}

function isIn(folder: string, other: string): boolean {
  return folder === '.' || other.startsWith(`${folder}/`);
}

/** Removes temporary files that killed processes left next to the baselines of a run and in its report. */
export async function sweepLeftovers(places: ProjectFolders, { shots }: Pick<RunRecord, 'shots'>): Promise<void> {
  const paths = new Map(shots.flatMap(({ baseline }) => (baseline ? [[dirname(baseline.path), baseline.path]] : [])));
  // The record is untrusted: it may come from another machine.
  const found = await Promise.all([...paths.values()].map((path) => baselinePathOf(places, path)));
  const folders = found.flatMap((place) => (place.kind === 'inside' ? [dirname(place.path)] : []));
  await sweep([...folders, places.folder]);
}
