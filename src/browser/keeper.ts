import type { ChildProcess } from 'node:child_process';
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
 *
 * It begins to look after its owner before it launches anything, and ends whole also when it is told to by a signal.
 */
export async function keepBrowser({ from, launchOptions, ownerPid }: KeeperStart): Promise<void> {
  const { spawn, spawnSync } = await import('node:child_process');
  const { mkdtemp, rm } = await import('node:fs/promises');
  const { createRequire } = await import('node:module');
  const { tmpdir } = await import('node:os');
  const { join } = await import('node:path');
  const { createInterface } = await import('node:readline');

  const over = new AbortController();
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => over.abort());
  const watch = setInterval(() => {
    try {
      process.kill(ownerPid, 0);
    } catch {
      // As if it were told to end: what Playwright has launched so far ends by that too.
      process.emit('SIGTERM', 'SIGTERM');
    }
  }, 250);

  const playwright: typeof import('@playwright/test') = createRequire(from)('@playwright/test');
  const server = await playwright.chromium.launchServer(launchOptions);
  const [command = '', ...args] = server.process().spawnargs;
  await server.close();

  const profile = await mkdtemp(join(tmpdir(), 'proofsheet-browser-'));
  let browser: ChildProcess | null = null;
  const killGroup = (pid: number) => {
    try {
      process.kill(-pid, 'SIGKILL');
    } catch {
      // It has ended.
    }
  };
  const end = async () => {
    clearInterval(watch);
    if (browser?.pid !== undefined) {
      if (process.platform === 'win32') spawnSync('taskkill', ['/pid', String(browser.pid), '/T', '/F']);
      else killGroup(browser.pid);
    }
    await rm(profile, { recursive: true, force: true, maxRetries: 5 });
  };
  if (over.signal.aborted) return end();
  over.signal.addEventListener('abort', end);
  const isOwn = (flag: string) => /^--(user-data-dir=|remote-debugging-)/.test(flag);
  const flags = args.filter((flag) => !isOwn(flag));
  const kept = spawn(command, [`--user-data-dir=${profile}`, '--remote-debugging-port=0', ...flags], {
    stdio: ['ignore', 'ignore', 'pipe'],
    // A group of its own: what is launched may be a script that launches the browser.
    detached: process.platform !== 'win32',
  });
  browser = kept;
  kept.on('exit', end);
  kept.on('error', end);
  for await (const line of createInterface(kept.stderr)) {
    const endpoint = /^DevTools listening on (ws:\S+)/.exec(line)?.[1];
    if (endpoint) process.send?.(endpoint, () => process.disconnect?.());
  }
}
