import type { LaunchOptions } from '@playwright/test';

/** What the process that keeps a browser is started with. */
interface KeeperStart {
  /** The module from which Playwright is found. */
  readonly from: string;
  readonly launchOptions: LaunchOptions;
  readonly ownerPid: number;
}

/**
 * Launches Chromium, sends the endpoint of its protocol to who has started it, and closes it when the owner has ended. Runs as the whole of a
 * process of its own, and travels there as source text: it may use nothing from outside its body.
 *
 * Playwright launches it first, and tells how it does; but whoever launches a browser takes part in all that happens in it.
 * So it is launched once more, by the same flags, with no one attached.
 */
export async function keepBrowser({ from, launchOptions, ownerPid }: KeeperStart): Promise<void> {
  const { spawn, spawnSync } = await import('node:child_process');
  const { mkdtemp, rm } = await import('node:fs/promises');
  const { createRequire } = await import('node:module');
  const { tmpdir } = await import('node:os');
  const { join } = await import('node:path');
  const { createInterface } = await import('node:readline');

  const playwright: typeof import('@playwright/test') = createRequire(from)('@playwright/test');
  const server = await playwright.chromium.launchServer(launchOptions);
  const [command = '', ...args] = server.process().spawnargs;
  await server.close();

  const profile = await mkdtemp(join(tmpdir(), 'proofsheet-browser-'));
  const isOwn = (flag: string) => /^--(user-data-dir=|remote-debugging-)/.test(flag);
  const flags = args.filter((flag) => !isOwn(flag));
  const browser = spawn(command, [`--user-data-dir=${profile}`, '--remote-debugging-port=0', ...flags], {
    stdio: ['ignore', 'ignore', 'pipe'],
    // A group of its own: what is launched may be a script that launches the browser.
    detached: process.platform !== 'win32',
  });
  const killGroup = (pid: number) => {
    try {
      process.kill(-pid, 'SIGKILL');
    } catch {
      // It has ended.
    }
  };
  const end = async () => {
    if (process.platform === 'win32') spawnSync('taskkill', ['/pid', String(browser.pid), '/T', '/F']);
    else if (browser.pid !== undefined) killGroup(browser.pid);
    clearInterval(watch);
    await rm(profile, { recursive: true, force: true, maxRetries: 5 });
  };
  browser.on('exit', end);
  browser.on('error', end);
  const watch = setInterval(() => {
    try {
      process.kill(ownerPid, 0);
    } catch {
      void end();
    }
  }, 250);
  for await (const line of createInterface(browser.stderr)) {
    const endpoint = /^DevTools listening on (ws:\S+)/.exec(line)?.[1];
    if (endpoint) process.send?.(endpoint, () => process.disconnect?.());
  }
}
