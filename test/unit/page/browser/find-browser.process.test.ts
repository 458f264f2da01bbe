import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { SystemInfo } from '../../../../src/page/browser/find-browser.js';
import type { BrowserOptions } from '../../../../src/page/browser/launch.js';

// Read once, when Playwright is loaded: what it has installed on this machine is not to be seen here.
const installed = mkdtempSync(join(tmpdir(), 'proofsheet-installed-'));
process.env.PLAYWRIGHT_BROWSERS_PATH = installed;
const { chromium, firefox, webkit } = await import('@playwright/test');
const { findSystemBrowser, identifyMachine } = await import('../../../../src/page/browser/find-browser.js');
const { chooseBrowser } = await import('../../../../src/page/browser/launch.js');

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'proofsheet-browsers-'));
  rmSync(installed, { recursive: true, force: true });
});

/** Puts a program into a folder of this test's own, or at an absolute path; gives its path. */
function install(path: string, { mode = 0o755, version = '1' } = {}): string {
  const file = resolve(home, path);
  // Where Playwright was loaded before this file, its browsers are those of this machine.
  if (!file.startsWith(tmpdir())) throw new Error(`${file} is not in the temp folder of the tests`);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `#!/bin/sh\necho '${version}'\n`);
  chmodSync(file, mode);
  return file;
}

/** Installs the headless shell of a revision as Playwright does. */
function installShell(revision: number | string): string {
  const folder = join(installed, `chromium_headless_shell-${revision}`);
  install(join(folder, 'INSTALLATION_COMPLETE'));
  return install(join(folder, 'chrome-linux/headless_shell'));
}

/** The revision that Playwright itself would install. */
const ownRevision = () => /chromium-(\d+)/.exec(chromium.executablePath())?.[1] ?? '';

/** A machine with these folders in its search path, of a platform that has no usual places outside of it. */
function machineOf(folders: readonly string[] = ['bin'], platform: NodeJS.Platform = 'freebsd'): SystemInfo {
  return { platform, env: { PATH: folders.map((folder) => join(home, folder)).join(delimiter) } };
}

const find = (headless = true, machine = machineOf()) => findSystemBrowser(machine, headless);

const UNNAMED = { executablePath: undefined, channel: undefined, headless: true };

describe('the browser of the machine', () => {
  const ranked = [
    ['chromium-headless-shell', 'chromium-headless-shell'],
    ['google-chrome', 'Google Chrome'],
    ['google-chrome-stable', 'Google Chrome'],
    ['chromium', 'Chromium'],
    ['chromium-browser', 'Chromium'],
    ['microsoft-edge', 'Microsoft Edge'],
    ['microsoft-edge-stable', 'Microsoft Edge'],
  ] as const;

  test.each([true, false])('is the most preferred one that is installed (headless: %s)', (headless) => {
    for (const [command] of ranked) install(`bin/${command}`);
    for (const [command, name] of ranked) {
      const executablePath = join(home, 'bin', command);
      // The shell has no window to show.
      if (headless || command !== 'chromium-headless-shell') expect(find(headless)).toEqual({ name, executablePath });
      rmSync(executablePath);
    }
    expect(find(headless)).toBe(null);
  });

  test('is searched only in the folders of PATH, in order', () => {
    install('elsewhere/google-chrome');
    const second = install('b/chromium');
    const machine = machineOf(['a', 'b']);
    expect(find(true, machine)?.executablePath).toBe(second);
    const first = install('a/chromium');
    expect(find(true, machine)?.executablePath).toBe(first);
    for (const env of [{}, { PATH: delimiter }]) expect(find(true, { platform: 'freebsd', env })).toBe(null);
    expect(find(true, machineOf(['a'], 'win32'))).toBe(null);
    const executablePath = install('a/chromium.exe');
    expect(find(true, machineOf(['a'], 'win32'))).toEqual({ name: 'Chromium', executablePath });
  });

  test('is an executable file: not a folder, a text or a broken link', () => {
    mkdirSync(join(home, 'bin/google-chrome'), { recursive: true });
    // Windows has no permission to execute a file.
    if (process.platform !== 'win32') install('bin/google-chrome-stable', { mode: 0o644 });
    symlinkSync(join(home, 'gone'), join(home, 'bin/chromium'));
    expect(find()).toBe(null);
    symlinkSync(install('opt/edge/msedge'), join(home, 'bin/microsoft-edge'));
    expect(find()?.name).toBe('Microsoft Edge');
  });

  test.each([
    ['PROGRAMFILES', 'Google\\Chrome\\Application\\chrome.exe', 'Google Chrome'],
    ['PROGRAMFILES(X86)', 'Google\\Chrome\\Application\\chrome.exe', 'Google Chrome'],
    ['LOCALAPPDATA', 'Microsoft\\Edge\\Application\\msedge.exe', 'Microsoft Edge'],
  ])('is found on Windows below %%%s%% as %s', (variable, place, name) => {
    // Where a backslash is a letter, the whole place is one file's name.
    const executablePath = install(`programs\\${place}`);
    const env = { [variable]: join(home, 'programs') };
    expect(find(true, { platform: 'win32', env })).toEqual({ name, executablePath });
    expect(find(true, { platform: 'freebsd', env })).toBe(null);
  });
});

describe('the browser of a project', () => {
  const choose = (wish: Partial<BrowserOptions>, machine = machineOf()) =>
    chooseBrowser({ ...UNNAMED, browserName: 'chromium', remote: false, ...wish }, machine);
  const own = () => chromium.executablePath();

  test('is left as it is where it names a channel or a path, or is remote', () => {
    install('bin/chromium');
    const wishes = [{ channel: 'chrome' }, { executablePath: '/opt/own' }, { remote: true }];
    expect(wishes.map((wish) => choose(wish))).toEqual(
      [undefined, '/opt/own', undefined].map((executablePath) => ({ executablePath, notice: null })),
    );
  });

  test.each([
    { type: firefox, title: 'Firefox' },
    { type: webkit, title: 'WebKit' },
  ])("is Playwright's $title, or an error that names the command to install it", ({ type, title }) => {
    const browserName = type.name();
    install('bin/chromium');
    const message = `browser: Playwright's ${title} is not installed. Run: npx playwright install ${browserName}`;
    expect(() => choose({ browserName })).toThrow(expect.objectContaining({ code: 'browser-missing', message }));
    expect(choose({ browserName, executablePath: '/opt/own' }).executablePath).toBe('/opt/own');
    expect(choose({ browserName, remote: true }).executablePath).toBeUndefined();
    install(type.executablePath());
    expect(choose({ browserName })).toEqual({ executablePath: undefined, notice: null });
  });

  test('is the Firefox in the PATH of Linux for the channel `moz-firefox`, and for no other', () => {
    const debian = install('bin/firefox-esr');
    const wish = { browserName: 'firefox', channel: 'moz-firefox' };
    const linux = machineOf(['bin'], 'linux');
    expect(choose(wish, linux).executablePath).toBe(debian);
    expect(choose({ ...wish, executablePath: '/opt/firefox' }, linux).executablePath).toBe('/opt/firefox');
    install(firefox.executablePath());
    expect(choose({ browserName: 'firefox' }, linux).executablePath).toBeUndefined();
    expect(choose(wish, machineOf(['bin'], 'darwin')).executablePath).toBeUndefined();
    expect(choose(wish, machineOf(['empty'], 'linux')).executablePath).toBeUndefined();
  });

  test('is an installed one if Playwright has none, with a notice, or an error if there is none', () => {
    const message =
      "browser: Playwright's Chromium is not installed, and no Chrome, Chromium or Edge was found. " +
      'Run: npx playwright install chromium';
    expect(() => choose({})).toThrow(expect.objectContaining({ code: 'browser-missing', message }));
    const executablePath = install('bin/chromium-headless-shell');
    const notice = `Playwright's own browser is not installed: using chromium-headless-shell at ${executablePath}.`;
    expect(choose({})).toEqual({ executablePath, notice });
  });

  test('is the one that Playwright installed: the headless shell, or the full browser', () => {
    install('bin/google-chrome');
    install(own());
    expect(choose({})).toEqual({ executablePath: own(), notice: null });
    installShell(ownRevision());
    expect(choose({})).toEqual({ executablePath: undefined, notice: null });
    expect(choose({ headless: false })).toEqual({ executablePath: own(), notice: null });
  });
});

describe.skipIf(process.platform === 'win32')('the identity of a machine', () => {
  const identify = (executablePath: string) => identifyMachine({ ...UNNAMED, executablePath });

  test('is that of the browser and the language, wherever the browser is; null if there is none, or if it says no version', async () => {
    expect(await identify(join(home, 'none'))).toBeNull();
    expect(await identify(install('silent', { version: '' }))).toBeNull();
    const first = await identify(install('browser'));
    expect(first).toMatch(/^[\da-f]{64}$/);
    expect(await identify(install('other/browser'))).toBe(first);
    expect(await identify(install('browser', { version: '2' }))).not.toBe(first);
    vi.stubEnv('LC_ALL', 'x');
    expect(await identify(install('browser'))).not.toBe(first);
    vi.unstubAllEnvs();
  });

  test("is that of the revision of Playwright's headless shell, also if the full browser is not installed", async () => {
    expect(await identifyMachine(UNNAMED)).toBeNull();
    const known = await identify(installShell(ownRevision()));
    expect(await identify(installShell(1))).not.toBe(known);
    expect(await identifyMachine(UNNAMED)).toBe(known);
    expect(await identifyMachine({ ...UNNAMED, channel: 'chromium-headless-shell', headless: false })).toBe(known);
    // The full browser is another one, which is not installed.
    for (const channel of ['chromium', 'chrome']) expect(await identifyMachine({ ...UNNAMED, channel })).toBeNull();
  });
});
