import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { accessSync, constants, type Dirent, existsSync, statSync } from 'node:fs';
import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import { homedir, release } from 'node:os';
import { basename, delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { chromium } from '@playwright/test';

/** The platform and environment to search. Only tests pass values other than those of the process. */
export interface SystemInfo {
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** The commands of each browser, and its paths outside of `PATH`. Those of Windows are relative to {@link PROGRAM_FOLDERS}. */
interface KnownBrowser {
  readonly name: string;
  readonly commands: readonly string[];
  readonly paths?: Partial<Record<NodeJS.Platform, string>>;
  readonly headlessOnly?: true;
}

/** Browsers that open pages faster come first. */
const KNOWN_BROWSERS: readonly KnownBrowser[] = [
  { name: 'chromium-headless-shell', commands: ['chromium-headless-shell'], headlessOnly: true },
  {
    name: 'Google Chrome',
    commands: ['google-chrome', 'google-chrome-stable'],
    paths: {
      linux: '/opt/google/chrome/chrome',
      darwin: '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
      win32: 'Google\\Chrome\\Application\\chrome.exe',
    },
  },
  {
    name: 'Chromium',
    commands: ['chromium', 'chromium-browser'],
    paths: { darwin: '/Applications/Chromium.app/Contents/MacOS/Chromium' },
  },
  {
    name: 'Microsoft Edge',
    commands: ['microsoft-edge', 'microsoft-edge-stable'],
    paths: {
      linux: '/opt/microsoft/msedge/msedge',
      darwin: '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
      win32: 'Microsoft\\Edge\\Application\\msedge.exe',
    },
  },
];

const PROGRAM_FOLDERS = ['PROGRAMFILES', 'PROGRAMFILES(X86)', 'LOCALAPPDATA'];

/** Finds a Chromium that is installed on this machine, with its display name. Returns null when there is none. */
export function findSystemBrowser(systemInfo: SystemInfo, headless: boolean) {
  const { platform, env } = systemInfo;
  for (const { name, commands, paths = {}, headlessOnly } of KNOWN_BROWSERS) {
    if (headlessOnly && !headless) continue;
    const folders = platform === 'win32' ? PROGRAM_FOLDERS.flatMap((variable) => env[variable] || []) : [''];
    const usual = folders.map((folder) => [folder, paths[platform]].filter(Boolean).join('\\'));
    const executablePath = [...inSearchPath(commands, systemInfo), ...usual].find(isExecutable);
    if (executablePath) return { name, executablePath };
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

function inSearchPath(commands: readonly string[], { platform, env }: SystemInfo): string[] {
  const folders = (env.PATH ?? '').split(delimiter).filter(Boolean);
  const ending = platform === 'win32' ? '.exe' : '';
  return commands.flatMap((command) => folders.map((folder) => join(folder, command + ending)));
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/**
 * Returns the name of the folder of Playwright's headless shell, which contains its revision; null if it is not installed. Playwright has no
 * API for its path. The shell is in a sibling folder of the full browser, with the same revision, also if only one of them is installed.
 */
export function findHeadlessShell(): string | null {
  const folder = revisionFolder(chromium.executablePath());
  const shell = basename(folder ?? '').replace('chromium-', 'chromium_headless_shell-');
  return folder && isInstalled(join(dirname(folder), shell)) ? shell : null;
}

/** Returns the folder whose name contains the revision of a browser, if Playwright installs it at this path. */
function revisionFolder(executablePath: string): string | null {
  for (let folder = dirname(executablePath); folder !== dirname(folder); folder = dirname(folder))
    if (/^chromium(_headless_shell)?-\d+$/.test(basename(folder))) return folder;
  return null;
}

function isInstalled(folder: string): boolean {
  return existsSync(join(folder, 'INSTALLATION_COMPLETE'));
}

export interface ExecutableOptions {
  readonly executablePath: string | undefined;
  readonly channel: string | undefined;
  readonly headless: boolean;
}

/**
 * Returns a hash of everything of this machine that can change an image, without launching a browser: its version, the fonts, the operating system,
 * its language and time zone. Null if the executable is not known. A font that is replaced by one of the same name and size is not noticed.
 */
export async function identifyMachine(options: ExecutableOptions): Promise<string | null> {
  const listing = Promise.all(fontFolders(homedir()).map(listFiles));
  const [browser, fonts, system] = await Promise.all([identifyBrowser(options), listing, readSystem()]);
  const machine = JSON.stringify([browser, fonts.flat().sort(), system]);
  return browser && createHash('sha256').update(machine).digest('hex');
}

/** Playwright's own browser is identified by its revision, another one by its version and size. */
async function identifyBrowser({ executablePath, channel, headless }: ExecutableOptions): Promise<string | null> {
  if (executablePath) return revisionOf(executablePath) ?? (await readVersion(executablePath));
  if (channel === 'chromium-headless-shell' || (channel === undefined && headless)) return findHeadlessShell();
  return channel === undefined || channel === 'chromium' ? revisionOf(chromium.executablePath()) : null;
}

function revisionOf(executablePath: string): string | null {
  const folder = revisionFolder(executablePath);
  return folder && isInstalled(folder) ? basename(folder) : null;
}

const VERSION_MS = 10_000;

/** On Windows, `--version` opens a window. There, the folder of the browser has a subfolder with the version. */
async function readVersion(executablePath: string): Promise<string | null> {
  try {
    const path = await realpath(executablePath);
    const { size } = await stat(path);
    if (process.platform === 'win32') return JSON.stringify([size, (await readdir(dirname(path))).sort()]);
    const { stdout } = await promisify(execFile)(path, ['--version'], { timeout: VERSION_MS });
    return stdout.trim() === '' ? null : JSON.stringify([size, stdout.trim()]);
  } catch {
    return null;
  }
}

function fontFolders(home: string): string[] {
  const { platform, env } = process;
  if (platform === 'darwin') return ['/System/Library/Fonts', '/Library/Fonts', join(home, 'Library/Fonts')];
  if (platform === 'win32')
    return [join(env.WINDIR ?? 'C:\\Windows', 'Fonts'), join(env.LOCALAPPDATA ?? home, 'Microsoft\\Windows\\Fonts')];
  const data = join(env.XDG_DATA_HOME ?? join(home, '.local/share'), 'fonts');
  const config = join(env.XDG_CONFIG_HOME ?? join(home, '.config'), 'fontconfig');
  return ['/usr/share/fonts', '/usr/local/share/fonts', '/etc/fonts', join(home, '.fonts'), data, config];
}

async function listFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((): Dirent[] => []);
  const listed = entries.map(async (entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return listFiles(path);
    // Follows symbolic links: rules of fontconfig are links.
    const found = await stat(path).catch(() => null);
    return found?.isFile() ? [`${path} ${found.size}`] : [];
  });
  return (await Promise.all(listed)).flat();
}

const VARIABLES = ['LANG', 'LANGUAGE', 'LC_ALL', 'LC_CTYPE', 'TZ', 'FONTCONFIG_FILE', 'FONTCONFIG_PATH'];

async function readSystem(): Promise<readonly unknown[]> {
  const { platform, arch, env } = process;
  // The kernel of Linux draws nothing, but its distribution has libraries that do.
  const version = platform === 'linux' ? await readFile('/etc/os-release', 'utf8').catch(() => '') : release();
  return [platform, arch, version, await readTimeZone(), VARIABLES.map((name) => env[name] ?? null)];
}

/** Where systems other than Windows have their time zone: a link to the file of a zone, or a copy of that file. */
const LOCAL_TIME = '/etc/localtime';

/** `Intl` takes 20 ms to find it. */
async function readTimeZone(): Promise<readonly unknown[]> {
  if (process.platform === 'win32') return [Intl.DateTimeFormat().resolvedOptions().timeZone];
  return Promise.all([realpath(LOCAL_TIME).catch(() => null), readFile(LOCAL_TIME, 'base64').catch(() => null)]);
}
