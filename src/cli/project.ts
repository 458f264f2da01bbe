import { existsSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Command } from 'commander';
import { REPORT_FOLDER, RESULTS_FILE } from '../baselines/paths.js';
import type { ProjectFolders } from '../core/run/amend-run.js';
import { ProofsheetError } from '../model/errors.js';

/** The flags of a command that works on a finished run, as they were typed. */
export interface PlaceFlags {
  readonly config?: string;
  readonly from?: string;
  readonly baselines?: string;
}

/**
 * Finds the config's folder, and the report's: `proofsheet-report` in it, or the one that was named, which may also be
 * the folder that an artifact was unpacked into. Baselines are below the config's folder, or below the one that was named.
 *
 * @throws ProofsheetError `command-invalid` when there is no such config.
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

/** Adds the flags that say where a command finds the run and its baselines. */
export function addPlaces(command: Command): Command {
  return command
    .option(
      '-c, --config <path>',
      'the Playwright config; paths of baselines are relative to its folder (default: this folder)',
    )
    .option('--baselines <folder>', "the folder that baselines must lie in (default: the config's)")
    .option('--json', 'print one JSON document');
}
