import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'proofsheet-identify-'));
// Read once, when Playwright is loaded.
process.env.PLAYWRIGHT_BROWSERS_PATH = folder;
const { chromium } = await import('@playwright/test');
const { identifyMachine } = await import('../../../../src/page/browser/identify-browser.js');

afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Writes a program that prints a version. */
function writeBrowser(version: string, path = 'browser'): string {
  const file = join(folder, path);
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, `#!/bin/sh\necho '${version}'\n`);
  chmodSync(file, 0o755);
  return file;
}

const identify = (executablePath: string, channel?: string) =>
  identifyMachine({ executablePath, channel, headless: true });

describe.skipIf(process.platform === 'win32')('the identity of a machine', () => {
  test('is the same for the same browser, and another one after an update', async () => {
    const first = await identify(writeBrowser('Chromium 1.0'));
    expect(first).toMatch(/^[\da-f]{64}$/);
    expect(await identify(writeBrowser('Chromium 1.0'))).toBe(first);
    expect(await identify(writeBrowser('Chromium 1.1'))).not.toBe(first);
  });

  test('does not depend on where the browser is', async () => {
    const first = await identify(writeBrowser('Chromium 1.0'));
    expect(await identify(writeBrowser('Chromium 1.0', 'other/browser'))).toBe(first);
  });

  test('depends on the revision of a browser that Playwright has installed', async () => {
    const install = (revision: number) => {
      const path = writeBrowser('1', `chromium_headless_shell-${revision}/chrome-linux/headless_shell`);
      writeFileSync(join(folder, `chromium_headless_shell-${revision}/INSTALLATION_COMPLETE`), '');
      return path;
    };
    const first = await identify(install(1));
    expect(await identify(install(1))).toBe(first);
    expect(await identify(install(2))).not.toBe(first);
  });

  test("is that of Playwright's headless shell, also if the full browser is not installed", async () => {
    const own = { executablePath: undefined, channel: undefined, headless: true };
    expect(await identifyMachine(own)).toBeNull();
    const shell = /chromium-\d+/.exec(chromium.executablePath())?.[0].replace('chromium-', 'chromium_headless_shell-');
    const path = writeBrowser('1', `${shell}/chrome-linux/headless_shell`);
    writeFileSync(join(folder, `${shell}/INSTALLATION_COMPLETE`), '');
    const known = await identify(path);
    expect(known).toMatch(/^[\da-f]{64}$/);
    expect(await identifyMachine(own)).toBe(known);
    expect(await identifyMachine({ ...own, channel: 'chromium-headless-shell', headless: false })).toBe(known);
    // The full browser is another one, which is not installed.
    expect(await identifyMachine({ ...own, channel: 'chromium' })).toBeNull();
  });

  test('depends on the language', async () => {
    const path = writeBrowser('Chromium 1.0');
    const first = await identify(path);
    const { LC_ALL } = process.env;
    process.env.LC_ALL = `${LC_ALL ?? ''}x`;
    try {
      expect(await identify(path)).not.toBe(first);
    } finally {
      if (LC_ALL === undefined) delete process.env.LC_ALL;
      else process.env.LC_ALL = LC_ALL;
    }
  });

  test('is unknown for a browser that does not exist, and for one that says no version', async () => {
    expect(await identify(join(folder, 'none'))).toBeNull();
    const silent = writeBrowser('');
    writeFileSync(silent, '#!/bin/sh\nexit 0\n');
    expect(await identify(silent)).toBeNull();
  });

  test('is unknown for the channel of another product', async () => {
    expect(await identifyMachine({ executablePath: undefined, channel: 'chrome', headless: true })).toBeNull();
  });
});
