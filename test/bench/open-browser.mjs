import { chromium, firefox, webkit } from '@playwright/test';
import { chooseBrowser, repeatableFlags, repeatablePreferences } from '../../.build/page/browser/launch.js';
import { initScriptOf } from '../../.build/page/in-page/frames.js';
import { createStabilizers } from '../../.build/page/stabilize/stabilizers.js';
import { tolerateMissingMedia } from '../../.build/playwright/internals.js';
import { installWebKit, launchWebKit, webKitOptions } from '../webkit-window.mjs';

const BROWSERS = ['chromium', 'full', 'firefox', 'webkit'];

/**
 * Returns the option `--browser` of a benchmark. `chromium` is the headless shell, and `full` is a Chromium that can also have a window. Firefox is
 * an installed one, and WebKit is WebKitGTK of Debian.
 */
export function browserOption() {
  const [, name = 'chromium'] = /--browser[= ](\w+)/.exec(process.argv.join(' ')) ?? [];
  if (!BROWSERS.includes(name)) throw new Error(`--browser is ${name}: use ${BROWSERS.join(', ')}`);
  return name;
}

/** Returns the options of `use` for a browser, without flags. */
export function useOptionsOf(name) {
  if (name === 'webkit') return webKitOptions();
  const browserName = name === 'full' ? 'chromium' : name;
  const options = { browserName, ...(name === 'firefox' && { channel: 'moz-firefox' }) };
  const { executablePath } = chooseBrowser({ ...options, headless: name !== 'full', remote: false }, process);
  return { ...options, launchOptions: { ...(executablePath && { executablePath }) } };
}

/**
 * Launches the browser of a benchmark.
 *
 * @param other - options of Chromium that differ: `executablePath`, `args`, `env`, and flags that it is launched `without`
 */
export async function openBrowser(name, { args = [], without = [], ...other } = {}) {
  if (name === 'webkit') {
    installWebKit();
    return launchWebKit(webkit);
  }
  const { channel, launchOptions } = useOptionsOf(name);
  const flags = repeatableFlags(args).filter((flag) => !without.includes(flag));
  if (name !== 'firefox') return chromium.launch({ ...launchOptions, ...other, args: flags });
  const browser = await firefox.launch({ channel, ...launchOptions, firefoxUserPrefs: repeatablePreferences() });
  tolerateMissingMedia(browser, () => {});
  return browser;
}

/**
 * Opens a page of a site in a new context, without transitions, animations, scrollbars and requests to other hosts, and closes it after use.
 *
 * @param livesMs - how long its timers run, also of a page that moves; 0: in real time
 */
export async function visitStill(browser, site, path, use, livesMs = 0) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 720 }, reducedMotion: 'reduce' });
  try {
    const page = await context.newPage();
    await page.route(
      (url) => !url.href.startsWith(site),
      (route) => route.abort(),
    );
    await page.addInitScript(hideScrollbars);
    if (livesMs > 0) {
      await page.addInitScript(initScriptOf(createStabilizers({ random: true }).initScript));
      await page.clock.install({ time: 0 });
      await page.clock.pauseAt(60_000);
    }
    await page.goto(`${site}/${path}`);
    if (livesMs > 0) await page.clock.runFor(livesMs).catch(() => {}); // An error of a timer is one of the page.
    await page.addStyleTag({
      content: '*, ::before, ::after { transition: none !important; animation: none !important }',
    });
    await page.evaluate(() => {
      for (const video of document.querySelectorAll('video'))
        Object.assign(video, { autoplay: false, currentTime: 0 }).pause();
    });
    return await use(page);
  } finally {
    await context.close();
  }
}

/** Runs in the page, before its own scripts. Those of GTK fade for a second. */
function hideScrollbars() {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync('* { scrollbar-width: none !important }');
  document.adoptedStyleSheets = [sheet];
}
