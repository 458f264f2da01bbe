import { existsSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Command } from 'commander';
import { REPORT_FOLDER, RESULTS_FILE } from '../baselines/paths.js';
import type { ProjectFolders } from '../core/run/amend-run.js';
import { ProofsheetError } from '../model/errors.js';

/** Raw values of the flags that locate a finished run. */
export interface PlaceFlags {
  readonly config?: string;
  readonly from?: string;
  readonly baselines?: string;
}

/**
 * Resolves the folders of the config, the report and the baselines. The report is in `proofsheet-report` beside the config, or in
 * `--from`, which can also be the folder of an unpacked artifact. Baselines are below the config's folder, or below `--baselines`.
 *
 * @throws ProofsheetError `command-invalid` if the config does not exist.
 */
export function findPlaces({ config, from, baselines }: PlaceFlags): ProjectFolders {
  const root = config === undefined ? process.cwd() : folderOf(config);
  const folder = from === undefined ? join(root, REPORT_FOLDER) : resolve(from);
  const inner = join(folder, REPORT_FOLDER);
  const isInner = !existsSync(join(folder, RESULTS_FILE)) && existsSync(join(inner, RESULTS_FILE));
  const within = baselines === undefined ? root : resolve(baselines);
  return { root, within, folder: isInner ? inner : folder };
}

function folderOf(config: string): string {
  const path = resolve(config);
  const found = statSync(path, { throwIfNoEntry: false });
  if (found) return found.isDirectory() ? path : dirname(path);
  throw new ProofsheetError({
    code: 'command-invalid',
    where: config,
    found: 'there is no such config',
    advice: 'Give the path of the Playwright config, or of its folder.',
  });
}

/** Adds the flags that locate the run and its baselines. */
export function addPlaces(command: Command): Command {
  return command
    .option(
      '-c, --config <path>',
      'the Playwright config; paths of baselines are relative to its folder (default: this folder)',
    )
    .option('--baselines <folder>', "the folder that baselines must lie in (default: the config's)")
    .option('--json', 'print one JSON document');
}
