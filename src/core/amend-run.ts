import { messageOf } from '../model/errors.js';
import type { RunRecord } from '../model/record.js';
import { readRun } from '../record/read-run.js';
import { rewriteRun } from '../record/run.js';
import { rerenderPages } from './rerender-pages.js';

/** A run as it is after a change, and what kept the change from its report; null: nothing did. */
export interface Amended {
  readonly record: RunRecord;
  readonly trouble: string | null;
}

/**
 * Writes what has become of a run after its end into its report: into what is there now, since others may have decided
 * meanwhile. Where another run has taken its place, that one stays as it is.
 */
export async function amendRun(
  folder: string,
  run: RunRecord,
  change: (run: RunRecord) => RunRecord,
): Promise<Amended> {
  try {
    const now = await readRun(folder);
    if (now.startedAt !== run.startedAt) return { record: change(run), trouble: 'another run has taken its place' };
    const record = change(now);
    await rewriteRun(folder, record, await rerenderPages(folder, record));
    return { record, trouble: null };
  } catch (error) {
    return { record: change(run), trouble: messageOf(error) };
  }
}
