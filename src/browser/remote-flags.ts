import type { Browser } from '@playwright/test';
import { SETTINGS_FLAG } from './launch.js';

/**
 * Returns the wanted launch flags that a running Chromium lacks. `playwright run-server` without `--unsafe` drops the flags
 * that its clients request.
 *
 * @returns an empty list when the browser does not report its command line.
 */
export async function readMissingFlags(browser: Browser, wanted: readonly string[]): Promise<string[]> {
  if (browser.browserType().name() !== 'chromium') return [];
  const session = await browser.newBrowserCDPSession();
  const { commandLine } = await session.send('SystemInfo.getInfo').finally(() => session.detach());
  return findMissingFlags(commandLine, wanted);
}

/** Returns the flags that are missing from a command line. Only the last flag for renderer settings counts. */
export function findMissingFlags(commandLine: string, wanted: readonly string[]): string[] {
  if (commandLine === '') return [];
  const present = commandLine.split(' ');
  const settings = settingsOf(present.findLast((flag) => flag.startsWith(SETTINGS_FLAG)) ?? '');
  return wanted.flatMap((flag) => {
    if (!flag.startsWith(SETTINGS_FLAG)) return `${commandLine} `.includes(` ${flag} `) ? [] : [flag];
    const missing = settingsOf(flag).filter((setting) => !settings.includes(setting));
    return missing.length === 0 ? [] : [SETTINGS_FLAG + missing.join(',')];
  });
}

function settingsOf(flag: string): string[] {
  return flag.slice(SETTINGS_FLAG.length).split(',').filter(Boolean);
}

/**
 * Formats a message about the flags that a remote browser lacks. The value of a flag may contain a password. Values are
 * therefore shown only for our own flags and for renderer settings.
 */
export function renderMissingFlags(missing: readonly string[], ours: readonly string[]): string {
  const isPublic = (flag: string) => ours.includes(flag) || flag.startsWith(SETTINGS_FLAG);
  const names = missing.map((flag) => (isPublic(flag) ? flag : flag.replace(/=.*/s, '')));
  return `the remote browser was launched without ${names.join(', ')}: it may draw the same page differently from run to run, or from machine to machine. Start its server with \`npx playwright run-server --unsafe\`, or launch it with these flags.`;
}
