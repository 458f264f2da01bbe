import { spawn } from 'node:child_process';
import { isLoopback, printRemark } from '../model/index.js';
import { readVerdict, serveReport } from '../review/index.js';
import { findProject } from '../run/index.js';
import { command, off, preset, printAnswer, value } from './command.js';
import { BASELINES, readPort, untilInterrupted } from './flags.js';

export const report = command({
  name: 'report',
  description: 'open the report of the last finished run or a downloaded report, with buttons to approve and reject',
  args: { '[folder]': 'report folder (default: proofsheet-report next to the config)' },
  flags: {
    port: value('<number>', 'port of the server (default: any free port)', { read: readPort }),
    host: preset('<name>', 'host of the server', '127.0.0.1'),
    open: off('do not open the browser'),
    ...BASELINES,
  },
  help: `  proofsheet report
  proofsheet report ~/Downloads/proofsheet-report --config e2e/playwright.config.ts

In the report, you can approve and reject shots, with the same checks as \`proofsheet approve\`. Anyone who knows the URL can do this.
Press Ctrl+C to stop the server. Exit code: 0 stopped, 2 an error occurred.`,
  async run({ port, host, open, json, ...flags }, [from]) {
    const places = findProject({ ...flags, from });
    const { verdict, laterRun } = await readVerdict(places);
    if (laterRun !== null) printRemark(laterRun);
    // Listen for signals before the output says that the server is ready.
    const ended = untilInterrupted();
    const { url, close } = await serveReport(places, host, port ?? 0);
    if (!isLoopback(host)) {
      printRemark(`other machines can reach ${host}: anyone who knows the URL can approve shots`);
    }
    const text = `proofsheet: ${verdict}; the report is at ${url}\nPress Ctrl+C to stop.\n`;
    printAnswer({ json: { url, ...places }, text }, json);
    if (open && process.stdout.isTTY && !process.env.CI) openAddress(url);
    await ended;
    await close();
    return null;
  },
});

/** Ignores a missing browser. */
function openAddress(url: string): void {
  const [program, ...args] = OPENERS[process.platform] ?? ['xdg-open'];
  const child = spawn(program ?? '', [...args, url], { stdio: 'ignore', detached: true });
  child.on('error', () => {});
  child.unref();
}

const OPENERS: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};
