import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from './build.mjs';
import { mustRun, root, run } from './run.mjs';

/**
 * Brings a fresh clone to where everything can run: dependencies, the built package, a browser.
 *
 * @param {Parameters<typeof build>[0]} [options] of the build.
 */
export async function setUp(options) {
  checkNode();
  await installDependencies();
  await build(options);
  await installBrowser();
}

function checkNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  throw new Error(`Node ${process.versions.node} is too old: proofsheet needs 20.19 or newer.`);
}

async function installDependencies() {
  const installed = join(root, 'node_modules', '.package-lock.json');
  const wanted = join(root, 'package.json');
  if (existsSync(installed) && statSync(installed).mtimeMs >= statSync(wanted).mtimeMs) return;
  say('Installing dependencies');
  // Not `npm ci`: the lock file holds the optional packages (odiff, Biome) of those platforms only that the registry it was
  // made with has, and ci refuses to do without the others. The versions are the lock file's all the same. The build comes next:
  // `prepare` would do it twice.
  await mustRun('npm', ['install', '--no-fund', '--no-audit', '--ignore-scripts'], { quiet: true });
}

/** First an installed one, then Playwright's download, then Debian's. */
async function installBrowser() {
  if (await hasBrowser()) return;
  say("Downloading Playwright's Chromium");
  await run('npx', ['playwright', 'install', '--only-shell', 'chromium'], { quiet: true });
  if (await hasBrowser()) return;
  if (process.platform === 'linux' && process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    say('The download failed: installing the chromium-headless-shell of Debian');
    const env = { DEBIAN_FRONTEND: 'noninteractive' };
    await mustRun('apt-get', ['update', '-qq'], { quiet: true, env });
    await mustRun('apt-get', ['install', '-y', '-qq', 'chromium-headless-shell'], { quiet: true, env });
    if (await hasBrowser()) return;
  }
  throw new Error('No browser could be installed. Install Chrome or Chromium, or run: npx playwright install chromium');
}

async function hasBrowser() {
  const { chooseBrowser } = await import(pathToFileURL(join(root, '.build/page/browser/launch.js')).href);
  const wish = { browserName: 'chromium', headless: true, remote: false };
  try {
    chooseBrowser(wish, process);
    return true;
  } catch {
    return false;
  }
}

function say(text) {
  process.stdout.write(`${text} ...\n`);
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) await setUp();
