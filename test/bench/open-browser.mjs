import { chromium, firefox } from '@playwright/test';
import { chooseBrowser, repeatableFlags } from '../../.build/page/browser/launch.js';
import { tolerateMissingMedia } from '../../.build/playwright/internals.js';

/** The value of `--browser` of a benchmark: `chromium` (default) or `firefox`, which is an installed one. */
export function browserOption(args = process.argv) {
  const at = args.findIndex((arg) => /^--browser\b/.test(arg));
  const name = at < 0 ? 'chromium' : (args[at].split('=')[1] ?? args[at + 1]);
  if (!['chromium', 'firefox'].includes(name)) throw new Error(`--browser is ${name}: use chromium or firefox`);
  return name;
}

/** Returns the `use` options of a project for a browser, without those of Chromium's flags. */
export function useOptionsOf(name) {
  const options = name === 'firefox' ? { browserName: 'firefox', channel: 'moz-firefox' } : { browserName: 'chromium' };
  const { executablePath } = chooseBrowser({ ...options, headless: true, remote: false }, process);
  return { ...options, launchOptions: executablePath === undefined ? {} : { executablePath } };
}

/** Launches the browser of a benchmark. */
export async function openBrowser(name) {
  const { channel, launchOptions } = useOptionsOf(name);
  if (name === 'firefox') {
    const browser = await firefox.launch({ channel, ...launchOptions });
    tolerateMissingMedia(browser, () => {});
    return browser;
  }
  return chromium.launch({ ...launchOptions, args: repeatableFlags([]) });
}
