import type { Browser } from '@playwright/test';
import { SETTINGS_FLAG } from './launch.js';

/**
 * Returns the launch flags that a running Chromium was not launched with: `playwright run-server` without `--unsafe` drops
 * what its clients ask for.
 *
 * @returns an empty list where the browser does not report its command line.
 */
export async function readMissingFlags(browser: Browser, wanted: readonly string[]): Promise<string[]> {
  if (browser.browserType().name() !== 'chromium') return [];
  const session = await browser.newBrowserCDPSession();
  const { commandLine } = await session.send('SystemInfo.getInfo').finally(() => session.detach());
  return findMissingFlags(commandLine, wanted);
}

/** Returns the flags that are not in a command line. Of several flags for renderer settings, the last one counts. */
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

/** Tells which flags a remote browser lacks. A flag may hold a password after its equals sign: only ours, and renderer settings, are shown whole. */
export function renderMissingFlags(missing: readonly string[], ours: readonly string[]): string {
  const isPublic = (flag: string) => ours.includes(flag) || flag.startsWith(SETTINGS_FLAG);
  const names = missing.map((flag) => (isPublic(flag) ? flag : flag.replace(/=.*/s, '')));
  return `the remote browser was launched without ${names.join(', ')}: it may draw the same page differently from run to run, or from machine to machine. Start its server with \`npx playwright run-server --unsafe\`, or launch it with these flags.`;
}
