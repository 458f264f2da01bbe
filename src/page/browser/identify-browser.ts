import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import type { Dirent } from 'node:fs';
import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import { homedir, release } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { chromium } from '@playwright/test';
import { messageOf } from '../../model/index.js';
import { findHeadlessShell, isInstalled } from './launch.js';

/** The options that choose the executable of a local Chromium. */
export interface ExecutableOptions {
  readonly executablePath: string | undefined;
  readonly channel: string | undefined;
  readonly headless: boolean;
}

/**
 * Identifies the browser of a project and the system that it draws on, without launching it. The result stands for everything of
 * this machine that can change an image: the version of the browser, the fonts, the operating system, its language and time zone.
 *
 * Files are identified by name and size. A font that is replaced by another one of the same name and size is not noticed.
 *
 * @returns a hash; null if the executable is not known
 */
export async function identifyMachine(options: ExecutableOptions): Promise<string | null> {
  const [browser, fonts, system] = await Promise.all([identifyBrowser(options), listFonts(), readSystem()]);
  return (
    browser &&
    createHash('sha256')
      .update(JSON.stringify([browser, fonts, system]))
      .digest('hex')
  );
}

/** The folder of each browser that Playwright has installed contains its revision. */
const REVISION = /^chromium(_headless_shell)?-\d+$/;

/** Playwright's own browser is identified by its revision, another one by its version and size. */
async function identifyBrowser({ executablePath, channel, headless }: ExecutableOptions): Promise<string | null> {
  if (executablePath) return revisionOf(executablePath) ?? (await readVersion(executablePath));
  if (channel === 'chromium-headless-shell' || (channel === undefined && headless)) return findHeadlessShell();
  return channel === undefined || channel === 'chromium' ? revisionOf(chromium.executablePath()) : null;
}

function revisionOf(executablePath: string): string | null {
  for (let folder = dirname(executablePath); folder !== dirname(folder); folder = dirname(folder)) {
    const name = basename(folder);
    if (REVISION.test(name) && isInstalled(folder)) return name;
  }
  return null;
}

/** Maximum time until the browser has printed its version, in milliseconds. */
const VERSION_MS = 10_000;

/** On Windows, `--version` opens a window. There, the folder of the browser has a subfolder with the version. */
async function readVersion(executablePath: string): Promise<string | null> {
  try {
    const path = await realpath(executablePath);
    const { size } = await stat(path);
    if (process.platform === 'win32') return JSON.stringify([size, (await readdir(dirname(path))).sort()]);
    const { stdout } = await promisify(execFile)(path, ['--version'], { timeout: VERSION_MS });
    return stdout.trim() === '' ? null : JSON.stringify([size, stdout.trim()]);
  } catch (error) {
    messageOf(error);
    return null;
  }
}

/** The folders in which a system looks for fonts, and for rules about them. */
function fontFolders(): string[] {
  const home = homedir();
  switch (process.platform) {
    case 'darwin':
      return ['/System/Library/Fonts', '/Library/Fonts', join(home, 'Library/Fonts')];
    case 'win32':
      return [
        join(process.env.WINDIR ?? 'C:\\Windows', 'Fonts'),
        join(process.env.LOCALAPPDATA ?? home, 'Microsoft\\Windows\\Fonts'),
      ];
    default: {
      const data = process.env.XDG_DATA_HOME ?? join(home, '.local/share');
      const config = process.env.XDG_CONFIG_HOME ?? join(home, '.config');
      const own = [join(home, '.fonts'), join(data, 'fonts'), join(config, 'fontconfig')];
      return ['/usr/share/fonts', '/usr/local/share/fonts', '/etc/fonts', ...own];
    }
  }
}

/** Returns name and size of all font files. */
async function listFonts(): Promise<string[]> {
  return (await Promise.all(fontFolders().map(listFiles))).flat().sort();
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

/** The environment variables that a browser reads when it draws. */
const VARIABLES = ['LANG', 'LANGUAGE', 'LC_ALL', 'LC_CTYPE', 'TZ', 'FONTCONFIG_FILE', 'FONTCONFIG_PATH'];

async function readSystem(): Promise<readonly unknown[]> {
  const { platform, arch, env } = process;
  // The kernel of Linux draws nothing, but its distribution has libraries that do.
  const version = platform === 'linux' ? await readFile('/etc/os-release', 'utf8').catch(() => '') : release();
  return [platform, arch, version, await readTimeZone(), VARIABLES.map((name) => env[name] ?? null)];
}

/** Where systems other than Windows have their time zone: a link to the file of a zone, or a copy of that file. */
const LOCAL_TIME = '/etc/localtime';

/** Returns the time zone of the system; `Intl` takes 20 ms to find it. The variable `TZ`, which comes first, is read elsewhere. */
async function readTimeZone(): Promise<readonly unknown[]> {
  if (process.platform === 'win32') return [Intl.DateTimeFormat().resolvedOptions().timeZone];
  return Promise.all([realpath(LOCAL_TIME).catch(() => null), readFile(LOCAL_TIME, 'base64').catch(() => null)]);
}
