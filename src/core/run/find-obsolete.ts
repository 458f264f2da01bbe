import { dirname, isAbsolute } from 'node:path';
import { sweep } from '../../baselines/atomic-write.js';
import { type FoundBaseline, findAbandoned, findBaselines, type Spec } from '../../baselines/find-baselines.js';
import { findBaseline } from '../../baselines/recorded-path.js';
import { type BaselineRecord, differingParts, type Environment } from '../../model/environment.js';
import { renderPlain } from '../../model/plain-text.js';
import type { RunRecord, ShotRecord } from '../../model/run-record.js';
import { foldName } from '../../page-list/resolve/names.js';
import { baselineFolder } from '../review/baseline-folders.js';
import type { ProjectFolders } from './folders.js';
import { groupBy, type ObservedTest } from './observed.js';

/** The parts of a run that its record does not contain, and that determine which baselines are obsolete. */
export interface RunScope {
  /** The folder that paths of baselines are relative to; absolute. */
  readonly root: string;
  /** Folders that contain copies of images; absolute. */
  readonly outputs: readonly string[];
  /** Whether the run was meant to run every test of every project. The filters in the record are checked separately. */
  readonly isWhole: boolean;
  /** First parts of ids whose baselines are never obsolete: specs in which a test ended before all its comparisons. */
  readonly unseen: readonly string[];
  /** All spec files of the run. */
  readonly specs: readonly Spec[];
}

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
 * Adds the obsolete baselines to the record of a run: baselines of this platform and of the projects that ran, which no shot
 * uses. Searches the folders that contain baselines of the run, and those of specs that were deleted. The record does not
 * change if the run did not cover every shot.
 */
export async function withObsolete(run: RunRecord, scope: RunScope): Promise<RunRecord> {
  if (!scope.isWhole || obsoleteUnknownReason(run) !== null) return run;
  const used = new Set(run.shots.flatMap(({ baseline }) => (baseline ? [foldName(baseline.path)] : [])));
  const isKnown = (path: string) => used.has(foldName(path));
  const own = foldersOf(run.shots);
  const abandoned = await findAbandoned({ ...scope, folders: own }, scope.specs);
  const found = await findBaselines({ ...scope, folders: outermost([...own, ...abandoned]), isKnown });
  const isUnseen = ({ record }: FoundBaseline) => scope.unseen.some((start) => record.id.startsWith(`${start}/`));
  const obsolete = found.filter((one) => isObsolete(run, one) && !isUnseen(one)).map(({ path }) => path);
  return { ...run, summary: { ...run.summary, obsolete: obsolete.length }, obsolete: obsolete.sort() };
}

/** Returns why a run does not determine which baselines are obsolete; null if its record gives no reason. */
export function obsoleteUnknownReason({ run }: RunRecord): string | null {
  if (run.selected.length > 0) return `the run was filtered (${run.selected.map(renderPlain).join(' ')})`;
  if (run.shards.length > 0) return 'the run was sharded';
  return run.complete && run.problems.length === 0 ? null : 'the run has shots without a result';
}

/** Checks whether a baseline on disk is not used by any shot of a run. In doubt, it counts as used. */
export function isObsolete({ shots }: Pick<RunRecord, 'shots'>, { path, record }: FoundBaseline): boolean {
  const isUsed = shots.some(({ baseline }) => baseline && foldName(baseline.path) === foldName(path));
  const ran = shots.filter(({ project, environment }) => project === record.project && environment !== null);
  if (isUsed || !ran.some(({ environment }) => environment?.os === record.environment.os)) return false;
  const own = shots.find(({ id, project }) => id === record.id && project === record.project);
  return own === undefined || hasMoved(own, record);
}

/** A shot has one baseline per environment. A baseline of another environment may be used there. */
function hasMoved({ baseline, environment }: ShotRecord, record: BaselineRecord): boolean {
  return baseline !== null && environment !== null && isSameEnvironment(environment, record.environment);
}

function isSameEnvironment(a: Environment, b: Environment): boolean {
  return differingParts(a, b).every((part) => ['driver', 'engine', 'scale'].includes(part));
}

/** Returns the base folders of the baselines: without the folders for page names and environments. */
function foldersOf(shots: readonly ShotRecord[]): string[] {
  const folders = shots.flatMap((shot) => {
    const path = shot.baseline?.path;
    return path === undefined || isAbsolute(path) || path.startsWith('../')
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
export async function sweepLeftovers(places: ProjectFolders, run: Pick<RunRecord, 'shots'>): Promise<void> {
  await sweep([...(await listBaselineFolders(places, run)), places.folder]);
}

/** Lists the folders of the baselines of a run; absolute. The record is untrusted: it may come from another machine. */
async function listBaselineFolders(places: ProjectFolders, { shots }: Pick<RunRecord, 'shots'>): Promise<string[]> {
  const folders = new Map(shots.flatMap(({ baseline }) => (baseline ? [[dirname(baseline.path), baseline.path]] : [])));
  const found = await Promise.all([...folders.values()].map((path) => findBaseline(places, path)));
  return found.flatMap((place) => (place.kind === 'inside' ? [dirname(place.path)] : []));
}
