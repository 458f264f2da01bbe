import type { ReuseSettings, Shot } from '../model/index.js';
import type { FolderServer } from './folder-servers.js';
import { hashOf } from './key.js';
import type { ReusableShot } from './shot-reuse.js';

/** The options of a Playwright project that an image can depend on. */
export interface ProjectOptions {
  readonly project: string;
  /** Options of browser contexts. */
  readonly contextOptions: object;
  /** Credentials of the project: HTTP credentials, storage state, client certificates, headers. */
  readonly credentials: readonly unknown[];
  /** Proxies of the contexts and of the browser. */
  readonly proxies: readonly unknown[];
  readonly browserName: string;
  /** Playwright connects to a running browser. */
  readonly isRemote: boolean;
  /** The launch options, except the path of the executable. */
  readonly launchOptions: Readonly<Record<string, unknown>> & { readonly args: readonly string[] };
}

/** The circumstances of a run. */
export interface RunCircumstances {
  /** Version of proofsheet. */
  readonly version: string;
  /** See `identifyMachine`; null if the browser is not known. */
  readonly machine: string | null;
  /** The run writes baselines on request. */
  readonly isUpdating: boolean;
}

/**
 * Reads whether a run reuses captures.
 *
 * @param listed - `reuse` of the page list
 * @param variable - `PROOFSHEET_REUSE`: `1` turns it on, `0` off
 * @returns null if it does not
 */
export function resolveReuse(listed: ReuseSettings | null, variable: string | undefined): ReuseSettings | null {
  switch (variable) {
    case undefined:
    case '':
      return listed;
    case '0':
      return null;
    case '1':
      return listed ?? { verify: 0 };
    default:
      throw new Error(`PROOFSHEET_REUSE is "${variable}"; expected 1 (reuse) or 0 (capture every page).`);
  }
}

/**
 * Describes a shot by everything that its image depends on, except its inputs and its baseline.
 *
 * @param server - the server of the page's folder; null: the run does not serve the page
 */
export function toReusableShot(
  shot: Shot,
  server: FolderServer | null,
  options: ProjectOptions,
  run: RunCircumstances,
): ReusableShot {
  const { id, capture, compare, emulation, strict, minCompared, environment } = shot;
  const { credentials: _, baseURLSource: __, url, ...target } = shot.after;
  // The port of a server is another one in each run.
  const place = JSON.stringify([url, target]).replaceAll(new URL(url).origin, '');
  const { project, contextOptions, browserName, launchOptions } = options;
  return {
    ...{ project, id },
    source:
      server === null ? 'the run does not serve its files: see `serve`' : (obstacleOf(shot, options, run) ?? server),
    captureReason: run.isUpdating ? 'the run updates baselines' : null,
    parts: {
      version: run.version,
      settings: hashOf([place, emulation, capture, compare, { strict, minCompared, environment }, contextOptions]),
      environment: hashOf([run.machine, browserName, launchOptions]),
    },
  };
}

/** Returns why captures of a shot can never be reused: it depends on more than settings and files. */
function obstacleOf(shot: Shot, options: ProjectOptions, { machine }: RunCircumstances): string | null {
  const { args } = options.launchOptions;
  const reasons: readonly (readonly [reason: string, applies: boolean])[] = [
    ['it compares two live pages', shot.before !== null],
    ['it has credentials', hasCredentials(shot)],
    ['its project has credentials or headers', options.credentials.some(isSet)],
    ['it uses a remote browser', options.isRemote],
    [`the requests of service workers are not known in ${options.browserName}`, options.browserName !== 'chromium'],
    ['its browser uses a proxy', options.proxies.some(isSet) || args.some((arg) => arg.startsWith('--proxy-'))],
    ['its browser cannot be identified without a launch', machine === null],
  ];
  return reasons.find(([, applies]) => applies)?.[0] ?? null;
}

function hasCredentials({ after: { url, credentials } }: Shot): boolean {
  const { headers, cookies, storageState, httpCredentials } = credentials;
  const { username, password } = new URL(url);
  return [headers, cookies, storageState, httpCredentials, username, password].some(isSet);
}

function isSet(value: unknown): boolean {
  return typeof value === 'object' && value !== null ? Object.keys(value).length > 0 : Boolean(value);
}
