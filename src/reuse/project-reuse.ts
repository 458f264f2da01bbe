import { existsSync, readFileSync } from 'node:fs';
import type { PlaywrightTestOptions, PlaywrightWorkerOptions } from '@playwright/test';
import { sha256 } from '../baselines/index.js';
import type { ReuseSettings, Shot } from '../model/index.js';
import type { FolderServer } from './folder-servers.js';
import { hashOf } from './reuse-cache.js';

/** The options of Playwright, and what they mean for a capture. */
export const PROJECT_OPTIONS = {
  /** The images of pages depend on these. A page whose options differ needs another context. */
  context: [
    'bypassCSP',
    'colorScheme',
    'contextOptions',
    'contrast',
    'deviceScaleFactor',
    'forcedColors',
    'geolocation',
    'hasTouch',
    'ignoreHTTPSErrors',
    'isMobile',
    'javaScriptEnabled',
    'locale',
    'offline',
    'permissions',
    'reducedMotion',
    'screen',
    'serviceWorkers',
    'timezoneId',
    'userAgent',
    'viewport',
  ],
  /** These decide what a server sends. A capture with one of them cannot be reused. */
  credentials: ['clientCertificates', 'extraHTTPHeaders', 'httpCredentials', 'storageState'],
  /** The environment of a capture depends on these. */
  browser: ['browserName', 'channel', 'connectOptions', 'headless', 'launchOptions'],
  /** The images of a served page do not depend on these. A capture with a proxy cannot be reused all the same. */
  neutral: ['acceptDownloads', 'actionTimeout', 'baseURL', 'navigationTimeout', 'proxy', 'testIdAttribute'],
} as const;

/** The options of a Playwright project, as a listed test has them. */
export interface ProjectOptions {
  readonly project: string;
  /** All options that the config sets, also those that are not known here. */
  readonly use: Readonly<Record<string, unknown>>;
  /** The values of {@link PROJECT_OPTIONS}. */
  readonly values: Partial<PlaywrightTestOptions & PlaywrightWorkerOptions>;
  /** Playwright connects to a running browser. */
  readonly isRemote: boolean;
  /** The version of proofsheet. */
  readonly version: string;
  /** See `identifyMachine`; null if the browser is not known. */
  readonly machine: string | null;
  /** The run writes baselines on request. */
  readonly isUpdating: boolean;
}

/**
 * Reads whether a run reuses captures: null if not.
 * @param variable - `PROOFSHEET_REUSE`: `1` turns it on, `0` off
 */
export function resolveReuse(listed: ReuseSettings | null, variable: string | undefined): ReuseSettings | null {
  if (!variable) return listed;
  if (variable === '0') return null;
  if (variable === '1') return listed ?? { verify: 0 };
  throw new Error(`PROOFSHEET_REUSE is "${variable}"; expected 1 (reuse) or 0 (capture every page).`);
}

/** The shot, and everything that its image depends on except its inputs and its baseline. */
export type ReusableShot = ReturnType<typeof toReusableShot>;

/** @param server - the server of the page's folder; null: the run does not serve the page */
export function toReusableShot(shot: Shot, server: FolderServer | null, options: ProjectOptions) {
  const { id, capture, before: _, after, timeoutMs: __, ...others } = shot;
  const { credentials: ___, baseURLSource: ____, url, ...target } = after;
  // The port of a server is another one in each run.
  const place = JSON.stringify([url, target]).replaceAll(new URL(url).origin, '');
  const { rules, ...settings } = capture;
  // A served page has its own base URL, and the options of the browser are a part of the environment.
  const { baseURL: _____, launchOptions: ______, connectOptions: _______, ...use } = options.use;
  const { browserName, channel, headless, launchOptions = {} } = options.values;
  const { args = [], env, ignoreDefaultArgs, chromiumSandbox } = launchOptions;
  const reason = server === null ? 'the run does not serve its files: see `serve`' : notReusableReason(shot, options);
  return {
    ...{ project: options.project, id },
    /** The server of the page's folder, or why the shot is never reused. */
    source: reason ?? server ?? '',
    /** Why this run captures the shot in any case; null if it can reuse. Its capture can be reused later. */
    captureReason: options.isUpdating ? 'the run updates baselines' : null,
    parts: {
      version: options.version,
      settings: hashOf([
        place,
        others,
        settings,
        rules.block,
        rules.mocks.map(({ file, ...mock }) => [mock, file && digestOf(file)]),
        PROJECT_OPTIONS.context.map((name) => [name, options.values[name]]),
        use,
      ]),
      environment: hashOf([
        options.machine,
        browserName,
        { args, channel, headless, env, ignoreDefaultArgs, chromiumSandbox },
      ]),
    },
  };
}

/** Returns why captures of a shot can never be reused: it depends on more than settings and files. */
function notReusableReason(shot: Shot, { values, isRemote, machine }: ProjectOptions): string | null {
  const { browserName, launchOptions = {}, contextOptions = {}, proxy } = values;
  const { args = [] } = launchOptions;
  const { extraHTTPHeaders, storageState } = contextOptions;
  const credentials = [...PROJECT_OPTIONS.credentials.map((name) => values[name]), extraHTTPHeaders, storageState];
  const proxies = [proxy, contextOptions.proxy, launchOptions.proxy];
  const reasons: readonly (readonly [reason: string, applies: boolean])[] = [
    ['it compares two live pages', shot.before !== null],
    ['it has credentials', hasCredentials(shot)],
    ['a HAR file answers its requests', shot.capture.rules.har !== null],
    ['its project has credentials or headers', credentials.some(isSet)],
    ['it uses a remote browser', isRemote],
    [`the requests of service workers are not known in ${browserName}`, browserName !== 'chromium'],
    ['its browser uses a proxy', proxies.some(isSet) || args.some((arg) => arg.startsWith('--proxy-'))],
    ['its browser cannot be identified without a launch', machine === null],
  ];
  return reasons.find(([, applies]) => applies)?.[0] ?? null;
}

function digestOf(file: string): string | null {
  return existsSync(file) ? sha256(readFileSync(file)) : null;
}

function hasCredentials({ after: { url, credentials } }: Shot): boolean {
  const { username, password } = new URL(url);
  return [...Object.values(credentials), username, password].some(isSet);
}

function isSet(value: unknown): boolean {
  return typeof value === 'object' && value !== null ? Object.keys(value).length > 0 : Boolean(value);
}
