import { readdir } from 'node:fs/promises';
import { dirname, isAbsolute, join, posix, resolve } from 'node:path';
import {
  baselineFolder,
  baselinePathOf,
  foldName,
  isAbandoned,
  isTemporary,
  readBaseline,
  sweep,
} from '../baselines/index.js';
import {
  type BaselineRecord,
  differingParts,
  type RunRecord,
  renderPlain,
  SHOT_FORMATS,
  type ShotRecord,
} from '../model/index.js';
import { groupBy } from '../report/index.js';
import type { TestList } from './ask-playwright.js';
import type { ObservedTest } from './observed-run.js';
import type { ProjectFolders } from './project.js';

/** Checks whether the run contains every shot of each list, in each project that runs the list. */
export function coversLists(tests: readonly ObservedTest[]): boolean {
  const listed = tests.flatMap(({ project, declared }) => (declared ? [{ project, declared }] : []));
  const runs = groupBy(listed, ({ project, declared }) => JSON.stringify([project, declared.list, declared.listHash]));
  return [...runs.values()].every((shots) => {
    const ids = new Set(shots.map(({ declared }) => declared.id));
    return ids.size === shots[0].declared.listShots;
  });
}

/**
 * Finds the baselines of this platform and of the projects that ran which no shot uses, in the folders with baselines of the run and in those of
 * deleted specs. The run must include every test: see {@link obsoleteUnknownReason}. The paths are relative to the root, and sorted.
 */
export async function findObsolete(
  run: RunRecord,
  { specs }: TestList,
  { root, folder }: Pick<ProjectFolders, 'root' | 'folder'>,
): Promise<string[]> {
  const { outputDirs = ['test-results'], tests } = run.run;
  const used = new Set(run.shots.flatMap(({ baseline }) => (baseline ? [foldName(baseline.path)] : [])));
  const own = foldersOf(run.shots);
  const namings = own.flatMap((one) => namingOf(one, specs) ?? []);
  const tops = namings.length === 0 ? [] : [...namings.map(({ top }) => top), ...specs.map(({ testDir }) => testDir)];
  // These folders contain copies of images.
  const outputs = [folder, ...outputDirs.map((path) => resolve(root, path))];
  const files = await listFiles(root, [...own, ...tops], outputs);
  const ran = new Set(specs.map(({ testDir, path }) => posix.join(testDir, path)));
  const others = new Set(files.filter((path) => !ran.has(path)).map((path) => posix.basename(path)));
  const isSearched = (path: string) =>
    own.some((one) => isIn(one, path)) || namings.some((naming) => isOfGoneSpec(path, naming, others));
  const found = await readRecords(
    root,
    files.filter((path) => !used.has(foldName(path)) && isSearched(path)),
  );
  const isUnseen = ({ id }: BaselineRecord) => tests?.unfinished.some((start) => id.startsWith(`${start}/`));
  const obsolete = found.filter(({ record }) => isObsolete(run, record) && !isUnseen(record)).map(({ path }) => path);
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

/** In doubt, a baseline counts as used: a shot has one per environment, and may use this one elsewhere. */
function isObsolete({ shots }: RunRecord, record: BaselineRecord): boolean {
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
  return [...new Set(folders)];
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

type Spec = TestList['specs'][number];

/** Baseline folders below `top` have the name of a spec between `before` and `after`, as `visual.spec.ts-snapshots`. */
interface Naming {
  readonly top: string;
  readonly before: string;
  readonly after: string;
}

function namingOf(folder: string, specs: readonly Spec[]): Naming | null {
  const parts = folder.split('/');
  for (let name = parts.pop(); name !== undefined; name = parts.pop()) {
    const own = name;
    const [spec] = specs
      .filter(({ path }) => own.includes(posix.basename(path)))
      .sort((a, b) => posix.basename(b.path).length - posix.basename(a.path).length);
    if (!spec) continue;
    const [before = '', after = ''] = own.split(posix.basename(spec.path));
    return { top: topOf(parts, spec), before, after };
  }
  return null;
}

/** Returns the parent folders without the folder of the spec, if the path of the baselines contains that folder. */
function topOf(above: readonly string[], { path }: Spec): string {
  const own = path.split('/').slice(0, -1);
  const isNamed = own.length > 0 && above.slice(-own.length).join('/') === own.join('/');
  return (isNamed ? above.slice(0, -own.length) : above).join('/') || '.';
}

/**
 * Checks whether a file is in a baseline folder whose spec no longer exists.
 * @param others - the names of all files that are no specs of the run
 */
function isOfGoneSpec(path: string, { top, before, after }: Naming, others: ReadonlySet<string>): boolean {
  const folders = path.split('/').slice(0, -1);
  return folders.some((name, index) => {
    const isNamed = name.startsWith(before) && name.endsWith(after);
    const spec = isNamed ? name.slice(before.length, name.length - after.length) : '';
    const isSpec = /.\.[cm]?[jt]sx?$/.test(spec) && !others.has(spec);
    return isSpec && isIn(top, folders.slice(0, index + 1).join('/'));
  });
}

/** Finds baselines in a folder: images with an embedded record. Symbolic links are not followed. Returns paths relative to the folder. */
export async function listBaselines(root: string) {
  return readRecords(root, await listFiles(root));
}

/** Reads the records of the baselines among files. */
async function readRecords(root: string, paths: readonly string[]) {
  const found: { path: string; record: BaselineRecord }[] = [];
  for (const path of paths) {
    const format = SHOT_FORMATS.find((name) => path.endsWith(`.${name}`));
    const baseline = format && (await readBaseline(join(root, path), format, path));
    if (baseline?.kind === 'image' && baseline.record) found.push({ path, record: baseline.record });
  }
  return found;
}

/** Finds the temporary files and locks of killed processes below a folder. Returns absolute paths. */
export async function findLeftovers(root: string): Promise<string[]> {
  const temporary = (await listFiles(root)).filter((path) => isTemporary(posix.basename(path)));
  return temporary
    .map((path) => join(root, path))
    .filter(isAbandoned)
    .sort();
}

/** Skips symbolic links, hidden folders, `node_modules` and `outputs` (absolute). An unreadable folder counts as empty. */
async function listFiles(
  root: string,
  folders: readonly string[] = ['.'],
  outputs: readonly string[] = [],
): Promise<string[]> {
  const files = new Set<string>();
  // Folders that are added while they are visited are visited, too: each once.
  const pending = new Set(folders);
  for (const folder of pending) {
    for (const entry of await readdir(join(root, folder), { withFileTypes: true }).catch(() => [])) {
      const path = posix.join(folder, entry.name);
      if (entry.isFile()) files.add(path);
      const isSkipped = entry.name === 'node_modules' || entry.name.startsWith('.');
      if (entry.isDirectory() && !isSkipped && !outputs.includes(join(root, path))) pending.add(path);
    }
  }
  return [...files];
}
