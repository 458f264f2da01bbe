import { rm, rmdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { sweep } from '../../baselines/atomic-write.js';
import { readBaseline } from '../../baselines/baseline.js';
import { type BaselineFolders, findBaseline, isBelow } from '../../baselines/baseline-path.js';
import { readRun } from '../../baselines/read-run.js';
import { messageOf, ProofsheetError } from '../../model/errors.js';
import type { Pruned } from '../../model/review.js';
import type { RunRecord } from '../../model/run-record.js';
import { amendRun } from '../run/amend-run.js';
import { isObsolete, sweepLeftovers, whyUnknown } from '../run/find-obsolete.js';
import type { ProjectFolders } from '../run/amend-run.js';

/**
 * Lists the baselines that no shot of the last finished run claims, and deletes them where that is wanted. Each is looked
 * at again: what is not, or no longer, such a baseline stays.
 *
 * @throws ProofsheetError `obsolete-unknown` when the run cannot know them; `run-missing`, `record-invalid`
 */
export async function prune(places: ProjectFolders, isWanted: boolean): Promise<Pruned> {
  const { folder } = places;
  const run = await readRun(folder);
  if (run.obsolete === null || whyUnknown(run) !== null) throw unknown(folder, run);
  const [obsolete, deleted, kept]: [string[], string[], Pruned['kept'][number][]] = [[], [], []];
  for (const path of run.obsolete) {
    const reason = (await whyKept(places, run, path)) ?? (isWanted ? await remove(places, path) : null);
    if (reason !== null) kept.push({ path, reason });
    else if (isWanted) deleted.push(path);
    else obsolete.push(path);
  }
  // The baselines are what counts: they are gone, whether the report can say so or not.
  if (deleted.length > 0)
    await amendRun(folder, run, (now) =>
      recordObsolete(
        now,
        kept.map(({ path }) => path),
      ),
    );
  await sweepLeftovers(places, run);
  return { obsolete, deleted, kept };
}

function unknown(folder: string, run: RunRecord): ProofsheetError {
  return new ProofsheetError({
    code: 'obsolete-unknown',
    where: folder,
    found:
      whyUnknown(run) ?? 'the run did not see every test (test.only, grep in the config, or an error beside the tests)',
    advice: 'Which baselines are obsolete is known after a run of all tests: npx playwright test',
  });
}

/** A record may come from anywhere, and time has passed: says why a file stays. */
async function whyKept(folders: BaselineFolders, run: RunRecord, path: string): Promise<string | null> {
  const place = await findBaseline(folders, path);
  if (place.kind === 'outside') return place.why;
  const baseline = await readBaseline(place.path, place.format, path);
  if (baseline.kind === 'missing') return 'it is not there';
  if (baseline.kind === 'damaged' || !baseline.record) return 'it does not carry the record of a baseline';
  if (!isObsolete(run, { path, record: baseline.record })) return 'a shot of the run claims it';
  const { mtimeMs } = await stat(place.path);
  return mtimeMs > Date.parse(run.startedAt) + run.durationMs ? 'it was written after the run: run again' : null;
}

async function remove(folders: BaselineFolders, path: string): Promise<string | null> {
  const place = await findBaseline(folders, path);
  if (place.kind === 'outside') return place.why;
  try {
    await rm(place.path);
  } catch (cause) {
    return `it cannot be deleted (${messageOf(cause)})`;
  }
  await sweep([dirname(place.path)]);
  await removeEmpty(folders.within, dirname(place.path));
  return null;
}

/** Folders that held nothing else go as well. */
async function removeEmpty(root: string, folder: string): Promise<void> {
  for (let empty = folder; isBelow(root, empty); empty = dirname(empty)) {
    const isGone = await rmdir(empty).then(
      () => true,
      () => false,
    );
    if (!isGone) return;
  }
}

function recordObsolete(run: RunRecord, obsolete: string[]): RunRecord {
  return { ...run, summary: { ...run.summary, obsolete: obsolete.length }, obsolete };
}
