import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** A browser on this machine that Playwright did not install. */
export interface SystemBrowser {
  /** Display name. */
  readonly name: string;
  readonly executablePath: string;
}

/** The platform and environment to search. Only tests pass values other than those of the process. */
export interface SystemInfo {
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * Finds a Chromium that is installed on this machine. Browsers that open pages faster come first.
 *
 * @returns null when there is none.
 */
export function findSystemBrowser(systemInfo: SystemInfo, headless: boolean): SystemBrowser | null {
  for (const { name, commands, paths, headlessOnly } of KNOWN_BROWSERS) {
    if (headlessOnly && !headless) continue;
    const found = [...inSearchPath(commands, systemInfo), ...atKnownPaths(paths, systemInfo)].find(isExecutable);
    if (found) return { name, executablePath: found };
  }
  return null;
}

/**
 * Finds the installed Firefox for Playwright's channel `moz-firefox`. On Linux that channel looks only at the path of
 * Ubuntu's package. Debian installs Firefox at another path.
 *
 * @returns undefined when Playwright finds it by itself, or when there is none.
 */
export function findFirefox(systemInfo: SystemInfo): string | undefined {
  if (systemInfo.platform !== 'linux' || isExecutable('/snap/bin/firefox')) return undefined;
  return inSearchPath(['firefox', 'firefox-esr'], systemInfo).find(isExecutable);
}

interface KnownBrowser {
  readonly name: string;
  readonly commands: readonly string[];
  /** Paths outside `PATH`, by platform. `%NAME%` is an environment variable. */
  readonly paths: Partial<Record<NodeJS.Platform, readonly string[]>>;
  readonly headlessOnly?: true;
}

const KNOWN_BROWSERS: readonly KnownBrowser[] = [
  { name: 'chromium-headless-shell', commands: ['chromium-headless-shell'], paths: {}, headlessOnly: true },
  {
    name: 'Google Chrome',
    commands: ['google-chrome', 'google-chrome-stable'],
    paths: {
      linux: ['/opt/google/chrome/chrome'],
      darwin: ['/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'],
      win32: windowsPrograms('Google\\Chrome\\Application\\chrome.exe'),
    },
  },
  {
    name: 'Chromium',
    commands: ['chromium', 'chromium-browser'],
    paths: { darwin: ['/Applications/Chromium.app/Contents/MacOS/Chromium'] },
  },
  {
    name: 'Microsoft Edge',
    commands: ['microsoft-edge', 'microsoft-edge-stable'],
    paths: {
      linux: ['/opt/microsoft/msedge/msedge'],
      darwin: ['/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge'],
      win32: windowsPrograms('Microsoft\\Edge\\Application\\msedge.exe'),
    },
  },
];

function windowsPrograms(path: string): string[] {
  return ['%PROGRAMFILES%', '%PROGRAMFILES(X86)%', '%LOCALAPPDATA%'].map((folder) => `${folder}\\${path}`);
}

function inSearchPath(commands: readonly string[], { platform, env }: SystemInfo): string[] {
  const folders = (env.PATH ?? '').split(delimiter).filter(Boolean);
  const ending = platform === 'win32' ? '.exe' : '';
  return commands.flatMap((command) => folders.map((folder) => join(folder, command + ending)));
}

function atKnownPaths(paths: KnownBrowser['paths'], { platform, env }: SystemInfo): string[] {
  return (paths[platform] ?? []).flatMap((path) => {
    const variable = /%(.+?)%/.exec(path)?.[1];
    if (variable === undefined) return path;
    const value = env[variable];
    return value ? path.replace(`%${variable}%`, value) : [];
  });
}

function isExecutable(path: string): boolean {
  if (!existsSync(path) || !statSync(path).isFile()) return false;
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
