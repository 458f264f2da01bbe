import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { LOCKS_FOLDER, OWN_FOLDER } from '../../baselines/paths.js';
import type { RunRecord } from '../../model/run-record.js';

/** Playwright's default output folder, next to the config. */
const OUTPUT_FOLDER = 'test-results';

/**
 * Returns a message if a run after the reported one captured pages without writing a report. The times come from lock files,
 * which workers write into the output folder with any reporter.
 *
 * @param root - the config's folder. Only Playwright's default output folder is searched.
 * @returns null if no later run was found.
 */
export async function describeLaterRun(root: string, run: RunRecord): Promise<string | null> {
  const locks = join(root, OUTPUT_FOLDER, OWN_FOLDER, LOCKS_FOLDER);
  const names = await readdir(locks).catch(() => []);
  const times = await Promise.all(names.map((name) => modifiedAt(join(locks, name))));
  const latest = Math.max(0, ...times);
  const ended = endOf(run);
  if (latest <= ended) return null;
  return `this report is of a run that ended at ${formatTime(ended)}; a later one (${formatTime(latest)}) wrote no report here: run it with proofsheet/reporter`;
}

async function modifiedAt(path: string): Promise<number> {
  return stat(path).then(
    ({ mtimeMs }) => Math.floor(mtimeMs),
    () => 0,
  );
}

/** Returns when a run ended. In a merged run, the duration is not the time between start and end, so capture times count too. */
function endOf({ startedAt, durationMs, shots }: RunRecord): number {
  const captured = shots.flatMap(({ capture }) => (capture ? [Date.parse(capture.fetchTime)] : []));
  return captured.reduce((latest, time) => Math.max(latest, time), Date.parse(startedAt) + Math.ceil(durationMs));
}

function formatTime(time: number): string {
  return `${new Date(time).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}
