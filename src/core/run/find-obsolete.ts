import { dirname, isAbsolute } from 'node:path';
import { sweep } from '../../baselines/atomic-write.js';
import { findBaseline } from '../../baselines/baseline-path.js';
import { type FoundBaseline, findAbandoned, findBaselines, type Spec } from '../../baselines/find-baselines.js';
import { type BaselineRecord, differingParts, type Environment } from '../../model/environment.js';
import { renderPlain } from '../../model/plain-text.js';
import type { RunRecord, ShotRecord } from '../../model/run-record.js';
import { foldName } from '../../page-list/resolve/names.js';
import { baselineFolder } from '../review/baseline-folders.js';
import type { ProjectFolders } from './folders.js';

/** What of a run its record does not tell. */
export interface RunScope {
  /** The folder that paths of baselines are relative to; absolute. */
  readonly root: string;
  /** Folders in which copies of images lie; absolute. */
  readonly outputs: readonly string[];
  /** Whether every test of every project was meant to run, as far as the record does not tell. */
  readonly isWhole: boolean;
  /** What ids of baselines begin with of which nobody knows: a test that would have compared did not get there. */
  readonly unseen: readonly string[];
  /** All spec files of the run. */
  readonly specs: readonly Spec[];
}

/**
 * Puts into a run the baselines that no shot claims: those that carry our record, of this platform and of the projects
 * that ran, in the folders that baselines of the run lie in, and in those of specs that are gone. Null where the run did
 * not see every shot.
 */
export async function withObsolete(run: RunRecord, scope: RunScope): Promise<RunRecord> {
  if (!scope.isWhole || whyUnknown(run) !== null) return run;
  const claimed = new Set(run.shots.flatMap(({ baseline }) => (baseline ? [foldName(baseline.path)] : [])));
  const isKnown = (path: string) => claimed.has(foldName(path));
  const own = foldersOf(run.shots);
  const abandoned = await findAbandoned({ ...scope, folders: own }, scope.specs);
  const found = await findBaselines({ ...scope, folders: outermost([...own, ...abandoned]), isKnown });
  const isUnseen = ({ record }: FoundBaseline) => scope.unseen.some((start) => record.id.startsWith(`${start}/`));
  const obsolete = found.filter((one) => isObsolete(run, one) && !isUnseen(one)).map(({ path }) => path);
  return { ...run, summary: { ...run.summary, obsolete: obsolete.length }, obsolete: obsolete.sort() };
}

/** Says why a run cannot know which baselines are obsolete; null when its record has nothing against it. */
export function whyUnknown({ run }: RunRecord): string | null {
  if (run.selected.length > 0) return `the run was filtered (${run.selected.map(renderPlain).join(' ')})`;
  if (run.shards.length > 0) return 'the run was sharded';
  return run.complete && run.problems.length === 0 ? null : 'the run did not judge all of its shots';
}

/** Decides whether no shot of a run claims a baseline that lies on the disk. What is in doubt is claimed. */
export function isObsolete({ shots }: Pick<RunRecord, 'shots'>, { path, record }: FoundBaseline): boolean {
  const isLocked = shots.some(({ baseline }) => baseline && foldName(baseline.path) === foldName(path));
  const ran = shots.filter(({ project, environment }) => project === record.project && environment !== null);
  if (isLocked || !ran.some(({ environment }) => environment?.os === record.environment.os)) return false;
  const own = shots.find(({ id, project }) => id === record.id && project === record.project);
  return own === undefined || hasMoved(own, record);
}

/** A shot whose baseline was made where this run was has it at one place only; those made elsewhere may be of use there. */
function hasMoved({ baseline, environment }: ShotRecord, record: BaselineRecord): boolean {
  return baseline !== null && environment !== null && isSamePlace(environment, record.environment);
}

function isSamePlace(a: Environment, b: Environment): boolean {
  return differingParts(a, b).every((part) => part === 'engine' || part === 'scale');
}

/** Returns the folders that baselines of these shots begin at: without what their names and environments add. */
function foldersOf(shots: readonly ShotRecord[]): string[] {
  const folders = shots.flatMap((shot) => {
    const path = shot.baseline?.path;
    return path === undefined || isAbsolute(path) || path.startsWith('../')
      ? []
      : [baselineFolder(shot, shot.environment, path)];
  });
  return outermost(folders);
}

/** Leaves out what lies in another of the folders. */
function outermost(folders: readonly string[]): string[] {
  const distinct = [...new Set(folders)];
  return distinct.filter((folder) => !distinct.some((other) => other !== folder && isIn(other, folder)));
}

function isIn(folder: string, other: string): boolean {
  return folder === '.' || other.startsWith(`${folder}/`);
}

/** Removes what killed processes left beside the baselines of a run, and in its report. */
export async function sweepLeftovers(places: ProjectFolders, { shots }: Pick<RunRecord, 'shots'>): Promise<void> {
  const folders = new Map(shots.flatMap(({ baseline }) => (baseline ? [[dirname(baseline.path), baseline.path]] : [])));
  // The record may come from anywhere.
  const found = await Promise.all([...folders.values()].map((path) => findBaseline(places, path)));
  const inside = found.flatMap((place) => (place.kind === 'inside' ? [dirname(place.path)] : []));
  await sweep([...inside, places.folder]);
}
