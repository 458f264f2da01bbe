import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Browser, BrowserType, LaunchOptions } from '@playwright/test';
import { keepBrowser } from './keeper.js';

/** Which browser is to outlive the process that asks for it, and for how long. */
export interface OutlivingWish {
  /** Its endpoint is written there for those who come after; one file for each that may ask at the same time. */
  readonly file: string;
  readonly launchOptions: LaunchOptions;
  /** The process whose end is the browser's; where it is the first of the machine, which never ends, there can be none. */
  readonly ownerPid: number;
}

/** It takes over whoever has lost its parent: a worker whose run was killed, too. */
const FIRST_PROCESS = 1;

/** How long a browser may take until it can be connected to. */
const START_MS = 20_000;

/**
 * Connects to a browser that goes on when this process ends: the one that a process before has left, else a new one.
 *
 * @returns null where there can be none; a browser is to be launched as ever then.
 */
export async function connectOutliving(chromium: BrowserType, wish: OutlivingWish): Promise<Browser | null> {
  if (wish.ownerPid === FIRST_PROCESS) return null;
  const found = existsSync(wish.file) ? await connect(chromium, readFileSync(wish.file, 'utf8')) : null;
  if (found) return found;
  const endpoint = await startKeeper(wish);
  if (endpoint === null) return null;
  mkdirSync(dirname(wish.file), { recursive: true });
  writeFileSync(wish.file, endpoint);
  const browser = await connect(chromium, endpoint);
  if (!browser) rmSync(wish.file, { force: true });
  return browser;
}

/** A browser that has gone meanwhile refuses at once. */
function connect(chromium: BrowserType, endpoint: string): Promise<Browser | null> {
  return chromium.connectOverCDP(endpoint, { timeout: START_MS }).catch(() => null);
}

/** Its keeper is a process of its own, which ends with the owner whatever happens to us. */
async function startKeeper({ launchOptions, ownerPid }: OutlivingWish): Promise<string | null> {
  const start = JSON.stringify({ from: import.meta.url, launchOptions, ownerPid });
  const keeper = spawn(process.execPath, ['-e', `(${keepBrowser})(${start})`], {
    detached: true,
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    // It is no test runner: what has been set for one is not for it.
    env: { ...process.env, NODE_OPTIONS: '' },
  });
  keeper.unref();
  const over = new AbortController();
  const timer = setTimeout(() => over.abort(), START_MS);
  try {
    const [endpoint]: string[] = await Promise.race([
      once(keeper, 'message', { signal: over.signal }),
      once(keeper, 'exit', { signal: over.signal }).then(() => []),
    ]);
    return endpoint ?? null;
  } catch {
    keeper.kill();
    return null;
  } finally {
    clearTimeout(timer);
    over.abort();
    if (keeper.connected) keeper.disconnect();
  }
}
