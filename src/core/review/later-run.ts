import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { CLAIMS_FOLDER, OWN_FOLDER } from '../../baselines/paths.js';
import type { RunRecord } from '../../model/run-record.js';

/** Playwright's default output folder, beside the config. */
const OUTPUT_FOLDER = 'test-results';

/**
 * Says that a later run than the reported one captured pages: its reporters wrote no report. The evidence is what
 * workers leave in the output folder, whatever the reporters are.
 *
 * @param root - the config's folder; another output folder than Playwright's default is not looked into.
 * @returns null where there was no later run, or none that can be seen.
 */
export async function describeLaterRun(root: string, run: RunRecord): Promise<string | null> {
  const claims = join(root, OUTPUT_FOLDER, OWN_FOLDER, CLAIMS_FOLDER);
  const names = await readdir(claims).catch(() => []);
  const times = await Promise.all(names.map((name) => modifiedAt(join(claims, name))));
  const latest = Math.max(0, ...times);
  const ended = endOf(run);
  if (latest <= ended) return null;
  return `this report is of a run that ended at ${shown(ended)}; a later one (${shown(latest)}) wrote no report here: run it with proofsheet/reporter`;
}

async function modifiedAt(path: string): Promise<number> {
  return stat(path).then(
    ({ mtimeMs }) => Math.floor(mtimeMs),
    () => 0,
  );
}

/** Of a merged run the duration is not the time from its start to its end: its captures tell more. */
function endOf({ startedAt, durationMs, shots }: RunRecord): number {
  const captured = shots.flatMap(({ capture }) => (capture ? [Date.parse(capture.fetchTime)] : []));
  return captured.reduce((latest, time) => Math.max(latest, time), Date.parse(startedAt) + Math.ceil(durationMs));
}

function shown(time: number): string {
  return `${new Date(time).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}
