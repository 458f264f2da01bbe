import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { isFirstNotice } from '../baselines/index.js';
import { openReuseCache } from './reuse-cache.js';

export { type ExecutableOptions, identifyMachine } from '../page/index.js';

import type { ReuseSettings } from '../model/index.js';
import { createDigestReader, type ReuseRun } from './shot-reuse.js';

/** The place and circumstances of a run that reuses captures. */
export interface ReusePlace {
  /** The folder of the Playwright config. */
  readonly configFolder: string;
  /** The folder that the workers of the run share. */
  readonly locks: string;
  /** The commit; outside of git, the id of the run. */
  readonly run: string;
}

/** Opens what the shots of a worker share. */
export function openReuseRun({ verify }: ReuseSettings, place: ReusePlace): ReuseRun {
  const { configFolder, locks, run } = place;
  return {
    cache: openReuseCache(cacheFolderOf(configFolder, process.env.PROOFSHEET_CACHE)),
    readDigest: createDigestReader(),
    ...{ verify, run },
    prunes: () => isFirstNotice(locks, 'the cache is kept within its size'),
  };
}

/**
 * Returns the folder of the cache: `PROOFSHEET_CACHE`, relative to the working directory, or `node_modules/.cache/proofsheet` in the nearest
 * folder with `node_modules`, from the folder of the config upwards.
 */
export function cacheFolderOf(configFolder: string, variable: string | undefined): string {
  if (variable) return resolve(variable);
  for (let folder = configFolder; ; folder = dirname(folder)) {
    const modules = join(folder, 'node_modules');
    if (existsSync(modules)) return join(modules, '.cache', 'proofsheet');
    if (folder === dirname(folder)) return join(configFolder, 'node_modules', '.cache', 'proofsheet');
  }
}
