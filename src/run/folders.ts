import { randomUUID } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { type BaselineFolders, LOCKS_FOLDER, OWN_FOLDER, REPORT_FOLDER, RESULTS_FILE } from '../baselines/index.js';
import { invalidCommand, messageOf } from '../model/index.js';
import { runNameOf } from './run-identity.js';

/** The folders of a finished run and of its baselines. */
export interface ProjectFolders extends BaselineFolders {
  /** Absolute path of the report's folder. */
  readonly folder: string;
}

/** The folders of a project, and the config that the user named. */
export interface Project extends ProjectFolders {
  /** File name of the config in `root`; null if the user named none, or a folder. */
  readonly config: string | null;
}

/** Locates a finished run. All paths are as the user typed them, relative to the working directory. Null: the default. */
interface ProjectPlaces {
  readonly config?: string | null;
  readonly from?: string | null | undefined;
  readonly baselines?: string | null;
}

/**
 * Resolves the folders of the config, the report and the baselines. The report is in `proofsheet-report` beside the config, or in
 * `--from`, which can also be the folder of an unpacked artifact. Baselines are below the config's folder, or below `--baselines`.
 *
 * @throws ProofsheetError `command-invalid` if the config does not exist.
 */
export function findProject({ config = null, from = null, baselines = null }: ProjectPlaces): Project {
  const { root, name } = config === null ? { root: process.cwd(), name: null } : locateConfig(config);
  const folder = from === null ? join(root, REPORT_FOLDER) : resolve(from);
  const inner = join(folder, REPORT_FOLDER);
  const isInner = !existsSync(join(folder, RESULTS_FILE)) && existsSync(join(inner, RESULTS_FILE));
  const within = baselines === null ? root : resolve(baselines);
  return { root, within, folder: isInner ? inner : folder, config: name };
}

function locateConfig(config: string): { root: string; name: string | null } {
  const path = resolve(config);
  const found = statSync(path, { throwIfNoEntry: false });
  if (found) return found.isDirectory() ? { root: path, name: null } : { root: dirname(path), name: basename(path) };
  throw invalidCommand(config, 'the config does not exist', 'Pass the path of the Playwright config or of its folder.');
}

/**
 * Returns the folder for the locks that the workers of a run share. Each run uses a new one, because Playwright empties only
 * the output folders of projects that run. All workers use that of the first project.
 *
 * @param runnerPid - see `runNameOf`
 */
export function locksFolderIn(
  { projects }: { readonly projects: readonly { readonly outputDir: string }[] },
  runnerPid: number,
): string {
  const outputDir = projects[0]?.outputDir ?? tmpdir();
  return join(outputDir, OWN_FOLDER, LOCKS_FOLDER, runNameOf(runnerPid, process.env));
}

/** Marks the locks of a run that wrote its report. A copy of the folder keeps the mark, but not the times of its files. */
export async function markReported(locksFolder: string): Promise<void> {
  // Without locks, the run tested no shot, and there is nothing to mark.
  await writeFile(join(locksFolder, REPORTED), '').catch(messageOf);
}

/** Checks whether the run of these locks wrote its report. */
export function isReported(locksFolder: string): boolean {
  return existsSync(join(locksFolder, REPORTED));
}

const REPORTED = 'reported';

/** Returns a new folder for images of a shot that the reporter has not yet placed. */
export function stagingFolderIn(outputDir: string): string {
  return join(outputDir, OWN_FOLDER, 'images', randomUUID());
}

/** Checks whether a report is the one that runs of this project write, not a downloaded one. */
export function isOwnReport({ root, folder }: Pick<ProjectFolders, 'root' | 'folder'>): boolean {
  return folder === join(root, REPORT_FOLDER);
}
