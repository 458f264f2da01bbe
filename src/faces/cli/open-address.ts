import { spawn } from 'node:child_process';

/** Opens an address in the user's browser, where there is one; that there is none is no reason to fail. */
export function openAddress(url: string): void {
  const [program, ...args] = OPENERS[process.platform] ?? ['xdg-open'];
  const child = spawn(program ?? '', [...args, url], { stdio: 'ignore', detached: true });
  child.on('error', () => {});
  child.unref();
}

const OPENERS: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};
