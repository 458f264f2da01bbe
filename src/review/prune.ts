import { existsSync } from 'node:fs';
import { rmdir, stat } from 'node:fs/promises';
import { dirname, relative } from 'node:path';
import {
  type BaselineFolders,
  baselinePathOf,
  isBelow,
  lockReport,
  readRun,
  removeAbandoned,
  removeBaseline,
  sweep,
} from '../baselines/index.js';
import { failure, messageOf, type Pruned, type RunRecord } from '../model/index.js';
import {
  amendRun,
  findLeftovers,
  findObsolete,
  listTests,
  obsoleteUnknownReason,
  type Project,
  type ProjectFolders,
  recordObsolete,
  type TestList,
} from '../run/index.js';

/**
 * Lists the baselines that no shot uses, and deletes them if `shouldDelete` is set. Playwright lists the tests that exist, and the last
 * finished run must have included all of them.
 *
 * @throws ProofsheetError `obsolete-unknown` if it did not; `run-missing`, `record-invalid`, `lock-held`
 */
export async function prune(project: Project, shouldDelete: boolean): Promise<Pruned> {
  // To list the tests takes seconds. Without a report, the command fails before.
  await readRun(project.folder);
  const list = await listTests(project);
  return lockReport(project.folder, () => pruneListed(project, list, shouldDelete));
}

/** Prunes with the tests that exist. The caller holds `lockReport`. */
export async function pruneListed(places: ProjectFolders, list: TestList, shouldDelete: boolean): Promise<Pruned> {
  const { folder } = places;
  const run = await readRun(folder);
  const unknown = obsoleteUnknownReason(run, list);
  if (unknown !== null) {
    throw failure('obsolete-unknown', folder, unknown, 'Run all tests first: npx playwright test');
  }
  const [obsolete, deleted, kept]: [string[], string[], Pruned['kept'][number][]] = [[], [], []];
  for (const path of await findObsolete(run, list, places)) {
    const reason = await tryDelete(places, run, path, shouldDelete);
    if (reason !== null) kept.push({ path, reason });
    else (shouldDelete ? deleted : obsolete).push(path);
  }
  const left = kept.map(({ path }) => path);
  // A failure to update the report is ignored: the baselines are already deleted.
  if (deleted.length > 0) await amendRun(folder, run, (now) => recordObsolete(now, left));
  return { obsolete, deleted, kept };
}

/**
 * Lists the temporary files that killed processes left in a project, and deletes them if `shouldDelete` is set. Needs no report.
 *
 * @returns the listed or the deleted files, relative to the folder of the config
 */
export async function pruneLeftovers(places: BaselineFolders, shouldDelete: boolean): Promise<string[]> {
  const leftovers = await findLeftovers(places.within);
  if (shouldDelete) for (const path of leftovers) await removeAbandoned(path);
  const listed = shouldDelete ? leftovers.filter((path) => !existsSync(path)) : leftovers;
  return listed.map((path) => relative(places.root, path).replaceAll('\\', '/'));
}

/** Deletes a baseline on request. @returns why it must not or cannot be deleted, or null. The record is untrusted. */
async function tryDelete(
  folders: BaselineFolders,
  run: RunRecord,
  path: string,
  shouldDelete: boolean,
): Promise<string | null> {
  const place = await baselinePathOf(folders, path);
  if (place.kind === 'outside') return place.why;
  const { mtimeMs } = await stat(place.path);
  if (mtimeMs > Date.parse(run.startedAt) + run.durationMs)
    return 'the file was written after the run; run the tests again';
  if (!shouldDelete) return null;
  try {
    await removeBaseline(place.path);
  } catch (cause) {
    return `the file cannot be deleted (${messageOf(cause)})`;
  }
  await sweep([dirname(place.path)]);
  await removeEmpty(folders.within, dirname(place.path));
  return null;
}

/** Removes a folder and its parents below the root, as far as they are empty. */
async function removeEmpty(root: string, folder: string): Promise<void> {
  if (!isBelow(root, folder)) return;
  await rmdir(folder).then(
    () => removeEmpty(root, dirname(folder)),
    () => {},
  );
}
