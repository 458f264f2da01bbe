import { randomUUID } from 'node:crypto';
import { dirname } from 'node:path';
import type { FullConfig, FullProject, PlaywrightWorkerOptions, TestInfo } from '@playwright/test';
import type { ReuseSettings, Shot } from '../model/index.js';
import {
  createShotReuse,
  type ExecutableOptions,
  type FolderServer,
  identifyMachine,
  openReuseRun,
  type ProjectOptions,
  type ReuseRun,
  type ShotReuse,
  toReusableShot,
} from '../reuse/index.js';
import { packageVersion, readCommit, readRunId } from '../run/index.js';
import { locksFolder } from './runner-context.js';

/** The options of a test that decide whether its shot can be reused. */
export interface ReuseOptions extends ProjectOptions {
  readonly executable: ExecutableOptions;
}

/** The options of a test, as its fixtures have them. */
interface TestOptions
  extends Pick<ReuseOptions, 'contextOptions' | 'credentials' | 'proxies'>,
    Pick<PlaywrightWorkerOptions, 'channel' | 'headless' | 'launchOptions' | 'connectOptions' | 'browserName'> {}

/** Collects the options of a test that decide whether its shot can be reused. */
export function toReuseOptions({ name, use }: Pick<FullProject, 'name' | 'use'>, options: TestOptions): ReuseOptions {
  const { launchOptions, channel, headless, connectOptions, proxies, contextOptions, ...others } = options;
  const { args = [], executablePath, env, ignoreDefaultArgs, chromiumSandbox, proxy } = launchOptions;
  // Options that are not known here count as well. The last two are read as fixtures, and served pages have their own base URL.
  const { baseURL: _, launchOptions: __, connectOptions: ___, ...used } = use;
  return {
    ...others,
    project: name,
    contextOptions: { ...contextOptions, used },
    proxies: [...proxies, proxy],
    isRemote: connectOptions !== undefined || process.env.PW_TEST_CONNECT_WS_ENDPOINT !== undefined,
    launchOptions: { args, channel, headless, env, ignoreDefaultArgs, chromiumSandbox },
    executable: { executablePath, channel, headless },
  };
}

/** The reuse of captures in one worker. */
export interface WorkerReuse {
  /**
   * Returns the reuse of one shot; null if its test captures in any case, and does not store the capture.
   *
   * @param server - the server of the page's folder; null: the run does not serve the page
   */
  begin(shot: Shot, server: FolderServer | null, options: ReuseOptions, testInfo: TestInfo): Promise<ShotReuse | null>;
}

/** Creates the reuse of a worker. What its shots share is read for the first one. All of them have the same browser. */
export function createWorkerReuse(settings: ReuseSettings): WorkerReuse {
  let shared: Promise<SharedReuse> | null = null;
  return {
    async begin(shot, server, options, { config, project, retry }) {
      // A retry, and each of several repeats, exists to capture the page.
      if (retry > 0 || project.repeatEach > 1) return null;
      shared ??= openShared(settings, options, config);
      const { run, machine } = await shared;
      const isUpdating = ['all', 'changed', 'missing'].includes(config.updateSnapshots);
      const reusable = toReusableShot(shot, server, options, { version: packageVersion(), machine, isUpdating });
      return createShotReuse(reusable, run);
    },
  };
}

/** What the shots of a worker share. */
interface SharedReuse {
  readonly run: ReuseRun;
  /** See `identifyMachine`. */
  readonly machine: string | null;
}

async function openShared(settings: ReuseSettings, options: ReuseOptions, config: FullConfig): Promise<SharedReuse> {
  const { configFile, rootDir } = config;
  const [machine, commit] = await Promise.all([
    identifyMachine(options.executable),
    settings.verify > 0 ? readCommit(rootDir) : null,
  ]);
  const run = openReuseRun(settings, {
    configFolder: configFile ? dirname(configFile) : rootDir,
    locks: locksFolder(config),
    run: commit ?? readRunId(process.env) ?? randomUUID(),
  });
  return { run, machine };
}
