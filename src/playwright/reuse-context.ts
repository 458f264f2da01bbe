import { dirname } from 'node:path';
import type { FullConfig, PlaywrightTestOptions, PlaywrightWorkerOptions, TestInfo } from '@playwright/test';
import { type ProjectOptions, reachableHosts, toReusableShot } from '../core/reuse/project-reuse.js';
import { type ExecutableOptions, identifyMachine, openReuseRun } from '../core/reuse/reuse-run.js';
import { createShotReuse, type ReuseRun, readAhead, type ShotReuse } from '../core/reuse/shot-reuse.js';
import { packageVersion, readCommit, readRunId } from '../core/run/run-identity.js';
import type { ReuseSettings } from '../model/list/fields.js';
import type { Shot } from '../model/shot.js';
import { locksFolder, runnerPid } from './runner-context.js';

/** The options of a test that decide whether its shot can be reused. */
export interface ReuseOptions extends ProjectOptions {
  readonly executable: ExecutableOptions;
  readonly ignoresHttpsErrors: boolean;
}

/** The options of a test, as its fixtures have them. */
interface TestOptions
  extends Pick<ReuseOptions, 'contextOptions' | 'credentials' | 'proxies'>,
    Pick<PlaywrightWorkerOptions, 'channel' | 'headless' | 'launchOptions' | 'connectOptions' | 'browserName'>,
    Pick<PlaywrightTestOptions, 'locale' | 'offline' | 'ignoreHTTPSErrors'> {}

/** Collects the options of a test that decide whether its shot can be reused. */
export function toReuseOptions(project: string, options: TestOptions): ReuseOptions {
  const { launchOptions, channel, headless, connectOptions, ignoreHTTPSErrors, proxies, ...others } = options;
  const { args = [], executablePath, env, ignoreDefaultArgs, chromiumSandbox, proxy } = launchOptions;
  return {
    ...others,
    project,
    proxies: [...proxies, proxy],
    isRemote: connectOptions !== undefined || process.env.PW_TEST_CONNECT_WS_ENDPOINT !== undefined,
    launchOptions: { args, channel, headless, env, ignoreDefaultArgs, chromiumSandbox },
    executable: { executablePath, channel, headless },
    ignoresHttpsErrors: ignoreHTTPSErrors,
  };
}

/** The reuse of captures in one worker. */
export interface WorkerReuse {
  /**
   * Returns the reuse of one shot; null if its test captures in any case, and does not store the capture.
   *
   * @param nextIds - the shots that this worker probably tests next. Their inputs are requested meanwhile
   */
  begin(shot: Shot, nextIds: readonly string[], options: ReuseOptions, testInfo: TestInfo): Promise<ShotReuse | null>;
}

/** Creates the reuse of a worker. What its shots share is read for the first one. All of them have the same browser. */
export function createWorkerReuse(settings: ReuseSettings): WorkerReuse {
  let shared: Promise<SharedReuse> | null = null;
  const ahead = new Map<string, ReturnType<typeof readAhead>>();
  return {
    async begin(shot, nextIds, options, { config, project, retry }) {
      // A retry, and each of several repeats, exists to capture the page.
      if (retry > 0 || project.repeatEach > 1) return null;
      shared ??= openShared(settings, options, config);
      const { run, identified } = await shared;
      const isUpdating = ['all', 'changed', 'missing'].includes(config.updateSnapshots);
      for (const id of isUpdating ? [] : [shot.id, ...nextIds])
        if (!ahead.has(id)) ahead.set(id, readAhead({ project: project.name, id }, run));
      const machine = await identified;
      const reusable = toReusableShot(shot, options, { version: packageVersion(), machine, isUpdating });
      const stored = ahead.get(shot.id) ?? Promise.resolve([]);
      ahead.delete(shot.id);
      return createShotReuse(reusable, run, stored);
    },
  };
}

/** What the shots of a worker share. */
interface SharedReuse {
  readonly run: ReuseRun;
  /** See `identifyMachine`. */
  readonly identified: Promise<string | null>;
}

async function openShared(settings: ReuseSettings, options: ReuseOptions, config: FullConfig): Promise<SharedReuse> {
  const { configFile, rootDir } = config;
  const identified = identifyMachine(options.executable);
  const commit = settings.verify > 0 ? await readCommit(rootDir) : null;
  const run = openReuseRun(settings, {
    configFolder: configFile ? dirname(configFile) : rootDir,
    locks: locksFolder(config),
    run: commit ?? readRunId(process.env) ?? String(runnerPid),
    ignoresHttpsErrors: options.ignoresHttpsErrors,
    reachableHosts: reachableHosts(options.launchOptions.args),
  });
  return { run, identified };
}
