import { randomUUID } from 'node:crypto';
import type { FullConfig, PlaywrightWorkerOptions, TestInfo } from '@playwright/test';
import { isFirstNotice } from '../baselines/index.js';
import type { ReuseSettings, Shot } from '../model/index.js';
import { identifyMachine } from '../page/index.js';
import {
  cacheFolderOf,
  createShotReuse,
  type FolderServer,
  openReuseCache,
  type ProjectOptions,
  type ReuseRun,
  type ShotReuse,
  toReusableShot,
} from '../reuse/index.js';
import { packageVersion, readCommit, readRunId } from '../run/index.js';
import { configFolder, isRemote, locksFolder, updateModeOf } from './runner-context.js';

/** Returns the reuse of one shot; null if its test captures in any case, and does not store the capture. */
export type BeginReuse = ReturnType<typeof createWorkerReuse>;

/** Creates the reuse of a worker. What its shots share is read for the first one. All of them have the same browser. */
export function createWorkerReuse(settings: ReuseSettings) {
  let shared: Promise<readonly [ReuseRun, machine: string | null]> | null = null;
  return async (
    shot: Shot,
    /** Null: the run does not serve the page. */
    server: FolderServer | null,
    values: ProjectOptions['values'] & Pick<PlaywrightWorkerOptions, 'connectOptions' | 'launchOptions'>,
    { config, project, retry }: TestInfo,
  ): Promise<ShotReuse | null> => {
    // A retry, and each of several repeats, exists to capture the page.
    if (retry > 0 || project.repeatEach > 1) return null;
    const { channel, headless = true, launchOptions, connectOptions } = values;
    const { executablePath } = launchOptions;
    shared ??= Promise.all([openRun(settings, config), identifyMachine({ executablePath, channel, headless })]);
    const [run, machine] = await shared;
    const options = {
      ...{ project: project.name, use: { ...project.use }, values, isRemote: isRemote(connectOptions) },
      ...{ version: packageVersion(), machine },
      isUpdating: ['all', 'changed', 'missing'].includes(updateModeOf(config)),
    };
    return createShotReuse(toReusableShot(shot, server, options), run);
  };
}

async function openRun({ verify }: ReuseSettings, config: FullConfig): Promise<ReuseRun> {
  const commit = verify > 0 ? await readCommit(config.rootDir) : null;
  return {
    cache: openReuseCache(cacheFolderOf(configFolder(config), process.env.PROOFSHEET_CACHE)),
    verify,
    run: commit ?? readRunId(process.env) ?? randomUUID(),
    prunes: () => isFirstNotice(locksFolder(config), 'the cache is kept within its size'),
  };
}
