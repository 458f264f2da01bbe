import { spawn } from 'node:child_process';
import type { Command } from 'commander';
import { isLoopback, print, printJson, printRemark } from '../model/index.js';
import { readVerdict, serveReport } from '../review/index.js';
import { findProject, type ProjectPlaces } from '../run/index.js';
import { addPlaces, interrupted, readPort } from './flags.js';

const EXAMPLES = `
Examples:
  proofsheet report
  proofsheet report ~/Downloads/proofsheet-report --config e2e/playwright.config.ts

In the report, you can approve and reject shots, with the same checks as \`proofsheet approve\`. Anyone who knows the URL can do this.
Press Ctrl+C to stop the server. Exit code: 0 stopped, 2 an error occurred.`;

/** Adds `proofsheet report [DIR]`. */
export function addReport(program: Command): void {
  const command = program
    .command('report')
    .description('open the report of the last finished run or a downloaded report, with buttons to approve and reject')
    .argument('[folder]', 'report folder (default: proofsheet-report next to the config)')
    .option('--port <number>', 'port of the server (default: any free port)', readPort)
    .option('--host <name>', 'host of the server', '127.0.0.1')
    .option('--no-open', 'do not open the browser')
    .addHelpText('after', EXAMPLES);
  addPlaces(command).action(report);
}

interface ReportFlags extends ProjectPlaces {
  readonly port?: number;
  readonly host: string;
  readonly open: boolean;
  readonly json?: true;
}

async function report(from: string | undefined, { port = 0, host, open, json, ...flags }: ReportFlags): Promise<void> {
  const places = findProject({ ...flags, ...(from !== undefined && { from }) });
  const { verdict, laterRun } = await readVerdict(places);
  if (laterRun !== null) printRemark(laterRun);
  // Listen for signals before the output says that the server is ready.
  const ended = interrupted();
  const server = await serveReport(places, host, port);
  if (!isLoopback(host)) {
    printRemark(`other machines can reach ${host}: anyone who knows the URL can approve shots`);
  }
  const answer = { status: 'success', error: false, url: server.url, ...places };
  const text = `proofsheet: ${verdict}; the report is at ${server.url}\nPress Ctrl+C to stop.\n`;
  if (json) printJson(answer);
  else print(text);
  if (open && process.stdout.isTTY && !process.env.CI) openAddress(server.url);
  await ended;
  await server.close();
}

/** Opens a URL in the user's browser. Ignores a missing browser. */
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
